"""Pieces that several rules are made of: clamps, singular vectors, what no task feels."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel, stage
from gestik.kernels.svd import turn_rows
from gestik.solvers.stepping.settings import MACIEJEWSKI, Settings, Work

# Of the largest singular value: what is smaller is no direction the tasks can be moved in.
RANK = 1e-7


@kernel
def clamp_largest(vector: FloatArray, most: float) -> None:
    """ClampMaxAbs: make the whole vector shorter until its largest entry is `most`."""
    largest = 0.0
    for i in range(len(vector)):
        largest = max(largest, abs(vector[i]))
    if largest > most:
        for i in range(len(vector)):
            vector[i] *= most / largest


@stage
def factor_jacobian(work: Work) -> float:
    """Write the factors of the free Jacobian to rows, left and sigma; returns the least singular value that counts."""
    rows, free = work.rows, work.free_jacobian
    for k in range(len(free)):
        for i in range(free.shape[1]):
            rows[k, i] = free[k, i]
    turn_rows(rows, work.left, work.sigma, len(free))
    return rank_floor(work.sigma, len(free))


@kernel
def rank_floor(sigma: FloatArray, count: int) -> float:
    """The least a singular value may be to count."""
    largest = 0.0
    for k in range(count):
        largest = max(largest, sigma[k])
    return max(RANK * largest, 1e-12)


@kernel
def along_left(left: FloatArray, column: int, error: FloatArray, count: int) -> float:
    """The component of an error along a left singular vector."""
    total = 0.0
    for k in range(count):
        total += left[k, column] * error[k]
    return total


@kernel
def damping_for(settings: Settings, sigma: FloatArray, count: int, floor: float, size: float) -> float:
    """The damping: fixed, or Maciejewski's, Ribeiro & Paiva eq. 15, for an error of that size.

    The least singular value is taken among those that count: behind a projector some are zero by construction and would
    ask for damping that nothing needs.
    """
    if settings.damping_rule != MACIEJEWSKI:
        return settings.damping
    least = math.inf
    for k in range(count):
        if sigma[k] > floor:
            least = min(least, sigma[k])
    d = size / settings.bound
    if least <= 0.5 * d:
        return 0.5 * d
    return math.sqrt(least * (d - least)) if least < d else 0.0


@stage
def add_posture(settings: Settings, work: Work) -> None:
    """Add to the step what no task feels of the way to the posture: P z of eq. 6.

    Corrected: z leads towards the posture; with the sign printed, the gradient of the distance, it leads away.  P comes
    from the undamped inverse, cut off at its rank; with a damped one the posture would leak into the tasks.
    """
    floor = factor_jacobian(work)
    pull, rows = work.rested, work.rows
    for i in range(len(pull)):
        pull[i] = settings.posture_gain * work.pull[i] if work.free[i] == 1 else 0.0
    for k in range(len(work.free_error)):
        if work.sigma[k] <= floor:
            continue
        along = 0.0
        for i in range(len(pull)):
            along += rows[k, i] * pull[i]
        along /= work.sigma[k] * work.sigma[k]
        for i in range(len(pull)):
            pull[i] -= along * rows[k, i]
    clamp_largest(pull, settings.largest_step)
    for i in range(len(pull)):
        work.step[i] += pull[i]


@kernel
def add_inverse(work: Work, count: int, floor: float, damping: float, error: FloatArray) -> None:
    """Add J^+ e to the step from the first `count` factors: the sum of sigma / (sigma^2 + lambda^2) v (u . e).

    Ribeiro & Paiva eq. 10, corrected: the sum encloses the vectors, it does not stand before them.
    """
    for k in range(count):
        sigma = work.sigma[k]
        if sigma <= floor:
            continue
        # A row of factors is sigma v^T.
        share = along_left(work.left, k, error, count) / (sigma * sigma + damping * damping)
        for i in range(len(work.step)):
            work.step[i] += share * work.rows[k, i]


@kernel
def length_of(vector: FloatArray, count: int) -> float:
    """The length of the first `count` entries."""
    total = 0.0
    for k in range(count):
        total += vector[k] * vector[k]
    return math.sqrt(total)


@kernel
def length_of_rows(matrix: FloatArray) -> float:
    """The length of all entries together."""
    total = 0.0
    for k in range(matrix.shape[0]):
        for i in range(matrix.shape[1]):
            total += matrix[k, i] * matrix[k, i]
    return math.sqrt(total)
