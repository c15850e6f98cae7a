"""The snake: eight joints out of a basket."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.formats.load import load_character
from gestik.kernels.arrays import FloatArray
from gestik.model.character import Character
from gestik.pictures.figure import figure
from gestik.pictures.solids import rotation_matrix
from tests.characters.silhouettes import most_alike


@pytest.fixture(scope="module")
def snake() -> Character:
    """The bundled character."""
    return load_character("snake")


def eye(snake: Character, mood: str) -> tuple[FloatArray, FloatArray]:
    """Where its eye is [m] and where it looks."""
    place = snake.skeleton.forward(snake.posture(mood).angles_for(snake.skeleton)).of("eye")
    return place.position, rotation_matrix(place.rotation) @ np.array([1.0, 0.0, 0.0])


def test_it_has_eight_joints_between_two_twists(snake: Character) -> None:
    """At zero it stands straight up and looks along +x."""
    assert snake.skeleton.dof_count == 8
    assert "".join("xyz"[int(np.argmax(axis))] for axis in snake.skeleton.arrays.axis) == "zyxyxyxz"
    np.testing.assert_array_equal(snake.skeleton.lower, -snake.skeleton.upper)
    positions = snake.skeleton.forward(np.zeros(8)).positions
    np.testing.assert_allclose(positions[:, :2], 0.0, atol=1e-15)
    assert (np.diff(positions[:, 2]) > 0.03).all()


def test_its_moods_are_within_reach_above_the_ground_and_told_apart(snake: Character) -> None:
    """No limit broken, nothing below the ground, every mood its own silhouette, all but the drooping looking ahead."""
    for mood, posture in snake.postures.items():
        posed = posture.angles_for(snake.skeleton)
        assert not snake.skeleton.limit_excess(posed), mood
        assert min(part.mesh.vertices[:, 2].min() for part in figure(snake.skeleton, posed)) > -1e-6, mood
        assert mood in ("sad", "sleepy") or eye(snake, mood)[1][0] > 0.6, mood
    difference, one, other = most_alike(snake)
    assert difference > 0.1, (one, other)


def test_moods_are_what_they_are_called(snake: Character) -> None:
    """Alert is tallest, sad lowest, curious farthest ahead, and the sad and the sleepy look down."""
    height = {mood: float(eye(snake, mood)[0][2]) for mood in snake.postures}
    assert height["alert"] == max(height.values())
    assert height["sad"] == min(height.values())
    assert height["shy"] < 0.8 * height["neutral"]
    ahead = {mood: float(eye(snake, mood)[0][0]) for mood in ("neutral", "curious", "proud", "shy", "alert")}
    assert ahead["curious"] == max(ahead.values())
    assert max(eye(snake, mood)[1][2] for mood in ("sad", "sleepy")) < -0.25
