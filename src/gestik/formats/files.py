"""Reading a file that may not exist, may not be a file, or may be far too large; writing one whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from gestik.errors import FormatError


def read_bytes(path: Path, limit: int) -> bytes:
    """Return what is in the file, or raise FormatError that names it.  `limit` [bytes] is the most it may hold."""
    try:
        if not path.exists():
            raise FormatError(f"there is no file {str(path)!r}")
        if not path.is_file():
            raise FormatError(f"{str(path)!r} is not a file")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as fault:
        if isinstance(fault, FormatError):
            raise
        raise FormatError(f"{str(path)!r} cannot be read: {fault}") from fault
    if len(data) > limit:
        raise FormatError(f"{str(path)!r} is larger than {limit // 1_000_000} MB, the most this format may hold")
    return data


def replace_file(path: Path, text: str) -> None:
    """Put `text` in the place of a file in one step: a crash leaves the old file or the new one, nobody reads half."""
    draft = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        draft = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode())
        if path.exists():
            shutil.copymode(path, draft)
        else:
            draft.chmod(0o666 & ~_umask())
        draft.replace(path)
    except BaseException as fault:
        if draft is not None:
            draft.unlink(missing_ok=True)
        if isinstance(fault, OSError):
            raise FormatError(f"{str(path)!r} cannot be written: {fault}") from fault
        raise


def _umask() -> int:
    """Which permissions new files lack; to ask is to set."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def inside(folder: Path, name: str) -> Path:
    """The file `name` in `folder` or below; ValueError where it leads outside."""
    path = folder / name
    try:
        resolved = path.resolve()
        stays = resolved.is_relative_to(folder.resolve())
    except (OSError, RuntimeError) as fault:  # a circle of links, a name too long
        raise ValueError(f"is {name[:60]!r}, which cannot be followed: {fault}") from fault
    if not stays or resolved == folder.resolve():
        raise ValueError(f"is {name[:60]!r}, which is not a file in the folder of this one or below")
    return path
