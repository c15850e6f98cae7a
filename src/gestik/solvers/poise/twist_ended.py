"""Poise on chains that begin and end with a twist, by the paper's measure: closed forms instead of a search.

The root twist takes the azimuth and the tip twist the roll; what the joints between must meet is one scalar equation,
the polar angle of the end direction.  The paper's measure is a sum over bends of kinked terms, so its optimum leaves
most joints at the posture's bend (or its mirror image) and a few take up the difference.
"""

from __future__ import annotations

import math

from gestik.goals.evaluate import TARGET
from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import stage
from gestik.kernels.quaternion import load4_at, rotate
from gestik.kernels.vector import dot
from gestik.solvers.poise.closing import close_twists
from gestik.solvers.poise.inner import (
    ANGLE,
    BEND,
    BEND_OFFSET,
    BEND_PEAK,
    BEND_SIZE,
    TwistEnded,
    Work,
    inner_cost,
    offer,
)
from gestik.solvers.poise.poles import NEAR_POLE, pole_pairs, take_pattern
from gestik.solvers.poise.problem import Wanted
from gestik.solvers.poise.sharing import settle, share
from gestik.solvers.poise.vertices import list_options, vertices

FREE_OF_COST = 1e-6
SETTLING_STEPS = 6
SHARING_ROUNDS = 6
PROBES = 6


@stage
def settle_patterns(chain: TwistEnded, wanted: Wanted, work: Work, polar: float, steps: int) -> None:
    """Offer what every choice of sides settles to."""
    state = work.state
    size = len(state)
    for pattern in range(1 << size):
        if not take_pattern(work, pattern):
            continue
        for joint in range(size):
            # A straight joint is a saddle: begin a little to one side.
            if abs(state[joint, ANGLE]) < 1e-3:
                state[joint, ANGLE] = 1e-2
        bound = work.pool[len(work.pool) - 1, size]
        if settle(chain.table, state, chain.root_axis, chain.end_direction, polar, steps, bound):
            cost = inner_cost(chain.table, state)
            if cost < bound and (chain.always_closes or close_twists(chain, wanted, state, work.closed)):
                offer(work.pool, cost, state)


@stage
def solve_twist_ended(chain: TwistEnded, wanted: Wanted, work: Work, answer: FloatArray) -> float:
    """The least posture measure among answers that meet the orientation exactly; inf where none was found."""
    table, state, pool = chain.table, work.state, work.pool
    size = len(state)
    for joint in range(size):
        phase = wanted.angles[joint + 1] - table[joint, BEND_PEAK]
        state[joint, BEND] = table[joint, BEND_SIZE] * math.cos(phase) + table[joint, BEND_OFFSET]
    for place in range(len(pool)):
        pool[place, size] = math.inf
    target = rotate(load4_at(wanted.target, 0, TARGET), chain.tip_axis)
    polar = dot(rotate(chain.base, chain.root_axis), target)

    list_options(chain, work, wanted.angles)
    vertices(chain, wanted, work, polar, 0)
    if pool[0, size] > FREE_OF_COST:
        vertices(chain, wanted, work, polar, 1)
        settle_patterns(chain, wanted, work, polar, SETTLING_STEPS)
        if abs(polar) > NEAR_POLE:
            pole_pairs(chain, wanted, work, polar)
    if pool[0, size] == math.inf:
        vertices(chain, wanted, work, polar, 2)

    least = math.inf
    for place in range(len(pool)):
        if pool[place, size] == math.inf or least < FREE_OF_COST:
            break
        for joint in range(size):
            state[joint, ANGLE] = pool[place, joint]
        share(table, state, work.options, chain.root_axis, chain.end_direction, polar, SHARING_ROUNDS, PROBES)
        cost = inner_cost(table, state)
        if cost < least and close_twists(chain, wanted, state, work.closed):
            least = cost
            for joint in range(size + 2):
                answer[joint] = work.closed[joint]
    return least
