"""Rotations as tuples of four floats, w first.  ``multiply(a, b)`` turns by b, then by a."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.vector import any_perpendicular, cross, dot, norm, safe_normalise, scale, subtract

# Directions whose cross product is shorter than this and that look away from each other are half a turn apart.
ANTIPARALLEL = 1e-9


@kernel
def load4(array: FloatArray, row: int) -> Quaternion:
    """Read row `row` of an [n, 4] array."""
    return array[row, 0], array[row, 1], array[row, 2], array[row, 3]


@kernel
def load4_at(table: FloatArray, row: int, column: int) -> Quaternion:
    """Read the four numbers that begin at `column` of a table's row."""
    return table[row, column], table[row, column + 1], table[row, column + 2], table[row, column + 3]


@kernel
def store4_at(table: FloatArray, row: int, column: int, q: Quaternion) -> None:
    """Write `q` into a table's row from `column` on."""
    table[row, column] = q[0]
    table[row, column + 1] = q[1]
    table[row, column + 2] = q[2]
    table[row, column + 3] = q[3]


@kernel
def store4(array: FloatArray, row: int, q: Quaternion) -> None:
    """Write `q` into row `row` of an [n, 4] array."""
    array[row, 0] = q[0]
    array[row, 1] = q[1]
    array[row, 2] = q[2]
    array[row, 3] = q[3]


@kernel
def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """Product a b: the turn b followed by the turn a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@kernel
def conjugate(q: Quaternion) -> Quaternion:
    """The opposite turn of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


@kernel
def rotate(q: Quaternion, v: Vector) -> Vector:
    """Turn the vector `v` by the unit quaternion `q`."""
    x = 2.0 * (q[2] * v[2] - q[3] * v[1])
    y = 2.0 * (q[3] * v[0] - q[1] * v[2])
    z = 2.0 * (q[1] * v[1] - q[2] * v[0])
    return (
        v[0] + q[0] * x + q[2] * z - q[3] * y,
        v[1] + q[0] * y + q[3] * x - q[1] * z,
        v[2] + q[0] * z + q[1] * y - q[2] * x,
    )


@kernel
def from_axis_angle(axis: Vector, angle: float) -> Quaternion:
    """Turn by `angle` [rad] about the unit vector `axis`."""
    half = 0.5 * angle
    s = math.sin(half)
    return math.cos(half), s * axis[0], s * axis[1], s * axis[2]


@kernel
def inner(a: Quaternion, b: Quaternion) -> float:
    """Inner product: +-1 for equal turns."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@kernel
def angle_of(q: Quaternion) -> float:
    """The angle in [0, pi] a unit quaternion turns by; exact for small turns, unlike an arc cosine."""
    return 2.0 * math.atan2(math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), abs(q[0]))


@kernel
def rotation_vector(q: Quaternion) -> Vector:
    """Axis times angle [rad] of a unit quaternion, the short way round; continuous at the identity."""
    sine = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    # Where the sine vanishes the ratio angle / sine tends to 2.
    factor = 2.0 if sine < 1e-12 else 2.0 * math.atan2(sine, abs(q[0])) / sine
    if q[0] < 0.0:
        factor = -factor
    return factor * q[1], factor * q[2], factor * q[3]


@kernel
def from_rotation_vector(v: Vector) -> Quaternion:
    """The turn about the direction of `v` by its length [rad]; undoes `rotation_vector`."""
    angle = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    # Where the angle vanishes the ratio sin(angle / 2) / angle tends to 1 / 2.
    factor = 0.5 if angle < 1e-12 else math.sin(0.5 * angle) / angle
    return math.cos(0.5 * angle), factor * v[0], factor * v[1], factor * v[2]


@kernel
def twist_angle(q: Quaternion, axis: Vector) -> float:
    """Angle [rad] about the unit vector `axis` of the turn nearest to `q`; 0 where every angle is as near."""
    along = q[1] * axis[0] + q[2] * axis[1] + q[3] * axis[2]
    if along == 0.0 and q[0] == 0.0:
        return 0.0
    return 2.0 * math.atan2(along, q[0])


@kernel
def unit(q: Quaternion) -> Quaternion:
    """`q` brought back to length one against the drift of long products; the identity where it has no length."""
    length = math.sqrt(inner(q, q))
    if length < 1e-12:
        return 1.0, 0.0, 0.0, 0.0
    return q[0] / length, q[1] / length, q[2] / length, q[3] / length


@kernel
def shortest_turn(here: Vector, wanted: Vector, idle: Vector) -> Quaternion:
    """The shortest turn between unit vectors, its angle by its tangent; half a turn goes about the unit `idle`.

    tan(angle) = |a x b| / a . b has no pole, and the turn adds no twist.
    """
    axis = cross(here, wanted)
    sine, cosine = norm(axis), dot(here, wanted)
    if sine < ANTIPARALLEL and cosine < 0.0:
        across = safe_normalise(subtract(idle, scale(here, dot(here, idle))))
        return from_axis_angle(across if dot(across, across) > 0.5 else any_perpendicular(here), math.pi)
    return from_axis_angle(safe_normalise(axis), math.atan2(sine, cosine))
