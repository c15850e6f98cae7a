"""The [joint.NAME], [frame.NAME] and [eye.NAME] tables of a character file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from gestik.formats.toml_tables import Table
from gestik.kernels.arrays import Quaternion
from gestik.model import checks
from gestik.model.builder import SkeletonBuilder
from gestik.model.faults import shown
from gestik.model.joints import FrameKind, JointKind, Mimic
from gestik.model.transforms import IDENTITY, ORIGIN, from_roll_pitch_yaw

# What a joint gets whose limits are there but cannot be read, so that they are one fault and not three.
UNREAD_LIMITS = (-checks.LARGEST, checks.LARGEST)


def read_joints(document: Table, builder: SkeletonBuilder, unit: float) -> None:
    """Add the joints.  `unit` is that of angles [rad]."""
    tables = dict(document.tables("joint"))
    kinds = {name: table.need("kind", partial(checks.choice, JointKind), None) for name, table in tables.items()}
    # A wrong kind is one fault; reading the rest as if it turned without end adds no others.
    units = {name: (kind or JointKind.CONTINUOUS).unit(unit) for name, kind in kinds.items()}
    for name, table in tables.items():
        kind = kinds[name]
        if kind is None:
            table.ignore_rest()
            builder.joint(name, kind=JointKind.CONTINUOUS, axis="z", parent=table.get("parent"))
        else:
            _read_joint(name, kind, table, builder, units, unit)


def _read_joint(
    name: str, kind: JointKind, table: Table, builder: SkeletonBuilder, units: Mapping[str, float], unit: float
) -> None:
    """Add one joint; the builder checks what is handed over as it stands."""
    own_unit = units[name]
    lower, upper = None, None
    if "limits" in table:
        lower, upper = table.take("limits", partial(_limits, own_unit), UNREAD_LIMITS)
    builder.joint(
        name,
        kind=kind,
        parent=table.get("parent"),
        axis=table.get("axis"),
        position=table.get("position", ORIGIN),
        rotation=table.take("rotation", partial(read_rotation, unit), IDENTITY),
        lower=lower,
        upper=upper,
        speed=table.take("speed", partial(_scaled, own_unit), None),
        rest=table.take("rest", partial(_scaled, own_unit), None),
        segment=table.get("segment"),
        mimic=_read_mimic(table, units, own_unit) if "mimic" in table else None,
    )


def _read_mimic(table: Table, units: Mapping[str, float], own_unit: float) -> Mimic:
    """Read whom a joint follows; the gain turns the leader's unit into the follower's."""
    mimic = table.table("mimic")
    leader = mimic.need("joint", checks.text, "")
    gain = mimic.take("gain", checks.finite, 1.0) * own_unit / units.get(leader, own_unit)
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


def _scaled(unit: float, value: object) -> float:
    """Read a number in a unit."""
    return checks.number(value) * unit
