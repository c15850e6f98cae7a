"""Random problems follow their stated recipe."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.errors import InputError, NameNotFoundError
from gestik.evaluation import random_set, skeleton
from tests.reference.measures_twin import rotation_matrix, turn_matrix

X, Y, _ = np.eye(3)


@pytest.mark.parametrize("letter", ["A", "C", "D", "G"])
def test_postures_lie_on_the_grid_inside_the_limits_with_straight_ends(letter: str) -> None:
    """Every angle is a multiple of 15 degrees within limits; every multiple occurs; root and tip stay at 0."""
    postures, _ = random_set(letter, 2000, seed=4)
    limit = 180 if letter == "D" else 90
    degrees = np.degrees(postures)
    assert np.all(postures[:, [0, -1]] == 0.0)
    np.testing.assert_allclose(degrees, np.round(degrees / 15.0) * 15.0, atol=1e-9)
    seen = np.unique(np.round(degrees[:, 1:-1]))
    np.testing.assert_array_equal(seen, np.arange(-limit, limit + 1, 15))


def test_orientations_are_yaw_pitch_and_roll_drawn_one_after_the_other() -> None:
    """Each quaternion is Ry(yaw) Rx(pitch) Ry(roll) of three uniform angles from the same generator."""
    postures, orientations = random_set("A", 50, seed=9)
    generator = np.random.default_rng(9)
    generator.integers(np.full(3, -6), np.full(3, 6), size=(50, 3), endpoint=True)
    yaw, pitch, roll = generator.uniform(-np.pi, np.pi, size=(3, 50))
    np.testing.assert_allclose(np.linalg.norm(orientations, axis=1), 1.0)
    expected = turn_matrix(Y, yaw) @ turn_matrix(X, pitch) @ turn_matrix(Y, roll)
    np.testing.assert_allclose(rotation_matrix(orientations), expected, atol=1e-12)
    assert postures.shape == (50, 3)


def test_the_same_seed_gives_the_same_problems_and_another_seed_others() -> None:
    """Problems depend on the seed and nothing else, whether a letter or its skeleton is named."""
    first, again, other = random_set("C", 20, 1), random_set(skeleton("C"), 20, 1), random_set("C", 20, 2)
    np.testing.assert_array_equal(first.postures, again.postures)
    np.testing.assert_array_equal(first.orientations, again.orientations)
    assert not np.array_equal(first.orientations, other.orientations)


def test_nonsense_is_refused() -> None:
    """A letter that is none and a count below one raise."""
    with pytest.raises(NameNotFoundError):
        random_set("Z", 10, 0)
    with pytest.raises(InputError, match="count is 0"):
        random_set("C", 0, 0)
