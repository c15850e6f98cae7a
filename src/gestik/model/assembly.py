"""From checked parts to the frozen skeleton: rows in order, indices renumbered, the flat table filled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gestik.kernels.arrays import FloatArray, SkeletonArrays, Vector
from gestik.model.joints import Frame, FrameKind, Joint, Mimic, Shape
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import ORIGIN
from gestik.model.tree import depth_first


def assemble(
    name: str,
    up: Vector,
    joints: Sequence[Joint],
    parents: Sequence[int],
    mimics: Sequence[tuple[int, Mimic]],
    frames: Sequence[Frame],
    shapes: Sequence[Shape],
) -> Skeleton:
    """Build the skeleton of parts known to be right.

    `parents`, the first of each of `mimics` and the rows of frames and shapes are indices into `joints`.
    """
    order = depth_first(parents)
    row_of = {index: row for row, index in enumerate(order)} | {-1: -1}
    rows = [joints[index] for index in order]
    drivers = [joint for joint in rows if joint.drives]
    dof_of = {joint.name: dof for dof, joint in enumerate(drivers)}
    led = [(joints[mimics[index][0]].name, mimics[index][1]) for index in order]
    arrays = SkeletonArrays(
        parent=np.array([row_of[parents[index]] for index in order], dtype=np.int32),
        kind=np.array([joint.kind.row_kind for joint in rows], dtype=np.int32),
        dof=np.array([dof_of.get(driver, -1) for driver, _ in led], dtype=np.int32),
        gain=np.array([mimic.gain for _, mimic in led], dtype=np.float64),
        bias=np.array([mimic.bias for _, mimic in led], dtype=np.float64),
        axis=_table([joint.axis for joint in rows], 3),
        rest_position=_table([joint.position for joint in rows], 3),
        rest_rotation=_table([joint.rotation for joint in rows], 4),
        lower=np.array([joint.lower for joint in drivers], dtype=np.float64),
        upper=np.array([joint.upper for joint in drivers], dtype=np.float64),
    )
    landmarks = tuple(replace(frame, row=row_of[frame.row]) for frame in frames)
    return Skeleton(
        name=name,
        up=np.array(up),
        arrays=arrays,
        joint_names=tuple(joint.name for joint in rows),
        dof_names=tuple(dof_of),
        speed=np.array([joint.speed for joint in drivers], dtype=np.float64),
        rest=np.array([joint.rest for joint in drivers], dtype=np.float64),
        segments=_find_segments(rows, arrays, landmarks),
        frames=tuple(Frame(joint.name, FrameKind.JOINT, row) for row, joint in enumerate(rows)) + landmarks,
        shapes=tuple(replace(shape, row=row_of[shape.row]) for shape in shapes),
    )


def _table(rows: Sequence[tuple[float, ...]], width: int) -> FloatArray:
    """A [row, width] array, also when there are no rows."""
    return np.array(rows, dtype=np.float64).reshape(len(rows), width)


def _find_segments(rows: Sequence[Joint], arrays: SkeletonArrays, landmarks: Sequence[Frame]) -> FloatArray:
    """Where each joint's bone ends [row, 3] m: as declared, else at its first joint, else at its farthest frame."""
    ends: list[Vector] = [ORIGIN] * len(rows)
    for frame in landmarks:
        if frame.row >= 0 and math.hypot(*frame.position) > math.hypot(*ends[frame.row]):
            ends[frame.row] = frame.position
    # From the last row to the first, so that the first child has the last word over its siblings.
    for row in range(len(rows) - 1, -1, -1):
        if arrays.parent[row] >= 0:
            ends[arrays.parent[row]] = rows[row].position
    declared = [joint.segment if joint.segment is not None else end for joint, end in zip(rows, ends, strict=True)]
    return _table(declared, 3)
