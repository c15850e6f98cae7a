"""Singular values of small matrices by one-sided Jacobi turns: compiled code has no LAPACK when SciPy is not installed.

Hestenes 1958: rows are turned in pairs until all are at right angles.  Small singular values come out to their own
last digits, which is what tells a singular pose from one that is nearly so.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import stage

SWEEPS = 40  # six or seven do
RIGHT_ANGLE = 1e-15  # cosine of two rows that count as at right angles
NOTHING = 1e-150  # a row shorter than this has no direction


@stage
def turn_rows(matrix: FloatArray, left: FloatArray, sigma: FloatArray, count: int) -> None:
    """Factor the first m = `count` rows of a matrix [m, n] as left . diag(sigma) . V^T; all three are overwritten.

    The matrix becomes diag(sigma) . V^T; left [m, m] is orthogonal, its columns the left singular vectors; sigma [m],
    unsorted, has no more than n that are not zero.
    """
    width = matrix.shape[1]
    for i in range(count):
        for j in range(count):
            left[i, j] = 1.0 if i == j else 0.0
    for _ in range(SWEEPS):
        is_done = True
        for p in range(count - 1):
            for q in range(p + 1, count):
                if _turn_pair(matrix, left, p, q, count, width):
                    is_done = False
        if is_done:
            break
    for i in range(count):
        total = 0.0
        for k in range(width):
            total += matrix[i, k] * matrix[i, k]
        sigma[i] = math.sqrt(total)


@stage
def _turn_pair(matrix: FloatArray, left: FloatArray, p: int, q: int, count: int, width: int) -> bool:
    """Turn two rows until they are at right angles; False where they were."""
    pp, qq, pq = 0.0, 0.0, 0.0
    for k in range(width):
        a, b = matrix[p, k], matrix[q, k]
        pp += a * a
        qq += b * b
        pq += a * b
    if abs(pq) <= RIGHT_ANGLE * math.sqrt(pp * qq) or pp < NOTHING or qq < NOTHING:
        return False
    slope = 0.5 * (qq - pp) / pq
    tangent = math.copysign(1.0, slope) / (abs(slope) + math.sqrt(1.0 + slope * slope))
    cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
    sine = cosine * tangent
    for k in range(width):
        a, b = matrix[p, k], matrix[q, k]
        matrix[p, k], matrix[q, k] = cosine * a - sine * b, sine * a + cosine * b
    for k in range(count):
        a, b = left[k, p], left[k, q]
        left[k, p], left[k, q] = cosine * a - sine * b, sine * a + cosine * b
    return True
