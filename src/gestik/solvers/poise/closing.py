"""Root and tip twist in closed form: they turn inner angles that meet the polar angle into an exact answer."""

from __future__ import annotations

import math

from gestik.goals.evaluate import TARGET, TWIN
from gestik.kernels.arrays import FloatArray, Quaternion
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import conjugate, from_axis_angle, load4_at, multiply, rotate, twist_angle
from gestik.kernels.vector import cross, dot, load3_at, wrap_angle
from gestik.solvers.poise.inner import ANGLE, INNER_AXIS, TwistEnded
from gestik.solvers.poise.problem import Wanted
from gestik.solvers.poise.starts import nearest_turn


@kernel
def close_twists(chain: TwistEnded, wanted: Wanted, state: FloatArray, closed: FloatArray) -> bool:
    """Write the current angles and the twists that meet the target to `closed`; False where limits forbid every way.

    A mirrored arm has the same bends and the same polar angle and needs another root twist.
    """
    for mirror in range(len(chain.mirrors)):
        for joint in range(len(state)):
            closed[joint + 1] = chain.mirrors[mirror, joint] * state[joint, ANGLE]
        inner = inner_turn(chain.table, closed)
        if turn_root(chain, wanted, inner, closed) and turn_tip(chain, wanted, inner, closed):
            return True
    return False


@kernel
def inner_turn(table: FloatArray, closed: FloatArray) -> Quaternion:
    """The turn all joints between the twists make together."""
    turn: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for joint in range(len(table)):
        turn = multiply(turn, from_axis_angle(load3_at(table, joint, INNER_AXIS), closed[joint + 1]))
    return turn


@kernel
def turn_root(chain: TwistEnded, wanted: Wanted, inner: Quaternion, closed: FloatArray) -> bool:
    """Find the root twist that gives the end direction its azimuth; False where it is out of range."""
    axis, limits = chain.root_axis, chain.twist_limits
    target = multiply(conjugate(chain.base), load4_at(wanted.target, 0, TARGET))
    here, there = rotate(inner, chain.end_direction), rotate(target, chain.tip_axis)
    sine, cosine = dot(cross(here, there), axis), dot(here, there) - dot(here, axis) * dot(there, axis)
    # Looking along the root's axis every root twist is right: the posture's own serves.
    azimuth = wanted.angles[0] if sine * sine + cosine * cosine < 1e-16 else math.atan2(sine, cosine)
    closed[0] = nearest_turn(azimuth, wanted.angles[0], limits[0, 0], limits[0, 1])
    return abs(wrap_angle(closed[0] - azimuth)) < 1e-9


@kernel
def turn_tip(chain: TwistEnded, wanted: Wanted, inner: Quaternion, closed: FloatArray) -> bool:
    """Find the tip twist that gives the end its roll; False where it is out of range."""
    last, limits = len(closed) - 1, chain.twist_limits
    carried = multiply(from_axis_angle(chain.root_axis, closed[0]), multiply(inner, chain.tip))
    untwisted = conjugate(multiply(chain.base, carried))
    for column in (TARGET, TWIN):
        roll = twist_angle(multiply(untwisted, load4_at(wanted.target, 0, column)), chain.tip_axis)
        closed[last] = nearest_turn(roll, wanted.angles[last], limits[1, 0], limits[1, 1])
        if abs(wrap_angle(closed[last] - roll)) < 1e-9:
            return True
    return False
