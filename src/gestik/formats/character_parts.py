"""The [joint.NAME], [frame.NAME] and [eye.NAME] tables of a character file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from gestik.formats.toml_tables import Table
from gestik.kernels.arrays import Quaternion
from gestik.model import checks
from gestik.model.builder import SkeletonBuilder
from gestik.model.faults import shown
from gestik.model.joints import FrameKind, JointKind, Mimic
from gestik.model.transforms import IDENTITY, ORIGIN, from_roll_pitch_yaw

# What a joint gets whose limits are there but cannot be read, so that they are one fault and not three.
UNREAD_LIMITS = (-checks.LARGEST, checks.LARGEST)

# The unit [rad or m] of each of a joint's motions.
Units = tuple[float, ...]


def read_joints(document: Table, builder: SkeletonBuilder, unit: float) -> None:
    """Add the joints.  `unit` is that of angles [rad]."""
    tables = dict(document.tables("joint"))
    kinds = {name: table.need("kind", partial(checks.choice, JointKind), None) for name, table in tables.items()}
    # A wrong kind is one fault; reading the rest as if it turned without end adds no others.
    units = {name: (kind or JointKind.CONTINUOUS).units(unit) for name, kind in kinds.items()}
    for name, table in tables.items():
        kind = kinds[name]
        if kind is None:
            table.ignore_rest()
            builder.joint(name, kind=JointKind.CONTINUOUS, axis="z", parent=table.get("parent"))
        else:
            _read_joint(name, kind, table, builder, units, unit)


def _read_joint(
    name: str, kind: JointKind, table: Table, builder: SkeletonBuilder, units: Mapping[str, Units], unit: float
) -> None:
    """Add one joint; the builder checks what is handed over as it stands."""
    own_units = units[name]
    numbers = _compound_numbers(table, own_units) if kind.is_compound else _single_numbers(table, own_units[0])
    builder.joint(
        name,
        kind=kind,
        parent=table.get("parent"),
        axis=table.get("axis"),
        convention=table.get("convention"),
        position=table.get("position", ORIGIN),
        rotation=table.take("rotation", partial(read_rotation, unit), IDENTITY),
        segment=table.get("segment"),
        mimic=_read_mimic(table, units, own_units[0]) if "mimic" in table else None,
        swing=table.take("swing", partial(_scaled, unit), None),
        twist=table.take("twist", partial(_limits, unit), None),
        twist_axis=table.get("twist_axis"),
        **numbers,
    )


def _single_numbers(table: Table, unit: float) -> dict[str, Any]:
    """Read limits, speed and rest of a joint that moves in one way, in its unit [rad or m]."""
    limits: tuple[float | None, float | None] = None, None
    if "limits" in table:
        limits = table.take("limits", partial(_limits, unit), UNREAD_LIMITS)
    speed, rest = (table.take(key, partial(_scaled, unit), None) for key in ("speed", "rest"))
    return {"lower": limits[0], "upper": limits[1], "speed": speed, "rest": rest}


def _compound_numbers(table: Table, units: Units) -> dict[str, Any]:
    """Read limits, speeds and rests of a joint that moves in several ways."""
    limits: tuple[Units | None, Units | None] = None, None
    if "limits" in table:
        limits = table.take("limits", partial(_all_limits, units), limits)
    speed, rest = table.take("speed", partial(_speeds, units), None), table.take("rest", partial(_numbers, units), None)
    return {"lower": limits[0], "upper": limits[1], "speed": speed, "rest": rest}


def _read_mimic(table: Table, units: Mapping[str, Units], own_unit: float) -> Mimic:
    """Read whom a joint follows; the gain turns the leader's unit into the follower's."""
    mimic = table.table("mimic")
    leader = mimic.need("joint", checks.text, "")
    gain = mimic.take("gain", checks.finite, 1.0) * own_unit / units.get(leader, (own_unit,))[0]
    bias = mimic.take("bias", checks.finite, 0.0) * own_unit
    return Mimic(leader, gain, bias)


def read_frames(document: Table, builder: SkeletonBuilder, unit: float) -> None:
    """Add the frames, then the eyes.  `unit` is that of angles [rad]."""
    for kind in (FrameKind.FRAME, FrameKind.EYE):
        for name, table in document.tables(kind.value):
            builder.frame(
                name,
                kind=kind,
                parent=table.get("parent"),
                position=table.get("position", ORIGIN),
                rotation=table.take("rotation", partial(read_rotation, unit), IDENTITY),
                axis=table.get("axis") if kind is FrameKind.EYE else None,
            )


def read_rotation(unit: float, value: object) -> Quaternion:
    """Read three angles about the parent's x, y and z axis in turn, or a unit quaternion w first."""
    if not isinstance(value, list) or len(value) not in {3, 4}:
        raise ValueError(f"is {shown(value)}, neither three angles nor the four numbers of a quaternion")
    if len(value) == 4:
        return checks.quaternion(value)
    roll, pitch, yaw = checks.vector(value)
    return from_roll_pitch_yaw(roll * unit, pitch * unit, yaw * unit)


def _limits(unit: float, value: object) -> tuple[float, float]:
    """Read the lowest and the highest value."""
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"is {shown(value)}, not [lowest, highest]")
    lower, upper = value
    return _scaled(unit, lower), _scaled(unit, upper)


def _all_limits(units: Units, value: object) -> tuple[Units, Units]:
    """Read the lowest and the highest value of each motion, as all lowest and all highest ones."""
    if not isinstance(value, list) or len(value) != len(units):
        raise ValueError(f"is {shown(value)}, not a list of {len(units)} pairs [lowest, highest]")
    lower, upper = zip(*(_limits(unit, pair) for unit, pair in zip(units, value, strict=True)), strict=True)
    return lower, upper


def _scaled(unit: float, value: object) -> float:
    """Read a number in a unit."""
    return checks.number(value) * unit


def _numbers(units: Units, value: object) -> tuple[float, ...]:
    """Read a number for each motion in its unit."""
    found = checks.numbers(value, len(units), checks.number)
    return tuple(number * unit for number, unit in zip(found, units, strict=True))


def _speeds(units: Units, value: object) -> tuple[float, ...]:
    """Read a speed for each motion, or one for all where they have one unit."""
    if len(set(units)) == 1 and not isinstance(value, list):
        return (_scaled(units[0], value),) * len(units)
    return _numbers(units, value)
