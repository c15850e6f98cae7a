"""Slow twin of CCD and BWCD, written from Ribeiro & Paiva, ERIK, Algorithms 19, 21 and 22, with matrices.

Each joint turns by the angle between two projections on the plane across its axis, as printed, and is clamped, which is
not printed. One goal, joints that turn; places as well as directions, which is what CCD is known for. Nothing is taken
from the package but the skeleton's table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gestik.model.skeleton import Skeleton
from tests.reference.forward_twin import joint_frames, moving_rows, named_frame

FloatArray = NDArray[np.float64]


def projected(vector: FloatArray, axis: FloatArray) -> FloatArray:
    """The part of a vector across a unit axis: the paper's proj."""
    return np.asarray(vector - (vector @ axis) * axis)


def signed_angle(here: FloatArray, there: FloatArray, axis: FloatArray) -> float:
    """The paper's VecAngle about an axis; 0 where a projection vanishes."""
    if min(np.linalg.norm(here), np.linalg.norm(there)) < 1e-12:
        return 0.0
    return float(np.arctan2(axis @ np.cross(here, there), here @ there))


def sweep(
    skeleton: Skeleton,
    angles: ArrayLike,
    name: str,
    target: ArrayLike,
    looking: ArrayLike | None,
    *,
    from_tip: bool,
    limited: bool,
) -> FloatArray:
    """Give every joint of the chain to a frame its turn once.

    The frame's origin goes to `target` [m]; or, where `looking` is an axis of the frame, that turns to the direction
    `target`.
    """
    q = np.array(angles, dtype=np.float64)
    rows = moving_rows(skeleton, name)
    for row in reversed(rows) if from_tip else rows:
        dof = skeleton.arrays.dof[row]
        frame, joint = named_frame(skeleton, q, name), joint_frames(skeleton, q)[row]
        axis, centre = joint[:3, :3] @ skeleton.arrays.axis[row], joint[:3, 3]
        here = frame[:3, 3] - centre if looking is None else frame[:3, :3] @ np.asarray(looking, dtype=np.float64)
        there = np.asarray(target, dtype=np.float64) - (centre if looking is None else 0.0)
        q[dof] += signed_angle(projected(here, axis), projected(there, axis), axis)
        if limited:
            q[dof] = nearest_allowed(q[dof], skeleton.lower[dof], skeleton.upper[dof])
    return q


def nearest_allowed(angle: float, lower: float, upper: float) -> float:
    """The angle if any whole turn brings it inside, else the limit that is nearest on the circle."""
    turned = angle + 2.0 * np.pi * np.arange(-3, 4)
    inside = turned[(turned >= lower) & (turned <= upper)]
    if len(inside):
        return float(inside[np.argmin(np.abs(inside - angle))])
    ways = [abs(np.angle(np.exp(1j * (limit - angle)))) for limit in (lower, upper)]
    return lower if ways[0] < ways[1] else upper
