"""Singular values by turning rows: the factors multiply back, and they are NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.kernels.arrays import FloatArray
from gestik.kernels.svd import turn_rows


def factored(matrix: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Left vectors, singular values, and diag(sigma) V^T."""
    rows, left, sigma = matrix.copy(), np.empty((len(matrix), len(matrix))), np.empty(len(matrix))
    turn_rows(rows, left, sigma, len(matrix))
    return left, sigma, rows


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (6, 7), (6, 6), (9, 4), (12, 28)])
def test_the_factors_are_those_of_numpy(shape: tuple[int, int]) -> None:
    """Random matrices, wide and tall."""
    matrix = np.random.default_rng(shape[1]).normal(size=shape)
    left, sigma, rows = factored(matrix)
    np.testing.assert_allclose(left @ rows, matrix, atol=1e-13)
    np.testing.assert_allclose(left.T @ left, np.eye(shape[0]), atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), sigma, rtol=1e-12)
    np.testing.assert_allclose(np.sort(sigma)[::-1][: min(shape)], np.linalg.svd(matrix)[1], atol=1e-13)
    gram = rows @ rows.T
    np.testing.assert_allclose(gram, np.diag(sigma**2), atol=1e-13)


def test_rank_is_told_by_the_values() -> None:
    """Equal rows, empty rows, tiny rows and nothing at all: finite, and zero where there is nothing."""
    rng = np.random.default_rng(3)
    row = rng.normal(size=5)
    matrix = np.array([row, row, np.zeros(5), 1e-9 * rng.normal(size=5)])
    left, sigma, rows = factored(matrix)
    np.testing.assert_allclose(left @ rows, matrix, atol=1e-15)
    np.testing.assert_allclose(np.sort(sigma), np.sort(np.append(np.linalg.svd(matrix)[1][:3], 0.0)), atol=1e-15)
    left, sigma, rows = factored(np.zeros((3, 4)))
    assert not sigma.any()
    np.testing.assert_array_equal(left, np.eye(3))
