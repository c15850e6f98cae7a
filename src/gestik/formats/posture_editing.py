"""Writing a posture into an artist's character file, and leaving everything else in it as it stands."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import tomlkit
from numpy.typing import ArrayLike
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable

from gestik.errors import FormatError, InputError
from gestik.formats.character_toml import ANGLE_UNITS, read_character
from gestik.formats.files import replace_file
from gestik.formats.toml_tables import parse, read_text
from gestik.model import checks
from gestik.model.skeleton import Skeleton

# Decimals of an angle or a length: finer than anybody sees, short enough to be read.
DECIMALS = {"degrees": 3, "radians": 5}
LENGTH_DECIMALS = 5


def save_posture(path: str | os.PathLike[str], name: str, angles: Mapping[str, float] | ArrayLike) -> None:
    """Write a posture into a character file: over the one of that name, or as a new one at the end.

    Comments, order and every other table stay.  The file is replaced in one step, and only by one that reads back as
    it should.

    Args:
        path: The character file.
        name: What the posture is called.
        angles: Angles [rad, m], [dof] or by joint name; a joint a mapping leaves out is at its rest.

    Raises:
        FormatError: The file cannot be read or written, or holds this posture in a form that cannot be edited in place.
        InputError: The name or an angle is not one.
        NameNotFoundError: The skeleton has no such joint.
    """
    file = Path(path).resolve()
    skeleton = read_character(file).skeleton
    try:
        checks.name(name)
    except ValueError as fault:
        raise InputError(f"name of a posture {fault}") from fault
    text = read_text(file)
    before = parse(text, str(file))
    values = _in_file_units(skeleton, angles, before["character"]["angles"])
    postures = before.get("posture", {})
    newline = "\r\n" if "\r\n" in text else "\n"
    text = text.replace("\r\n", "\n")
    edited = _overwritten(text, name, values) if name in postures else _extended(text, name, values)
    expected = before | {"posture": postures | {name: values}}
    if edited is None or not _reads_as(edited, expected):
        raise FormatError(f"{str(file)!r}: posture {name!r} cannot be edited; write it as a table [posture.{name}]")
    replace_file(file, edited.replace("\n", newline))


def _in_file_units(
    skeleton: Skeleton, angles: Mapping[str, float] | ArrayLike, angle_unit: str
) -> dict[str, int | float]:
    """The angles by name as the file writes them, short, whole numbers without a point."""
    if isinstance(angles, Mapping):
        complete = skeleton.named(skeleton.angles_from(angles))
        named = {name: complete[name] for name in angles}
    else:
        named = skeleton.named(angles)
    slides = dict(zip(skeleton.dof_names, skeleton.dof_slides.tolist(), strict=True))
    values: dict[str, int | float] = {}
    for name, angle in named.items():
        if slides[name]:
            value = round(angle, LENGTH_DECIMALS)
        else:
            value = round(angle / ANGLE_UNITS[angle_unit], DECIMALS[angle_unit])
        values[name] = int(value) if value.is_integer() else value
    return values


def _extended(text: str, name: str, values: Mapping[str, float]) -> str:
    """The file with a new posture at its end."""
    block = tomlkit.dumps({"posture": {name: dict(values)}})
    return f"{text.rstrip()}\n\n{block.strip()}\n"


def _overwritten(text: str, name: str, values: Mapping[str, float]) -> str | None:
    """The file with other values in a posture it has; None where the posture is no table of its own."""
    try:
        document = tomlkit.parse(text)
        posture = document["posture"][name]
        if not isinstance(posture, AbstractTable):
            return None
        for joint in list(posture):
            if joint not in values:
                del posture[joint]
        # What follows the last joint, an empty line or the heading of the next section, stays behind the new joints.
        body = posture.value.body
        last = max((place for place, (key, _) in enumerate(body) if key is not None), default=-1)
        tail = body[last + 1 :]
        del body[last + 1 :]
        for joint, value in values.items():
            posture[joint] = value
        body.extend(tail)
        return tomlkit.dumps(document)
    except TOMLKitError:
        return None


def _reads_as(text: str, expected: Mapping[str, object]) -> bool:
    """Whether a draft is what it should be, to the last value."""
    try:
        return parse(text, "the draft") == expected
    except FormatError:
        return False
