"""Vectors in space as tuples of three floats."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Vector
from gestik.kernels.jit import kernel


@kernel
def load3(array: FloatArray, row: int) -> Vector:
    """Read row `row` of an [n, 3] array."""
    return array[row, 0], array[row, 1], array[row, 2]


@kernel
def load3_at(table: FloatArray, row: int, column: int) -> Vector:
    """Read the three numbers that begin at `column` of a table's row."""
    return table[row, column], table[row, column + 1], table[row, column + 2]


@kernel
def store3_at(table: FloatArray, row: int, column: int, v: Vector) -> None:
    """Write `v` into a table's row from `column` on."""
    table[row, column] = v[0]
    table[row, column + 1] = v[1]
    table[row, column + 2] = v[2]


@kernel
def add3(array: FloatArray, row: int, v: Vector) -> None:
    """Add `v` to row `row` of an [n, 3] array."""
    array[row, 0] += v[0]
    array[row, 1] += v[1]
    array[row, 2] += v[2]


@kernel
def clear3(array: FloatArray) -> None:
    """Set an [n, 3] array to zero; a loop, because assigning to a slice costs ten times as much here."""
    for row in range(len(array)):
        array[row, 0] = array[row, 1] = array[row, 2] = 0.0


@kernel
def store3(array: FloatArray, row: int, v: Vector) -> None:
    """Write `v` into row `row` of an [n, 3] array."""
    array[row, 0] = v[0]
    array[row, 1] = v[1]
    array[row, 2] = v[2]


@kernel
def add(a: Vector, b: Vector) -> Vector:
    """Sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def subtract(a: Vector, b: Vector) -> Vector:
    """Difference a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def scale(a: Vector, factor: float) -> Vector:
    """Product with a number."""
    return factor * a[0], factor * a[1], factor * a[2]


@kernel
def dot(a: Vector, b: Vector) -> float:
    """Inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vector, b: Vector) -> Vector:
    """Vector product a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def norm(a: Vector) -> float:
    """Length."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def safe_normalise(a: Vector) -> Vector:
    """Direction of `a`; the zero vector where `a` is too short to have one (below 1e-12)."""
    length = norm(a)
    if length < 1e-12:
        return 0.0, 0.0, 0.0
    return a[0] / length, a[1] / length, a[2] / length


@kernel
def clamped_acos(cosine: float) -> float:
    """Arc cosine of a number that rounding may have pushed out of [-1, 1]."""
    return math.acos(min(1.0, max(-1.0, cosine)))


@kernel
def angle_between(a: Vector, b: Vector) -> float:
    """Angle in [0, pi] between two directions; 0 where either vanishes.  Exact near 0 and pi, unlike an arc cosine."""
    return math.atan2(norm(cross(a, b)), dot(a, b))


@kernel
def wrap_angle(angle: float) -> float:
    """The equal angle in [-pi, pi)."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@kernel
def any_perpendicular(a: Vector) -> Vector:
    """Some unit vector at right angles to the unit vector `a`: the same one every time."""
    if abs(a[0]) < 0.6:
        return safe_normalise(cross(a, (1.0, 0.0, 0.0)))
    return safe_normalise(cross(a, (0.0, 1.0, 0.0)))
