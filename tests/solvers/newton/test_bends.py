"""The one sweep over the tree gives the derivatives that the goals' own kernels give, goal by goal."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.goals.derivatives import cost_derivatives
from gestik.solvers.newton import SPEC
from gestik.solvers.newton.bends import build_model
from gestik.solvers.newton.bind import BoundNewton
from gestik.solvers.newton.descent import promised_gain, update_curvature, whole_cost
from gestik.solvers.newton.entry import read_targets, unpack
from gestik.solvers.newton.problem import Scratch, carve_scratch, scratch_size
from tests.kernels.trees import random_body, random_tree, unit
from tests.reference import newton_twin


def scratch_for(joints: int, dofs: int, tasks: int) -> Scratch:
    """Memory for the kernels, zeros."""
    sizes = joints, dofs, tasks
    return carve_scratch(*sizes, np.zeros(scratch_size(*sizes)), np.zeros(dofs, dtype=np.int32))


def every_goal(rng: np.random.Generator, ends: tuple[str, str]) -> list[gk.Position | gk.Orientation | gk.Aim]:
    """Goals of every kind on two limbs."""
    first, last = ends
    return [
        gk.Position(first, 3.0 * rng.normal(size=3), weight=0.7),
        gk.Orientation(last, unit(rng.normal(size=4))),
        gk.Position(last, rng.normal(size=3)),
        gk.Aim(first, at=4.0 * rng.normal(size=3), axis=unit(rng.normal(size=3)), eye=rng.normal(size=3), weight=2.0),
        gk.Aim(last, along=rng.normal(size=3), axis=unit(rng.normal(size=3)), eye=(0, 0, 0)),
        gk.Orientation(first, unit(rng.normal(size=4)), symmetric="x"),
    ]


@pytest.mark.parametrize("seed", range(6))
def test_gradient_and_hessian_are_the_sums_of_each_goals_own(seed: int) -> None:
    """Floating bodies and random trees with mimic joints; each goal alone and all at once, to 1e-12."""
    rng = np.random.default_rng(seed)
    body = random_body(seed, "ZYX") if seed < 3 else random_tree(seed)
    angles = rng.uniform(-1.5, 1.5, body.dof_count)
    goals = every_goal(rng, ("crown", "tip") if seed < 3 else ("tool", "slide"))
    for asked in (*([goal] for goal in goals), goals):
        bound = BoundNewton(body, asked, None, SPEC.read_options({}))
        problem, dofs = unpack(bound._codes, bound._numbers)
        scratch = scratch_for(len(problem.chain.codes), len(dofs), len(asked))
        read_targets(
            problem.tasks, np.concatenate([np.asarray(goal.target) for goal in asked])[None], 0, scratch.targets
        )
        q = np.ascontiguousarray(angles[dofs])
        own = [cost_derivatives(body, angles, goal) for goal in asked]
        squares = [goal.weight**2 for goal in asked]
        expected = sum(w * part.gradient for w, part in zip(squares, own, strict=True))[dofs]
        bent = sum(w * part.hessian for w, part in zip(squares, own, strict=True))[np.ix_(dofs, dofs)]
        assert whole_cost(problem, q, scratch)[0] == pytest.approx(
            sum(w * part.cost for w, part in zip(squares, own, strict=True))
        )
        build_model(problem, q, True, scratch)
        np.testing.assert_allclose(scratch.gradient, expected, atol=1e-12 * max(1.0, np.abs(bent).max()))
        np.testing.assert_allclose(np.tril(scratch.hessian), np.tril(bent), atol=1e-12 * max(1.0, np.abs(bent).max()))
        build_model(problem, q, False, scratch)
        lower = np.tril(scratch.hessian, -1)
        flat = lower + lower.T + np.diag(np.diag(scratch.hessian))
        assert np.linalg.eigvalsh(flat)[0] >= -1e-12 * max(1.0, np.abs(flat).max())
        np.testing.assert_allclose(scratch.gradient, expected, atol=1e-12 * max(1.0, np.abs(bent).max()))


def test_where_goals_are_met_gauss_and_newton_are_exact() -> None:
    """Without residuals the two Hessians of places and rotations are the same."""
    body = random_body(1, "ZYZ")
    angles = np.random.default_rng(1).uniform(-1.0, 1.0, body.dof_count)
    seen = body.forward(angles).of("tip")
    goals = [gk.Position("tip", seen.position), gk.Orientation("tip", seen.rotation)]
    bound = BoundNewton(body, goals, None, SPEC.read_options({}))
    problem, dofs = unpack(bound._codes, bound._numbers)
    scratch = scratch_for(len(problem.chain.codes), len(dofs), 2)
    read_targets(problem.tasks, np.concatenate((seen.position, seen.rotation))[None], 0, scratch.targets)
    q = np.ascontiguousarray(angles[dofs])
    whole_cost(problem, q, scratch)
    build_model(problem, q, True, scratch)
    exact = np.tril(scratch.hessian)
    build_model(problem, q, False, scratch)
    np.testing.assert_allclose(np.tril(scratch.hessian), exact, atol=1e-12)


def test_the_update_of_bfgs_is_the_books() -> None:
    """Ten updates in a row, some of them along directions that bend down, which Powell's damping has to catch."""
    rng = np.random.default_rng(4)
    estimate = np.eye(5)
    for _ in range(10):
        step, change = rng.normal(size=5), rng.normal(size=5)
        expected = newton_twin.bfgs_update(estimate, step, change)
        update_curvature(estimate, step, change.copy(), np.empty(5))
        np.testing.assert_allclose(estimate, expected, rtol=1e-9, atol=1e-12)
        assert np.linalg.eigvalsh(estimate)[0] > 0.0


def test_a_promise_is_what_the_model_says() -> None:
    """From the lower triangle alone."""
    rng = np.random.default_rng(5)
    matrix = rng.normal(size=(4, 4))
    matrix += matrix.T
    slope, step = rng.normal(size=4), rng.normal(size=4)
    assert promised_gain(np.tril(matrix), slope, step) == pytest.approx(-slope @ step - 0.5 * step @ matrix @ step)
