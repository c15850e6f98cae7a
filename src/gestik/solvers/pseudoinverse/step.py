"""A step by the pseudoinverse of the Jacobian."""

from __future__ import annotations

from gestik.kernels.jit import kernel
from gestik.solvers.stepping.settings import Work
from gestik.solvers.stepping.vectors import add_inverse, factor_jacobian


@kernel
def pseudoinverse_step(work: Work) -> None:
    """Write the shortest step that does what can be done, J^+ e, Ribeiro & Paiva eq. 5, to work.step."""
    floor = factor_jacobian(work)
    for i in range(len(work.step)):
        work.step[i] = 0.0
    add_inverse(work, len(work.free_error), floor, 0.0, work.free_error)
