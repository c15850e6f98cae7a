"""What the first line of a recording says: which column is the time, which joint each other one is, in what units."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gestik.errors import FormatError, InputError
from gestik.model.faults import Faults, shown
from gestik.model.skeleton import Skeleton

DEGREE = math.pi / 180.0
ANGLE_UNITS = {"deg": DEGREE, "degree": DEGREE, "degrees": DEGREE, "rad": 1.0, "radian": 1.0, "radians": 1.0}
LENGTH_UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001}
TIME_UNITS = {"s": 1.0, "sec": 1.0, "seconds": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
TIME_NAMES = ("time", "timestamp", "t", "seconds")

# What recorders add to the name of a joint to say that this is where it stands.
POSITION_ENDING = re.compile(r"[._/](?:pos|position)$")
UNIT_IN_BRACKETS = re.compile(r"(.*?)\s*[\[(]\s*(\w+)\s*[\])]")
UNIT_AT_THE_END = re.compile(r"(.+)_([a-z]+)")


class Columns(NamedTuple):
    """Where each number of a line goes."""

    time: int  # the column of the time
    second: float  # how many seconds one unit of time is
    cells: list[int]  # [k], columns of angles
    dofs: list[int]  # [k], the degree of freedom each of them is
    units: list[float]  # [k], how many rad or m one unit of it is


def read_columns(header: Sequence[str], skeleton: Skeleton, angles: str | None, source: str) -> Columns:
    """What each column is, or FormatError with all that cannot be made out.

    `angles` is "degrees" or "radians", for columns of turning joints that do not say it themselves; None: all must.
    """
    faults = Faults()
    times: list[tuple[int, float]] = []
    found: dict[int, tuple[int, float]] = {}
    slides = skeleton.dof_slides
    for cell, text in enumerate(header):
        second = _time_unit(text.strip())
        if second is not None and text.strip() not in skeleton.dof_names:
            times.append((cell, second))
            continue
        name, word = _split(text.strip(), skeleton)
        if name not in skeleton.dof_names:
            faults.unknown(f"column {cell + 1}", "degree of freedom", name, skeleton.dof_names)
            continue
        dof = skeleton.dof_names.index(name)
        if dof in found:
            faults.add(f"columns {found[dof][0] + 1} and {cell + 1} are both {name!r}")
        try:
            found[dof] = cell, _slide_unit(word) if slides[dof] else _angle_unit(word, angles)
        except ValueError as fault:
            faults.add(f"column {cell + 1}, {shown(name)}: {fault}")
    if len(times) != 1:
        faults.add(f"there are {len(times)} columns of time, not one: {', '.join(TIME_NAMES)}, as in 'time [ms]'")
    elif not found and not len(faults):
        faults.add(f"there is no column for any of {', '.join(skeleton.dof_names)}")
    if len(faults):
        raise FormatError("; ".join([f"{source!r}: line 1", *list(faults)[:8]]))
    dofs = sorted(found)
    return Columns(*times[0], [found[dof][0] for dof in dofs], dofs, [found[dof][1] for dof in dofs])


def check_angle_word(angles: str | None) -> None:
    """Raise InputError where `angles` is neither None nor a unit of angles."""
    if angles is not None and angles not in ANGLE_UNITS:
        raise InputError(f"angles are {shown(angles)}, not one of {', '.join(ANGLE_UNITS)}")


def column_names(skeleton: Skeleton, angles: str) -> list[str]:
    """The header of a recording of all degrees of freedom, units and all."""
    words = np.where(skeleton.dof_slides, "m", angles[:3]).tolist()
    return ["time [s]", *(f"{name} [{word}]" for name, word in zip(skeleton.dof_names, words, strict=True))]


def _time_unit(text: str) -> float | None:
    """Seconds per unit of the column, None where it is no time."""
    name, word = _with_unit(text.lower(), TIME_UNITS)
    if name not in TIME_NAMES:
        return None
    return TIME_UNITS[word] if word else 1.0


def _split(text: str, skeleton: Skeleton) -> tuple[str, str]:
    """The degree of freedom and the unit, perhaps empty, that the head of a column tells."""
    in_brackets = UNIT_IN_BRACKETS.fullmatch(text)
    name, word = (in_brackets[1], in_brackets[2].lower()) if in_brackets else (text, "")
    if name in skeleton.dof_names:
        return name, word
    name = POSITION_ENDING.sub("", name)
    if name in skeleton.dof_names or word:
        return name, word
    return _with_unit(name, {**ANGLE_UNITS, **LENGTH_UNITS})


def _with_unit(text: str, units: Mapping[str, float]) -> tuple[str, str]:
    """``elbow [deg]`` or ``elbow_deg`` in its two parts; the second is empty where no such unit ends it."""
    for pattern in (UNIT_IN_BRACKETS, UNIT_AT_THE_END):
        found = pattern.fullmatch(text)
        if found and found[2] in units:
            return found[1], found[2]
    return text, ""


def _angle_unit(word: str, angles: str | None) -> float:
    """Radians per unit of a joint that turns."""
    unit = word or angles
    if unit is None:
        raise ValueError("in degrees or in radians? Say angles='degrees' or angles='radians', or write 'elbow [deg]'")
    if unit not in ANGLE_UNITS:
        raise ValueError(f"is in {shown(unit)}, not one of {', '.join(ANGLE_UNITS)}")
    return ANGLE_UNITS[unit]


def _slide_unit(word: str) -> float:
    """Metres per unit of a joint that slides."""
    if word and word not in LENGTH_UNITS:
        raise ValueError(f"slides and is in {shown(word)}, not one of {', '.join(LENGTH_UNITS)}")
    return LENGTH_UNITS[word or "m"]
