"""Plain quaternions agree with matrices written another way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gestik.model.transforms import IDENTITY, between, compose, from_roll_pitch_yaw, rotate

ANGLES = st.floats(-7, 7)
LENGTHS = st.floats(-3, 3)
POINTS = st.tuples(LENGTHS, LENGTHS, LENGTHS)


def rpy_matrix(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """Rz(yaw) Ry(pitch) Rx(roll), spelt out."""
    cr, sr, cp, sp, cy, sy = np.cos(roll), np.sin(roll), np.cos(pitch), np.sin(pitch), np.cos(yaw), np.sin(yaw)
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


@given(ANGLES, ANGLES, ANGLES, POINTS)
def test_roll_pitch_yaw_turns_as_its_three_matrices_do(roll: float, pitch: float, yaw: float, point: tuple) -> None:
    """The quaternion of fixed-axis angles moves every point where the product of matrices moves it."""
    found = rotate(from_roll_pitch_yaw(roll, pitch, yaw), point)
    np.testing.assert_allclose(found, rpy_matrix(roll, pitch, yaw) @ point, atol=1e-13)


@given(ANGLES, ANGLES, POINTS, POINTS, POINTS)
def test_compose_is_one_transform_after_the_other(
    roll: float, yaw: float, outer: tuple, inner: tuple, p: tuple
) -> None:
    """A point carried through the composed transform arrives where two steps bring it."""
    first, second = from_roll_pitch_yaw(roll, 0.3, 0.0), from_roll_pitch_yaw(0.1, 0.2, yaw)
    position, rotation = compose(outer, first, inner, second)
    steps = np.add(rotate(first, tuple(np.add(rotate(second, p), inner))), outer)
    np.testing.assert_allclose(np.add(rotate(rotation, p), position), steps, atol=1e-12)


@given(POINTS, POINTS)
def test_a_thing_between_two_points_reaches_both(start: tuple, end: tuple) -> None:
    """Half its length down and up its own z from the middle are the two points."""
    middle, rotation, length = between(start, end)
    assert abs(np.linalg.norm(rotation) - 1.0) < 1e-12
    along = np.array(rotate(rotation, (0.0, 0.0, 0.5 * length)))
    np.testing.assert_allclose(middle - along, start, atol=1e-14)
    np.testing.assert_allclose(middle + along, end, atol=1e-14)


@pytest.mark.parametrize("end", [(0, 0, -2), (0, 0, 2), (2, 0, 0), (0, -2, 0), (1e-9, 0, -2)])
def test_a_thing_along_an_axis_is_turned_exactly(end: tuple) -> None:
    """Up, down and sideways come out to the last digit, straight down included."""
    _, rotation, length = between((0, 0, 0), end)
    np.testing.assert_allclose(rotate(rotation, (0, 0, length)), end, atol=1e-15)


def test_a_thing_without_length_is_not_turned() -> None:
    """Two equal points have no direction, and that is no error."""
    assert between((1, 2, 3), (1, 2, 3)) == ((1, 2, 3), IDENTITY, 0.0)
