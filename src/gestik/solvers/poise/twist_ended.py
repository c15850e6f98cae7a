"""Poise on chains that begin and end with a twist, by the paper's measure: closed forms instead of a search.

The root twist takes the azimuth and the tip twist the roll; what the joints between must meet is one scalar equation,
the polar angle of the end direction.  The paper's measure is a sum over bends of kinked terms, so its optimum leaves
most joints at the posture's bend (or its mirror image) and a few take up the difference:

1. `vertices`: every way to choose posture, mirror or an extreme for all joints but one, which absorbs the rest in
   closed form.
2. `share`: from the best of them, pairs of joints share the difference.
3. `close_twists`: root and tip twist in closed form; an answer counts only when both are inside their limits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, Quaternion, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import conjugate, from_axis_angle, load4_at, multiply, rotate, twist_angle
from gestik.kernels.vector import add, clamped_acos, cross, dot, load3_at, scale, wrap_angle
from gestik.solvers.poise.problem import TARGET, TWIN, Wanted
from gestik.solvers.poise.starts import nearest_turn

# Columns of TwistEnded.table, one row per joint between the two twists.
INNER_AXIS = 0  # 3, unit, in the root's frame with all angles zero
BEND_SIZE = 3  # cosine of the bend before this bone = size * cos(angle - peak) + offset; all 0 for a twist
BEND_PEAK = 4
BEND_OFFSET = 5
SHARE = 6  # of this bend in the posture measure
LOWER = 7
UPPER = 8
INNER_WIDTH = 9

# Columns of Work.options: what a joint may do when it does not absorb, the posture's own bend first.
OPTION_ANGLE = 0
OPTION_COSINE = 1
OPTION_SINE = 2
OPTION_COST = 3
FREE_OPTIONS = 2  # the first options keep the posture's bend: its angle and the mirrored one
OPTIONS = 5  # then the two limits and the extreme of the bend


class TwistEnded(NamedTuple):
    """A chain between two twists, as a product of exponentials in the root's frame."""

    table: FloatArray  # [inner, INNER_WIDTH]
    twist_limits: FloatArray  # [2, 2], rad: root lower, upper; tip lower, upper
    mirrors: FloatArray  # [mirror, inner], signs of the angles in mirrored arms that cost the same; the first all +1
    root_axis: Vector  # unit
    end_direction: Vector  # the tip's axis with all angles zero
    base: Quaternion  # the root's rotation at zero
    tip: Quaternion  # the tip's rotation at zero, in the root's frame
    tip_axis: Vector  # in the tip's own frame


class Work(NamedTuple):
    """Memory of one solve."""

    bends: FloatArray  # [inner], the cosines the posture asks for
    options: FloatArray  # [inner * OPTIONS, 4]
    angles: FloatArray  # [inner]
    pool: FloatArray  # [keep, inner + 1], the best vertices and their costs, best first
    left: FloatArray  # [inner, entry, 6], partial chains from the root
    right: FloatArray  # [inner, entry, 6], partial chains from the tip
    closed: FloatArray  # [inner + 2], root, inner joints, tip
    counts: IntArray  # [inner]
    counts2: IntArray  # [inner]
    rights: FloatArray
    slope: FloatArray
    stiff: FloatArray
    pull: FloatArray
    move: FloatArray
    free: IntArray


@kernel
def turned(axis: Vector, cosine: float, sine: float, v: Vector) -> Vector:
    """Turn `v` about the unit vector `axis` by the angle of that cosine and sine."""
    return add(add(scale(v, cosine), scale(cross(axis, v), sine)), scale(axis, dot(axis, v) * (1.0 - cosine)))


@kernel
def bend_cost(table: FloatArray, bends: FloatArray, joint: int, angle: float) -> float:
    """This joint's term of the posture measure."""
    if table[joint, SHARE] == 0.0:
        return 0.0
    cosine = table[joint, BEND_SIZE] * math.cos(angle - table[joint, BEND_PEAK]) + table[joint, BEND_OFFSET]
    return table[joint, SHARE] * abs(cosine - bends[joint])


@kernel
def inner_cost(table: FloatArray, bends: FloatArray, angles: FloatArray) -> float:
    """The posture measure."""
    cost = 0.0
    for joint in range(len(angles)):
        cost += bend_cost(table, bends, joint, angles[joint])
    return cost


@kernel
def absorbing_angle(
    table: FloatArray, joint: int, left: Vector, right: Vector, polar: float, branch: float, near: float
) -> float:
    """The angle of `joint` on one branch (-1 or +1) that makes left . R right = polar; inf where there is none.

    As a function of the angle the product is size * cos(angle - peak) + offset.
    """
    axis = load3_at(table, joint, INNER_AXIS)
    along = dot(left, axis) * dot(right, axis)
    cosine = dot(left, right) - along
    sine = dot(left, cross(axis, right))
    size_squared = cosine * cosine + sine * sine
    if (polar - along) * (polar - along) > size_squared or size_squared < 1e-20:
        return math.inf
    goal = math.atan2(sine, cosine) + branch * clamped_acos((polar - along) / math.sqrt(size_squared))
    angle = nearest_turn(goal, near, table[joint, LOWER], table[joint, UPPER])
    return angle if abs(wrap_angle(angle - goal)) < 1e-9 else math.inf


@kernel
def close_twists(chain: TwistEnded, wanted: Wanted, angles: FloatArray, closed: FloatArray) -> bool:
    """Write `angles` and the twists that meet the target exactly to `closed`; False where limits forbid every way.

    A mirrored arm has the same bends and the same polar angle and needs another root twist.
    """
    for mirror in range(len(chain.mirrors)):
        for joint in range(len(angles)):
            closed[joint + 1] = chain.mirrors[mirror, joint] * angles[joint]
        if turn_root(chain, wanted, closed) and turn_tip(chain, wanted, closed):
            return True
    return False


@kernel
def inner_turn(chain: TwistEnded, closed: FloatArray) -> Quaternion:
    """The turn all joints between the twists make together."""
    turn: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for joint in range(len(chain.table)):
        turn = multiply(turn, from_axis_angle(load3_at(chain.table, joint, INNER_AXIS), closed[joint + 1]))
    return turn


@kernel
def turn_root(chain: TwistEnded, wanted: Wanted, closed: FloatArray) -> bool:
    """Find the root twist that gives the end direction its azimuth; False where it is out of range."""
    axis, limits = chain.root_axis, chain.twist_limits
    target = multiply(conjugate(chain.base), load4_at(wanted.target, 0, TARGET))
    here, there = rotate(inner_turn(chain, closed), chain.end_direction), rotate(target, chain.tip_axis)
    sine, cosine = dot(cross(here, there), axis), dot(here, there) - dot(here, axis) * dot(there, axis)
    # Looking along the root's axis every root twist is right: the one at hand serves.
    azimuth = wanted.angles[0] if sine * sine + cosine * cosine < 1e-16 else math.atan2(sine, cosine)
    closed[0] = nearest_turn(azimuth, wanted.angles[0], limits[0, 0], limits[0, 1])
    return abs(wrap_angle(closed[0] - azimuth)) < 1e-9


@kernel
def turn_tip(chain: TwistEnded, wanted: Wanted, closed: FloatArray) -> bool:
    """Find the tip twist that gives the end its roll; False where it is out of range."""
    last, limits = len(closed) - 1, chain.twist_limits
    carried = multiply(from_axis_angle(chain.root_axis, closed[0]), multiply(inner_turn(chain, closed), chain.tip))
    untwisted = conjugate(multiply(chain.base, carried))
    for column in (TARGET, TWIN):
        roll = twist_angle(multiply(untwisted, load4_at(wanted.target, 0, column)), chain.tip_axis)
        closed[last] = nearest_turn(roll, wanted.angles[last], limits[1, 0], limits[1, 1])
        if abs(wrap_angle(closed[last] - roll)) < 1e-9:
            return True
    return False
