"""Character files: TOML that a person can write.  docs/character-files.md describes every key."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from gestik.errors import FormatError
from gestik.formats.character_clips import draw_clip, read_clips
from gestik.formats.character_parts import dof_units, read_couplings, read_frames, read_joints
from gestik.formats.character_shapes import read_shapes
from gestik.formats.files import inside
from gestik.formats.skeleton_files import DESCRIBERS
from gestik.formats.toml_tables import Table, parse, read_text
from gestik.model import checks
from gestik.model.builder import SkeletonBuilder
from gestik.model.character import Character, Motion
from gestik.model.faults import Faults, shown
from gestik.model.joints import FrameKind
from gestik.model.posture import Posture

# How many radians one unit of a file's angles is.
ANGLE_UNITS = {"degrees": math.pi / 180.0, "radians": 1.0}
RATE_LIMIT = 10_000.0  # [Hz]


def read_character(path: Path) -> Character:
    """Return the character of a file.

    Raises:
        FormatError: The file, or the one that holds its joints, is missing or cannot be read at all.
        ModelError: It can be read, and something in it is wrong; lists every fault.
    """
    document = Table("file", parse(read_text(path), str(path)), Faults())
    if "character" not in document:
        raise FormatError(f"{str(path)!r} is not a character file: it has no table [character]")
    header = document.table("character")
    builder = _start(document, header, path)
    unit = header.need("angles", _angle_unit, 1.0)
    read_joints(document, builder, unit)
    read_couplings(document, builder, unit)
    read_frames(document, builder, unit)
    read_shapes(document, builder, unit, path.parent)
    units = dof_units(builder, unit)
    postures = _read_postures(document, units)
    clips = read_clips(document, units, postures)
    eye = _read_eye(header, builder)
    motion = Motion(rate=header.take("rate", _rate, Motion().rate))
    builder.name = name = header.need("name", checks.name, builder.name)
    document.close()
    builder.faults.extend(document.faults)
    skeleton = builder.build()
    if eye is not None and eye not in skeleton.frame_names:
        eye = f"{FrameKind.EYE}:{eye}"
    drawn = {name: Posture(skeleton.angles_from(angles)) for name, angles in postures.items()}
    played = {name: draw_clip(name, keys, skeleton, postures) for name, keys in clips.items()}
    return Character(name, skeleton, eye, drawn, motion, played)


def _start(document: Table, header: Table, path: Path) -> SkeletonBuilder:
    """A builder for the joints to come, or one that holds those of another file."""
    if "skeleton" not in header:
        return SkeletonBuilder("character", up=header.get("up", "z"), source=str(path))
    try:
        file = inside(path.parent, checks.text(header.get("skeleton")))
    except ValueError as fault:
        raise FormatError(f"{str(path)!r}: skeleton {fault}") from fault
    if file.suffix.lower() not in DESCRIBERS:
        raise FormatError(f"{str(path)!r}: skeleton {file.name!r} does not end in {', '.join(DESCRIBERS)}")
    builder = DESCRIBERS[file.suffix.lower()](file)
    builder.source = str(path)
    for key, table in (("up", header), ("joint", document)):
        if key in table:
            table.fault(f"{key} has no place here: the skeleton is that of {file.name!r}")
    return builder


def _read_postures(document: Table, units: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """The angles [rad or m] each posture gives to the degrees of freedom it names, whose `units` those are."""
    postures = {}
    for name, table in document.tables("posture"):
        angles = {}
        for dof, value in table.named_values().items():
            if dof not in units:
                table.faults.unknown(table.place, "joint that moves by itself", dof, units.keys())
                continue
            angles[dof] = table.faults.take(f"{table.place}: {dof}", partial(_angle, units[dof]), value, 0.0)
        postures[document.faults.take(table.place, checks.name, name, "")] = angles
    return postures


def _read_eye(header: Table, builder: SkeletonBuilder) -> str | None:
    """The eye the character looks with: the one it names, or the only one."""
    named = header.take("eye", checks.text, None)
    if named is not None:
        if named not in builder.eyes:
            header.faults.unknown("character: eye", "eye", named, builder.eyes)
        return named
    if len(builder.eyes) > 1:
        header.fault(f"eye is missing, and there are {len(builder.eyes)} to choose from: {shown(builder.eyes)}")
    return next(iter(builder.eyes), None)


def _angle_unit(value: object) -> float:
    """Read what the file's angles are measured in, as radians per unit."""
    if not isinstance(value, str) or value not in ANGLE_UNITS:
        raise ValueError(f"is {shown(value)}, not one of {', '.join(ANGLE_UNITS)}")
    return ANGLE_UNITS[value]


def _angle(unit: float, value: object) -> float:
    """Read a posture's angle; it may break limits, but not be infinite."""
    return checks.finite(value) * unit


def _rate(value: object) -> float:
    """Read a rate [Hz]."""
    rate = checks.positive(value)
    if rate > RATE_LIMIT:
        raise ValueError(f"is {rate:g}, above {RATE_LIMIT:g}")
    return rate
