"""The examples people copy first: every Python block of these pages runs as it stands."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = (
    "README.md",
    "docs/index.md",
    "docs/formats.md",
    "docs/motion/nutty-filter.md",
    "docs/motion/performer.md",
    "docs/motion/retarget.md",
    "docs/motion/ground.md",
    "docs/motion/clips.md",
    "docs/motion/warp.md",
    "docs/motion/vetting.md",
)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def snippets() -> list[object]:
    """Return each block of each page, named by page and position."""
    return [
        pytest.param(textwrap.dedent(block), id=f"{page}-{position}")
        for page in PAGES
        for position, block in enumerate(BLOCK.findall((ROOT / page).read_text(encoding="utf-8")), start=1)
    ]


@pytest.mark.parametrize("snippet", snippets())
def test_a_printed_example_runs(snippet: str) -> None:
    """An example in the documentation runs without an error when pasted."""
    exec(compile(snippet, "<snippet>", "exec"), {"__name__": "__main__"})
