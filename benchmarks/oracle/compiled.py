"""The oracle's one decorator: compiled, free of the interpreter lock, cached under a name that knows all its sources.

The compiler's own cache looks at a function's file only and would go on calling a helper that was edited elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / ".cache" / "oracle"  # ignored by git
DIGEST = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(HERE.glob("*.py")))).hexdigest()[:16]


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of numbers, tuples and arrays at its first call."""
    kept = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(FOLDER / f"compiled-{DIGEST}")
    try:
        result: Callable[P, R] = numba.njit(cache=True, nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = kept
    return result
