"""Random problems for comparing methods: a posture and, drawn apart from it, an orientation for the end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gestik.errors import InputError
from gestik.evaluation.skeletons import layout
from gestik.kernels.arrays import FloatArray

if TYPE_CHECKING:
    from gestik.model.skeleton import Skeleton

GRID_STEP = math.radians(15.0)


class RandomSet(NamedTuple):
    """Problems side by side: row n of both arrays is one problem."""

    postures: FloatArray  # [n, dof], rad
    orientations: FloatArray  # [n, 4], unit quaternions w first


def random_set(skeleton: str | Skeleton, count: int, seed: int) -> RandomSet:
    """Draw postures and orientations that have nothing to do with one another.

    Each angle of a posture is a multiple of 15 degrees inside the joint's limits, both limits included, all equally
    likely; the first and the last angle, a root's and a tip's twist, are 0. An orientation is Ry(yaw) Rx(pitch)
    Ry(roll), the three angles uniform in [-pi, pi]. Joints without limits are drawn in [-pi, pi].

    Args:
        skeleton: one of the paper's letters A to G, or any skeleton of revolute joints.
        count: number of problems.
        seed: of the NumPy generator; the same seed gives the same problems.
    """
    if count < 1:
        raise InputError(f"count is {count}, and must be at least 1")
    lower, upper = _limits(skeleton)
    generator = np.random.default_rng(seed)
    # A limit such as pi / 2 is a multiple of the step but for rounding, and belongs to the grid.
    first = np.ceil(lower / GRID_STEP - 1e-9).astype(np.int64)
    last = np.floor(upper / GRID_STEP + 1e-9).astype(np.int64)
    steps = generator.integers(first, last, size=(count, lower.size), endpoint=True)
    steps[:, [0, -1]] = 0
    postures = np.clip(steps * GRID_STEP, lower, upper)
    yaw, pitch, roll = generator.uniform(-math.pi, math.pi, size=(3, count))
    return RandomSet(postures, yaw_pitch_roll(yaw, pitch, roll))


def _limits(skeleton: str | Skeleton) -> tuple[FloatArray, FloatArray]:
    """Give the lower and upper limits to draw in [rad]."""
    if isinstance(skeleton, str):
        axes, limit = layout(skeleton)
        return np.full(len(axes), -limit), np.full(len(axes), limit)
    return np.maximum(skeleton.lower, -math.pi), np.minimum(skeleton.upper, math.pi)


def yaw_pitch_roll(yaw: FloatArray, pitch: FloatArray, roll: FloatArray) -> FloatArray:
    """Compose Ry(yaw) Rx(pitch) Ry(roll) as quaternions [n, 4]."""
    half_sum, half_difference = (yaw + roll) / 2, (yaw - roll) / 2
    c, s = np.cos(pitch / 2), np.sin(pitch / 2)
    return np.stack(
        (c * np.cos(half_sum), s * np.cos(half_difference), c * np.sin(half_sum), -s * np.sin(half_difference)), axis=1
    )
