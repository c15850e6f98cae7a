"""Denavit-Hartenberg tables in the classic convention (Denavit & Hartenberg 1955): one row for each joint.

A row takes the frame of its joint to that of the next: a turn by theta about z, a shift by d along z, a shift by a
along the new x, a turn by alpha about it.  The joint turns about or slides along that z: its value adds to theta or d.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gestik.errors import InputError
from gestik.model import checks
from gestik.model.builder import SkeletonBuilder
from gestik.model.faults import shown
from gestik.model.joints import JointKind
from gestik.model.motion_inspection import UNLIMITED
from gestik.model.scaling import check_scale, scaled_skeleton
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, ORIGIN, from_axis_angle, multiply

END = "end"
KINDS = ("revolute", "prismatic")


def from_dh(
    rows: Sequence[Sequence[float]] | NDArray[np.float64],
    *,
    kinds: str | Sequence[str] = "revolute",
    limits: Sequence[Sequence[float] | None] | NDArray[np.float64] | None = None,
    names: Sequence[str] | None = None,
    name: str = "arm",
    up: str | Sequence[float] = "z",
    scale: float = 1.0,
) -> Skeleton:
    """Return the serial arm of a classic Denavit-Hartenberg table, with a frame called "end" behind its last row.

    Args:
        rows: For each joint (theta [rad], d [m], a [m], alpha [rad]); the joint's value adds to theta or d.
        kinds: "revolute" or "prismatic", one word for all joints or one for each.
        limits: (lowest, highest) for each joint [rad or m]; None, for one or all: unlimited.
        names: What the joints are called; None: joint1, joint2 and so on.
        name: What the skeleton is called.
        up: Which axis of the base points up: "x", "-x", ... or a vector.
        scale: Every length is multiplied by this: 0.001 for a table in millimetres.

    Raises:
        ModelError: Something in the table is wrong; lists every fault.
    """
    factor = check_scale(scale)
    builder = SkeletonBuilder(name, up=up)
    faults = builder.faults
    table = _items("rows", rows)
    if not table:
        faults.add("rows: there are none")
    columns = {
        "kinds": [kinds] * len(table) if isinstance(kinds, str) else _items("kinds", kinds),
        "limits": [None] * len(table) if limits is None else _items("limits", limits),
        "names": [f"joint{n}" for n in range(1, len(table) + 1)] if names is None else _items("names", names),
    }
    for what, column in columns.items():
        if len(column) != len(table):
            faults.add(f"{what}: there are {len(column)}, where there are {len(table)} rows")
    parent, position, twist = None, ORIGIN, IDENTITY
    for row, kind, span, joint in zip(table, *columns.values(), strict=False):
        place = f"joint {shown(joint)}:"
        theta, d, a, alpha = faults.take(f"{place} row", _row, row, (0.0, 0.0, 0.0, 0.0))
        rotation = multiply(twist, from_axis_angle(checks.AXES["z"], theta))
        add = partial(builder.joint, joint, parent=parent, axis="z", position=position, rotation=rotation)
        kind = faults.take(f"{place} kind", _kind, kind, JointKind.PRISMATIC)
        lower, upper = faults.take(f"{place} limits", _limits, span, UNLIMITED)
        if kind is JointKind.REVOLUTE and (lower, upper) == UNLIMITED:
            add(kind=JointKind.CONTINUOUS)
        else:
            add(kind=kind, lower=lower, upper=upper)
        parent, position, twist = joint, (a, 0.0, d), from_axis_angle(checks.AXES["x"], alpha)
    builder.frame(END, parent=parent, position=position, rotation=twist)
    return scaled_skeleton(builder.build(), factor)


def _items(what: str, given: object) -> list[Any]:
    """A table or a column of it, as a list."""
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if not isinstance(given, list | tuple):
        raise InputError(f"{what} are {shown(given)}, not one for each joint")
    return list(given)


def _row(value: object) -> tuple[float, float, float, float]:
    """Read theta, d, a and alpha."""
    theta, d, a, alpha = checks.numbers(value, 4)
    return theta, d, a, alpha


def _kind(value: object) -> JointKind:
    """Read how a joint moves."""
    if value not in KINDS:
        raise ValueError(f"is {shown(value)}, not one of {', '.join(KINDS)}")
    return JointKind(value)


def _limits(value: object) -> tuple[float, float]:
    """Read the lowest and the highest value; None: unlimited."""
    if value is None:
        return UNLIMITED
    lower, upper = checks.numbers(value, 2, read=checks.number)
    return lower, upper
