"""What poise's local method believes about a pose, against differences."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.kernels.arrays import FloatArray
from gestik.kernels.chain import pose_chain
from gestik.solvers.poise.bind import BoundPoise
from gestik.solvers.poise.plan import Phase
from tests.solvers.test_poise_trees import random_angles, two_armed

PHASE = Phase(1, 1e-3, 0.1, 1.0, 0.0)


def gradient_and_differences(goals: list[object], seed: int) -> tuple[FloatArray, FloatArray]:
    """Slope of the cost the search descends on, by the model and by central differences."""
    from gestik.solvers.poise import entry
    from gestik.solvers.poise.problem import Problem, Tasks, Wanted, empty_scratch
    from gestik.solvers.poise.residuals import build_model, search_cost

    body = two_armed()
    q, start, posture = random_angles(body, 3, seed)
    goals = [*goals, gk.Posture(posture, weight=1.0)]
    prepared = gk.prepare(body, goals, method="poise")
    bound = prepared._bound
    assert isinstance(bound, BoundPoise)
    flat = entry.Flat(*bound._flat)
    problem = Problem(
        entry.Chain(flat.codes, flat.table, flat.limits),
        Tasks(flat.task_codes, flat.task_table),
        entry.unpack_settings(flat.numbers),
        entry.unpack_plan(flat.numbers),
        flat.starts,
        flat.coordinates,
    )
    joints, dofs, tasks = len(flat.codes), len(flat.dofs), len(flat.task_codes)
    scratch = empty_scratch(joints, dofs, tasks, entry.joints_that_part(flat.codes))
    wanted = Wanted(np.empty((tasks, entry.TARGET_WIDTH)), np.empty((joints, entry.DRAWN_WIDTH)), np.empty(dofs))
    row = prepared.pack_row(())
    entry.read_targets(problem, flat.layout, row, 0, wanted)
    entry.read_posture(problem, flat.layout, flat.said, flat.dofs, row, 0, start, wanted, scratch)
    angles = q[flat.dofs]
    differences = np.empty(dofs)
    for i in range(dofs):
        ends = []
        for change in (1e-6, -1e-6):
            moved = angles.copy()
            moved[i] += change
            ends.append(search_cost(problem, wanted, moved, PHASE.rounding, scratch.pose))
        differences[i] = (ends[0] - ends[1]) / 2e-6
    pose_chain(problem.chain, angles, scratch.pose)
    build_model(problem, wanted, angles, PHASE, scratch)
    return scratch.gradient.copy(), differences


@pytest.mark.parametrize("seed", range(5))
def test_slope_of_the_shape_on_a_tree_is_that_of_differences(seed: int) -> None:
    """Heading, limbs that part and springs included, to 1e-7."""
    goals = [gk.Aim("eye", at=(1.0, 1.0, 1.0), weight=0.0), gk.Position("left_hand", (0.2, 0.1, 0.4), weight=0.0)]
    goals.append(gk.Position("right_hand", (0.2, -0.1, 0.4), weight=0.0))
    model, differences = gradient_and_differences(goals, seed)
    assert np.abs(model - differences).max() < 1e-7


@pytest.mark.parametrize("seed", range(5))
def test_slope_of_a_position_is_that_of_differences(seed: int) -> None:
    """Distance over reach plus distance, near and far, to 1e-7."""
    far = 10.0 ** (seed - 2)
    goals: list[object] = [gk.Position("left_hand", (far, 0.1, 0.4)), gk.Position("right_hand", (0.2, -far, 0.4))]
    model, differences = gradient_and_differences(goals, seed)
    assert np.abs(model - differences).max() < 1e-7
