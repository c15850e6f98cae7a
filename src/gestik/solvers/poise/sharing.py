"""From a vertex to the optimum: pairs of joints share what one joint absorbed."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel
from gestik.kernels.vector import load3_at
from gestik.solvers.poise.problem import Wanted
from gestik.solvers.poise.twist_ended import (
    BEND_PEAK,
    INNER_AXIS,
    LOWER,
    OPTION_ANGLE,
    OPTIONS,
    UPPER,
    TwistEnded,
    Work,
    absorbing_angle,
    bend_cost,
    close_twists,
    turned,
)

GOLDEN = 0.381966011250105


@kernel
def pair_cost(chain: TwistEnded, work: Work, polar: float, j: int, angle: float, k: int, near: float, branch: float) -> float:
    """Cost of joints j and k with j at `angle` and k absorbing; both are written into work.angles; inf where k cannot."""
    table, angles = chain.table, work.angles
    angles[j] = angle
    left, right = chain.root_axis, chain.end_direction
    for joint in range(k):
        left = turned(load3_at(table, joint, INNER_AXIS), math.cos(angles[joint]), -math.sin(angles[joint]), left)
    for joint in range(len(angles) - 1, k, -1):
        right = turned(load3_at(table, joint, INNER_AXIS), math.cos(angles[joint]), math.sin(angles[joint]), right)
    absorbed = absorbing_angle(table, k, left, right, polar, branch, near)
    if absorbed == math.inf:
        return math.inf
    angles[k] = absorbed
    return bend_cost(table, work.bends, j, angle) + bend_cost(table, work.bends, k, absorbed)


@kernel
def next_mark(work: Work, table: FloatArray, j: int, angle: float, direction: float) -> float:
    """The next angle of joint j in that direction where its cost has a kink, an extreme, or its end."""
    mark = table[j, UPPER] if direction > 0.0 else table[j, LOWER]
    for option in range(OPTIONS):
        other = work.options[j * OPTIONS + option, OPTION_ANGLE]
        ahead = (other - angle) * direction
        if 1e-9 < ahead < (mark - angle) * direction:
            mark = other
    return mark


@kernel
def share_pair(chain: TwistEnded, wanted: Wanted, work: Work, polar: float, j: int, k: int, evals: int) -> float:
    """Move joint j to where it and k, which absorbs, cost least together; returns how much that gained."""
    table, angles = chain.table, work.angles
    old_j, old_k = angles[j], angles[k]
    old = bend_cost(table, work.bends, j, old_j) + bend_cost(table, work.bends, k, old_k)
    best, best_j, best_k = old, old_j, old_k
    for branch in (-1.0, 1.0):
        # only the branch k is on
        c0 = pair_cost(chain, work, polar, j, old_j, k, old_k, branch)
        if c0 == math.inf or abs(angles[k] - old_k) > 1e-6:
            angles[k] = old_k
            continue
        for direction in (-1.0, 1.0):
            mark = next_mark(work, table, j, old_j, direction)
            reach = (mark - old_j) * direction
            if reach < 1e-6:
                continue
            probe = old_j + direction * min(1e-3, 0.1 * reach)
            at_probe = pair_cost(chain, work, polar, j, probe, k, old_k, branch)
            end = pair_cost(chain, work, polar, j, mark, k, old_k, branch)
            if end < best - 1e-9:
                best, best_j, best_k = end, mark, angles[k]
            if at_probe >= c0:
                continue
            a, x, b = old_j, probe, mark
            at_x = at_probe
            for _ in range(evals):
                t = x + GOLDEN * (b - x) if abs(b - x) > abs(x - a) else x + GOLDEN * (a - x)
                c = pair_cost(chain, work, polar, j, t, k, old_k, branch)
                if c < at_x:
                    if (t - x) * direction > 0.0:
                        a = x
                    else:
                        b = x
                    x, at_x = t, c
                elif (t - x) * direction > 0.0:
                    b = t
                else:
                    a = t
            if at_x < best - 1e-9:
                pair_cost(chain, work, polar, j, x, k, old_k, branch)
                best, best_j, best_k = at_x, x, angles[k]
        break
    angles[j], angles[k] = best_j, best_k
    if best < old - 1e-9 and close_twists(chain, wanted, angles, work.closed):
        return old - best
    angles[j], angles[k] = old_j, old_k
    return 0.0


@kernel
def share(chain: TwistEnded, wanted: Wanted, work: Work, polar: float, rounds: int, evals: int) -> None:
    """Improve work.angles pair by pair until a round gains nothing."""
    size = len(work.angles)
    for _ in range(rounds):
        gained = 0.0
        for j in range(size):
            for k in range(size):
                if j != k:
                    gained += share_pair(chain, wanted, work, polar, j, k, evals)
        if gained < 1e-7:
            return
