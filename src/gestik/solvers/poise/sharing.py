"""From vertices and patterns to optima: joints share what has to change.

`settle` moves all joints at once by reweighted least squares on the bends; `share` then moves pairs, exactly.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Vector
from gestik.kernels.jit import kernel, stage
from gestik.kernels.vector import clamped_acos
from gestik.solvers.poise.inner import (
    ANGLE,
    BEND_PEAK,
    BEND_SIZE,
    FREE,
    LOWER,
    MOVE,
    OPTION_ANGLE,
    OPTIONS,
    PULL,
    SHARE,
    SLOPE,
    STIFF,
    UPPER,
    absorb_near,
    bend_cost,
    bend_gap,
    inner_cost,
    polar_slopes,
)

SMOOTHING = 0.05  # of a cosine, below which a bend's deviation counts as quadratic while settling
CURVATURE = 0.3  # of a bend's term, as a part of its share: what bounds the move of a straight joint
TRUST = 0.6  # rad, the largest move of a joint in one step
HOPELESS = 1.1  # times the best cost known: what settles towards more is given up
LEAST_RATE = 1e-7  # per rad: a pair that gains less stays
LEAST_GAIN = 1e-8
FLAT = 1e-6  # slope below which a joint cannot absorb
KINK = 1e-9  # a bend this close to the posture's is at its kink


@kernel
def weigh_bends(table: FloatArray, state: FloatArray) -> None:
    """Model each bend's term as a parabola: its stiffness and its pull."""
    for joint in range(len(state)):
        share = table[joint, SHARE]
        gap = bend_gap(table, state, joint, state[joint, ANGLE])
        change = -table[joint, BEND_SIZE] * math.sin(state[joint, ANGLE] - table[joint, BEND_PEAK])
        weight = share / math.sqrt(gap * gap + SMOOTHING * SMOOTHING)
        # A twist costs nothing: a hundredth of a bend's stiffness only keeps its move finite.
        state[joint, STIFF] = weight * change * change + CURVATURE * (share + 0.01)
        state[joint, PULL] = -weight * gap * change
        state[joint, FREE] = 1.0


@kernel
def constrained_move(table: FloatArray, state: FloatArray, missing: float) -> None:
    """Minimise the parabolas subject to slopes . move = missing, inside limits and trust."""
    for _ in range(3):
        give, owed = 1e-12, missing
        for joint in range(len(state)):
            if state[joint, FREE] > 0.0:
                give += state[joint, SLOPE] * state[joint, SLOPE] / state[joint, STIFF]
                owed -= state[joint, SLOPE] * state[joint, PULL] / state[joint, STIFF]
            else:
                owed -= state[joint, SLOPE] * state[joint, MOVE]
        inside = True
        for joint in range(len(state)):
            if state[joint, FREE] > 0.0:
                move = (state[joint, PULL] + owed / give * state[joint, SLOPE]) / state[joint, STIFF]
                low = max(-TRUST, table[joint, LOWER] - state[joint, ANGLE])
                high = min(TRUST, table[joint, UPPER] - state[joint, ANGLE])
                state[joint, MOVE] = min(high, max(low, move))
                if move < low or move > high:
                    state[joint, FREE] = 0.0
                    inside = False
        if inside:
            return


@kernel
def settle(
    table: FloatArray, state: FloatArray, root_axis: Vector, end: Vector, polar: float, steps: int, bound: float
) -> bool:
    """Move the current angles towards a nearby optimum and onto the polar equation; False where that fails.

    Gives up half-way where the cost is far above `bound`.
    """
    for step in range(steps):
        if 2 * step == steps and inner_cost(table, state) > HOPELESS * bound:
            return False
        here = polar_slopes(table, state, root_axis, end)
        # In the angle, not its cosine: near the pole a cosine has no slope left.
        sine = max(0.02, math.sqrt(max(0.0, 1.0 - here * here)))
        weigh_bends(table, state)
        constrained_move(table, state, (clamped_acos(here) - clamped_acos(polar)) * sine)
        for joint in range(len(state)):
            state[joint, ANGLE] += state[joint, MOVE]
    # The joint that deviates most takes up what the steps left.
    absorber, farthest = 0, -1.0
    for joint in range(len(state)):
        deviation = max(1e-5, bend_cost(table, state, joint, state[joint, ANGLE]))
        if abs(state[joint, SLOPE]) > 1e-3 and deviation > farthest:
            farthest = deviation
            absorber = joint
    return absorb_near(table, state, root_axis, end, absorber, polar)


@kernel
def rate(table: FloatArray, state: FloatArray, joint: int, direction: float) -> float:
    """What moving a joint in a direction (+1 or -1) costs per radian; infinity at a limit."""
    angle, share_of_joint = state[joint, ANGLE], table[joint, SHARE]
    if (direction > 0.0 and angle >= table[joint, UPPER]) or (direction < 0.0 and angle <= table[joint, LOWER]):
        return math.inf
    if share_of_joint == 0.0:
        return 0.0
    change = -table[joint, BEND_SIZE] * math.sin(angle - table[joint, BEND_PEAK]) * direction
    gap = bend_gap(table, state, joint, angle)
    if abs(gap) < KINK:
        change = abs(change)
    elif gap < 0.0:
        change = -change
    return float(share_of_joint * change)


@kernel
def room(table: FloatArray, state: FloatArray, options: FloatArray, joint: int, direction: float) -> float:
    """How far a joint can move in a direction before its next kink, extreme or limit [rad]."""
    angle = state[joint, ANGLE]
    free = (table[joint, UPPER] - angle) if direction > 0.0 else (angle - table[joint, LOWER])
    for option in range(OPTIONS):
        ahead = (options[joint * OPTIONS + option, OPTION_ANGLE] - angle) * direction
        if 1e-9 < ahead < free:
            free = ahead
    return float(min(free, math.pi))


@kernel
def best_pair(table: FloatArray, state: FloatArray, options: FloatArray) -> tuple[int, float, int, float]:
    """The pair of joints that gains most by moving together along the polar equation.

    Returns the joint that moves and how far it may, signed; the joint that absorbs; and what the mover's way costs per
    radian, 0 where no pair gains.  The mover is the one that meets its next kink first: up to there all is smooth.
    """
    mover, reach, absorber, best, slope = 0, 0.0, 0, -LEAST_RATE, 0.0
    for j in range(len(state)):
        for k in range(len(state)):
            if j == k or abs(state[k, SLOPE]) < FLAT:
                continue
            ratio = -state[j, SLOPE] / state[k, SLOPE]
            if abs(ratio) > 1.0 and j < k:
                continue  # the same pair comes again the other way round, with a ratio below one
            for direction in (-1.0, 1.0):
                follow = direction if ratio > 0.0 else -direction
                both = rate(table, state, j, direction) + abs(ratio) * rate(table, state, k, follow)
                if both < best:
                    best = both
                    way = room(table, state, options, j, direction)
                    follow_way = room(table, state, options, k, follow)
                    if abs(ratio) * way <= follow_way or abs(state[j, SLOPE]) < FLAT:
                        mover, reach, absorber, slope = j, direction * way, k, both
                    else:
                        mover, reach, absorber, slope = k, follow * follow_way, j, both / abs(ratio)
    return mover, reach, absorber, slope


@kernel
def move_pair(
    table: FloatArray,
    state: FloatArray,
    root_axis: Vector,
    end: Vector,
    polar: float,
    mover: int,
    angle: float,
    absorber: int,
) -> float:
    """Set one joint to `angle` and let the other absorb; returns what both cost, inf where it cannot."""
    state[mover, ANGLE] = angle
    if not absorb_near(table, state, root_axis, end, absorber, polar):
        return math.inf
    return bend_cost(table, state, mover, angle) + bend_cost(table, state, absorber, state[absorber, ANGLE])


@kernel
def share_pair(
    table: FloatArray,
    state: FloatArray,
    root_axis: Vector,
    end: Vector,
    polar: float,
    pair: tuple[int, float, int, float],
    probes: int,
) -> float:
    """Move a pair to its least cost between here and the mover's next kink; returns the gain.

    The first probe is the kink itself, the others the minima of parabolas through the start, its slope and the last.
    """
    mover, reach, absorber, slope = pair
    old_mover, old_absorber = state[mover, ANGLE], state[absorber, ANGLE]
    old = bend_cost(table, state, mover, old_mover) + bend_cost(table, state, absorber, old_absorber)
    best, best_mover, best_absorber = old, old_mover, old_absorber
    part = 1.0
    for _ in range(probes):
        state[absorber, ANGLE] = old_absorber
        angle = old_mover + part * reach
        cost = move_pair(table, state, root_axis, end, polar, mover, angle, absorber)
        if cost < best:
            best, best_mover, best_absorber = cost, angle, state[absorber, ANGLE]
        if cost == math.inf:
            part *= 0.5
            continue
        way = part * abs(reach)
        bending = cost - old - slope * way
        part *= min(0.9, max(0.1, -0.5 * slope * way / bending)) if bending > 0.0 else 0.7
    state[mover, ANGLE], state[absorber, ANGLE] = best_mover, best_absorber
    return old - best


@stage
def share(
    table: FloatArray,
    state: FloatArray,
    options: FloatArray,
    root_axis: Vector,
    end: Vector,
    polar: float,
    rounds: int,
    probes: int,
) -> None:
    """Improve the current angles, which meet the polar equation, by the pair that gains most, again and again."""
    for _ in range(rounds):
        polar_slopes(table, state, root_axis, end)
        pair = best_pair(table, state, options)
        if pair[3] == 0.0 or share_pair(table, state, root_axis, end, polar, pair, probes) < LEAST_GAIN:
            return
