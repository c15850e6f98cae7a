"""The motion filter whose limits are hard: the quickest way to the set-point that keeps them, at every moment.

From wherever a joint is and however it moves, the quickest way to rest at a set-point is: as hard as possible towards
it, then as hard as possible to a standstill.  Both are made of pieces of constant jerk, and where the body ends grows
with the moment at which the first turns into the second; so that moment is one root of one rising function.  The plan
is followed exactly in continuous time, which is why the motion does not depend on how often it is sampled.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Vector
from gestik.kernels.jit import kernel, stage
from gestik.motion.filter_table import (
    ACCELERATION,
    JERK,
    KICK,
    LOWER,
    PARTS,
    PLAN,
    POSITION,
    PUSH,
    RESPONSIVENESS,
    SET_POINT,
    SMOOTHNESS,
    SPEED,
    UPPER,
    VELOCITY,
)

GENTLEST = 0.1  # how much of its pace a motion keeps that is as smooth and as little responsive as can be
HALVINGS = 200  # of the moment to brake; a dozen do, this many are for the worst of them


@kernel
def pace(smoothness: float, responsiveness: float) -> float:
    """How much slower than the limits allow: 1 as quick as can be, less for a smooth and leisurely character."""
    return 1.0 - (1.0 - GENTLEST) * smoothness * (1.0 - responsiveness)


@kernel
def coast(state: Vector, jerk: float, time: float) -> Vector:
    """Position, velocity and acceleration after `time` [s] of constant jerk."""
    position, velocity, acceleration = state
    return (
        position + time * (velocity + time * (0.5 * acceleration + time * jerk / 6.0)),
        velocity + time * (acceleration + 0.5 * time * jerk),
        acceleration + time * jerk,
    )


@kernel
def quickest_change(velocity: float, acceleration: float, most: float, jerk: float) -> tuple[float, Vector]:
    """The quickest way to lose `velocity` and `acceleration`: the first jerk and how long its three pieces last [s].

    The pieces have that jerk, none, and the opposite one; the acceleration never exceeds `most`.
    """
    left = velocity + 0.5 * acceleration * abs(acceleration) / jerk  # what remains when only the acceleration is lost
    side = 1.0 if left >= 0.0 else -1.0
    velocity, acceleration = side * velocity, side * acceleration
    peak = math.sqrt(max(0.0, jerk * velocity + 0.5 * acceleration * acceleration))
    hold = 0.0
    if peak > most:
        peak = most
        hold = (velocity + 0.5 * acceleration * acceleration / jerk) / most - most / jerk
    return -side * jerk, (max(0.0, (acceleration + peak) / jerk), max(0.0, hold), peak / jerk)


@kernel
def after_change(state: Vector, jerk: float, times: Vector, time: float) -> Vector:
    """The state `time` [s] into such a change, or at its end."""
    first = min(time, times[0])
    state = coast(state, jerk, first)
    second = min(time - first, times[1])
    state = coast(state, 0.0, second)
    return coast(state, -jerk, min(time - first - second, times[2]))


@kernel
def standstill(state: Vector, most: float, jerk: float) -> float:
    """Where a body comes to rest that brakes now as hard as it can."""
    first, times = quickest_change(state[1], state[2], most, jerk)
    return after_change(state, first, times, math.inf)[0]


@stage
def moment_to_brake(
    state: Vector, target: float, first: float, times: Vector, side: float, most: float, jerk: float
) -> float:
    """When to stop speeding up, so that the standstill is at the target; it lies between now and full speed."""
    low, high = 0.0, times[0] + times[1]
    gap_low = side * (target - standstill(state, most, jerk))
    gap_high = side * (target - standstill(after_change(state, first, times, high), most, jerk))
    for round_number in range(HALVINGS):
        middle = 0.5 * (low + high)
        if round_number % 3 != 2 and gap_low > gap_high:  # two chords, then a half, for where the chord creeps
            middle = low + (high - low) * gap_low / (gap_low - gap_high)
        if not low < middle < high:
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
        gap = side * (target - standstill(after_change(state, first, times, middle), most, jerk))
        if gap == 0.0:
            return middle
        # The end that stays counts half (Illinois), or one end would stay for ever.
        if gap > 0.0:
            low, gap_low, gap_high = middle, gap, 0.5 * gap_high
        else:
            high, gap_high, gap_low = middle, gap, 0.5 * gap_low
    return low


@kernel
def set_part(now: FloatArray, part: int, time: float, jerk: float) -> None:
    """Write one part of the plan."""
    now[PLAN + 2 * part] = time
    now[PLAN + 2 * part + 1] = jerk


@kernel
def make_plan(now: FloatArray, target: float, velocity: float, most: float, jerk: float) -> None:
    """Plan the quickest way from the state in `now` to rest at `target`; the plan in `now` is overwritten."""
    state: Vector = (now[POSITION], now[SPEED], now[PUSH])
    side = 1.0 if target >= standstill(state, most, jerk) else -1.0
    first, times = quickest_change(state[1] - side * velocity, state[2], most, jerk)
    full = after_change(state, first, times, math.inf)
    gap = side * (target - standstill(full, most, jerk))
    cruise, speeding = 0.0, math.inf
    if gap >= 0.0:
        cruise = gap / velocity
    else:
        speeding = moment_to_brake(state, target, first, times, side, most, jerk)
    one = min(speeding, times[0])
    two = min(speeding - one, times[1])
    three = min(speeding - one - two, times[2])
    set_part(now, 0, one, first)
    set_part(now, 1, two, 0.0)
    set_part(now, 2, three, -first)
    set_part(now, 3, cruise, 0.0)
    state = after_change(state, first, times, speeding)
    brake, pieces = quickest_change(state[1], state[2], most, jerk)
    set_part(now, 4, pieces[0], brake)
    set_part(now, 5, pieces[1], 0.0)
    set_part(now, 6, pieces[2], -brake)


@kernel
def follow_plan(now: FloatArray, dt: float) -> None:
    """Move the state in `now` on by `dt` [s] of its plan."""
    state: Vector = (now[POSITION], now[SPEED], now[PUSH])
    kick = 0.0
    for part in range(PARTS):
        here = PLAN + 2 * part
        if now[here] <= 0.0:
            continue
        spent = min(dt, now[here])
        kick = now[here + 1]
        state = coast(state, kick, spent)
        now[here] -= spent
        dt -= spent
        if dt <= 0.0:
            break
    resting = dt > 0.0
    now[POSITION] = state[0]
    now[SPEED] = 0.0 if resting else state[1]
    now[PUSH] = 0.0 if resting else state[2]
    now[KICK] = 0.0 if resting else kick


@kernel
def step_exact(settings: FloatArray, state: FloatArray, set_points: FloatArray, dt: float) -> None:
    """Move every joint on by `dt` [s]; `state` [joint, EXACT_WIDTH] is overwritten."""
    for joint in range(len(state)):
        own, now = settings[joint], state[joint]
        target = min(max(set_points[joint], own[LOWER]), own[UPPER])
        if target != now[SET_POINT]:
            share = pace(own[SMOOTHNESS], own[RESPONSIVENESS])
            make_plan(now, target, own[VELOCITY], own[ACCELERATION] * share**2, own[JERK] * share**3)
            now[SET_POINT] = target
        follow_plan(now, dt)
