"""Ten thousand random problems over random skeletons, shared among all methods; see benchmarks/random_problems.py."""

from __future__ import annotations

import pytest

from gestik.solvers.methods import SOLVERS
from tests.solvers.random_problems import ROWS, random_problem, solve_and_judge

PROBLEMS = 10_000
SEEDS = range(-(-PROBLEMS // (ROWS * len(SOLVERS))))


@pytest.mark.slow
@pytest.mark.parametrize("method", SOLVERS)
def test_random_problems_have_finite_answers_inside_the_limits(method: str) -> None:
    """No exception, no NaN, no broken limit, and the same answer the second time; a fault names its seed."""
    for seed in SEEDS:
        _, found = solve_and_judge(method, seed)
        again = f"python -m benchmarks.random_problems --method {method} --seed {seed} --count {ROWS}"
        assert not found, f"{found}; again: {again}"


@pytest.mark.parametrize("method", SOLVERS)
def test_a_seed_is_one_problem(method: str) -> None:
    """The same body, goals and options each time, so that a fault can be shown again."""
    first, second = random_problem(method, 3), random_problem(method, 3)
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert first[0].options == second[0].options
        assert (first[0].starts == second[0].starts).all()
        assert (first[1].pack_rows() == second[1].pack_rows()).all()
