"""Checking one declared part at a time: every wrong value is noted, and a usable part is returned in any case."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from gestik.kernels.arrays import Vector
from gestik.model import checks
from gestik.model.faults import Faults, shown
from gestik.model.joints import Finish, Frame, FrameKind, Joint, JointKind, Mimic, Shape, ShapeKind
from gestik.model.transforms import IDENTITY, ORIGIN

# What a part gets where the declared value is wrong, so that the checks that follow can go on.
Z_AXIS: Vector = (0.0, 0.0, 1.0)
UNIT_SIZE: Vector = (1.0, 1.0, 1.0)
UNLIMITED = (-math.inf, math.inf)

# What only a moving joint has.
MOTION = ("axis", "lower", "upper", "speed", "rest", "mimic")

# The lengths each kind of shape is drawn with, besides `size`.
SHAPE_LENGTHS: dict[ShapeKind, tuple[str, ...]] = {
    ShapeKind.BOX: (),
    ShapeKind.SPHERE: ("radius",),
    ShapeKind.CAPSULE: ("radius", "height"),
    ShapeKind.CYLINDER: ("radius", "height"),
    ShapeKind.CONE: ("radius", "height"),
    ShapeKind.FRUSTUM: ("radius", "top_radius", "height"),
    ShapeKind.MESH: (),
}


def inspect_joint(declared: Mapping[str, object], faults: Faults) -> Joint:
    """Check a joint by itself; None means left out."""
    place = f"joint {shown(declared['name'])}:"
    kind = faults.take(f"{place} kind", partial(checks.choice, JointKind), declared["kind"], None)
    segment = declared["segment"]
    joint = Joint(
        name=faults.take(f"{place} name", checks.name, declared["name"], ""),
        kind=kind or JointKind.CONTINUOUS,
        parent=inspect_parent(place, declared["parent"], faults),
        axis=Z_AXIS,
        position=faults.take(f"{place} position", checks.vector, declared["position"], ORIGIN),
        rotation=faults.take(f"{place} rotation", checks.quaternion, declared["rotation"], IDENTITY),
        segment=None if segment is None else faults.take(f"{place} segment", checks.vector, segment, ORIGIN),
    )
    if kind is None:
        return joint
    if kind is not JointKind.FIXED:
        return _inspect_motion(joint, declared, place, faults)
    misplaced = [what for what in MOTION if declared[what] is not None]
    if misplaced:
        faults.add(f"{place} a fixed joint does not move and has no {', '.join(misplaced)}")
    return joint


def inspect_parent(place: str, parent: object, faults: Faults) -> str | None:
    """Check that a parent is given by name; whether it exists is known only at the end."""
    if parent is None or isinstance(parent, str):
        return parent
    faults.add(f"{place} parent is {shown(parent)}, not a name")
    return None


def _inspect_motion(joint: Joint, declared: Mapping[str, object], place: str, faults: Faults) -> Joint:
    """Check axis, limits, speed, rest and mimic of a joint that moves."""
    if declared["axis"] is None:
        faults.add(f"{place} axis is missing")
        axis = Z_AXIS
    else:
        axis = faults.take(f"{place} axis", checks.axis, declared["axis"], Z_AXIS)
    speed = math.inf
    if declared["speed"] is not None:
        speed = faults.take(f"{place} speed", checks.not_negative, declared["speed"], math.inf)
    mimic = _inspect_mimic(declared["mimic"], place, faults)
    lower, upper = _inspect_limits(joint.kind, declared, place, faults)
    rest = min(max(0.0, lower), upper)
    if declared["rest"] is not None:
        rest = faults.take(f"{place} rest", checks.finite, declared["rest"], rest)
        if mimic is not None:
            faults.add(f"{place} a mimic joint has no rest of its own")
        elif not lower <= rest <= upper:
            limits = f"{_measured(lower, joint.kind)} to {_measured(upper, joint.kind)}"
            faults.add(f"{place} rest {_measured(rest, joint.kind)} is outside its limits, {limits}")
    return replace(joint, axis=axis, lower=lower, upper=upper, speed=speed, rest=rest, mimic=mimic)


def _inspect_limits(kind: JointKind, declared: Mapping[str, object], place: str, faults: Faults) -> tuple[float, float]:
    """Limits that leave room; infinite where there are none or where they are wrong."""
    if kind is JointKind.CONTINUOUS:
        if declared["lower"] is not None or declared["upper"] is not None:
            faults.add(f"{place} a continuous joint has no limits; one that has them is revolute")
        return UNLIMITED
    limits = []
    read = checks.finite if kind is JointKind.REVOLUTE else checks.number
    for what, default in zip(("lower", "upper"), UNLIMITED, strict=True):
        value = declared[what]
        if value is not None:
            limits.append(faults.take(f"{place} {what} limit", read, value, default))
            continue
        limits.append(default)
        if declared["mimic"] is None:
            hint = "; a joint that turns without end is continuous" if kind is JointKind.REVOLUTE else ""
            faults.add(f"{place} {what} limit is missing{hint}")
    lower, upper = limits
    if lower > upper:
        faults.add(f"{place} lower limit {_measured(lower, kind)} is above upper limit {_measured(upper, kind)}")
        return UNLIMITED
    if lower == math.inf or upper == -math.inf:
        faults.add(f"{place} limits leave no room")
        return UNLIMITED
    return lower, upper


def _measured(value: float, kind: JointKind) -> str:
    """A joint's value with its unit; an angle also in degrees, for those who wrote it so."""
    if kind is JointKind.PRISMATIC:
        return f"{value:g} m"
    return f"{value:g} rad ({math.degrees(value):g} deg)"


def _inspect_mimic(mimic: object, place: str, faults: Faults) -> Mimic | None:
    """Check the numbers of a mimic; whether its leader exists is known only at the end."""
    if mimic is None:
        return None
    if not isinstance(mimic, Mimic) or not isinstance(mimic.joint, str):
        faults.add(f"{place} mimic is {shown(mimic)}, not a Mimic with the name of a joint")
        return None
    gain = faults.take(f"{place} mimic gain", checks.finite, mimic.gain, 1.0)
    bias = faults.take(f"{place} mimic bias", checks.finite, mimic.bias, 0.0)
    return Mimic(mimic.joint, gain, bias)


def inspect_frame(declared: Mapping[str, object], faults: Faults) -> Frame:
    """Check a link, frame or eye by itself; its row is known only at the end."""
    name = declared["name"]
    kind = faults.take(f"frame {shown(name)}: kind", _landmark_kind, declared["kind"], FrameKind.FRAME)
    place = f"{kind} {shown(name)}:"
    axis = None
    if declared["axis"] is not None:
        axis = faults.take(f"{place} axis", checks.axis, declared["axis"], Z_AXIS)
        if kind is not FrameKind.EYE:
            faults.add(f"{place} only an eye has an axis to look along")
    elif kind is FrameKind.EYE:
        faults.add(f"{place} axis, the direction it looks along, is missing")
    return Frame(
        name=faults.take(f"{place} name", checks.name, name, ""),
        kind=kind,
        row=-1,
        position=faults.take(f"{place} position", checks.vector, declared["position"], ORIGIN),
        rotation=faults.take(f"{place} rotation", checks.quaternion, declared["rotation"], IDENTITY),
        axis=axis,
    )


def _landmark_kind(value: object) -> FrameKind:
    """Read the kind of a frame that is not a joint's own."""
    kind = checks.choice(FrameKind, value)
    if kind is FrameKind.JOINT:
        raise ValueError("is 'joint', but every joint names its own frame already")
    return kind


def inspect_shape(shape: Shape, faults: Faults) -> Shape:
    """Check a shape by itself."""
    place = shape_place(shape)
    kind = faults.take(f"{place} kind", partial(checks.choice, ShapeKind), shape.kind, ShapeKind.MESH)
    read_size = checks.factors if kind is ShapeKind.MESH else checks.sizes

    def length(what: str) -> float:
        if what not in SHAPE_LENGTHS[kind]:
            return 0.0
        # A capsule without height is a ball.
        read = checks.finite_not_negative if (kind, what) == (ShapeKind.CAPSULE, "height") else checks.positive
        return faults.take(f"{place} {what}", read, getattr(shape, what), 1.0)

    return Shape(
        kind=kind,
        parent=inspect_parent(place, shape.parent, faults),
        name=shape.name,
        position=faults.take(f"{place} position", checks.vector, shape.position, ORIGIN),
        rotation=faults.take(f"{place} rotation", checks.quaternion, shape.rotation, IDENTITY),
        size=faults.take(f"{place} size", read_size, shape.size, UNIT_SIZE),
        radius=length("radius"),
        top_radius=length("top_radius"),
        height=length("height"),
        open=bool(shape.open),
        file=shape.file,
        path=shape.path,
        colour=faults.take(f"{place} colour", checks.colour, shape.colour, UNIT_SIZE),
        opacity=faults.take(f"{place} opacity", checks.fraction, shape.opacity, 1.0),
        finish=faults.take(f"{place} finish", partial(checks.choice, Finish), shape.finish, Finish.MATTE),
    )


def shape_place(shape: Shape) -> str:
    """How a message names a shape."""
    return f"shape {shown(shape.name)}:" if shape.name else f"shape on {shown(shape.parent or 'the base')}:"
