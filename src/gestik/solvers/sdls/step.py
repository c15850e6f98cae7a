"""A selectively damped step: each singular direction is damped as much as it needs."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel
from gestik.solvers.stepping.settings import Settings, Work
from gestik.solvers.stepping.vectors import along_left, clamp_largest, factor_jacobian
from gestik.solvers.tasks.layout import ROWS, Tasks


@kernel
def sdls_step(tasks: Tasks, settings: Settings, work: Work) -> None:
    """Write the step of Buss & Kim 2005, Ribeiro & Paiva eq. 11 and 12, to work.step.

    Corrected: i runs over the singular values that are not zero, M_i is a sum over the end-effectors, and so is N_i, of
    the lengths of each one's part of u_i; its single entries would make it, and the step, too large.
    """
    floor, count = factor_jacobian(work), len(work.free_error)
    step, direction, most = work.step, work.rested, settings.largest_step
    for i in range(len(step)):
        step[i] = 0.0
    for k in range(count):
        sigma = work.sigma[k]
        if sigma <= floor:
            continue
        reach, feared = 0.0, 0.0
        for task in range(len(tasks.codes)):
            reach += _part(work.left, task, k)
            for i in range(len(step)):
                feared += abs(work.rows[k, i]) / sigma * _speed(work.free_jacobian, task, i)
        feared /= sigma
        gamma = most if feared <= reach else most * reach / feared
        alpha = along_left(work.left, k, work.free_error, count)
        for i in range(len(step)):
            direction[i] = alpha / (sigma * sigma) * work.rows[k, i]
        clamp_largest(direction, gamma)
        for i in range(len(step)):
            step[i] += direction[i]


@kernel
def _part(left: FloatArray, task: int, column: int) -> float:
    """The length of one end-effector's part of a left singular vector."""
    row = ROWS * task
    return math.sqrt(left[row, column] ** 2 + left[row + 1, column] ** 2 + left[row + 2, column] ** 2)


@kernel
def _speed(jacobian: FloatArray, task: int, dof: int) -> float:
    """How fast one coordinate moves an end-effector: rho of eq. 11."""
    row = ROWS * task
    return math.sqrt(jacobian[row, dof] ** 2 + jacobian[row + 1, dof] ** 2 + jacobian[row + 2, dof] ** 2)
