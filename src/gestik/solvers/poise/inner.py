"""The joints between two twists: their tables, their costs, and the one equation they must meet.

Written as a product of exponentials in the root's frame, so that rest transforms vanish from the inner loops.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, Quaternion, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.vector import add, clamped_acos, cross, dot, load3_at, scale, store3_at, wrap_angle

# Columns of TwistEnded.table, one row per inner joint.
INNER_AXIS = 0  # 3, unit, in the root's frame with all angles zero
BEND_SIZE = 3  # cosine of the bend before this bone = size * cos(angle - peak) + offset; all 0 for a twist
BEND_PEAK = 4
BEND_OFFSET = 5
SHARE = 6  # of this bend in the posture measure
LOWER = 7
UPPER = 8
INNER_WIDTH = 9

# Columns of Work.state, one row per inner joint.
ANGLE = 0
BEND = 1  # the cosine the posture asks for
SLOPE = 2  # of the polar cosine along this joint
STIFF = 3
PULL = 4
MOVE = 5
FREE = 6
REACH = 7  # 3, the end direction as this joint carries it
STATE_WIDTH = 10

# Columns of Work.options: what a joint may do when it does not absorb.
OPTION_ANGLE = 0
OPTION_COSINE = 1
OPTION_SINE = 2
OPTION_COST = 3
OPTION_WIDTH = 4
FREE_OPTIONS = 2  # the first options keep the posture's bend: its angle and the mirrored one
OPTIONS = 5  # then the two limits and the extreme of the bend

MOST_PARTIAL_CHAINS = 400
MOST_INNER_JOINTS = 7  # beyond, the lists of vertices outgrow their use


class TwistEnded(NamedTuple):
    """A chain between two twists."""

    table: FloatArray  # [inner, INNER_WIDTH]
    twist_limits: FloatArray  # [2, 2], rad: root lower, upper; tip lower, upper
    mirrors: FloatArray  # [mirror, inner], signs of the angles in mirrored arms that cost the same; the first all +1
    root_axis: Vector  # unit
    end_direction: Vector  # the tip's axis with all angles zero
    base: Quaternion  # the root's rotation at zero
    tip: Quaternion  # the tip's rotation at zero, in the root's frame
    tip_axis: Vector  # in the tip's own frame
    always_closes: bool  # the twists' limits leave a way for every direction and roll


class Work(NamedTuple):
    """Memory of one solve."""

    state: FloatArray  # [inner, STATE_WIDTH]
    options: FloatArray  # [inner * OPTIONS, OPTION_WIDTH]
    pool: FloatArray  # [keep, inner + 1], the best answers so far and their costs, best first
    left: FloatArray  # [inner, entry, ENTRY_WIDTH], partial chains from the root
    right: FloatArray  # [inner, entry, ENTRY_WIDTH], partial chains from the tip
    counts: IntArray  # [2, inner], how many there are
    closed: FloatArray  # [inner + 2], root twist, inner angles, tip twist


@kernel
def turned(axis: Vector, cosine: float, sine: float, v: Vector) -> Vector:
    """Turn `v` about the unit vector `axis` by the angle of that cosine and sine."""
    return add(add(scale(v, cosine), scale(cross(axis, v), sine)), scale(axis, dot(axis, v) * (1.0 - cosine)))


@kernel
def bend_gap(table: FloatArray, state: FloatArray, joint: int, angle: float) -> float:
    """How far the cosine of this joint's bend is from the posture's."""
    cosine = table[joint, BEND_SIZE] * math.cos(angle - table[joint, BEND_PEAK]) + table[joint, BEND_OFFSET]
    return float(cosine - state[joint, BEND])


@kernel
def bend_cost(table: FloatArray, state: FloatArray, joint: int, angle: float) -> float:
    """This joint's term of the posture measure."""
    return 0.0 if table[joint, SHARE] == 0.0 else table[joint, SHARE] * abs(bend_gap(table, state, joint, angle))


@kernel
def inner_cost(table: FloatArray, state: FloatArray) -> float:
    """The posture measure of the current angles."""
    cost = 0.0
    for joint in range(len(state)):
        cost += bend_cost(table, state, joint, state[joint, ANGLE])
    return cost


@kernel
def absorbing_angles(table: FloatArray, joint: int, left: Vector, right: Vector, polar: float) -> tuple[float, float]:
    """Centre and half width of the two angles of `joint` that make left . R right = polar; half is NaN where none does.

    As a function of the angle the product is size * cos(angle - centre) + offset.
    """
    axis = load3_at(table, joint, INNER_AXIS)
    left_along, right_along = dot(left, axis), dot(right, axis)
    offset = left_along * right_along
    cosine = dot(left, right) - offset
    sine = dot(left, cross(axis, right))
    size_squared = cosine * cosine + sine * sine
    missing = polar - offset
    if missing * missing > size_squared or size_squared < 1e-20:
        return 0.0, math.nan
    return math.atan2(sine, cosine), clamped_acos(missing / math.sqrt(size_squared))


@kernel
def within_limits(table: FloatArray, joint: int, goal: float, near: float) -> float:
    """The angle equal to `goal` modulo full turns, inside the joint's limits and near `near`; inf where none is."""
    angle = near + wrap_angle(goal - near)
    low, high = table[joint, LOWER], table[joint, UPPER]
    if angle < low - 1e-9:
        angle += 2.0 * math.pi
    elif angle > high + 1e-9:
        angle -= 2.0 * math.pi
    return min(high, max(low, angle)) if low - 1e-9 <= angle <= high + 1e-9 else math.inf


@kernel
def absorb_near(table: FloatArray, state: FloatArray, root_axis: Vector, end: Vector, joint: int, polar: float) -> bool:
    """Let `joint` meet the polar angle, moving as little as it can; False, and nothing moved, where it cannot."""
    left, right = root_axis, end
    for k in range(joint):
        angle = state[k, ANGLE]
        left = turned(load3_at(table, k, INNER_AXIS), math.cos(angle), -math.sin(angle), left)
    for k in range(len(state) - 1, joint, -1):
        angle = state[k, ANGLE]
        right = turned(load3_at(table, k, INNER_AXIS), math.cos(angle), math.sin(angle), right)
    here = state[joint, ANGLE]
    centre, half = absorbing_angles(table, joint, left, right, polar)
    if math.isnan(half):
        return False
    first = within_limits(table, joint, centre - half, here)
    second = within_limits(table, joint, centre + half, here)
    nearer = first if abs(first - here) <= abs(second - here) else second
    if nearer == math.inf:
        return False
    state[joint, ANGLE] = nearer
    return True


@kernel
def polar_slopes(table: FloatArray, state: FloatArray, root_axis: Vector, end: Vector) -> float:
    """The polar cosine of the current angles; its slope along each joint goes to the state."""
    right = end
    for joint in range(len(state) - 1, -1, -1):
        store3_at(state, joint, REACH, right)
        angle = state[joint, ANGLE]
        right = turned(load3_at(table, joint, INNER_AXIS), math.cos(angle), math.sin(angle), right)
    polar = dot(root_axis, right)
    left = root_axis
    for joint in range(len(state)):
        axis, angle = load3_at(table, joint, INNER_AXIS), state[joint, ANGLE]
        left = turned(axis, math.cos(angle), -math.sin(angle), left)
        state[joint, SLOPE] = dot(left, cross(axis, load3_at(state, joint, REACH)))
    return polar


@kernel
def offer(pool: FloatArray, cost: float, state: FloatArray) -> None:
    """Keep the current angles among the best answers, sorted by cost."""
    size = len(state)
    place = len(pool) - 1
    if cost >= pool[place, size]:
        return
    while place > 0 and pool[place - 1, size] > cost:
        for k in range(size + 1):
            pool[place, k] = pool[place - 1, k]
        place -= 1
    for k in range(size):
        pool[place, k] = state[k, ANGLE]
    pool[place, size] = cost


@kernel
def empty_work(inner: int, keep: int) -> Work:
    """Memory for one thread's solves."""
    return Work(
        np.empty((inner, STATE_WIDTH)),
        np.empty((inner * OPTIONS, OPTION_WIDTH)),
        np.empty((keep, inner + 1)),
        np.empty((inner, MOST_PARTIAL_CHAINS, 6)),
        np.empty((inner, MOST_PARTIAL_CHAINS, 6)),
        np.empty((2, inner), np.int32),
        np.empty(inner + 2),
    )
