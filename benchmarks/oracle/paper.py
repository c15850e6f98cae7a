"""The best possible answers to the ERIK paper's problem on its skeletons A to G, whole angles and errors.

The problem of one sample: lowest orientation error + 0.2 posture error, symmetric end-point on, every joint within its
limits. `polar_search` finds the inner joints; here the two twists are put back in closed form and every answer is
measured once more, from all its joints, with matrices.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.oracle.polar_search import Problem, search
from tests.reference.measures_twin import (
    POSTURE_WEIGHT,
    orientation_measure,
    posture_measure,
    rotation_matrix,
    turn_matrix,
)

FloatArray = NDArray[np.float64]

Y = np.array([0.0, 1.0, 0.0])
DEFAULT_STARTS = 32


class Answers(NamedTuple):
    """The best found for each sample of a set."""

    angles: FloatArray  # [n, joint], rad
    errors: FloatArray  # [n], combined


class Frames(NamedTuple):
    """Where the bones of the paper's skeletons point; every bone lies along its joint's +Y."""

    end: FloatArray  # [n, 3, 3], orientation of the last joint
    directions: FloatArray  # [n, joint, 3], unit


def pose(axes: str, angles: FloatArray) -> Frames:
    """Turn the joints of a layout such as "yxxzy" by angles [n, joint], root first."""
    rotation = np.broadcast_to(np.eye(3), (len(angles), 3, 3))
    directions = np.empty((len(angles), len(axes), 3))
    for joint, axis in enumerate(axes):
        rotation = rotation @ turn_matrix(np.eye(3)["xyz".index(axis)], angles[:, joint])
        directions[:, joint] = rotation @ Y
    return Frames(rotation, directions)


def combined_error(axes: str, angles: FloatArray, postures: FloatArray, targets: FloatArray) -> FloatArray:
    """Measure answers [n, joint] against postures [n, joint] and target quaternions [n, 4]: eq. 19."""
    bends = [joint for joint, axis in enumerate(axes) if axis != "y"]
    reached, drawn = pose(axes, angles), pose(axes, postures)
    orientation = orientation_measure(reached.end, rotation_matrix(targets), symmetric_axis=Y)
    return orientation + POSTURE_WEIGHT * posture_measure(reached.directions[:, bends], drawn.directions[:, bends], Y)


def best_answers(
    axes: str, limit: float, postures: FloatArray, targets: FloatArray, starts: int = DEFAULT_STARTS, seed: int = 0
) -> Answers:
    """Search the best answer to each sample.

    Args:
        axes: a layout that begins and ends with a twist, such as "yxxzy".
        limit: [rad], every joint turns from -limit to +limit; pi / 2 or more.
        postures: [n, joint], rad.
        targets: [n, 4], unit quaternions w first.
        starts: random starts per sample, beside every pattern of signs.
        seed: of the random starts; each sample draws its own.
    """
    inner_axes = np.array(["xyz".index(axis) for axis in axes[1:-1]])
    swings = inner_axes != 1
    # A cosine difference of 2 is a full error of one bend, shared among all the bends.
    weights = np.where(swings, POSTURE_WEIGHT / 2.0 / np.count_nonzero(swings), 0.0)
    end = rotation_matrix(targets)
    wanted = np.arctan2(np.hypot(end[:, 0, 1], end[:, 2, 1]), end[:, 1, 1])
    angles = np.empty_like(postures)
    for n, posture in enumerate(postures):
        inner = np.empty(inner_axes.size)
        problem = Problem(inner_axes, limit, weights, posture[1:-1].copy(), wanted[n])
        search(problem, starts, seed * 1_000_003 + n, inner)
        angles[n] = with_outer_twists(axes, limit, inner, end[n])
    return Answers(angles, combined_error(axes, angles, postures, targets))


def with_outer_twists(axes: str, limit: float, inner: FloatArray, target: FloatArray) -> FloatArray:
    """Put the root's and the tip's twist around inner angles, so that only the polar angle may be wrong."""
    angles = np.concatenate(([0.0], inner, [0.0]))
    azimuth = _azimuth(target[:, 1]) - _azimuth(pose(axes, angles[None]).directions[0, -1])
    root = _wrapped(azimuth)
    if abs(root) > limit:
        # All swings negated turn the arm half round and keep every bend; inner twists stay as they are.
        swings = [joint for joint, axis in enumerate(axes) if axis != "y"]
        angles[swings] *= -1.0
        root = _wrapped(root + math.pi)
    angles[0] = root
    rest = pose(axes, angles[None]).end[0].T @ target
    tip = math.atan2(rest[0, 2] - rest[2, 0], rest[0, 0] + rest[2, 2])
    angles[-1] = tip if abs(tip) <= limit else _wrapped(tip + math.pi)
    return angles


def _azimuth(direction: FloatArray) -> float:
    """Angle [rad] of a direction about the vertical, 0 along +Z; 0 for a vertical one."""
    return math.atan2(direction[0], direction[2]) if math.hypot(direction[0], direction[2]) > 1e-12 else 0.0


def _wrapped(angle: float) -> float:
    """Bring an angle to [-pi, pi]."""
    return math.remainder(angle, 2.0 * math.pi)
