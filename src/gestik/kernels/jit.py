"""The decorator for compiled code, and the folders that hold what it compiled.

Numba notices an edit in the file of a cached function, but not in the helpers it calls from other files. So the work of
each module is kept in a folder named by a digest of that module and of all it imports from here: an edit starts fresh
folders for what it can reach, and for nothing else.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import cgutils, event, types
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])
Thing = TypeVar("Thing")

PACKAGE = Path(__file__).resolve().parent.parent
# What is imported from this package, and the names taken from it, which may be modules themselves.
IMPORT = re.compile(r"^[ \t]*from gestik([.\w]*) import (\([^)]*\)|.*)|^[ \t]*import gestik([.\w]+)", re.MULTILINE)


@cache
def _imports(source: Path) -> frozenset[Path]:
    """The files of this package that a source file names in its imports."""
    names = set()
    for room, taken, whole in IMPORT.findall(source.read_text(encoding="utf-8")):
        names.add((room or whole).lstrip("."))
        names.update(f"{room}.{name}".lstrip(".") for name in re.findall(r"\w+", taken))
    paths = (PACKAGE.joinpath(*name.split(".")) for name in names if name)
    return frozenset(
        file for path in paths for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()
    )


def _reached_from(source: Path) -> list[Path]:
    """A source file and all of this package that it imports, by whatever way, in a fixed order."""
    reached, waiting = {source}, [source]
    while waiting:
        found = _imports(waiting.pop()) - reached
        reached |= found
        waiting.extend(found)
    return sorted(reached)


@cache
def _digest(source: Path) -> str:
    """Name everything the compiled code of one file depends on: sources, the compiler, the bounds checks."""
    sha = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK} {sys.version_info[:2]}".encode())
    for file in _reached_from(source):
        sha.update(file.name.encode())
        sha.update(file.read_bytes())
    return sha.hexdigest()[:16]


def _cache_base() -> Path | None:
    """Return a folder we can write, or None: then kernels are compiled anew in every process, and work all the same."""
    chosen = os.environ.get("GESTIK_CACHE_DIR")
    base = Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gestik"
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=base):
            return base
    except (OSError, RuntimeError):
        return None


CACHE_BASE = _cache_base()


class _CompileNotice(event.Listener):  # type: ignore[misc]  # numba ships no type information
    """Say once, on stderr, why the first call takes long."""

    said = False

    def on_start(self, occurrence: Any) -> None:
        """Numba starts to compile something that no cache held."""
        if self.said or not occurrence.data["dispatcher"].py_func.__module__.startswith("gestik."):
            return
        self.said = True
        kept = f"later runs load it from {CACHE_BASE}"
        keeps = kept if CACHE_BASE else "no folder can be written, so every run does this"
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


def _compiled(function: Function, *, inlined: bool, kept: bool = True) -> Function:
    """Hand `function` to the compiler, which begins when it is first called."""
    source = Path(function.__code__.co_filename).resolve()
    is_kept = kept and CACHE_BASE is not None and source.is_file()  # what is typed into a shell has no file
    folder_before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_BASE / _digest(source)) if CACHE_BASE and is_kept else ""
    try:
        compile_lazily = numba.njit(
            cache=is_kept,
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
    # Never kept: its folder would name the tuples of other modules, and be of no use to a release without them.
    @partial(_compiled, inlined=True, kept=False)
    def borrowed(thing: Thing) -> Thing:
        """Return an array, or a tuple of arrays, that no longer keeps its memory alive.

        Every read of an array out of a tuple counts references up and down with atomic instructions, a third of the
        time of small kernels.  An entry kernel that keeps the owners until it returns lends these to the rest.
        """
        lent: Thing = _lent(thing)
        return lent
