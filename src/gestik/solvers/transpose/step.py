"""A step along the transpose of the Jacobian."""

from __future__ import annotations

from gestik.kernels.jit import kernel
from gestik.solvers.stepping.settings import Work


@kernel
def transpose_step(work: Work) -> None:
    """Write a step alpha J^T e, Ribeiro & Paiva eq. 4, to work.step.

    alpha = <e, J J^T e> / <J J^T e, J J^T e>, which brings J times the step as near to e as it can be (Buss 2004,
    sec. 4): the equation leaves alpha open.
    """
    J, e, step = work.free_jacobian, work.free_error, work.step
    for i in range(len(step)):
        step[i] = 0.0
        for k in range(len(e)):
            step[i] += J[k, i] * e[k]
    along, square = 0.0, 0.0
    for k in range(len(e)):
        moved = 0.0
        for i in range(len(step)):
            moved += J[k, i] * step[i]
        along += e[k] * moved
        square += moved * moved
    alpha = along / square if square > 1e-300 else 0.0
    for i in range(len(step)):
        step[i] *= alpha
