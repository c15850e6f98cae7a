"""Places and turns as plain tuples, for work done once while building: the compiler is not needed to read a file."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Quaternion, Vector

ORIGIN: Vector = (0.0, 0.0, 0.0)
IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)


def as_vector(values: FloatArray) -> Vector:
    """The numbers of an array [3]."""
    x, y, z = values.tolist()
    return x, y, z


def as_quaternion(values: FloatArray) -> Quaternion:
    """The numbers of an array [4]."""
    w, x, y, z = values.tolist()
    return w, x, y, z


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """Product a b: the turn b followed by the turn a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def rotate(q: Quaternion, v: Vector) -> Vector:
    """Turn the vector `v` by the unit quaternion `q`."""
    _, x, y, z = multiply(multiply(q, (0.0, *v)), (q[0], -q[1], -q[2], -q[3]))
    return x, y, z


def compose(
    outer_position: Vector, outer_rotation: Quaternion, position: Vector, rotation: Quaternion
) -> tuple[Vector, Quaternion]:
    """Express a place known in the outer frame's own coordinates where the outer frame itself is expressed."""
    x, y, z = rotate(outer_rotation, position)
    return (outer_position[0] + x, outer_position[1] + y, outer_position[2] + z), multiply(outer_rotation, rotation)


def invert(position: Vector, rotation: Quaternion) -> tuple[Vector, Quaternion]:
    """Express the outer frame in a frame at that place of its own."""
    back = (rotation[0], -rotation[1], -rotation[2], -rotation[3])
    x, y, z = rotate(back, position)
    return (-x, -y, -z), back


def from_axis_angle(axis: Vector, angle: float) -> Quaternion:
    """Turn by `angle` [rad] about the unit vector `axis`."""
    sine = math.sin(0.5 * angle)
    return math.cos(0.5 * angle), sine * axis[0], sine * axis[1], sine * axis[2]


def from_roll_pitch_yaw(roll: float, pitch: float, yaw: float) -> Quaternion:
    """The turn [rad] about the fixed x axis, then the fixed y, then the fixed z: URDF's rpy."""
    about_x = from_axis_angle((1.0, 0.0, 0.0), roll)
    about_y = from_axis_angle((0.0, 1.0, 0.0), pitch)
    about_z = from_axis_angle((0.0, 0.0, 1.0), yaw)
    return multiply(about_z, multiply(about_y, about_x))


def between(start: Vector, end: Vector) -> tuple[Vector, Quaternion, float]:
    """Where something lies whose own z runs from `start` to `end` [m]: its middle, shortest turn from z, length."""
    span = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    middle = (0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1]), 0.5 * (start[2] + end[2]))
    length = math.hypot(*span)
    if length == 0.0:
        return middle, IDENTITY, 0.0
    x, y, z = (component / length for component in span)
    # The half-way quaternion (1 + cosine, z cross direction), brought to length one; the second form of 1 + cosine
    # keeps its digits next to straight down.
    norm = math.sqrt(2.0 * (1.0 + z)) if z > 0.0 else math.hypot(x, y) * math.sqrt(2.0 / (1.0 - z))
    if norm == 0.0:
        return middle, (0.0, 1.0, 0.0, 0.0), length
    return middle, (0.5 * norm, -y / norm, x / norm, 0.0), length
