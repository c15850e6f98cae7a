"""Slow twin of forward kinematics: 4x4 matrices multiplied along the tree, from nothing but a skeleton's tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gestik.kernels.arrays import FIXED, PRISMATIC, REVOLUTE
from gestik.model.skeleton import Skeleton
from tests.reference.measures_twin import rotation_matrix, turn_matrix

FloatArray = NDArray[np.float64]


class ChainSegments(NamedTuple):
    """The bones from the base to a named frame, those of no length left out."""

    directions: FloatArray  # [segment, 3], unit, in the world
    bends: NDArray[np.bool_]  # [segment], False for a twister, whose axis lies along its bone
    base: FloatArray  # [3], unit: the first bone with all angles 0, in the world


def frame_of(position: ArrayLike, rotation: FloatArray) -> FloatArray:
    """Write a place and a rotation matrix as one 4x4 matrix."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation, position
    return matrix


def joint_frames(skeleton: Skeleton, angles: ArrayLike) -> FloatArray:
    """World frame of every row, after its own motion, [row, 4, 4]."""
    table, angles = skeleton.arrays, np.asarray(angles, dtype=np.float64)
    frames = np.empty((len(table.parent), 4, 4))
    for row, parent in enumerate(table.parent):
        rest = frame_of(table.rest_position[row], rotation_matrix(table.rest_rotation[row]))
        motion = np.eye(4)
        if table.kind[row] != FIXED:
            value = table.gain[row] * angles[table.dof[row]] + table.bias[row]
            if table.kind[row] == REVOLUTE:
                motion[:3, :3] = turn_matrix(table.axis[row], value)
            elif table.kind[row] == PRISMATIC:
                motion[:3, 3] = value * table.axis[row]
        before = frames[parent] if parent >= 0 else np.eye(4)
        frames[row] = before @ rest @ motion
    return frames


def named_frame(skeleton: Skeleton, angles: ArrayLike, name: str) -> FloatArray:
    """World frame of a named joint, link, frame or eye, [4, 4]."""
    frame = skeleton.frame(name)
    own = frame_of(frame.position, rotation_matrix(frame.rotation))
    return joint_frames(skeleton, angles)[frame.row] @ own if frame.row >= 0 else own


def looking_error(skeleton: Skeleton, angles: ArrayLike, eye: str, point: ArrayLike) -> float:
    """Angle [rad] between where an eye looks and where a point is."""
    axis = skeleton.frame(eye).axis
    assert axis is not None, f"{eye!r} is no eye"
    place = named_frame(skeleton, angles, eye)
    looking, gap = place[:3, :3] @ np.array(axis), np.asarray(point, dtype=np.float64) - place[:3, 3]
    return float(np.arctan2(np.linalg.norm(np.cross(looking, gap)), looking @ gap))


def moving_rows(skeleton: Skeleton, name: str) -> list[int]:
    """Rows from the base to the named frame that move; a fixed one neither bends nor ends a bone."""
    return [int(row) for row in skeleton.chain(name) if skeleton.arrays.kind[row] != FIXED]


def bones(skeleton: Skeleton, angles: ArrayLike, name: str) -> FloatArray:
    """Bone of every moving row of the chain in the world, [joint, 3] m.

    A bone leads from a joint's origin to the next one's; the last joint's is its own segment.
    """
    rows, frames = moving_rows(skeleton, name), joint_frames(skeleton, angles)
    origins = [frames[row][:3, 3] for row in rows]
    end = origins[-1] + frames[rows[-1]][:3, :3] @ skeleton.segments[rows[-1]]
    return np.diff([*origins, end], axis=0)


def chain_segments(skeleton: Skeleton, angles: ArrayLike, name: str) -> ChainSegments:
    """Bones of the chain as unit directions, and which of them bend."""
    rows, frames = moving_rows(skeleton, name), joint_frames(skeleton, angles)
    chain = bones(skeleton, angles, name)
    lengths = np.linalg.norm(chain, axis=1)
    kept = lengths > 1e-9
    directions = chain[kept] / lengths[kept, None]
    axes = np.array([frames[row][:3, :3] @ skeleton.arrays.axis[row] for row in rows])[kept]
    bends = np.linalg.norm(np.cross(axes, directions), axis=1) > 1e-6
    first = bones(skeleton, np.zeros(skeleton.dof_count), name)[kept][0]
    return ChainSegments(directions, bends, first / np.linalg.norm(first))
