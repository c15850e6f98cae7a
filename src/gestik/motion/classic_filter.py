"""The Nutty Motion Filter as its author runs it, frame by frame.

Ribeiro & Paiva, "Expressive inverse kinematics" (ERIK), sec. 3.7, eq. 23.  As printed the equations add a velocity to
a position and square a velocity; corrected here, each where it is marked:

- every increment is multiplied by the time step, and jerk leads to acceleration, velocity and position in that order;
- the velocity wished for is H(v), used once, because v * H(v) has no sign and no unit of a velocity;
- the position limiter compares with the middle of the range, whatever the range, and takes the distance from it
  without its sign, because a negative number has no power 2 beta;
- the start is at rest, and a position beyond its range is brought back to its edge.

Kept: lambda limits to half of what it is given (a limit is a span from peak to peak), and it is applied again to the
velocity that is carried on, which acts as drag; how fast the filter is depends on the frame rate.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel
from gestik.motion.filter_table import (
    ACCELERATION,
    BETA,
    JERK,
    KICK,
    LOWER,
    MIDDLE,
    NEWEST,
    OLDEST,
    POSITION,
    PUSH,
    RESPONSIVENESS,
    SMOOTHNESS,
    SPEED,
    UPPER,
    VELOCITY,
)

STILL = 1e-11  # an induced velocity smaller than this counts as none


@kernel
def limited(value: float, span: float, hard: bool) -> float:
    """The paper's lambda: soft, to half of the span; or hard, to the whole limit."""
    if hard:
        return min(max(value, -span), span)
    return 0.5 * span * math.tanh(value / (0.5 * span))


@kernel
def slowed_near_limits(velocity: float, position: float, lower: float, upper: float, beta: float) -> float:
    """The paper's Omega: less velocity the nearer the limit ahead is, all of it in the middle of the range.

    Corrected: "ahead" is decided by the side of the middle, not by whether x exceeds half of the range.
    """
    half = 0.5 * (upper - lower)
    if not 0.0 < half < math.inf:
        return velocity
    aside = position - 0.5 * (lower + upper)
    if aside * velocity <= 0.0:
        return velocity
    return velocity * (1.0 - math.pow(min(1.0, abs(aside) / half), 2.0 * beta))


@kernel
def wished_velocity(induced: float, smoothness: float, responsiveness: float) -> float:
    """The paper's H: eases out what would bring the set-point within one frame.  Corrected: used once."""
    if abs(induced) <= STILL:
        return 0.0
    risen = (abs(induced) / (1.0 - responsiveness)) ** (1.0 - smoothness)
    return 0.5 * induced * (math.tanh(risen - math.pi) + 1.0)


@kernel
def step_classic(
    settings: FloatArray, state: FloatArray, set_points: FloatArray, dt: float, order: int, hard: bool
) -> None:
    """Move every joint on by one frame of `dt` [s]; `state` [joint, CLASSIC_WIDTH] is overwritten."""
    for joint in range(len(state)):
        own, now = settings[joint], state[joint]
        newest = now[NEWEST]
        velocity_before = (newest - now[MIDDLE]) / dt
        acceleration_before = (velocity_before - (now[MIDDLE] - now[OLDEST]) / dt) / dt
        induced = slowed_near_limits((set_points[joint] - newest) / dt, newest, own[LOWER], own[UPPER], own[BETA])
        wished = wished_velocity(induced, own[SMOOTHNESS], own[RESPONSIVENESS])
        # Corrected: every line below is multiplied by dt before it is added to the next.
        acceleration = (wished - velocity_before) / dt
        if order >= 3:
            jerk = limited((acceleration - acceleration_before) / dt, own[JERK], hard)
            acceleration = acceleration_before + jerk * dt
        velocity = wished
        if order >= 2:
            velocity = velocity_before + limited(acceleration, own[ACCELERATION], hard) * dt
        position = newest + limited(velocity, own[VELOCITY], hard) * dt
        confined = min(max(position, min(own[LOWER], newest)), max(own[UPPER], newest))
        now[OLDEST], now[MIDDLE] = now[MIDDLE], newest
        if confined != position:  # at the edge of its range it stands still
            now[OLDEST] = now[MIDDLE] = confined
        now[NEWEST] = confined
        now[POSITION] = confined
        now[SPEED] = (confined - now[MIDDLE]) / dt
        now[PUSH] = (now[SPEED] - velocity_before) / dt
        now[KICK] = (now[PUSH] - acceleration_before) / dt
