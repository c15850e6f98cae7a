"""The decorator for compiled code, and the folder that holds what it compiled.

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
from numba.core import cgutils, event, types
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])
Thing = TypeVar("Thing")

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
        kept = f"later runs load it from {CACHE_FOLDER}"
        keeps = kept if CACHE_FOLDER else "no folder can be written, so every run does this"
        print(f"gestik: compiling, this takes some seconds ({keeps})", file=sys.stderr, flush=True)

    def on_end(self, occurrence: Any) -> None:
        """Nothing to say at the end."""


event.register("numba:compile", _CompileNotice())


def kernel(function: Function) -> Function:
    """Compile `function` at its first call, cached on disk, free of the interpreter lock.

    Division by zero gives infinities as in NumPy; multiply and add may fuse, NaN and infinities keep their meaning.
    Compiled callers get a copy of their own: an array is handed over as seven words or more, a tuple of twelve arrays
    as a hundred, and that can take longer than what is done with them.
    """
    return _compiled(function, inlined=True)


def stage(function: Function) -> Function:
    """Compile `function` as `kernel` does, but once: for what is large, has several callers, and runs long."""
    return _compiled(function, inlined=False)


def _compiled(function: Function, *, inlined: bool) -> Function:
    """Hand `function` to the compiler, which begins when it is first called."""
    folder_before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER or "")
    try:
        compile_lazily = numba.njit(
            cache=CACHE_FOLDER is not None,
            nogil=True,
            error_model="numpy",
            fastmath={"contract"},
            forceinline=inlined,
        )
        return cast(Function, compile_lazily(function))
    finally:
        numba.config.CACHE_DIR = folder_before


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Emit code that copies an array's header, or a tuple of them, leaving out who owns the memory."""
    if isinstance(kind, types.Array):
        header = context.make_array(kind)(context, builder, value)
        header.meminfo = cgutils.get_null_value(header.meminfo.type)
        header.parent = cgutils.get_null_value(header.parent.type)
        return header._getvalue()
    if isinstance(kind, types.BaseTuple):
        parts = [_without_owner(context, builder, part, builder.extract_value(value, i)) for i, part in enumerate(kind)]
        return context.make_tuple(builder, kind, parts)
    return value


def _lend(_context: Any, thing: Any) -> Any:
    """Numba's side of `borrowed`."""

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return _without_owner(context, builder, thing, args[0])

    return thing(thing), emit


_lent = intrinsic(_lend)

if numba.config.DISABLE_JIT:

    def borrowed(thing: Thing) -> Thing:
        """Return `thing`; outside compiled code there is no count to keep."""
        return thing

else:

    @kernel
    def borrowed(thing: Thing) -> Thing:
        """Return an array, or a tuple of arrays, that no longer keeps its memory alive.

        Every read of an array out of a tuple counts references up and down with atomic instructions, a third of the
        time of small kernels.  An entry kernel that keeps the owners until it returns lends these to the rest.
        """
        lent: Thing = _lent(thing)
        return lent
