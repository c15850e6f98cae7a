"""Checking one declared part at a time: every wrong value is noted, and a usable part is returned in any case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from gestik.kernels.arrays import REVOLUTE, Vector
from gestik.model import checks
from gestik.model.faults import Faults, shown
from gestik.model.joints import Finish, Frame, FrameKind, Joint, JointKind, RowMotion, Shape, ShapeKind
from gestik.model.motion_inspection import Z_AXIS, inspect_cone, inspect_motions
from gestik.model.transforms import IDENTITY, ORIGIN

# What a part gets where the declared value is wrong, so that the checks that follow can go on.
UNIT_SIZE: Vector = (1.0, 1.0, 1.0)

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
        position=faults.take(f"{place} position", checks.vector, declared["position"], ORIGIN),
        rotation=faults.take(f"{place} rotation", checks.quaternion, declared["rotation"], IDENTITY),
        motions=(RowMotion(REVOLUTE, Z_AXIS),),
        segment=None if segment is None else faults.take(f"{place} segment", checks.vector, segment, ORIGIN),
    )
    if kind is None:
        return joint
    motions, mimic = inspect_motions(kind, declared, place, faults)
    cone = inspect_cone(kind, joint.name, declared, place, faults)
    return replace(joint, motions=motions, mimic=mimic, cone=cone)


def inspect_parent(place: str, parent: object, faults: Faults) -> str | None:
    """Check that a parent is given by name; whether it exists is known only at the end."""
    if parent is None or isinstance(parent, str):
        return parent
    faults.add(f"{place} parent is {shown(parent)}, not a name")
    return None


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
