"""Loading by path or by name: the one place that knows which ending belongs to which reader."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gestik.errors import FormatError, InputError, NameNotFoundError, unknown_name
from gestik.formats.bundled import bundled_file, list_bundled
from gestik.formats.character_toml import read_character
from gestik.formats.skeleton_files import DESCRIBERS
from gestik.model.character import Character
from gestik.model.faults import shown
from gestik.model.scaling import check_scale, scaled_character, scaled_skeleton
from gestik.model.skeleton import Skeleton

CHARACTER_ENDING = ".toml"
ENDINGS = (CHARACTER_ENDING, *DESCRIBERS)


def load(source: str | os.PathLike[str], *, scale: float = 1.0) -> Skeleton:
    """Return the skeleton of a file, or of a bundled character.

    Args:
        source: A path that ends in one of `ENDINGS`, or a name from `list_bundled()` such as "lamp".
        scale: Every length is multiplied by this: 0.01 for a file drawn in centimetres.

    Raises:
        FormatError: The file is missing, of an unknown kind, or cannot be read at all.
        ModelError: It can be read, and the skeleton in it is wrong; lists every fault.
        NameNotFoundError: No bundled character is called so.
    """
    factor = check_scale(scale)
    with _find(source, ENDINGS) as path:
        if path.suffix.lower() == CHARACTER_ENDING:
            return scaled_skeleton(read_character(path).skeleton, factor)
        return scaled_skeleton(DESCRIBERS[path.suffix.lower()](path).build(), factor)


def load_character(source: str | os.PathLike[str], *, scale: float = 1.0) -> Character:
    """Return the character of a .toml file, or a bundled one; arguments and errors as for `load`."""
    factor = check_scale(scale)
    with _find(source, (CHARACTER_ENDING,)) as path:
        return scaled_character(read_character(path), factor)


@contextmanager
def _find(source: str | os.PathLike[str], endings: tuple[str, ...]) -> Iterator[Path]:
    """The file that is meant; it exists for as long as the context is open."""
    try:
        path = Path(source)
    except TypeError as fault:
        raise InputError(f"a file or a name is expected, not {shown(source)}") from fault
    if isinstance(source, str) and source == path.name and not path.suffix:
        if source not in list_bundled():
            hint = unknown_name("bundled character", source, list_bundled())
            raise NameNotFoundError(f"{hint}; the path of a file ends in {_listed(endings)}")
        with bundled_file(source) as file:
            yield file
        return
    if path.suffix.lower() not in endings:
        names = ", ".join(map(repr, list_bundled()))
        raise FormatError(f"{str(path)!r} does not end in {_listed(endings)}, and is no bundled character: {names}")
    yield path


def _listed(endings: tuple[str, ...]) -> str:
    """The endings as a choice."""
    return " or ".join(endings)
