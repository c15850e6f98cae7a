"""From checked parts to the frozen skeleton: rows in order, indices renumbered, the flat table filled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, Quaternion, SkeletonArrays, Vector
from gestik.model.checks import AXES, SHORTEST_AXIS
from gestik.model.joints import Cone, Coupling, Frame, FrameKind, Joint, Mass, Mimic, RowMotion, Shape
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, ORIGIN
from gestik.model.tree import depth_first


class _Row(NamedTuple):
    """One row of the flat table in the making."""

    parent: int
    motion: RowMotion
    dof: int  # -1 for a fixed row
    mimic: Mimic
    position: Vector
    rotation: Quaternion
    drives: bool  # it moves by itself


def assemble(
    name: str,
    up: Vector,
    joints: Sequence[Joint],
    parents: Sequence[int],
    mimics: Sequence[tuple[int, Mimic]],
    frames: Sequence[Frame],
    shapes: Sequence[Shape],
    masses: Sequence[Mass],
    couplings: Sequence[Coupling],
) -> Skeleton:
    """Build the skeleton of parts known to be right.

    `parents`, the first of each of `mimics` and the rows of frames, shapes and masses are indices into `joints`.
    """
    order = depth_first(parents)
    ordered = [joints[index] for index in order]
    joint_ends = np.cumsum([len(joint.motions) for joint in ordered], dtype=np.int32) - 1
    row_of = dict(zip(order, joint_ends.tolist(), strict=True)) | {-1: -1}
    rows = _lay_rows(joints, order, parents, mimics, row_of)
    driving = [motion for joint in ordered if joint.drives for motion in joint.motions]
    arrays = SkeletonArrays(
        parent=np.array([row.parent for row in rows], dtype=np.int32),
        kind=np.array([row.motion.kind for row in rows], dtype=np.int32),
        dof=np.array([row.dof for row in rows], dtype=np.int32),
        gain=np.array([row.mimic.gain for row in rows], dtype=np.float64),
        bias=np.array([row.mimic.bias for row in rows], dtype=np.float64),
        axis=_table([row.motion.axis for row in rows], 3),
        rest_position=_table([row.position for row in rows], 3),
        rest_rotation=_table([row.rotation for row in rows], 4),
        lower=np.array([motion.lower for motion in driving], dtype=np.float64),
        upper=np.array([motion.upper for motion in driving], dtype=np.float64),
    )
    own_frames = [Frame(joints[index].name, FrameKind.JOINT, row_of[index]) for index in order]
    segments = _find_segments(joints, order, parents, frames)
    landmarks = [replace(frame, row=row_of[frame.row]) for frame in frames]
    return Skeleton(
        name=name,
        up=np.array(up),
        arrays=arrays,
        joint_names=tuple(joint.name for joint in ordered),
        joint_kinds=tuple(joint.kind for joint in ordered),
        joint_ends=joint_ends,
        dof_names=tuple(name for joint in ordered for name in joint.dof_names),
        dof_rows=np.array([row for row, laid in enumerate(rows) if laid.drives], dtype=np.int32),
        speed=np.array([motion.speed for motion in driving], dtype=np.float64),
        rest=np.array([motion.rest for motion in driving], dtype=np.float64),
        segments=segments,
        frames=(*own_frames, *landmarks),
        shapes=tuple(replace(shape, row=row_of[shape.row]) for shape in shapes),
        masses=tuple(replace(mass, row=row_of[mass.row]) for mass in masses),
        cones=tuple(_with_axis(joint.cone, bone) for joint, bone in zip(ordered, segments, strict=True) if joint.cone),
        couplings=tuple(couplings),
    )


def _lay_rows(
    joints: Sequence[Joint],
    order: Sequence[int],
    parents: Sequence[int],
    mimics: Sequence[tuple[int, Mimic]],
    row_of: dict[int, int],
) -> list[_Row]:
    """The rows of all joints: of each, the first stands where the joint does, the others where the one before does."""
    first_dof = {}
    dof_count = 0
    for index in order:
        first_dof[index] = dof_count
        dof_count += len(joints[index].dof_names)
    rows: list[_Row] = []
    for index in order:
        joint, (driver, mimic) = joints[index], mimics[index]
        parent, position, rotation = row_of[parents[index]], joint.position, joint.rotation
        for number, motion in enumerate(joint.motions):
            dof = first_dof[driver] + number if joints[driver].drives else -1
            rows.append(_Row(parent, motion, dof, mimic, position, rotation, joint.drives))
            parent, position, rotation = len(rows) - 1, ORIGIN, IDENTITY
    return rows


def _with_axis(cone: Cone, bone: FloatArray) -> Cone:
    """The cone about the axis it names, else about its joint's bone, else about y."""
    if cone.axis is not None:
        return cone
    length = float(np.linalg.norm(bone))
    x, y, z = (bone / length).tolist() if length > SHORTEST_AXIS else AXES["y"]
    return replace(cone, axis=(x, y, z))


def _table(rows: Sequence[tuple[float, ...]], width: int) -> FloatArray:
    """A [row, width] array, also when there are no rows."""
    return np.array(rows, dtype=np.float64).reshape(len(rows), width)


def _find_segments(
    joints: Sequence[Joint], order: Sequence[int], parents: Sequence[int], landmarks: Sequence[Frame]
) -> FloatArray:
    """Where each joint's bone ends [joint, 3] m: as declared, else at its first joint, else at its farthest frame."""
    ends: list[Vector] = [ORIGIN] * len(joints)
    for frame in landmarks:
        if frame.row >= 0 and math.hypot(*frame.position) > math.hypot(*ends[frame.row]):
            ends[frame.row] = frame.position
    # From the last joint to the first, so that the first child has the last word over its siblings.
    for index in reversed(order):
        if parents[index] >= 0:
            ends[parents[index]] = joints[index].position
    found = [joints[index].segment for index in order]
    return _table([ends[index] if own is None else own for index, own in zip(order, found, strict=True)], 3)
