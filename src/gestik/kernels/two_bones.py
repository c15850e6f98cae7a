"""Two bones that reach for a place: the closed form of the course notes, and three ways to choose where they bend.

The notes lay both bones along +X, bent by a hinge about Z, and turn the first one by

    R_1 = R_y(heading) R_z(elevation) R_x(roll) R_z(lift),    R_2 = R_z(bend),

where they have no roll.  Corrected: `lift` comes from both its sine and its cosine, because the printed arc sine loses
the branch in which the first bone leans backwards, r^2 < l2^2 - l1^2; `heading` is atan2(-z, x), as the notes' own
example has it, not the arc tangent of the quotient; and what lies outside the reach is brought inside.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from gestik.kernels.arrays import Quaternion, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import conjugate, from_axis_angle, multiply, rotate, shortest_turn
from gestik.kernels.vector import (
    add,
    any_perpendicular,
    clamped_acos,
    cross,
    dot,
    norm,
    safe_normalise,
    scale,
    subtract,
)

X: Vector = (1.0, 0.0, 0.0)
Y: Vector = (0.0, 1.0, 0.0)
Z: Vector = (0.0, 0.0, 1.0)

# How the plane of the bend is chosen.
LEVEL = 0  # the notes' method with Euler angles: the hinge stays level, no roll
CARRIED = 1  # the tangent method: the present plane is carried along by the shortest turn
TO_POLE = 2  # the middle joint bends towards a point

# A cross product of unit vectors shorter than this is rounding, and says nothing about a plane.
FLAT = 1e-9


@kernel
def soft_reach(distance: float, reach: float, softness: float) -> float:
    """How far [m] to stretch for a target at `distance`: less and less over the last share `softness` of the reach.

    A limb that stretches all the way snaps, because its bend grows like a square root there.
    """
    easing = softness * reach
    begin = reach - easing
    if distance <= begin or easing <= 0.0:
        return distance
    return begin + easing * (1.0 - math.exp(-(distance - begin) / easing))


@kernel
def bend_for_reach(first: float, second: float, distance: float) -> float:
    """The angle [rad] in [-pi, 0] of the hinge that puts the end at `distance` [m], by the law of cosines.

    The notes' step 1: the inner angle phi has cos phi = (l1^2 + l2^2 - r^2) / (2 l1 l2), and the hinge phi - pi.
    """
    sides = 2.0 * first * second
    if sides <= 0.0:
        return 0.0
    return clamped_acos((first * first + second * second - distance * distance) / sides) - math.pi


@kernel
def lift_of(first: float, second: float, bend: float) -> float:
    """The angle [rad] of the first bone above the line from root to end."""
    return math.atan2(-second * math.sin(bend), first + second * math.cos(bend))


@kernel
def heading_and_elevation(direction: Vector) -> tuple[float, float]:
    """Turns [rad] about Y, then about the Z carried along, that lead +X to a direction; on the vertical heading 0."""
    level = math.hypot(direction[0], direction[2])
    heading = math.atan2(-direction[2], direction[0]) if level > 0.0 else 0.0
    return heading, math.atan2(direction[1], level)


@kernel
def aimed(direction: Vector) -> Quaternion:
    """The notes' step 2, R_y(heading) R_z(elevation): leads +X to a direction and keeps Z level."""
    heading, elevation = heading_and_elevation(direction)
    return multiply(from_axis_angle(Y, heading), from_axis_angle(Z, elevation))


@kernel
def roll_to_hinge(direction: Vector, hinge: Vector) -> float:
    """The turn [rad] about +X, after `aimed`, that brings Z to the part of `hinge` across the direction."""
    side = rotate(conjugate(aimed(direction)), hinge)
    return math.atan2(-side[1], side[2])


@kernel
def frame_along(direction: Vector, hinge: Vector) -> Quaternion:
    """The rotation whose X is the direction and whose Z is the hinge, as far as that is across it."""
    return multiply(aimed(direction), from_axis_angle(X, roll_to_hinge(direction, hinge)))


@kernel
def present_hinge(first: Vector, second: Vector, spare: Vector) -> Vector:
    """The unit axis two bones are bent about by an angle in [-pi, 0]; of a straight pair the spare one, made square."""
    axis = cross(safe_normalise(second), safe_normalise(first))
    if norm(axis) > FLAT:
        return safe_normalise(axis)
    along = safe_normalise(first)
    if dot(along, along) < 0.5:
        along = safe_normalise(second)
    across = subtract(spare, scale(along, dot(along, spare)))
    if norm(across) > FLAT:
        return safe_normalise(across)
    return any_perpendicular(along) if dot(along, along) > 0.5 else Z


@kernel
def hinge_to_pole(direction: Vector, towards_pole: Vector, spare: Vector) -> Vector:
    """The hinge that bends two bones along a direction towards a pole; the spare one where the pole is on the line."""
    hinge = cross(direction, towards_pole)
    return safe_normalise(hinge) if norm(hinge) > FLAT * norm(towards_pole) else spare


class Bent(NamedTuple):
    """Two bones that have reached: angles [rad] of the notes' formula and where it puts the joints [m]."""

    heading: float
    elevation: float
    roll: float
    lift: float
    bend: float
    first_rotation: Quaternion  # world, +X along the bone and +Z along the hinge
    second_rotation: Quaternion
    middle: Vector
    end: Vector


@kernel
def bent_along(root: Vector, first: float, second: float, direction: Vector, hinge: Vector, bend: float) -> Bent:
    """Lay two bones of these lengths so that their end is on the line from the root along `direction`."""
    heading, elevation = heading_and_elevation(direction)
    roll, lift = roll_to_hinge(direction, hinge), lift_of(first, second, bend)
    along = multiply(aimed(direction), from_axis_angle(X, roll))
    first_rotation = multiply(along, from_axis_angle(Z, lift))
    second_rotation = multiply(along, from_axis_angle(Z, lift + bend))
    middle = add(root, scale(rotate(first_rotation, X), first))
    end = add(middle, scale(rotate(second_rotation, X), second))
    return Bent(heading, elevation, roll, lift, bend, first_rotation, second_rotation, middle, end)


@kernel
def reach_with_two_bones(
    root: Vector,
    middle: Vector,
    end: Vector,
    target: Vector,
    plane: int,
    pole: Vector,
    spare_hinge: Vector,
    most_bent: float,
    least_bent: float,
    softness: float,
) -> Bent:
    """Bend two bones to the length, then aim them at the target.

    The present posture says how long they are, and where CARRIED or without a pole of its own, the plane they bend in.
    Bends lie from most_bent to least_bent, within [-pi, 0] rad.
    """
    first_bone, second_bone = subtract(middle, root), subtract(end, middle)
    first, second = norm(first_bone), norm(second_bone)
    gap = subtract(target, root)
    wanted = soft_reach(norm(gap), first + second, softness)
    bend = min(max(bend_for_reach(first, second, wanted), most_bent), least_bent)

    hinge = present_hinge(first_bone, second_bone, spare_hinge)
    here = safe_normalise(subtract(end, root))
    if dot(here, here) < 0.5:  # folded back onto the root: the bones still have directions
        here = safe_normalise(first_bone) if first > 0.0 else X
    direction = safe_normalise(gap)
    if dot(direction, direction) < 0.5:  # a target on the root can be reached along any line
        direction = here
    hinge = rotate(aimed(direction), Z) if plane == LEVEL else rotate(shortest_turn(here, direction, hinge), hinge)
    if plane == TO_POLE:
        hinge = hinge_to_pole(direction, subtract(pole, root), hinge)
    return bent_along(root, first, second, direction, hinge, bend)
