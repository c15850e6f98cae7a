"""By the paper's measure poise is never worse than erik, problem by problem."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.model.skeleton import Skeleton
from tests.solvers.erik.bodies import odd_chain

SLACK = 1e-6


def costs(skeleton: Skeleton, goals: list[object], **options: object) -> np.ndarray:
    """What a method's answers cost, one by one."""
    prepared = gk.prepare(skeleton, goals, **options)
    return prepared.solve_rows(prepared.pack_rows(), prepared.pack_start(None)).cost


@pytest.mark.parametrize("letter", "BD")
@pytest.mark.parametrize("aggravation", [1.0, 2.0])
def test_poise_is_never_worse_on_the_papers_skeletons(letter: str, aggravation: float) -> None:
    """Nor where folded postures and poles make the search miss a little."""
    skeleton, drawn = gk.evaluation.skeleton(letter), gk.evaluation.random_set(letter, 300, 19)
    goals = [gk.Orientation("tip", drawn.orientations, symmetric=True), gk.Posture(drawn.postures)]
    poise = costs(skeleton, goals, method="poise", measure="paper", aggravation=aggravation)
    assert (poise - costs(skeleton, goals, method="erik", aggravation=aggravation)).max() <= SLACK


@pytest.mark.parametrize("seed", range(2))
def test_poise_is_never_worse_on_odd_chains(seed: int) -> None:
    """Oblique axes, no twisters, asymmetric limits."""
    skeleton, rng = odd_chain(seed, 5, False), np.random.default_rng(seed)
    drawn, facing = rng.uniform(skeleton.lower, skeleton.upper, (2, 40, skeleton.dof_count))
    targets = np.array([skeleton.forward(angles).of("end").rotation for angles in facing])
    goals = [gk.Orientation("end", targets), gk.Posture(drawn)]
    poise = costs(skeleton, goals, method="poise", measure="paper")
    assert (poise - costs(skeleton, goals, method="erik")).max() <= SLACK
