"""Vertices of poise's problem on twist-ended chains: all joints but one at a kink or an extreme, one absorbs the rest.

The chain is cut at the absorbing joint.  Partial chains from the root and from the tip are listed once, each with what
it costs, and combined: most pairs are dropped on their costs alone, before any trigonometry.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel, stage
from gestik.kernels.vector import load3_at, store3_at
from gestik.solvers.poise.closing import close_twists
from gestik.solvers.poise.inner import (
    ANGLE,
    BEND_PEAK,
    FREE_OPTIONS,
    INNER_AXIS,
    LOWER,
    OPTION_ANGLE,
    OPTION_COSINE,
    OPTION_COST,
    OPTION_SINE,
    OPTIONS,
    SHARE,
    UPPER,
    TwistEnded,
    Work,
    absorbing_angles,
    bend_cost,
    offer,
    turned,
    within_limits,
)
from gestik.solvers.poise.problem import Wanted
from gestik.solvers.poise.starts import nearest_turn

# Columns of a partial chain: the vector it makes of its end, what it costs, and which options it took.
VECTOR = 0  # 3
COST = 3
EXTREMES = 4  # how many of its joints are at an extreme
CODE = 5  # the options as digits


@kernel
def keeps_side(mirrors: FloatArray, joint: int) -> bool:
    """Whether every choice of side for `joint` is a mirror image of one with the posture's side."""
    for mirror in range(1, len(mirrors)):
        first = mirrors[mirror, joint] < 0.0
        for earlier in range(joint):
            first = first and mirrors[mirror, earlier] > 0.0
        if first:
            return True
    return False


@kernel
def list_options(chain: TwistEnded, work: Work, drawn: FloatArray) -> None:
    """Fill work.options; an option that repeats another, or has no finite angle, costs infinity."""
    table, options, state = chain.table, work.options, work.state
    for joint in range(len(state)):
        low, high, peak = table[joint, LOWER], table[joint, UPPER], table[joint, BEND_PEAK]
        here = drawn[joint + 1]
        one_sided = table[joint, SHARE] == 0.0 or keeps_side(chain.mirrors, joint)
        wishes = (here, 2.0 * peak - here, low, high, peak)
        for option in range(OPTIONS):
            row = joint * OPTIONS + option
            angle = nearest_turn(wishes[option], wishes[option], low, high)
            useless = not math.isfinite(angle) or (one_sided and option in (1, 2))
            for earlier in range(joint * OPTIONS, row):
                useless = useless or abs(options[earlier, OPTION_ANGLE] - angle) < 1e-9
            options[row, OPTION_ANGLE] = angle
            options[row, OPTION_COSINE] = math.cos(angle)
            options[row, OPTION_SINE] = math.sin(angle)
            options[row, OPTION_COST] = math.inf if useless else bend_cost(table, state, joint, angle)


@kernel
def lengthen(
    axis_row: FloatArray,
    options: FloatArray,
    joint: int,
    direction: float,
    shorter: FloatArray,
    count: int,
    most_extremes: int,
    bound: float,
    longer: FloatArray,
) -> int:
    """List the partial chains `shorter` (count of them) lengthened by `joint` in every way; returns how many.

    direction: -1 for chains from the root, whose vector is carried into the next joint's frame; +1 from the tip.
    """
    axis = (axis_row[INNER_AXIS], axis_row[INNER_AXIS + 1], axis_row[INNER_AXIS + 2])
    tried = OPTIONS if most_extremes > 0 else FREE_OPTIONS
    made = 0
    for entry in range(count):
        for option in range(tried):
            row = joint * OPTIONS + option
            cost = shorter[entry, COST] + options[row, OPTION_COST]
            extremes = shorter[entry, EXTREMES] + (1.0 if option >= FREE_OPTIONS else 0.0)
            if cost >= bound or extremes > most_extremes or made >= len(longer):
                continue
            cosine, sine = options[row, OPTION_COSINE], direction * options[row, OPTION_SINE]
            store3_at(longer, made, VECTOR, turned(axis, cosine, sine, load3_at(shorter, entry, VECTOR)))
            longer[made, COST] = cost
            longer[made, EXTREMES] = extremes
            longer[made, CODE] = shorter[entry, CODE] * OPTIONS + option
            made += 1
    return made


@kernel
def recall(state: FloatArray, options: FloatArray, code: int, first: int, last: int, step: int) -> None:
    """Set the angles a partial chain's code stands for, from joint `first` on to before `last`."""
    for joint in range(first, last, step):
        state[joint, ANGLE] = options[joint * OPTIONS + code % OPTIONS, OPTION_ANGLE]
        code //= OPTIONS


@kernel
def absorb(
    chain: TwistEnded, wanted: Wanted, work: Work, joint: int, before: FloatArray, after: FloatArray, polar: float
) -> None:
    """Offer both angles of `joint` with which the partial chains before and after it meet the polar angle."""
    pool, state = work.pool, work.state
    size = len(state)
    centre, half = absorbing_angles(
        chain.table, joint, (before[0], before[1], before[2]), (after[0], after[1], after[2]), polar
    )
    if math.isnan(half):
        return
    for goal in (centre - half, centre + half):
        angle = within_limits(chain.table, joint, goal, 0.0)
        if angle == math.inf:
            continue
        cost = before[COST] + after[COST] + bend_cost(chain.table, state, joint, angle)
        if cost >= pool[len(pool) - 1, size] - 1e-12:
            continue
        recall(state, work.options, int(before[CODE]), joint - 1, -1, -1)
        recall(state, work.options, int(after[CODE]), joint + 1, size, 1)
        state[joint, ANGLE] = angle
        if chain.always_closes or close_twists(chain, wanted, state, work.closed):
            offer(pool, cost, state)


@stage
def vertices(chain: TwistEnded, wanted: Wanted, work: Work, polar: float, most_extremes: int) -> None:
    """Fill the pool with the best vertices that have at most so many joints at an extreme; stops at a free one."""
    table, pool, left, right, counts = chain.table, work.pool, work.left, work.right, work.counts
    last = len(work.state) - 1
    worst = pool[len(pool) - 1]
    store3_at(left[0], 0, VECTOR, chain.root_axis)
    store3_at(right[last], 0, VECTOR, chain.end_direction)
    for column in (COST, EXTREMES, CODE):
        left[0, 0, column] = 0.0
        right[last, 0, column] = 0.0
    counts[0, 0] = 1
    counts[1, last] = 1
    for j in range(last):
        counts[0, j + 1] = lengthen(
            table[j], work.options, j, -1.0, left[j], counts[0, j], most_extremes, worst[last + 1], left[j + 1]
        )
    for j in range(last, 0, -1):
        counts[1, j - 1] = lengthen(
            table[j], work.options, j, 1.0, right[j], counts[1, j], most_extremes, worst[last + 1], right[j - 1]
        )
    for joint in range(last + 1):
        for a in range(counts[0, joint]):
            before = left[joint, a]
            for b in range(counts[1, joint]):
                after = right[joint, b]
                cheap = before[COST] + after[COST] < worst[last + 1]
                if cheap and before[EXTREMES] + after[EXTREMES] <= most_extremes:
                    absorb(chain, wanted, work, joint, before, after, polar)
                    if pool[0, last + 1] < 1e-9:
                        return
