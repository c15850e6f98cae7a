"""Many turns at once agree with matrices, and with the kernels that turn one at a time."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.model.quaternion_stacks import inverses, normalised, products, slerps, turned, without_leaps, zyx_angles
from tests.reference.measures_twin import rotation_matrix

RNG_SEED = 11


def some_turns(count: int = 40) -> np.ndarray:
    """Unit quaternions, some of them next to the identity and some singular for yaw, pitch and roll."""
    rng = np.random.default_rng(RNG_SEED)
    turns = rng.normal(size=(count, 4))
    turns[:5] = [1, 0, 0, 0] + 1e-9 * turns[:5]
    turns[5:8] = [np.sqrt(0.5), 0, np.sqrt(0.5), 0]
    return turns / np.linalg.norm(turns, axis=1, keepdims=True)


def matrices(turns: np.ndarray) -> np.ndarray:
    """Rotation matrices [n, 3, 3]."""
    return np.array([rotation_matrix(turn) for turn in turns])


def test_products_inverses_and_turned_vectors_are_those_of_matrices() -> None:
    """To 1e-15, in stacks of one shape and of several."""
    a, b = some_turns(), some_turns()[::-1]
    vectors = np.random.default_rng(2).normal(size=(40, 3))
    np.testing.assert_allclose(matrices(products(a, b)), matrices(a) @ matrices(b), atol=1e-14)
    np.testing.assert_allclose(matrices(inverses(a)), matrices(a).transpose(0, 2, 1), atol=1e-14)
    np.testing.assert_allclose(turned(a, vectors), np.einsum("nij,nj->ni", matrices(a), vectors), atol=1e-14)
    np.testing.assert_allclose(turned(a[0], vectors), vectors @ matrices(a)[0].T, atol=1e-14)


def test_angles_about_z_y_and_x_make_up_the_turn() -> None:
    """Also where they are singular; the middle one stays within a quarter turn."""
    turns = some_turns()
    angles = zyx_angles(turns)
    half = 0.5 * angles
    zero = np.zeros(len(half))
    about_z = np.stack((np.cos(half[:, 0]), zero, zero, np.sin(half[:, 0])), axis=-1)
    about_y = np.stack((np.cos(half[:, 1]), zero, np.sin(half[:, 1]), zero), axis=-1)
    about_x = np.stack((np.cos(half[:, 2]), np.sin(half[:, 2]), zero, zero), axis=-1)
    made = products(about_z, products(about_y, about_x))
    np.testing.assert_allclose(matrices(made)[8:], matrices(turns)[8:], atol=1e-12)
    np.testing.assert_allclose(matrices(made), matrices(turns), atol=1e-7)
    assert (np.abs(angles[:, 1]) <= np.pi / 2).all()


def test_a_motion_through_everything_has_angles_without_leaps() -> None:
    """Turning on and on about an axis that passes the singular pose, no angle moves by more than a little at a time."""
    axis = np.array([0.3, 0.9, -0.2]) / np.linalg.norm([0.3, 0.9, -0.2])
    amounts = np.linspace(0, 4 * np.pi, 400)
    turns = np.column_stack((np.cos(amounts / 2), np.sin(amounts / 2)[:, None] * axis))
    assert np.abs(np.diff(zyx_angles(turns), axis=0)).max() > 3.0
    assert np.abs(np.diff(without_leaps(zyx_angles(turns)), axis=0)).max() < 0.3


@pytest.mark.parametrize("apart", [1e-12, 1e-6, 0.5, np.pi - 1e-6])
def test_a_slerp_turns_at_an_even_pace_the_short_way(apart: float) -> None:
    """Of a turn by an angle about z the fraction of it, whatever sign the quaternions have."""
    start, end = np.array([[1.0, 0, 0, 0]]), -np.array([[np.cos(apart / 2), 0, 0, np.sin(apart / 2)]])
    for fraction in (0.0, 0.25, 1.0):
        made = slerps(start, end, np.array([fraction]))[0]
        expected = np.array([np.cos(fraction * apart / 2), 0, 0, np.sin(fraction * apart / 2)])
        np.testing.assert_allclose(made, expected, atol=1e-12)


def test_what_has_no_length_is_no_turn() -> None:
    """Instead of NaN."""
    np.testing.assert_array_equal(normalised(np.array([[0.0, 0, 0, 0], [0, 2, 0, 0]])), [[1, 0, 0, 0], [0, 1, 0, 0]])
