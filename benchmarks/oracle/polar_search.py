"""The compiled heart of the oracle for skeletons A to G: exhaustive sweeps over few joints at a time, from many starts.

On these skeletons the two outer twists have closed forms, and with the symmetric end-point and symmetric limits they
are always within reach: negating every swing turns the arm by half a turn about the vertical and keeps every bend
angle. What remains is one scalar, the polar angle: between the last segment and the vertical, a function of the inner
joints alone. The error to minimise is

    sqrt(2) sin(|polar - wanted| / 4)  +  sum over swings of  weight_k |cos(swing_k) - cos(posture_k)|

because the paper's posture measure compares only cosines of neighbouring segments, here the cosines of the swings.
A sum of one-joint terms under one scalar equation is stationary as soon as no PAIR of joints can improve it: each
joint allows an interval of multipliers, and intervals of a line that meet pairwise share a point (Helly). So one joint
walks its whole range while another absorbs the change in closed form, A cos + B sin + C = cos(polar). The misfit of the
polar angle counts as one more joint: a joint walks alone. Near the poles the scalar equation degenerates into two (the
last segment must be vertical) and, in the plane, Helly asks for TRIPLES: two joints absorb and the direction is kept.

Starts are every pattern of the posture's signs, then random mixtures. Plain coordinate turns of vectors; nothing is
shared with the package this judges.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.oracle.compiled import compiled

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Vector = tuple[float, float, float]

UP = (0.0, 1.0, 0.0)
NOBODY = -1  # in the place of a joint that absorbs
GRID = 48  # samples of a joint's range in one walk
GOLDEN_STEPS = 30  # narrow a bracket of 2 / GRID of the range to 2e-8 of it
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
GAIN = 1e-8  # a move that wins less is not taken: polar angles near a pole are known to 1e-8
ROUNDS = 40  # of all moves; a start settles after three to eight
NEAR_POLE = 0.25  # sine of the wanted polar angle below which triples are tried


class Problem(NamedTuple):
    """One sample with the outer twists taken away: what the inner joints must do."""

    axes: IntArray  # [inner], 0 1 2 for X Y Z
    limit: float  # rad, every joint turns from -limit to +limit
    weights: FloatArray  # [inner], share of each swing's cosine in the error; 0 for an inner twist
    posture: FloatArray  # [inner], rad
    wanted: float  # rad, polar angle of the target


@compiled
def turn(axis: int, angle: float, v: Vector) -> Vector:
    """Turn a vector about the coordinate axis 0, 1 or 2 by an angle [rad]."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = v
    if axis == 0:
        return x, c * y - s * z, s * y + c * z
    if axis == 1:
        return c * x + s * z, y, c * z - s * x
    return c * x - s * y, s * x + c * y, z


@compiled
def carried_out(axes: IntArray, angles: FloatArray, first: int, last: int, v: Vector) -> Vector:
    """Turn a vector by the joints first..last-1 as a bone beyond them is turned."""
    for k in range(last - 1, first - 1, -1):
        v = turn(axes[k], angles[k], v)
    return v


@compiled
def carried_in(axes: IntArray, angles: FloatArray, first: int, last: int, v: Vector) -> Vector:
    """See a vector, given below joint `first`, from beyond joint `last` - 1."""
    for k in range(first, last):
        v = turn(axes[k], -angles[k], v)
    return v


@compiled
def pointing(axes: IntArray, angles: FloatArray) -> Vector:
    """Direction of the last segment, below all inner joints."""
    return carried_out(axes, angles, 0, axes.size, UP)


@compiled
def polar_of(direction: Vector) -> float:
    """Angle [rad] from the vertical, exact near the poles too."""
    return math.atan2(math.hypot(direction[0], direction[2]), direction[1])


@compiled
def swing_cost(p: Problem, k: int, angle: float) -> float:
    """Posture error of one joint."""
    return p.weights[k] * abs(math.cos(angle) - math.cos(p.posture[k]))


@compiled
def misfit_cost(p: Problem, angles: FloatArray) -> float:
    """Orientation error when only the polar angle is wrong, eq. 20: sqrt(2) sin(angle / 4)."""
    return math.sqrt(2.0) * math.sin(abs(polar_of(pointing(p.axes, angles)) - p.wanted) / 4.0)


@compiled
def error_of(p: Problem, angles: FloatArray) -> float:
    """The whole error of inner angles."""
    error = misfit_cost(p, angles)
    for k in range(p.axes.size):
        error += swing_cost(p, k, angles[k])
    return error


@compiled
def within(limit: float, angle: float) -> tuple[bool, float]:
    """Wrap an angle to [-pi, pi] and say whether it keeps its limit; one on the limit is put exactly there."""
    angle -= 2.0 * math.pi * round(angle / (2.0 * math.pi))
    return abs(angle) <= limit + 1e-12, min(limit, max(-limit, angle))


@compiled
def crossings(axis: int, left: Vector, right: Vector, height: float) -> tuple[bool, float, float]:
    """Solve left . R(axis, x) right = height for x: whether there are solutions, their middle and their spread."""
    a, b, c = axis, (axis + 1) % 3, (axis + 2) % 3
    cosine = left[b] * right[b] + left[c] * right[c]
    sine = left[c] * right[b] - left[b] * right[c]
    size = math.hypot(cosine, sine)
    rest = height - left[a] * right[a]
    if size < 1e-14 or abs(rest) > size * (1.0 + 1e-13):
        return False, 0.0, 0.0
    return True, math.atan2(sine, cosine), math.acos(min(1.0, max(-1.0, rest / size)))


@compiled
def absorb_height(p: Problem, angles: FloatArray, j: int, height: float) -> float:
    """Let joint j bring the last segment to a height (cosine of its polar angle); `angles` is overwritten at j.

    Returns the posture error of joint j, infinite when it cannot.
    """
    below = carried_in(p.axes, angles, 0, j, UP)
    above = carried_out(p.axes, angles, j + 1, p.axes.size, UP)
    found, middle, spread = crossings(p.axes[j], below, above, height)
    best = math.inf
    if found:
        for side in (-1.0, 1.0):
            allowed, angle = within(p.limit, middle + side * spread)
            if allowed and swing_cost(p, j, angle) < best:
                best = swing_cost(p, j, angle)
                angles[j] = angle
    return best


@compiled
def absorb_direction(p: Problem, angles: FloatArray, j: int, k: int, direction: Vector) -> float:
    """Let joints j < k bring the last segment to a direction; `angles` is overwritten at both.

    Returns the posture error of the two, infinite when they cannot.
    """
    axis = p.axes[j]
    b, c = (axis + 1) % 3, (axis + 2) % 3
    goal = carried_in(p.axes, angles, 0, j, direction)
    own_axis = (1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)
    seen_axis = carried_in(p.axes, angles, j + 1, k, own_axis)
    above = carried_out(p.axes, angles, k + 1, p.axes.size, UP)
    # Joint j cannot change the component along its own axis, so joint k must bring that one.
    found, middle, spread = crossings(p.axes[k], seen_axis, above, goal[axis])
    best, best_j, best_k = math.inf, 0.0, 0.0
    if found:
        for side in (-1.0, 1.0):
            allowed_k, angle_k = within(p.limit, middle + side * spread)
            bone = carried_out(p.axes, angles, j + 1, k, turn(p.axes[k], angle_k, above))
            allowed_j, angle_j = within(p.limit, math.atan2(goal[c], goal[b]) - math.atan2(bone[c], bone[b]))
            cost = swing_cost(p, j, angle_j) + swing_cost(p, k, angle_k)
            if allowed_j and allowed_k and cost < best:
                best, best_j, best_k = cost, angle_j, angle_k
        if best < math.inf:
            angles[j], angles[k] = best_j, best_k
    return best


@compiled
def walk_cost(p: Problem, trial: FloatArray, i: int, j: int, k: int, x: float, kept: Vector) -> float:
    """Cost of the walking joint i at x and of those that absorb: nobody, j, or j < k; `trial` is overwritten."""
    trial[i] = x
    cost = swing_cost(p, i, x)
    if j == NOBODY:
        return cost + misfit_cost(p, trial)
    if k == NOBODY:
        return cost + absorb_height(p, trial, j, kept[1])
    return cost + absorb_direction(p, trial, j, k, kept)


@compiled
def improve(p: Problem, angles: FloatArray, trial: FloatArray, i: int, j: int, k: int) -> bool:
    """Let joint i walk its whole range while j, or j < k, absorb; take the best place if it gains.

    With nobody to absorb the polar angle changes. `angles` is overwritten when the move gains, `trial` always.
    """
    kept = pointing(p.axes, angles)
    now = swing_cost(p, i, angles[i]) + (misfit_cost(p, angles) if j == NOBODY else swing_cost(p, j, angles[j]))
    now += 0.0 if k == NOBODY else swing_cost(p, k, angles[k])
    if now < GAIN:
        return False
    trial[:] = angles
    best, best_x = now, angles[i]
    for cell in range(GRID + 4):
        x = -p.limit + 2.0 * p.limit * cell / GRID
        # The corners of the cost: the posture's own angle, its mirror, and the straight joint.
        if cell > GRID:
            x = p.posture[i] * (cell - GRID - 2)
        cost = walk_cost(p, trial, i, j, k, x, kept)
        if cost < best:
            best, best_x = cost, x
    low, high = max(-p.limit, best_x - 2.0 * p.limit / GRID), min(p.limit, best_x + 2.0 * p.limit / GRID)
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    cost_left, cost_right = walk_cost(p, trial, i, j, k, left, kept), walk_cost(p, trial, i, j, k, right, kept)
    for _ in range(GOLDEN_STEPS):
        if min(cost_left, cost_right) < best:
            best, best_x = (cost_left, left) if cost_left < cost_right else (cost_right, right)
        if cost_left <= cost_right:
            high, right, cost_right = right, left, cost_left
            left = high - GOLDEN * (high - low)
            cost_left = walk_cost(p, trial, i, j, k, left, kept)
        else:
            low, left, cost_left = left, right, cost_right
            right = low + GOLDEN * (high - low)
            cost_right = walk_cost(p, trial, i, j, k, right, kept)
    if best < now - GAIN:
        walk_cost(p, trial, i, j, k, best_x, kept)
        angles[:] = trial
        return True
    return False


@compiled
def settle(p: Problem, angles: FloatArray, trial: FloatArray) -> None:
    """Repeat all moves until none gains; both arrays are overwritten."""
    inner = p.axes.size
    for _ in range(ROUNDS):
        moved = False
        for i in range(inner):
            moved |= improve(p, angles, trial, i, NOBODY, NOBODY)
            for j in range(inner):
                if j != i:
                    moved |= improve(p, angles, trial, i, j, NOBODY)
                for k in range(j + 1, inner):
                    if j != i and k != i and math.sin(p.wanted) < NEAR_POLE:
                        moved |= improve(p, angles, trial, i, j, k)
        if not moved:
            return


@compiled
def place_start(p: Problem, number: int, angles: FloatArray) -> None:
    """Write start `number`: first every pattern of the posture's signs, then signs at random and half the joints."""
    inner = p.axes.size
    for k in range(inner):
        angles[k] = -p.posture[k] if (number >> k) & 1 else p.posture[k]
    if number >= 2**inner:
        for k in range(inner):
            angles[k] = p.posture[k] * (1.0 if np.random.random() < 0.5 else -1.0)
            if np.random.random() < 0.5:
                angles[k] = np.random.uniform(-p.limit, p.limit)


@compiled
def meet_target(p: Problem, number: int, angles: FloatArray) -> None:
    """Let one joint of a start, or two near the poles, a different one each time, reach the wanted polar angle."""
    inner = p.axes.size
    one, other = number % inner, (number + 1 + number // inner % max(1, inner - 1)) % inner
    if math.sin(p.wanted) < NEAR_POLE and inner > 1 and one != other:
        azimuth = np.random.uniform(-math.pi, math.pi)
        side = math.sin(p.wanted)
        direction = (side * math.sin(azimuth), math.cos(p.wanted), side * math.cos(azimuth))
        absorb_direction(p, angles, min(one, other), max(one, other), direction)
    absorb_height(p, angles, one, math.cos(p.wanted))


@compiled
def search(p: Problem, starts: int, seed: int, best_angles: FloatArray) -> float:
    """Search one sample from every pattern of signs and from a number of random starts.

    `best_angles` [inner] is overwritten; returns their error.
    """
    np.random.seed(seed)
    angles, trial = np.empty(p.axes.size), np.empty(p.axes.size)
    best = math.inf
    for number in range(2**p.axes.size + starts):
        place_start(p, number, angles)
        meet_target(p, number, angles)
        settle(p, angles, trial)
        error = error_of(p, angles)
        if error < best:
            best = error
            best_angles[:] = angles
        if best < GAIN:
            break
    return best
