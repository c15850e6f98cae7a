"""Rotations: quaternions do what matrices do, also at half a turn, at no turn and at none at all."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gestik.kernels import quaternion
from gestik.kernels.arrays import Quaternion, Vector
from tests.reference.measures_twin import rotation_matrix, turn_matrix

SEEDS = range(5)
NO_TURN: Quaternion = (1.0, 0.0, 0.0, 0.0)


def turn(seed: int) -> Quaternion:
    """A random rotation."""
    values = np.random.default_rng(seed).normal(size=4)
    w, x, y, z = (values / np.linalg.norm(values)).tolist()
    return w, x, y, z


def direction(seed: int) -> Vector:
    """A random unit vector."""
    values = np.random.default_rng(seed).normal(size=3)
    x, y, z = (values / np.linalg.norm(values)).tolist()
    return x, y, z


@pytest.mark.parametrize("seed", SEEDS)
def test_products_and_turned_vectors_are_those_of_matrices(seed: int) -> None:
    """``multiply(a, b)`` turns by b, then by a."""
    a, b, v = turn(seed), turn(seed + 50), direction(seed)
    np.testing.assert_allclose(
        rotation_matrix(quaternion.multiply(a, b)), rotation_matrix(a) @ rotation_matrix(b), atol=1e-14
    )
    np.testing.assert_allclose(quaternion.rotate(a, v), rotation_matrix(a) @ v, atol=1e-14)
    np.testing.assert_allclose(quaternion.multiply(a, quaternion.conjugate(a)), NO_TURN, atol=1e-15)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.3, -2.0, math.pi - 1e-7, math.pi])
def test_a_turn_about_an_axis_is_rodrigues_matrix_and_knows_its_angle(angle: float) -> None:
    """Small turns and half turns keep their digits."""
    axis = direction(3)
    made = quaternion.from_axis_angle(axis, angle)
    np.testing.assert_allclose(rotation_matrix(made), turn_matrix(axis, angle), atol=1e-14)
    assert quaternion.angle_of(made) == pytest.approx(abs(angle), rel=1e-12, abs=1e-15)
    np.testing.assert_allclose(quaternion.rotation_vector(made), np.multiply(axis, angle), rtol=1e-9, atol=1e-15)
    assert quaternion.twist_angle(made, axis) == pytest.approx(angle, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_quaternion_and_its_negative_are_one_turn(seed: int) -> None:
    """The angle, the rotation vector and the inner product's size do not tell them apart."""
    q = turn(seed)
    w, x, y, z = q
    negative = (-w, -x, -y, -z)
    assert quaternion.angle_of(q) == quaternion.angle_of(negative)
    np.testing.assert_allclose(quaternion.rotation_vector(q), quaternion.rotation_vector(negative), rtol=1e-14)
    assert quaternion.inner(q, negative) == pytest.approx(-1.0, rel=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_twist_is_the_turn_about_the_axis_that_comes_nearest(seed: int) -> None:
    """No other angle about the axis leaves less to turn."""
    q, axis = turn(seed), direction(seed + 9)
    best = quaternion.twist_angle(q, axis)

    def left(angle: float) -> float:
        turned = quaternion.from_axis_angle(axis, angle)
        return quaternion.angle_of(quaternion.multiply(q, quaternion.conjugate(turned)))

    assert left(best) <= min(left(best + step) for step in np.linspace(-3.0, 3.0, 61)) + 1e-12


def test_a_half_turn_across_the_axis_has_no_twist() -> None:
    """Where every angle is as near, the twist is 0."""
    assert quaternion.twist_angle((0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0)) == 0.0


def test_unit_mends_drift_and_survives_nothing() -> None:
    """A stretched quaternion comes back to length one; one without length becomes no turn."""
    np.testing.assert_allclose(quaternion.unit((2.0, 0.0, 0.0, 2.0)), (math.sqrt(0.5), 0, 0, math.sqrt(0.5)))
    assert quaternion.unit((0.0, 0.0, 0.0, 0.0)) == NO_TURN


def test_rows_are_read_and_written_where_they_are_asked_for() -> None:
    """Neighbours stay what they were."""
    table = np.arange(12.0).reshape(2, 6)
    assert quaternion.load4_at(table, 1, 1) == (7.0, 8.0, 9.0, 10.0)
    quaternion.store4_at(table, 0, 2, (-1.0, -2.0, -3.0, -4.0))
    np.testing.assert_array_equal(table, [[0, 1, -1, -2, -3, -4], [6, 7, 8, 9, 10, 11]])
    rows = np.zeros((2, 4))
    quaternion.store4(rows, 1, (1.0, 2.0, 3.0, 4.0))
    assert quaternion.load4(rows, 1) == (1.0, 2.0, 3.0, 4.0)
    assert not rows[0].any()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_shortest_turn_leads_one_direction_to_the_other(seed: int) -> None:
    """Across both of them; half a turn across an axis told, where they are opposite; none where they are one."""
    here, wanted, idle = direction(seed), direction(seed + 20), direction(seed + 40)
    shortest = quaternion.shortest_turn(here, wanted, idle)
    np.testing.assert_allclose(quaternion.rotate(shortest, here), wanted, atol=1e-14)
    assert abs(np.dot(shortest[1:], here)) < 1e-14
    opposite = -here[0], -here[1], -here[2]
    half = quaternion.shortest_turn(here, opposite, idle)
    np.testing.assert_allclose(quaternion.rotate(half, here), opposite, atol=1e-14)
    assert np.dot(np.cross(here, idle), half[1:]) == pytest.approx(0.0, abs=1e-14)
    np.testing.assert_allclose(quaternion.shortest_turn(here, here, idle), NO_TURN, atol=1e-12)
