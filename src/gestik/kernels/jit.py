"""The one decorator for compiled code, and the folder that holds what it compiled.

Numba notices an edit in the file of a cached function, but not in the helpers it calls from other files. So the cache
lives in a folder named by a digest of every source file that holds kernels: any edit starts a fresh folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
ROOMS_WITH_KERNELS = ("kernels", "goals", "solvers", "motion")


def _digest() -> str:
    """Name everything compiled code depends on: our sources, the compiler, the bounds checks."""
    sha = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK} {sys.version_info[:2]}".encode())
    for room in ROOMS_WITH_KERNELS:
        for source in sorted((PACKAGE / room).rglob("*.py")):
            sha.update(source.name.encode())
            sha.update(source.read_bytes())
    return sha.hexdigest()[:16]


def _cache_folder() -> Path | None:
    """Return a folder we can write, or None: then kernels are compiled anew in every process, and work all the same."""
    chosen = os.environ.get("GESTIK_CACHE_DIR")
    base = Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gestik"
    folder = base / _digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):
        return None


CACHE_FOLDER = _cache_folder()


class _CompileNotice(event.Listener):  # type: ignore[misc]  # numba ships no type information
    """Say once, on stderr, why the first call takes long."""

    said = False

    def on_start(self, occurrence: Any) -> None:
        """Numba starts to compile something that no cache held."""
        if self.said or not occurrence.data["dispatcher"].py_func.__module__.startswith("gestik."):
            return
        self.said = True
        keeps = f"later runs load it from {CACHE_FOLDER}" if CACHE_FOLDER else "no writable folder, so every run does this"
        print(f"gestik: compiling, this takes some seconds ({keeps})", file=sys.stderr, flush=True)

    def on_end(self, occurrence: Any) -> None:
        """Nothing to say at the end."""


event.register("numba:compile", _CompileNotice())


def kernel(function: Function) -> Function:
    """Compile `function` at its first call, cached on disk, free of the interpreter lock.

    Division by zero gives infinities as in NumPy; multiply and add may fuse, NaN and infinities keep their meaning.
    """
    folder_before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER or "")
    try:
        compile_lazily = numba.njit(
            cache=CACHE_FOLDER is not None, nogil=True, error_model="numpy", fastmath={"contract"}
        )
        return cast(Function, compile_lazily(function))
    finally:
        numba.config.CACHE_DIR = folder_before
