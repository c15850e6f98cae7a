"""Linear algebra by hand: what NumPy's LAPACK says, and an honest no where a matrix is not positive."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.kernels.linear import cholesky, factor_last_first, solve_cholesky, solve_last_first


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_the_factor_and_the_solution_are_those_of_numpy(size: int) -> None:
    """On the leading block of a larger matrix, whose other entries are left alone."""
    rng = np.random.default_rng(size)
    root = rng.normal(size=(size, size))
    positive = root @ root.T + 0.1 * np.eye(size)
    larger = np.full((size + 2, size + 2), 7.0)
    larger[:size, :size] = positive
    assert cholesky(larger, size)
    expected = np.linalg.cholesky(positive)
    np.fill_diagonal(expected, 1.0 / np.diag(expected))
    np.testing.assert_allclose(np.tril(larger[:size, :size]), expected, rtol=1e-9, atol=1e-12)
    assert (larger[size:] == 7.0).all()
    wanted = rng.normal(size=size)
    answer = np.append(positive @ wanted, 7.0)
    solve_cholesky(larger, size, answer)
    np.testing.assert_allclose(answer[:size], wanted, rtol=1e-8)
    assert answer[size] == 7.0


@pytest.mark.parametrize("matrix", [[[0.0]], [[1.0, 0.0], [2.0, 1.0]], [[1.0, 0.0], [1.0, 1.0]], [[np.nan]], [[-1.0]]])
def test_a_matrix_that_is_not_positive_is_refused(matrix: list[list[float]]) -> None:
    """Indefinite, singular or NaN: the answer is no, not a number."""
    assert not cholesky(np.array(matrix), len(matrix))


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_factored_from_the_last_row_up_the_solution_is_the_same(size: int) -> None:
    """The factor gives the matrix back, and its solution is NumPy's."""
    rng = np.random.default_rng(size)
    root = rng.normal(size=(size, size))
    positive = root @ root.T + 0.1 * np.eye(size)
    factor = np.tril(positive)
    assert factor_last_first(factor, size)
    lower = np.tril(factor, -1) + np.diag(1.0 / np.diag(factor))
    np.testing.assert_allclose(lower.T @ lower, positive, rtol=1e-9, atol=1e-12)
    answer = rng.normal(size=size)
    expected = np.linalg.solve(positive, answer)
    solve_last_first(factor, size, answer)
    np.testing.assert_allclose(answer, expected, rtol=1e-7)


def test_what_limbs_do_not_share_stays_zero() -> None:
    """Two limbs on one joint: their mixed entries are zero before and after, which is what the order is for."""
    matrix = np.array(((4.0, 0, 0, 0, 0), (1, 3, 0, 0, 0), (1, 1, 3, 0, 0), (1, 0, 0, 3, 0), (1, 0, 0, 1, 3)))
    assert factor_last_first(matrix, 5)
    assert not matrix[3:, 1:3].any()


@pytest.mark.parametrize("matrix", [[[0.0]], [[1.0, 0.0], [2.0, 1.0]], [[1.0, 0.0], [1.0, 1.0]], [[np.nan]], [[-1.0]]])
def test_from_the_last_row_up_too_only_positive_matrices_pass(matrix: list[list[float]]) -> None:
    """Indefinite, singular or NaN: the answer is no, not a number."""
    assert not factor_last_first(np.array(matrix), len(matrix))
