"""A damped least-squares step, by elimination or by singular values."""

from __future__ import annotations

from gestik.kernels.jit import kernel
from gestik.kernels.linear import cholesky, solve_cholesky
from gestik.solvers.stepping.settings import FIXED_DAMPING, Settings, Work
from gestik.solvers.stepping.vectors import add_inverse, damping_for, factor_jacobian, length_of


@kernel
def dls_step(settings: Settings, work: Work) -> None:
    """Write J^T (J J^T + lambda^2 1)^-1 e, Ribeiro & Paiva eq. 9, or the same by eq. 10, to work.step."""
    if settings.by_svd == 0 and settings.damping_rule == FIXED_DAMPING and settings.damping > 0.0:
        _by_elimination(settings.damping, work)
        return
    floor, count = factor_jacobian(work), len(work.free_error)
    damping = damping_for(settings, work.sigma, count, floor, length_of(work.free_error, count))
    for i in range(len(work.step)):
        work.step[i] = 0.0
    add_inverse(work, count, floor, damping, work.free_error)


@kernel
def _by_elimination(damping: float, work: Work) -> None:
    """Eq. 9 as it stands; rounding can only spoil it where the damping is next to nothing."""
    J, e, A, x = work.free_jacobian, work.free_error, work.square, work.short
    for k in range(len(e)):
        x[k] = e[k]
        for other in range(k + 1):
            total = damping * damping if k == other else 0.0
            for i in range(J.shape[1]):
                total += J[k, i] * J[other, i]
            A[k, other] = total
    is_solved = cholesky(A, len(e))
    if is_solved:
        solve_cholesky(A, len(e), x)
    for i in range(len(work.step)):
        work.step[i] = 0.0
        if is_solved:
            for k in range(len(e)):
                work.step[i] += J[k, i] * x[k]
