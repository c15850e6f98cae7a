"""Ball joints: from three Euler angles to a rotation and back, in any convention.

Going back, `euler_angles` reads the angles off the quaternion as half sums and half differences, as Bernardes & Viollet
do (2022, "Quaternion to Euler angles conversion"), here in terms of the axes themselves, so that no convention is a
case of its own.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Quaternion, SkeletonArrays, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import from_axis_angle, multiply
from gestik.kernels.vector import cross, dot, load3, wrap_angle


@kernel
def ball_angles(skeleton: SkeletonArrays, row: int, angles: FloatArray) -> Vector:
    """The three angles [rad] of the ball joint whose rows begin at `row`."""
    dof = skeleton.dof
    return angles[dof[row]], angles[dof[row + 1]], angles[dof[row + 2]]


@kernel
def ball_rotation(skeleton: SkeletonArrays, row: int, angles: FloatArray) -> Quaternion:
    """How far the ball joint whose rows begin at `row` is turned."""
    first, second, third = ball_angles(skeleton, row, angles)
    turned = multiply(
        from_axis_angle(load3(skeleton.axis, row), first), from_axis_angle(load3(skeleton.axis, row + 1), second)
    )
    return multiply(turned, from_axis_angle(load3(skeleton.axis, row + 2), third))


@kernel
def turn_ball(skeleton: SkeletonArrays, row: int, rotation: Quaternion, angles: FloatArray) -> None:
    """Turn the ball joint to `rotation`; its three entries of `angles` are overwritten.

    Of all triples that mean this rotation it takes one inside the limits, if it can, and the nearest to where it was.
    """
    dof = skeleton.dof
    here, lower, upper = (
        ball_angles(skeleton, row, angles),
        ball_angles(skeleton, row, skeleton.lower),
        ball_angles(skeleton, row, skeleton.upper),
    )
    axes = load3(skeleton.axis, row), load3(skeleton.axis, row + 1), load3(skeleton.axis, row + 2)
    first, second, third = euler_angles(rotation, axes, here, lower, upper)
    angles[dof[row]], angles[dof[row + 1]], angles[dof[row + 2]] = first, second, third


@kernel
def euler_angles(
    rotation: Quaternion, axes: tuple[Vector, Vector, Vector], near: Vector, lower: Vector, upper: Vector
) -> Vector:
    """Angles [rad] about the axes, one after the other, that make up `rotation`: inside the limits, else near `near`.

    Where the convention is singular and only a sum or a difference of angles is told, the other one stays as it is.
    """
    normal = cross(axes[0], axes[1])
    # A turn about the third axis is one about the first, seen from a frame that leans: then all conventions are ABA.
    lean = -0.5 * math.pi * dot(axes[2], normal)
    w, x, y, z = multiply(rotation, from_axis_angle(axes[1], lean))
    along, across, off = dot((x, y, z), axes[0]), dot((x, y, z), axes[1]), dot((x, y, z), normal)
    straight, bent = math.hypot(w, along), math.hypot(across, off)
    total = 2.0 * math.atan2(along, w) if straight > 1e-12 else near[0] + near[2]
    apart = 2.0 * math.atan2(off, across) if bent > 1e-12 else near[0] - near[2]
    middle = 2.0 * math.atan2(bent, straight)
    first, third = 0.5 * (total + apart), 0.5 * (total - apart)
    one, one_outside, one_far = _brought_near((first, middle - lean, third), near, lower, upper)
    flipped = first + math.pi, -middle - lean, third + math.pi
    other, other_outside, other_far = _brought_near(flipped, near, lower, upper)
    if abs(one_outside - other_outside) > 1e-9:
        return one if one_outside < other_outside else other
    return one if one_far <= other_far else other


@kernel
def _brought_near(angles: Vector, near: Vector, lower: Vector, upper: Vector) -> tuple[Vector, float, float]:
    """The same turns by whole rounds nearer, how far outside the limits they are, and how far away, squared."""
    first, second, third = (
        _nearest_round(angles[0], near[0], lower[0], upper[0]),
        _nearest_round(angles[1], near[1], lower[1], upper[1]),
        _nearest_round(angles[2], near[2], lower[2], upper[2]),
    )
    outside = (
        _outside(first, lower[0], upper[0]) + _outside(second, lower[1], upper[1]) + _outside(third, lower[2], upper[2])
    )
    away = (first - near[0]) ** 2 + (second - near[1]) ** 2 + (third - near[2]) ** 2
    return (first, second, third), outside, away


@kernel
def _nearest_round(angle: float, near: float, lower: float, upper: float) -> float:
    """The equal angle nearest to `near`, or the next one when only that is inside the limits."""
    nearest = near + wrap_angle(angle - near)
    if nearest < lower and nearest + 2.0 * math.pi <= upper:
        return nearest + 2.0 * math.pi
    if nearest > upper and nearest - 2.0 * math.pi >= lower:
        return nearest - 2.0 * math.pi
    return nearest


@kernel
def _outside(angle: float, lower: float, upper: float) -> float:
    """How far an angle is outside its limits [rad]."""
    return max(0.0, lower - angle, angle - upper)
