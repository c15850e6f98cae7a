"""Small dense linear algebra by hand: compiled code has no BLAS when SciPy is not installed."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel


@kernel
def cholesky(matrix: FloatArray, size: int) -> bool:
    """Factor the leading `size` block of a symmetric matrix in place: lower triangle L with L L^T = matrix.

    The diagonal holds 1 / L_ii, because whoever solves divides by it again and again.  Reads and overwrites the lower
    triangle only.  Returns False, with the block spoiled, where it is not positive.
    """
    for i in range(size):
        for j in range(i):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = total * matrix[j, j]
        total = matrix[i, i]
        for k in range(i):
            total -= matrix[i, k] * matrix[i, k]
        if not total > 0.0:
            return False
        matrix[i, i] = 1.0 / math.sqrt(total)
    return True


@kernel
def solve_cholesky(factor: FloatArray, size: int, vector: FloatArray) -> None:
    """Solve L L^T x = vector for the factor of `cholesky`; `vector` is overwritten by x."""
    for i in range(size):
        total = vector[i]
        for k in range(i):
            total -= factor[i, k] * vector[k]
        vector[i] = total * factor[i, i]
    for i in range(size - 1, -1, -1):
        total = vector[i]
        for k in range(i + 1, size):
            total -= factor[k, i] * vector[k]
        vector[i] = total * factor[i, i]


@kernel
def factor_last_first(matrix: FloatArray, size: int) -> bool:
    """Factor a symmetric matrix in place from its last row up: lower triangle L with L^T L = matrix.

    Where rows are joints and parents come first, entries of joints on different limbs are zero; in this order they stay
    zero, and cost next to nothing.  The diagonal holds 1 / L_ii.  Reads and overwrites the lower triangle only.
    Returns False, with the matrix spoiled, where it is not positive.
    """
    for k in range(size - 1, -1, -1):
        if not matrix[k, k] > 0.0:
            return False
        inverse = 1.0 / math.sqrt(matrix[k, k])
        matrix[k, k] = inverse
        for j in range(k):
            matrix[k, j] *= inverse
        for i in range(k):
            part = matrix[k, i]
            if part != 0.0:
                for j in range(i + 1):
                    matrix[i, j] -= part * matrix[k, j]
    return True


@kernel
def solve_last_first(factor: FloatArray, size: int, vector: FloatArray) -> None:
    """Solve L^T L x = vector for the factor of `factor_last_first`; `vector` is overwritten by x."""
    for k in range(size - 1, -1, -1):
        value = vector[k] * factor[k, k]
        vector[k] = value
        for i in range(k):
            vector[i] -= value * factor[k, i]
    for k in range(size):
        total = vector[k]
        for j in range(k):
            total -= factor[k, j] * vector[j]
        vector[k] = total * factor[k, k]
