"""Latitudes and safe angles: the questions ERIK asks its joint model (TargetLatitude, LALUT, SafeAngle, SafeTwist)."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Vector
from gestik.kernels.best_turn import turn_to_direction
from gestik.kernels.jit import kernel
from gestik.kernels.vector import clamped_acos, cross, dot, load3_at, wrap_angle
from gestik.solvers.erik.joint_model import AXIS, EVEN, LOWER, OFFSET, PARENT, PEAK, SEGMENT, SIZE, UPPER

FLAT = 1e-6  # a latitude that moves less than this as the joint turns says nothing about the angle


@kernel
def target_latitude(model: FloatArray, joint: int, direction: Vector) -> float:
    """Signed latitude of a unit direction in the joint's frame (TargetLatitude, sec. 7.1).

    Corrected: the sign is kept, which the printed text computes and drops; and nothing is clamped here, because the
    closed form clamps by itself.
    """
    parent = load3_at(model, joint, PARENT)
    size = 0.5 * (1.0 + max(-1.0, min(1.0, dot(direction, parent))))
    return -size if dot(direction, cross(load3_at(model, joint, AXIS), parent)) < -EVEN else size


@kernel
def swing_of_latitude(model: FloatArray, tables: FloatArray, joint: int, latitude: float) -> float:
    """LALUT: the angle [rad] that brings the segment to a signed latitude, before any limit.

    Exact in closed form; from the paper's table where one was built.
    """
    if tables.shape[1] > 0:
        return look_up(tables, joint, latitude)
    height = 2.0 * abs(latitude) - 1.0
    away = clamped_acos((height - model[joint, OFFSET]) / model[joint, SIZE])
    return float(model[joint, PEAK] + math.copysign(away, latitude))


@kernel
def look_up(tables: FloatArray, joint: int, latitude: float) -> float:
    """Interpolate in the table of the latitude's hemisphere, or of the other one where no angle leads to this one."""
    half = 2 * joint + (1 if math.copysign(1.0, latitude) < 0.0 else 0)
    if tables[half, 0, 0] > 1.5:
        half = 4 * joint + 1 - half
    size = abs(latitude)
    low, high = 0, tables.shape[1] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if tables[half, middle, 0] <= size:
            low = middle
        else:
            high = middle
    before, after = tables[half, low, 0], tables[half, high, 0]
    if after > 1.5 or size <= before or after == before:
        return float(tables[half, low, 1])
    part = (size - before) / (after - before)
    return float(tables[half, low, 1] + part * (tables[half, high, 1] - tables[half, low, 1]))


@kernel
def local_swing(model: FloatArray, tables: FloatArray, joint: int, direction: Vector, side: float) -> float:
    """LocalSwing (Algorithm 13): the safe angle whose segment has the latitude of `direction`; with side -1 its mirror.

    A joint whose axis lies along its parent's bone moves through one latitude only; it turns to the direction itself.
    """
    if model[joint, SIZE] < FLAT:
        turn = turn_to_direction(load3_at(model, joint, AXIS), load3_at(model, joint, SEGMENT), direction)
        return safe_angle(model, joint, turn)
    latitude = side * target_latitude(model, joint, direction)
    return safe_angle(model, joint, swing_of_latitude(model, tables, joint, latitude))


@kernel
def centred(model: FloatArray, joint: int, angle: float) -> float:
    """The equal angle within half a turn of the middle of the joint's range."""
    middle = 0.5 * (model[joint, LOWER] + model[joint, UPPER])
    if not math.isfinite(middle):
        return wrap_angle(angle)
    return float(middle + wrap_angle(angle - middle))


@kernel
def clamped(model: FloatArray, joint: int, angle: float) -> float:
    """The nearest angle inside the limits."""
    return float(min(model[joint, UPPER], max(model[joint, LOWER], angle)))


@kernel
def safe_angle(model: FloatArray, joint: int, angle: float) -> float:
    """SafeAngle: the equal angle inside the limits, else the nearer limit.

    Corrected: the printed floor would send -30 degrees to +90; the text means the nearest whole turn.  And where limits
    are not symmetric, whole turns are counted from the middle of the range.
    """
    return clamped(model, joint, centred(model, joint, angle))


@kernel
def safe_twist(model: FloatArray, joint: int, angle: float, may_flip: bool) -> float:
    """SafeTwist (Algorithm 12): as SafeAngle, but half a turn away rather than at a limit, where the rest can follow.

    Corrected: the printed form is right only for limits +-90 degrees.  The half turn is taken where it lies inside the
    limits; otherwise the angle is clamped.
    """
    here = centred(model, joint, angle)
    if may_flip and not model[joint, LOWER] <= here <= model[joint, UPPER]:
        other = centred(model, joint, here + math.pi)
        if model[joint, LOWER] <= other <= model[joint, UPPER]:
            return other
    return clamped(model, joint, here)
