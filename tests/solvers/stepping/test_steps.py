"""Each method's step against its twin, and what its paper promises of it."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.kernels.arrays import FloatArray
from gestik.solvers.dls.step import dls_step
from gestik.solvers.prioritised.step import prioritised_step
from gestik.solvers.pseudoinverse.step import pseudoinverse_step
from gestik.solvers.sdls.step import sdls_step
from gestik.solvers.stepping.entry import empty_work
from gestik.solvers.stepping.settings import DLS, FIXED_DAMPING, MACIEJEWSKI, Settings, Work
from gestik.solvers.stepping.vectors import add_posture, clamp_largest
from gestik.solvers.tasks.layout import CODE_WIDTH, PRIORITY, TASK_WIDTH, Tasks
from gestik.solvers.transpose.step import transpose_step
from tests.reference import steps_twin as twin

SHAPES = [(1, 2), (1, 5), (2, 7), (2, 4), (4, 20)]  # tasks and coordinates
PLAIN = Settings(DLS, 100, FIXED_DAMPING, 0.1, 1.0, 100.0, 100.0, 100.0, -1, 1.0, 20, 0)


def problem(
    tasks: int, dofs: int, seed: int, *, levels: int = 1, singular: bool = False
) -> tuple[Work, FloatArray, FloatArray]:
    """Random Jacobian and error, in a kernel's memory; all coordinates are free."""
    rng = np.random.default_rng(seed)
    work = empty_work(dofs, 0, tasks, levels, 3 * tasks, dofs)
    J, e = rng.normal(size=(3 * tasks, dofs)), rng.normal(size=3 * tasks)
    if singular:
        J[0] = J[1]
    work.free_jacobian[:], work.free_error[:], work.free[:] = J, e, 1
    work.drawn[:], work.pull[:] = 1.0, rng.normal(size=dofs)
    return work, J, e


def tasks_of(*priorities: int) -> Tasks:
    """Tables that tell nothing but priorities."""
    codes = np.zeros((len(priorities), CODE_WIDTH), dtype=np.int32)
    codes[:, PRIORITY] = priorities
    return Tasks(codes, np.zeros((len(priorities), TASK_WIDTH)))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_transpose_step_is_its_twins_and_lowers_the_error(shape: tuple[int, int]) -> None:
    """Eq. 4: as far along the transpose as brings the error down most."""
    work, J, e = problem(*shape, seed=1)
    transpose_step(work)
    np.testing.assert_allclose(work.step, twin.transpose(J, e), rtol=1e-10)
    assert np.linalg.norm(e - J @ work.step) < np.linalg.norm(e)
    work.free_jacobian[:] = 0.0
    transpose_step(work)
    assert not work.step.any()


@pytest.mark.parametrize("singular", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_pseudoinverse_step_is_numpys(shape: tuple[int, int], singular: bool) -> None:
    """Eq. 5, also where two rows say the same."""
    work, J, e = problem(*shape, seed=2, singular=singular)
    pseudoinverse_step(work)
    np.testing.assert_allclose(work.step, np.linalg.pinv(J, rcond=1e-7) @ e, atol=1e-10)


@pytest.mark.parametrize("shape", SHAPES)
def test_damped_steps_are_the_same_by_elimination_and_by_singular_values(shape: tuple[int, int]) -> None:
    """Eq. 9 and eq. 10, whose sum encloses the vectors."""
    for by_svd in (0, 1):
        work, J, e = problem(*shape, seed=3)
        dls_step(PLAIN._replace(by_svd=by_svd), work)
        np.testing.assert_allclose(work.step, twin.damped_inverse(J, 0.1) @ e, atol=1e-11)


@pytest.mark.parametrize("seed", range(40))
def test_maciejewskis_damping_keeps_the_step_within_its_bound(seed: int) -> None:
    """Eq. 15: |J^+ e| <= b_max next to singular poses too; and it is the twin's."""
    rng = np.random.default_rng(seed)
    work, J, e = problem(2, 7, seed)
    J[0] = J[1] + 10.0 ** rng.uniform(-6, 0) * rng.normal(size=7)
    work.free_jacobian[:] = J
    bound = 10.0 ** rng.uniform(-2, 1)
    dls_step(PLAIN._replace(damping_rule=MACIEJEWSKI, bound=bound), work)
    assert np.linalg.norm(work.step) <= bound * (1.0 + 1e-9)
    wanted = twin.damped_inverse(J, twin.maciejewski(J, e, bound)) @ e
    np.testing.assert_allclose(work.step, wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_selectively_damped_steps_are_their_twins(shape: tuple[int, int]) -> None:
    """Eq. 11 and 12, corrected; no coordinate goes farther than gamma_max."""
    work, J, e = problem(*shape, seed=5)
    settings = PLAIN._replace(largest_step=np.pi / 4)
    sdls_step(tasks_of(*range(shape[0])), settings, work)
    clamp_largest(work.step, settings.largest_step)
    np.testing.assert_allclose(work.step, twin.sdls(J, e, np.pi / 4), atol=1e-10)
    assert np.abs(work.step).max() <= np.pi / 4 + 1e-12


@pytest.mark.parametrize("priorities", [(0, 1), (1, 0), (0, 1, 2), (0, 0, 1), (0, 0)])
@pytest.mark.parametrize("damping", [0.0, 0.2])
def test_levels_are_their_twins_and_never_disturb_those_before(priorities: tuple[int, ...], damping: float) -> None:
    """Eq. 14: the first level moves as it would alone, whatever comes after; the posture comes last."""
    count = 8
    work, J, e = problem(len(priorities), count, seed=6, levels=len(set(priorities)))
    settings = PLAIN._replace(damping=damping, posture_offset=0)
    prioritised_step(tasks_of(*priorities), settings, work)
    by_level = []
    for level in sorted(set(priorities)):
        rows = np.concatenate([np.arange(3 * k, 3 * k + 3) for k, own in enumerate(priorities) if own == level])
        by_level.append((J[rows], e[rows]))
    wanted = twin.prioritised([*by_level, (np.eye(count), work.pull)], damping)
    np.testing.assert_allclose(work.step, wanted, atol=1e-9)
    alone = twin.prioritised(by_level[:1], damping)
    np.testing.assert_allclose(by_level[0][0] @ (work.step - alone), 0.0, atol=1e-10)


def test_a_level_that_asks_for_what_is_used_up_changes_nothing() -> None:
    """Two levels of the same rows: an algorithmic singularity, and no step of millions."""
    work, J, _ = problem(2, 5, seed=7, levels=2)
    work.free_jacobian[3:] = J[:3]
    work.free_error[3:] = -work.free_error[:3]
    settings = PLAIN._replace(damping=0.0)
    prioritised_step(tasks_of(0, 1), settings, work)
    np.testing.assert_allclose(work.step, np.linalg.pinv(J[:3]) @ work.free_error[:3], atol=1e-9)


@pytest.mark.parametrize("shape", [(1, 5), (2, 7), (2, 9)])
def test_no_task_feels_the_way_to_the_posture(shape: tuple[int, int]) -> None:
    """Eq. 6: P z, and z leads towards the posture."""
    work, J, _ = problem(*shape, seed=8)
    work.step[:] = 0.0
    add_posture(PLAIN._replace(posture_offset=0), work)
    np.testing.assert_allclose(J @ work.step, 0.0, atol=1e-12)
    P = np.eye(shape[1]) - np.linalg.pinv(J) @ J
    np.testing.assert_allclose(work.step, P @ work.pull, atol=1e-12)
    assert work.step @ work.pull >= 0.0


def test_what_is_held_at_a_limit_takes_no_part() -> None:
    """Neither in the posture nor behind the projector."""
    work, J, e = problem(1, 6, seed=9)
    work.free[2] = 0
    work.free_jacobian[:, 2] = 0.0
    settings = PLAIN._replace(posture_offset=0, damping=0.0)
    prioritised_step(tasks_of(0), settings, work)
    assert work.step[2] == 0.0
    np.testing.assert_allclose(np.delete(J, 2, axis=1) @ np.delete(work.step, 2), e, atol=1e-10)
