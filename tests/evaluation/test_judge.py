"""Judging in bulk gives what the public measures give one by one."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.evaluation.judge import Judge


@pytest.mark.parametrize("letter", "ADG")
@pytest.mark.parametrize("symmetric", [True, False])
def test_a_judgement_is_that_of_the_metrics(letter: str, symmetric: bool) -> None:
    """Postures repeated and changing, orientations at random."""
    body = gk.evaluation.skeleton(letter)
    problems = gk.evaluation.random_set(letter, 30, seed=3)
    postures = np.repeat(problems.postures[:10], 3, axis=0)
    angles = gk.evaluation.random_set(letter, 30, seed=4).postures
    judged = Judge(body, "tip", symmetric=symmetric, aggravation=1.3).judge(angles, postures, problems.orientations)
    for row, (q, posture, wanted) in enumerate(zip(angles, postures, problems.orientations, strict=True)):
        expected = (
            gk.metrics.orientation_error(body, q, "tip", wanted, symmetric),
            gk.metrics.posture_error(body, q, posture, "tip", 1.3),
            gk.metrics.shape_error(body, q, posture, "tip"),
        )
        np.testing.assert_allclose(judged[row], expected, atol=1e-12)
