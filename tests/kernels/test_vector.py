"""Vectors: the rules of space, and what happens where a direction has no length."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gestik.kernels import vector
from gestik.kernels.arrays import Vector

NOWHERE: Vector = (0.0, 0.0, 0.0)


def drawn(seed: int) -> Vector:
    """A random vector."""
    x, y, z = np.random.default_rng(seed).normal(size=3).tolist()
    return x, y, z


@pytest.mark.parametrize("seed", range(5))
def test_sums_and_products_are_those_of_numpy(seed: int) -> None:
    """Each of the plain operations, against NumPy's."""
    a, b = drawn(seed), drawn(seed + 100)
    np.testing.assert_allclose(vector.add(a, b), np.add(a, b), rtol=1e-14)
    np.testing.assert_allclose(vector.subtract(a, b), np.subtract(a, b), rtol=1e-14)
    np.testing.assert_allclose(vector.scale(a, -2.5), np.multiply(a, -2.5), rtol=1e-14)
    np.testing.assert_allclose(vector.cross(a, b), np.cross(a, b), atol=1e-14)
    assert vector.dot(a, b) == pytest.approx(np.dot(a, b), abs=1e-14)
    assert vector.norm(a) == pytest.approx(np.linalg.norm(a), rel=1e-14)
    np.testing.assert_allclose(vector.safe_normalise(a), np.divide(a, np.linalg.norm(a)), rtol=1e-14)


def test_what_has_no_length_has_no_direction() -> None:
    """Its direction is the zero vector and its angle to anything is 0: nothing turns into NaN."""
    assert vector.safe_normalise(NOWHERE) == NOWHERE
    assert vector.safe_normalise((1e-13, 0.0, 0.0)) == NOWHERE
    assert vector.angle_between(NOWHERE, (1.0, 0.0, 0.0)) == 0.0
    assert vector.angle_between((1.0, 0.0, 0.0), NOWHERE) == 0.0


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 0.5 * math.pi, math.pi - 1e-9, math.pi])
def test_angles_keep_their_digits_at_both_ends(angle: float) -> None:
    """An arc cosine would lose half of them near 0 and pi."""
    turned = (math.cos(angle), math.sin(angle), 0.0)
    assert vector.angle_between((2.0, 0.0, 0.0), turned) == pytest.approx(angle, rel=1e-12, abs=1e-15)


def test_an_arc_cosine_forgives_rounding() -> None:
    """A cosine that rounding pushed out of its range stands for the end of the range."""
    assert vector.clamped_acos(1.0 + 1e-15) == 0.0
    assert vector.clamped_acos(-1.0 - 1e-15) == math.pi
    assert vector.clamped_acos(0.5) == pytest.approx(math.pi / 3, rel=1e-15)


@pytest.mark.parametrize("angle", [0.0, 3.0, -3.0, math.pi, -math.pi, 7.0, -100.0, 1e4])
def test_a_wrapped_angle_is_the_equal_one_in_half_a_turn_either_way(angle: float) -> None:
    """In [-pi, pi), a whole number of turns away."""
    wrapped = vector.wrap_angle(angle)
    assert -math.pi <= wrapped < math.pi
    turns = (angle - wrapped) / (2.0 * math.pi)
    assert turns == pytest.approx(round(turns), abs=1e-9)


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.8, 0.0), (0.6, 0.0, 0.8)])
def test_there_is_always_something_perpendicular(axis: Vector) -> None:
    """A unit vector at right angles, also to the axes it is made from."""
    found = vector.any_perpendicular(axis)
    assert vector.norm(found) == pytest.approx(1.0, rel=1e-14)
    assert vector.dot(found, axis) == pytest.approx(0.0, abs=1e-15)


def test_rows_are_read_and_written_where_they_are_asked_for() -> None:
    """Neighbours stay what they were."""
    table = np.arange(15.0).reshape(3, 5)
    assert vector.load3_at(table, 1, 2) == (7.0, 8.0, 9.0)
    vector.store3_at(table, 1, 1, (-1.0, -2.0, -3.0))
    np.testing.assert_array_equal(table[1], [5.0, -1.0, -2.0, -3.0, 9.0])
    np.testing.assert_array_equal(table[[0, 2]], np.arange(15.0).reshape(3, 5)[[0, 2]])
    points = np.ones((2, 3))
    vector.add3(points, 1, (1.0, 2.0, 3.0))
    assert vector.load3(points, 1) == (2.0, 3.0, 4.0)
    assert vector.load3(points, 0) == (1.0, 1.0, 1.0)
    vector.store3(points, 0, (4.0, 5.0, 6.0))
    np.testing.assert_array_equal(points, [[4.0, 5.0, 6.0], [2.0, 3.0, 4.0]])
    vector.clear3(points)
    assert not points.any()
