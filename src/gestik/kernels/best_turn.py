"""The best turn of one joint, in closed form: about a fixed axis, every cost of squares is a constant minus a sinusoid.

A goal pulls at a joint with two numbers, the cosine and the sine part of

    |what is there after a turn by t  -  what is wanted|^2  =  constant - 2 (cosine cos t + sine sin t),

so the pulls of several goals add up, times their squared weights, and the best turn is atan2(sine, cosine).  This is
the step of CCD and BWCD (Ribeiro & Paiva, ERIK, Algorithms 19, 21 and 22), whose angle between two projections on the
plane across the axis is the same turn; nothing is projected here, so nothing has to be tested for being zero.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import Quaternion, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import conjugate, multiply
from gestik.kernels.vector import cross, dot, norm, scale, subtract, wrap_angle

Pull = tuple[float, float]

# A pull weaker than this share of what it is made of is rounding, and turns nothing.
NOISE = 1e-13


@kernel
def pull_on_vector(axis: Vector, here: Vector, wanted: Vector) -> Pull:
    """The pull on a vector `here`, which shall become `wanted`, about the unit `axis`; both from the axis if places."""
    along = dot(axis, here) * dot(axis, wanted)
    return (
        _without_noise(dot(here, wanted) - along, here, wanted),
        _without_noise(dot(axis, cross(here, wanted)), here, wanted),
    )


@kernel
def _without_noise(part: float, here: Vector, wanted: Vector) -> float:
    """A part of a pull, or 0 where it is only rounding."""
    return part if abs(part) > NOISE * norm(here) * norm(wanted) else 0.0


@kernel
def pull_on_rotation(axis: Vector, missing: Quaternion) -> Pull:
    """The pull on a rotation from which the turn `missing` leads to the one wanted, for the chord 2 sin(angle / 2).

    Its best turn is the twist of `missing` about the axis, 2 atan2(v . axis, w): what Algorithm 17 (BWTwist)
    approximates.
    """
    along = missing[1] * axis[0] + missing[2] * axis[1] + missing[3] * axis[2]
    return missing[0] * missing[0] - along * along, 2.0 * missing[0] * along


@kernel
def best_turn(pull: Pull) -> float:
    """The turn [rad] in [-pi, pi] a pull asks for; none where it does not pull."""
    return math.atan2(pull[1], pull[0]) if pull[0] != 0.0 or pull[1] != 0.0 else 0.0


@kernel
def best_angle(pull: Pull, angle: float, lower: float, upper: float) -> float:
    """The best angle [rad] inside the limits of a joint that stands at `angle`, whose pull this is.

    Of equal angles inside the limits the nearest to where the joint is; where the best is outside, the limit that is
    nearest on the circle, because a sinusoid falls to both sides alike.
    """
    if pull[0] == 0.0 and pull[1] == 0.0:
        return min(max(angle, lower), upper)
    best = angle + math.atan2(pull[1], pull[0])
    if lower <= best <= upper:
        return best
    round_up = best + 2.0 * math.pi * math.ceil((lower - best) / (2.0 * math.pi)) if best < lower else best
    round_down = best - 2.0 * math.pi * math.ceil((best - upper) / (2.0 * math.pi)) if best > upper else best
    if lower <= round_up <= upper and best < lower:
        return round_up
    if lower <= round_down <= upper and best > upper:
        return round_down
    to_lower, to_upper = abs(wrap_angle(lower - best)), abs(wrap_angle(upper - best))
    if abs(to_lower - to_upper) < 1e-9:
        return lower if abs(lower - angle) <= abs(upper - angle) else upper
    return lower if to_lower < to_upper else upper


@kernel
def turn_to_direction(axis: Vector, looking: Vector, wanted: Vector) -> float:
    """The turn [rad] about `axis` that brings a direction nearest to the wanted one."""
    return best_turn(pull_on_vector(axis, looking, wanted))


@kernel
def turn_to_point(axis: Vector, centre: Vector, point: Vector, target: Vector) -> float:
    """The turn [rad] about `axis` through `centre` [m] that brings `point` nearest to `target` [m]."""
    return best_turn(pull_on_vector(axis, subtract(point, centre), subtract(target, centre)))


@kernel
def turn_to_rotation(axis: Vector, rotation: Quaternion, wanted: Quaternion) -> float:
    """The turn [rad] about `axis` that brings a rotation nearest to the wanted one."""
    return best_turn(pull_on_rotation(axis, multiply(wanted, conjugate(rotation))))


@kernel
def pull_on_sight(axis: Vector, centre: Vector, eye: Vector, looking: Vector, target: Vector) -> Pull:
    """The pull on an eye that is carried about while it turns to look at `target` [m].

    Seen along the axis, the ray from the eye meets the circle the target would run on if the eye stood still; turning
    back from there to the target is the turn.  A ray that misses the circle takes its nearest point.
    """
    from_axis = subtract(target, centre)
    arm = subtract(eye, centre)
    goal = subtract(from_axis, scale(axis, dot(axis, from_axis)))
    start = subtract(arm, scale(axis, dot(axis, arm)))
    ray = subtract(looking, scale(axis, dot(axis, looking)))
    speed = dot(ray, ray)
    if speed <= NOISE or dot(goal, goal) <= NOISE * NOISE * dot(from_axis, from_axis):
        return 0.0, 0.0
    half = dot(start, ray)
    inside = half * half - speed * (dot(start, start) - dot(goal, goal))
    distance = max(0.0, (math.sqrt(max(0.0, inside)) - half) / speed)
    met = (start[0] + distance * ray[0], start[1] + distance * ray[1], start[2] + distance * ray[2])
    size = norm(met) * norm(goal)
    if size == 0.0:
        return 0.0, 0.0
    # As strong as a direction that has `ray` across the axis pulls towards the line of sight.
    strength = math.sqrt(speed) / size
    return strength * dot(met, goal), strength * dot(axis, cross(met, goal))
