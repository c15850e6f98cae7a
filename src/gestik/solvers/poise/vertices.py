"""Vertices of poise's problem on twist-ended chains: all joints but one at a kink or an extreme, one absorbs the rest.

The chain is cut at the absorbing joint.  Partial chains from the root and from the tip are listed once, each with what
it costs, and combined: most pairs are dropped on their costs alone, before any trigonometry.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel
from gestik.kernels.vector import load3_at, store3_at
from gestik.solvers.poise.problem import Wanted
from gestik.solvers.poise.twist_ended import (
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
    absorbing_angle,
    bend_cost,
    close_twists,
    turned,
)
from gestik.solvers.poise.starts import nearest_turn

# Columns of an entry: the vector a partial chain makes of its end, what it costs, and which options it took.
VECTOR = 0
COST = 3
EXTREMES = 4  # how many joints of it are at an extreme; more than one is not tried
CODE = 5  # the options as digits


@kernel
def keeps_side(mirrors: FloatArray, joint: int) -> bool:
    """Whether every choice of side for `joint` is a mirror image of one with the posture's side."""
    for mirror in range(1, len(mirrors)):
        if mirrors[mirror, joint] < 0.0:
            first = True
            for earlier in range(joint):
                first = first and mirrors[mirror, earlier] > 0.0
            if first:
                return True
    return False


@kernel
def list_options(chain: TwistEnded, work: Work, drawn: FloatArray) -> None:
    """Fill work.options; an option that repeats another or breaks a limit costs infinity."""
    table, options = chain.table, work.options
    for joint in range(len(drawn)):
        low, high, peak = table[joint, LOWER], table[joint, UPPER], table[joint, BEND_PEAK]
        bends = table[joint, SHARE] > 0.0
        for option in range(OPTIONS):
            row = joint * OPTIONS + option
            wish = drawn[joint]
            if option == 1:
                wish = 2.0 * peak - drawn[joint]
            elif option == 2:
                wish = low
            elif option == 3:
                wish = high
            elif option == 4:
                wish = peak
            angle = nearest_turn(wish, wish, low, high)
            repeats = (option > 0 and not bends) or not math.isfinite(angle)
            # Of mirrored arms one is enough: the first joint that a mirror turns round keeps the posture's side.
            if option in (1, 2) and keeps_side(chain.mirrors, joint):
                repeats = True
            for earlier in range(joint * OPTIONS, row):
                repeats = repeats or abs(options[earlier, OPTION_ANGLE] - angle) < 1e-9
            options[row, OPTION_ANGLE] = angle
            options[row, OPTION_COSINE] = math.cos(angle)
            options[row, OPTION_SINE] = math.sin(angle)
            options[row, OPTION_COST] = math.inf if repeats else bend_cost(table, work.bends, joint, angle)


@kernel
def extend(
    table: FloatArray, options: FloatArray, joint: int, direction: float, shorter: FloatArray, count: int, longer: FloatArray
, width: int, bound: float, most: float) -> int:
    """List the partial chains `shorter` (count of them) lengthened by `joint` in every way; returns how many.

    direction: -1 for chains from the root, whose vector is carried into the next joint's frame; +1 from the tip.
    """
    axis = load3_at(table, joint, INNER_AXIS)
    made = 0
    for entry in range(count):
        for option in range(width):
            row = joint * OPTIONS + option
            extremes = shorter[entry, EXTREMES] + (1.0 if option >= FREE_OPTIONS else 0.0)
            cost = shorter[entry, COST] + options[row, OPTION_COST]
            if extremes > most or cost >= bound or made >= len(longer):
                continue
            v = turned(axis, options[row, OPTION_COSINE], direction * options[row, OPTION_SINE], load3_at(shorter, entry, VECTOR))
            store3_at(longer, made, VECTOR, v)
            longer[made, COST] = cost
            longer[made, EXTREMES] = extremes
            longer[made, CODE] = shorter[entry, CODE] * OPTIONS + option
            made += 1
    return made


@kernel
def offer(pool: FloatArray, cost: float, angles: FloatArray) -> None:
    """Keep `angles` among the best vertices, sorted by cost."""
    size = len(angles)
    place = len(pool) - 1
    while place > 0 and pool[place - 1, size] > cost:
        for k in range(size + 1):
            pool[place, k] = pool[place - 1, k]
        place -= 1
    for k in range(size):
        pool[place, k] = angles[k]
    pool[place, size] = cost


@kernel
def absorb(
    chain: TwistEnded, wanted: Wanted, work: Work, joint: int, before: FloatArray, after: FloatArray, polar: float
) -> None:
    """Offer both angles of `joint` with which the partial chains before and after it meet the polar angle."""
    pool, angles, options = work.pool, work.angles, work.options
    size = len(angles)
    left, right = (before[0], before[1], before[2]), (after[0], after[1], after[2])
    for branch in (-1.0, 1.0):
        angle = absorbing_angle(chain.table, joint, left, right, polar, branch, 0.0)
        if angle == math.inf:
            continue
        cost = before[COST] + after[COST] + bend_cost(chain.table, work.bends, joint, angle)
        if cost >= pool[len(pool) - 1, size] - 1e-12:
            continue
        code = int(before[CODE])
        for k in range(joint - 1, -1, -1):
            angles[k] = options[k * OPTIONS + code % OPTIONS, OPTION_ANGLE]
            code //= OPTIONS
        code = int(after[CODE])
        for k in range(joint + 1, size):
            angles[k] = options[k * OPTIONS + code % OPTIONS, OPTION_ANGLE]
            code //= OPTIONS
        angles[joint] = angle
        if close_twists(chain, wanted, angles, work.closed):
            offer(pool, cost, angles)


@kernel
def vertices(chain: TwistEnded, wanted: Wanted, work: Work, polar: float, width: int, exact: float, most: float) -> None:
    """Fill the pool with the best vertices that use the first `width` options of each joint."""
    table, pool, left, right = chain.table, work.pool, work.left, work.right
    size = len(work.angles)
    bound = pool[len(pool) - 1, size]
    store3_at(left[0], 0, VECTOR, chain.root_axis)
    store3_at(right[size - 1], 0, VECTOR, chain.end_direction)
    for column in (COST, EXTREMES, CODE):
        left[0, 0, column] = 0.0
        right[size - 1, 0, column] = 0.0
    lefts = work.counts
    rights = work.counts2
    lefts[0] = 1
    rights[size - 1] = 1
    for joint in range(size - 1):
        lefts[joint + 1] = extend(table, work.options, joint, -1.0, left[joint], lefts[joint], left[joint + 1], width, bound, most)
    for joint in range(size - 1, 0, -1):
        rights[joint - 1] = extend(table, work.options, joint, 1.0, right[joint], rights[joint], right[joint - 1], width, bound, most)
    for joint in range(size):
        for a in range(lefts[joint]):
            for b in range(rights[joint]):
                if left[joint, a, EXTREMES] + right[joint, b, EXTREMES] > most:
                    continue
                if left[joint, a, COST] + right[joint, b, COST] >= pool[len(pool) - 1, size]:
                    continue
                absorb(chain, wanted, work, joint, left[joint, a], right[joint, b], polar)
                if pool[0, size] < exact:
                    return
