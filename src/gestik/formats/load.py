"""Loading by path or by name: the one place that knows which ending belongs to which reader."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from gestik.errors import FormatError, InputError, NameNotFoundError, unknown_name
from gestik.formats.bundled import bundled_file, list_bundled
from gestik.formats.character_toml import read_character
from gestik.formats.csv_clips import read_csv
from gestik.formats.skeleton_files import CLIP_READERS, DESCRIBERS
from gestik.model.character import Character
from gestik.model.clip import Clip
from gestik.model.faults import shown
from gestik.model.scaling import check_scale, scaled_character, scaled_clip, scaled_skeleton
from gestik.model.skeleton import Skeleton

CHARACTER_ENDING = ".toml"
RECORDING_ENDING = ".csv"
ENDINGS = (CHARACTER_ENDING, *DESCRIBERS)
CLIP_ENDINGS = (CHARACTER_ENDING, RECORDING_ENDING, *CLIP_READERS)


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


def load_clips(
    source: str | os.PathLike[str],
    *,
    skeleton: Skeleton | None = None,
    angles: str | None = None,
    scale: float = 1.0,
) -> dict[str, Clip]:
    """Return the clips of a file, or of a bundled character, by name; none is an empty dictionary.

    Args:
        source: A path that ends in one of `CLIP_ENDINGS`, or a name from `list_bundled()` such as "lamp".
        skeleton: Whose joints a recording (.csv) names; required there, and of no use where the file has its own.
        angles: "degrees" or "radians", for those columns of a recording that do not say it.
        scale: Every length is multiplied by this.  The skeleton handed in is in its size already.

    Raises:
        FormatError, ModelError, NameNotFoundError: As for `load`.
        InputError: `skeleton` or `angles` is missing or out of place.
    """
    factor = check_scale(scale)
    with _find(source, CLIP_ENDINGS) as path:
        ending = path.suffix.lower()
        if ending == RECORDING_ENDING:
            clip = read_csv(path, _required_skeleton(skeleton, path), angles)
            slides = clip.skeleton.dof_slides
            return {clip.name: replace(clip, angles=clip.angles * np.where(slides, factor, 1.0))}
        for what, given in (("skeleton", skeleton), ("angles", angles)):
            if given is not None:
                raise InputError(f"{what} is for recordings ({RECORDING_ENDING}); {str(path)!r} says it itself")
        clips = read_character(path).clips if ending == CHARACTER_ENDING else CLIP_READERS[ending](path)
        return {name: scaled_clip(clip, factor) for name, clip in clips.items()}


def _required_skeleton(skeleton: object, path: Path) -> Skeleton:
    """The skeleton a recording is of."""
    if not isinstance(skeleton, Skeleton):
        raise InputError(f"{str(path)!r} tells no skeleton: hand it in, as in skeleton=gestik.load('robot.urdf')")
    return skeleton


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
