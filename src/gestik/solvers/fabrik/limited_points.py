"""`gestik.fabrik_constrained`: FABRIK on bare points in space whose links keep joint limits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.goals.goal import read_amount, read_quaternions
from gestik.kernels.arrays import FloatArray
from gestik.kernels.arrays import Quaternion as Rotation
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats
from gestik.model.transforms import as_vector
from gestik.solvers.fabrik.points import read_chain, read_count

FRAMES = ("carried", "world")


@dataclass(frozen=True, eq=False)
class LimitedReach:
    """Where a chain of points with joint limits has come to."""

    points: FloatArray  # [n, 3], m
    angles: FloatArray  # [n - 1, 2], rad: x and y of each joint
    frames: FloatArray  # [n - 1, 4], the frames the angles are measured in
    iterations: int
    missing: float  # m, from the last point to the target
    reached: bool  # whether that is within the tolerance


def fabrik_constrained(
    points: ArrayLike,
    target: ArrayLike,
    limits: ArrayLike,
    *,
    orientations: ArrayLike | None = None,
    frames: str = "carried",
    tolerance: float = 1e-4,
    iterations: int = 1000,
    stretch: bool = False,
) -> LimitedReach | None:
    """Bring the last point of a chain to a target while every link stays inside its joint's limits.

    A link's direction has two angles in its joint's frame: x about the frame's y axis, from z towards x, and y, the
    elevation above that plane. The direction is (cos y sin x, sin y, cos y cos x).

    Args:
        points: [n, 3] m, from the base to the end.
        target: [3] m.
        limits: [n - 1, 2, 2] rad, or one joint's [2, 2] for all: from and to for x, within [-pi, pi], and for y,
            within [-pi/2, pi/2].
        orientations: [n - 1, 4] quaternions, w first: each joint's frame, whose z axis points along its link when both
            angles are 0. None: that of the chain as it is, each turned from the one before by the shortest way.
        frames: "carried": each frame moves with the link before it, so that limits are those of joints. "world": they
            stay as they are.
        tolerance: [m]; looked at before each iteration.
        iterations: How many at most; the best seen by then is returned, with what is missing.
        stretch: What to do about a target that the lengths put out of reach: True comes as near as is found, False
            returns None. Limits are not part of that test.

    Raises:
        InputError: A value is not finite, out of range or of the wrong shape.
    """
    from gestik.solvers.fabrik.limited import reach_limited
    from gestik.solvers.fabrik.passes import REACHABLE, measure_links, reachability

    chain, wanted, is_flat = read_chain(points, target)
    if is_flat:
        raise InputError("points have two coordinates each; limits are told in space, give them three")
    if frames not in FRAMES:
        raise InputError(f"frames is {shown(frames)}; choose from {', '.join(FRAMES)}")
    near, most = read_amount("tolerance", tolerance), read_count("iterations", iterations)
    ranges = _read_limits(limits, len(chain) - 1)
    rest = _present_frames(chain) if orientations is None else _read_frames(orientations, len(chain) - 1)
    lengths = np.empty(len(chain) - 1)
    measure_links(chain, lengths)
    if reachability(lengths, math.dist(chain[0], wanted)) != REACHABLE and not stretch:
        return None
    carried, angles = rest.copy(), np.empty((len(lengths), 2))
    is_carried = frames == "carried"
    count, missing = reach_limited(
        chain, lengths, as_vector(wanted), rest, is_carried, ranges, near, most, carried, angles
    )
    chain, angles, carried = frozen_floats(chain), frozen_floats(angles), frozen_floats(carried)
    return LimitedReach(chain, angles, carried, count, missing, missing <= near)


def _read_limits(limits: ArrayLike, count: int) -> FloatArray:
    """Read limits as [joint, 4] rad."""
    try:
        given = np.array(frozen_floats(limits))
        ranges = np.array(np.broadcast_to(given, (count, 2, 2)).reshape(count, 4))
    except (TypeError, ValueError, OverflowError) as fault:
        raise InputError(f"limits are {shown(limits)}, not ({count}, 2, 2) or (2, 2) angles") from fault
    widest = np.array([-math.pi, math.pi, -math.pi / 2.0, math.pi / 2.0])
    ordered = (ranges[:, 0] <= ranges[:, 1]) & (ranges[:, 2] <= ranges[:, 3])
    wrong = ~(ordered & (np.abs(ranges) <= np.abs(widest) + 1e-12).all(axis=1))
    if wrong.any():
        joint = int(np.argmax(wrong))
        raise InputError(
            f"limits of joint {joint} are {ranges[joint].tolist()}; x goes from -pi to pi at most, y from -pi/2 to pi/2"
        )
    return ranges


def _read_frames(orientations: ArrayLike, count: int) -> FloatArray:
    """Read the joints' frames [joint, 4]."""
    rotations = read_quaternions("orientations", orientations)
    if rotations.shape != (count, 4):
        raise InputError(f"orientations have shape {rotations.shape}, not ({count}, 4): one for each link")
    return np.array(rotations)


def _present_frames(chain: FloatArray) -> FloatArray:
    """Frames whose z points along the links, each the one before turned by the shortest way."""
    from gestik.kernels.quaternion import multiply, rotate, shortest_turn
    from gestik.kernels.vector import safe_normalise, subtract

    frame: Rotation = (1.0, 0.0, 0.0, 0.0)
    frames = []
    for here, there in pairwise(chain):
        along = rotate(frame, (0.0, 0.0, 1.0))
        link = safe_normalise(subtract(as_vector(there), as_vector(here)))
        if any(link):
            frame = multiply(shortest_turn(along, link, rotate(frame, (0.0, 1.0, 0.0))), frame)
        frames.append(frame)
    return np.array(frames)
