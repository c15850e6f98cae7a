"""Linear algebra by hand: what NumPy's LAPACK says, and an honest no where a matrix is not positive."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.kernels.linear import cholesky, solve_cholesky


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
