"""Targets near the root's axis: there two joints have to absorb, for the end direction as a whole is prescribed.

Around the pole the polar angle alone is a poor guide: its vertices are crowded into a small loop.  At the pole itself
two joints meet the direction in closed form; one of them then takes up the little that is left to the target.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Vector
from gestik.kernels.jit import kernel, stage
from gestik.kernels.vector import cross, dot, load3_at, scale, store3_at
from gestik.solvers.poise.closing import close_twists
from gestik.solvers.poise.inner import (
    ANGLE,
    INNER_AXIS,
    OPTION_ANGLE,
    OPTION_COST,
    OPTIONS,
    REACH,
    TwistEnded,
    Work,
    absorb_near,
    absorbing_angles,
    bend_cost,
    inner_cost,
    offer,
    turned,
    within_limits,
)
from gestik.solvers.poise.problem import Wanted

NEAR_POLE = math.cos(math.radians(15.0))


@kernel
def take_pattern(work: Work, pattern: int) -> bool:
    """Set all angles to the sides a pattern's bits choose; False where one of them is no option."""
    state, options = work.state, work.options
    for joint in range(len(state)):
        row = joint * OPTIONS + ((pattern >> joint) & 1)
        if options[row, OPTION_COST] == math.inf:
            return False
        state[joint, ANGLE] = options[row, OPTION_ANGLE]
    return True


@kernel
def turn_joint(table: FloatArray, state: FloatArray, joint: int, direction: float, v: Vector) -> Vector:
    """Carry `v` through a joint's turn, or with direction -1 back."""
    angle = state[joint, ANGLE]
    return turned(load3_at(table, joint, INNER_AXIS), math.cos(angle), direction * math.sin(angle), v)


@kernel
def meet_pole(table: FloatArray, state: FloatArray, j: int, k: int, left: Vector, goal_k: float) -> bool:
    """Set joint k to `goal_k` and joint j so that the end direction is `left`, seen by joint j; False out of limits."""
    angle_k = within_limits(table, k, goal_k, state[k, ANGLE])
    if angle_k == math.inf:
        return False
    state[k, ANGLE] = angle_k
    reach = turn_joint(table, state, k, 1.0, load3_at(state, k, REACH))
    for joint in range(k - 1, j, -1):
        reach = turn_joint(table, state, joint, 1.0, reach)
    axis = load3_at(table, j, INNER_AXIS)
    sine, cosine = dot(cross(reach, left), axis), dot(reach, left) - dot(reach, axis) * dot(left, axis)
    angle_j = within_limits(table, j, math.atan2(sine, cosine), state[j, ANGLE])
    if angle_j == math.inf:
        return False
    state[j, ANGLE] = angle_j
    return True


@kernel
def offer_pole_pair(
    chain: TwistEnded, wanted: Wanted, work: Work, polar: float, j: int, k: int, left: Vector, carried: Vector
) -> None:
    """Offer both ways in which joints j and k bring the end direction to the pole and then to the target.

    left is the pole seen by joint j, carried the axis of joint j seen by joint k.
    """
    table, state, pool = chain.table, work.state, work.pool
    kept_j, kept_k = state[j, ANGLE], state[k, ANGLE]
    along = dot(load3_at(table, j, INNER_AXIS), left)
    centre, half = absorbing_angles(table, k, carried, load3_at(state, k, REACH), along)
    if not math.isnan(half):
        for goal in (centre - half, centre + half):
            bound = pool[len(pool) - 1, len(state)]
            if bend_cost(table, state, k, goal) < bound and meet_pole(table, state, j, k, left, goal):
                # The joint that pays less for it leaves the pole.
                absorber = j if bend_cost(table, state, j, state[j, ANGLE]) == 0.0 else k
                if absorb_near(table, state, chain.root_axis, chain.end_direction, absorber, polar):
                    cost = inner_cost(table, state)
                    if cost < bound and (chain.always_closes or close_twists(chain, wanted, state, work.closed)):
                        offer(pool, cost, state)
            state[j, ANGLE], state[k, ANGLE] = kept_j, kept_k


@stage
def pole_pairs(chain: TwistEnded, wanted: Wanted, work: Work, polar: float) -> None:
    """Offer every pair of joints that absorbs alone, all others at the posture's bends."""
    table, state = chain.table, work.state
    size = len(state)
    for pattern in range(1 << size):
        if not take_pattern(work, pattern):
            continue
        right = chain.end_direction
        for joint in range(size - 1, -1, -1):
            store3_at(state, joint, REACH, right)
            right = turn_joint(table, state, joint, 1.0, right)
        left = scale(chain.root_axis, 1.0 if polar > 0.0 else -1.0)
        for j in range(size - 1):
            carried = load3_at(table, j, INNER_AXIS)
            for k in range(j + 1, size):
                offer_pole_pair(chain, wanted, work, polar, j, k, left, carried)
                carried = turn_joint(table, state, k, -1.0, carried)
            left = turn_joint(table, state, j, -1.0, left)
