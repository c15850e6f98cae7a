"""The same body held by another of its frames, for somebody who hangs from a hand or stands on the other foot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.model.joints import Cone, Frame, Mass
from gestik.model.transforms import IDENTITY, ORIGIN, as_quaternion, as_vector, compose, invert, rotate
from gestik.model.tree import depth_first, way_down

if TYPE_CHECKING:
    from gestik.model.skeleton import Skeleton


class _Seat(NamedTuple):
    """A place on a row of the new tree, the row by its old number, -1 for the new base."""

    row: int
    position: Vector
    rotation: Quaternion


def rerooted(skeleton: Skeleton, frame: Frame) -> Skeleton:
    """The skeleton whose base is one of its frames.

    Rows on the way from there to the old base are walked the other way: each now moves what was its parent, about the
    same axis by the opposite angle.  Angles keep their order and their meaning, and every name its place; only the
    poses of the joints on the way, `Pose.positions` and `Pose.rotations`, are now those before their motion.
    """
    arrays = skeleton.arrays
    parents = arrays.parent.tolist()
    way = way_down(parents, frame.row)[::-1]
    rests = [
        _Seat(-1, as_vector(at), as_quaternion(by))
        for at, by in zip(arrays.rest_position, arrays.rest_rotation, strict=True)
    ]
    seats = _seats(frame, way, rests)
    turned_back = np.isin(np.arange(len(parents)), way)
    placed = [
        seats[row] if turned_back[row] else _on(seats[parents[row]], rests[row].position, rests[row].rotation)
        for row in range(len(parents))
    ]
    order = np.array(depth_first([seat.row for seat in placed]), dtype=np.int32)
    row_of = {row: number for number, row in enumerate(order.tolist())} | {-1: -1}
    joints = list(dict.fromkeys(skeleton.row_joints[order].tolist()))
    on_the_way = {skeleton.joint_names[skeleton.row_joints[row]] for row in way}
    signs = np.where(turned_back, -1.0, 1.0)

    def moved(part: Any) -> Any:
        """A frame or shape where it was, on the row that carries it now."""
        seat = _on(seats[part.row], part.position, part.rotation)
        return replace(part, row=row_of[seat.row], position=seat.position, rotation=seat.rotation)

    def weighed(part: Mass) -> Mass:
        """A mass where it was, on the row that carries it now."""
        seat = _on(seats[part.row], part.position, IDENTITY)
        return replace(part, row=row_of[seat.row], position=seat.position)

    return replace(
        skeleton,
        up=_up(skeleton, frame),
        arrays=arrays._replace(
            parent=np.array([row_of[placed[row].row] for row in order], dtype=np.int32),
            **{name: getattr(arrays, name)[order] for name in ("kind", "dof", "gain", "bias")},
            axis=(signs[:, None] * arrays.axis)[order],
            rest_position=np.array([placed[row].position for row in order]).reshape(-1, 3),
            rest_rotation=np.array([placed[row].rotation for row in order]).reshape(-1, 4),
        ),
        joint_names=tuple(skeleton.joint_names[number] for number in joints),
        joint_kinds=tuple(skeleton.joint_kinds[number] for number in joints),
        joint_ends=np.cumsum(np.bincount(skeleton.row_joints)[joints], dtype=np.int32) - 1,
        dof_rows=np.array([row_of[row] for row in skeleton.dof_rows.tolist()], dtype=np.int32),
        segments=_segments(skeleton, way, rests)[joints],
        frames=tuple(moved(frame) for frame in skeleton.frames),
        shapes=tuple(moved(shape) for shape in skeleton.shapes),
        masses=tuple(weighed(mass) for mass in skeleton.masses),
        cones=tuple(_seen_back(cone) if cone.joint in on_the_way else cone for cone in skeleton.cones),
    )


def _seats(frame: Frame, way: Sequence[int], rests: Sequence[_Seat]) -> Mapping[int, _Seat]:
    """Where the frame of every old row sits in the new tree, and that of the old base, -1."""
    seats = {row: _Seat(row, ORIGIN, IDENTITY) for row in range(len(rests))}
    seats[frame.row] = _Seat(-1, *invert(frame.position, frame.rotation))
    for below, row in zip(way, [*way[1:], -1], strict=False):
        seats[row] = _Seat(below, *invert(rests[below].position, rests[below].rotation))
    return seats


def _on(seat: _Seat, position: Vector, rotation: Quaternion) -> _Seat:
    """What is at that place in the frame of a seat."""
    return _Seat(seat.row, *compose(seat.position, seat.rotation, position, rotation))


def _up(skeleton: Skeleton, frame: Frame) -> FloatArray:
    """Which way is up in the frame when the body is at rest."""
    rotation = skeleton.forward(skeleton.rest).of(f"{frame.kind}:{frame.name}").rotation
    return np.array(rotate(invert(ORIGIN, as_quaternion(rotation))[1], as_vector(skeleton.up)))


def _segments(skeleton: Skeleton, way: Sequence[int], rests: Sequence[_Seat]) -> FloatArray:
    """Where each joint's bone ends [joint, 3] m, by old number: of those on the way, at the joint that was before."""
    segments = skeleton.segments.copy()
    for row in way:
        segments[skeleton.row_joints[row]] = invert(rests[row].position, rests[row].rotation)[0]
    return segments


def _seen_back(cone: Cone) -> Cone:
    """The cone of the opposite rotation: it swings as far and twists the other way."""
    return replace(cone, twist=(-cone.twist[1], -cone.twist[0]))
