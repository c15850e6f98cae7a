"""From a pattern of bends to a nearby optimum: reweighted least squares on the bends, the polar angle as constraint."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel
from gestik.kernels.vector import clamped_acos, cross, dot, load3_at, store3_at
from gestik.solvers.poise.problem import Wanted
from gestik.solvers.poise.twist_ended import (
    BEND_OFFSET,
    BEND_PEAK,
    BEND_SIZE,
    INNER_AXIS,
    LOWER,
    SHARE,
    UPPER,
    TwistEnded,
    Work,
    turned,
)


@kernel
def polar_slope(chain: TwistEnded, work: Work) -> float:
    """The polar cosine of work.angles; its slope along each joint goes to work.slope."""
    table, angles = chain.table, work.angles
    size = len(angles)
    rights = work.rights
    right = chain.end_direction
    for joint in range(size - 1, -1, -1):
        store3_at(rights, joint, 0, right)
        right = turned(load3_at(table, joint, INNER_AXIS), math.cos(angles[joint]), math.sin(angles[joint]), right)
    polar = dot(chain.root_axis, right)
    left = chain.root_axis
    for joint in range(size):
        axis = load3_at(table, joint, INNER_AXIS)
        left = turned(axis, math.cos(angles[joint]), -math.sin(angles[joint]), left)
        work.slope[joint] = dot(left, cross(axis, load3_at(rights, joint, 0)))
    return polar


@kernel
def settle(chain: TwistEnded, work: Work, polar: float, steps: int, smoothing: float, curve: float, trust: float) -> float:
    """Move work.angles towards the nearest optimum; returns what is left of the polar equation."""
    table, angles, slope = chain.table, work.angles, work.slope
    size = len(angles)
    for _ in range(steps):
        here = polar_slope(chain, work)
        sine = max(0.02, math.sqrt(max(0.0, 1.0 - here * here)))
        missing = (clamped_acos(here) - clamped_acos(polar))
        for joint in range(size):
            slope[joint] /= sine
        for joint in range(size):
            phase = angles[joint] - table[joint, BEND_PEAK]
            residual = table[joint, BEND_SIZE] * math.cos(phase) + table[joint, BEND_OFFSET] - work.bends[joint]
            change = -table[joint, BEND_SIZE] * math.sin(phase)
            weight = table[joint, SHARE] / math.sqrt(residual * residual + smoothing * smoothing)
            work.stiff[joint] = weight * change * change + curve*(table[joint,SHARE]+0.01)
            work.pull[joint] = -weight * residual * change
        for joint in range(size):
            work.free[joint] = 1
        for _ in range(3):
            give, owed = 1e-12, missing
            for joint in range(size):
                if work.free[joint] == 1:
                    give += slope[joint] * slope[joint] / work.stiff[joint]
                    owed -= slope[joint] * work.pull[joint] / work.stiff[joint]
                else:
                    owed -= slope[joint] * work.move[joint]
            force = owed / give
            inside = True
            for joint in range(size):
                if work.free[joint] == 1:
                    move = (work.pull[joint] + force * slope[joint]) / work.stiff[joint]
                    low = max(-trust, table[joint, LOWER] - angles[joint])
                    high = min(trust, table[joint, UPPER] - angles[joint])
                    if move < low or move > high:
                        work.free[joint] = 0
                        inside = False
                    work.move[joint] = min(high, max(low, move))
            if inside:
                break
        for joint in range(size):
            angles[joint] += work.move[joint]
    return abs(polar - polar_slope(chain, work))
