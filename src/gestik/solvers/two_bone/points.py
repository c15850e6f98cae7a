"""`gestik.two_bone`: two bones given as three points reach for a place."""

from __future__ import annotations

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.goals.goal import read_amount, read_axis, read_target
from gestik.kernels.arrays import FloatArray, Vector
from gestik.model.checks import fraction, numbers
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats
from gestik.model.transforms import as_vector

AIMINGS = ("tangent", "euler")


@dataclass(frozen=True, eq=False)
class TwoBones:
    """Two bones that reach as far as they can: R_1 = R_y(heading) R_z(elevation) R_x(roll) R_z(lift), R_2 = R_z(bend).

    These rotations put bones that lie along +X with their hinge along +Z where they shall be; `turns` does the same for
    the bones as they were given, whatever their own frames are.
    """

    points: FloatArray  # [3, 3], m, root, middle and end
    turns: FloatArray  # [2, 4], world: what each bone as given has to be turned by, the second one not after the first
    heading: float  # rad, about Y
    elevation: float  # rad, about the Z carried along
    roll: float  # rad, about the line from root to end: 0 keeps the hinge level
    lift: float  # rad, the first bone above that line
    bend: float  # rad, from -pi to 0, the hinge of the middle joint
    missing: float  # m, from the end to the target
    reached: bool  # whether that is within the tolerance


def two_bone(
    points: ArrayLike,
    target: ArrayLike,
    *,
    aiming: str = "tangent",
    pole: ArrayLike | None = None,
    hinge: str | ArrayLike = "z",
    bend_limits: tuple[float, float] = (-math.pi, 0.0),
    softness: float = 0.0,
    tolerance: float = 1e-4,
) -> TwoBones:
    """Reach for a target with two bones, in closed form.

    Args:
        points: [3, 3] m: root, middle and end of the limb as it is. They say how long the bones are, and which way the
            limb bends.
        target: [3] m.
        aiming: How the bent limb is turned to the target. "tangent": from where it is by the shortest turn. "euler": by
            heading about Y and elevation, so that it bends upwards, whatever it did before.
        pole: [3] m, a point towards which the middle joint bends; it then decides that, whatever the aiming.
        hinge: The axis the limb bends about by a negative angle, which a straight limb does not show.
        bend_limits: [rad], the most and the least bent the middle joint may be, from -pi (folded) to 0 (straight).
        softness: From 0 to 1: over this last share of its reach the limb stretches less and less, and never quite, so
            that it does not snap straight when its target moves away.
        tolerance: [m], within which the target counts as reached.

    Raises:
        InputError: A value is not finite, out of range or of the wrong shape.
    """
    from gestik.kernels.quaternion import conjugate, multiply
    from gestik.kernels.two_bones import CARRIED, LEVEL, TO_POLE, frame_along, present_hinge, reach_with_two_bones
    from gestik.kernels.vector import subtract

    root, middle, end = _read_points(points)
    wanted = _read_point("target of two_bone", target)
    if aiming not in AIMINGS:
        raise InputError(f"aiming is {shown(aiming)}; choose from {', '.join(AIMINGS)}")
    towards = wanted if pole is None else _read_point("pole of two_bone", pole)
    plane = TO_POLE if pole is not None else (LEVEL if aiming == "euler" else CARRIED)
    spare = read_axis("hinge", hinge)
    most, least = _read_limits(bend_limits)
    eased, near_enough = _read_fraction("softness", softness), read_amount("tolerance", tolerance)
    bent = reach_with_two_bones(root, middle, end, wanted, plane, towards, spare, most, least, eased)
    before = present_hinge(subtract(middle, root), subtract(end, middle), spare)
    turns = [
        multiply(after, conjugate(frame_along(subtract(there, here), before)))
        for after, here, there in ((bent.first_rotation, root, middle), (bent.second_rotation, middle, end))
    ]
    missing = math.dist(bent.end, wanted)
    return TwoBones(
        frozen_floats([root, bent.middle, bent.end]),
        frozen_floats(turns),
        *bent[:5],
        missing,
        missing <= near_enough,
    )


def _read_points(points: ArrayLike) -> tuple[Vector, Vector, Vector]:
    """Read root, middle and end."""
    array = read_target("points of two_bone", points, 3)
    if array.shape != (3, 3):
        raise InputError(f"points of two_bone have shape {array.shape}, not (3, 3): root, middle and end")
    return as_vector(array[0]), as_vector(array[1]), as_vector(array[2])


def _read_point(what: str, point: ArrayLike) -> Vector:
    """Read one place."""
    array = read_target(what, point, 3)
    if array.shape != (3,):
        raise InputError(f"{what} has shape {array.shape}, not (3,)")
    return as_vector(array)


def _read_limits(limits: tuple[float, float]) -> tuple[float, float]:
    """Read the range of the bend."""
    try:
        most, least = numbers(limits, 2)
    except ValueError as fault:
        raise InputError(f"bend_limits {fault}") from fault
    if not -math.pi <= most <= least <= 0.0:
        raise InputError(
            f"bend_limits are {most:g} and {least:g}; they lie from -pi (folded) to 0 (straight), in order"
        )
    return most, least


def _read_fraction(what: str, value: float) -> float:
    """Read a number from 0 to 1."""
    try:
        return fraction(value)
    except ValueError as fault:
        raise InputError(f"{what} {fault}") from fault
