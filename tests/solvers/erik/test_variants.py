"""A user's own extension and error measure: one stage and one list entry each."""

from __future__ import annotations

from typing import Any

import numpy as np

import gestik as gk
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import load4_at, rotate
from gestik.solvers.erik.latitude import clamped
from gestik.solvers.erik.orient import bwcd_solution, place
from gestik.solvers.erik.problem import NOW
from gestik.solvers.erik.variants import extended
from gestik.solvers.methods import SOLVERS


@kernel
def lean(problem: Any, target: Any, work: Any) -> float:
    """How far the second bone is from upright, in [0, 1]."""
    return 0.5 * (1.0 - rotate(load4_at(work.frames, 2, 0), (0.0, 1.0, 0.0))[1])


@kernel
def mirror(problem: Any, target: Any, work: Any) -> bool:
    """The solution with every bend to the other side, aimed."""
    for joint in range(len(problem.model)):
        work.angles[NOW, joint] = clamped(problem.model, joint, -work.angles[NOW, joint])
    place(problem, work)
    bwcd_solution(problem, target, work)
    return False


def test_an_own_measure_is_minimised_and_an_own_extension_called() -> None:
    """Bodies lean less, limits hold, and the cost holds all three measures."""
    skeleton, drawn = gk.evaluation.skeleton("E"), gk.evaluation.random_set("E", 60, 8)
    goals = [gk.Orientation("tip", drawn.orientations, symmetric=True), gk.Posture(drawn.postures)]
    SOLVERS["upright"] = extended("upright", measure=lean, weight=0.5, extension=mirror)
    try:
        prepared = gk.prepare(skeleton, goals, method="upright", threshold=0.0, tie=0.0)
    finally:
        del SOLVERS["upright"]
    found = prepared.solve_rows(prepared.pack_rows(), prepared.pack_start(None))
    plain = gk.solve_batch(skeleton, goals, method="erik", threshold=0.0, tie=0.0)
    leaning = []
    for angles in (found.angles, plain.angles):
        rotations = [skeleton.forward(row).of("x2").rotation for row in angles]
        leaning.append([0.5 * (1.0 - rotate(tuple(turn.tolist()), (0.0, 1.0, 0.0))[1]) for turn in rotations])
    assert np.mean(leaning[0]) < np.mean(leaning[1])
    assert (found.angles >= skeleton.lower).all()
    assert (found.angles <= skeleton.upper).all()
    turns = np.sqrt(2.0) * np.sin(found.errors[:, 0] / 4.0)
    np.testing.assert_allclose(found.cost, turns + 0.2 * found.errors[:, 1] + 0.5 * np.array(leaning[0]), atol=1e-9)
