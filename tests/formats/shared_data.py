"""Files from outside the repository, which tests skip when they are absent."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def shared_file(name: str) -> Path:
    """The file of that name; the test is skipped where there is none."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not here")
    return path
