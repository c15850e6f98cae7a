"""ERIK gives, sample by sample, what its slow twin gives, which was written from the paper."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.evaluation.skeletons import LAYOUTS
from tests.reference.erik_twin import Twin, turn_matrix, twist_of, yaw_pitch_roll
from tests.reference.measures_twin import rotation_matrix

COUNT = 40


@pytest.mark.parametrize("letter", "ABCDEFG")
def test_each_answer_is_the_twins(letter: str) -> None:
    """Iterations and errors of each, but where two mirrored ways are as good to the last digit: fewer than 1 in 10.

    Those are postures that fold a bone back onto the one before, at limits of half a turn, and straight ones.
    """
    skeleton, problems = gk.evaluation.skeleton(letter), gk.evaluation.random_set(letter, COUNT, seed=29)
    goals = [gk.Orientation("tip", problems.orientations, symmetric=True), gk.Posture(problems.postures)]
    found = gk.solve_batch(skeleton, goals, method="erik", tie=0.0)
    twin = Twin(*LAYOUTS[letter])
    same = []
    for row, posture in enumerate(problems.postures):
        target = rotation_matrix(problems.orientations[row])
        angles, iterations = twin.solve(posture, target)
        errors = [twin.error(each, target, posture) for each in (angles, found.angles[row])]
        same.append(abs(errors[0] - errors[1]) < 1e-6 and iterations == found.iterations[row])
    assert np.mean(same) > 0.9


@pytest.mark.parametrize("seed", range(5))
def test_yaw_pitch_roll_compose_the_turn(seed: int) -> None:
    """And yaw and roll together are its twist, which is what the kernels use."""
    rng = np.random.default_rng(seed)
    quaternion = rng.normal(size=4)
    turn = rotation_matrix(quaternion / np.linalg.norm(quaternion))
    yaw, pitch, roll = yaw_pitch_roll(turn)
    composed = turn_matrix((0, 1, 0), yaw) @ turn_matrix((1, 0, 0), pitch) @ turn_matrix((0, 1, 0), roll)
    np.testing.assert_allclose(composed, turn, atol=1e-12)
    assert np.cos(yaw + roll - twist_of(turn)) == pytest.approx(1.0)
