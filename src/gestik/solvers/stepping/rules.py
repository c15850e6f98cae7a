"""The one place that tells the rules of Jacobian methods apart."""

from __future__ import annotations

from gestik.kernels.jit import kernel
from gestik.solvers.dls.step import dls_step
from gestik.solvers.prioritised.step import prioritised_step
from gestik.solvers.pseudoinverse.step import pseudoinverse_step
from gestik.solvers.sdls.step import sdls_step
from gestik.solvers.stepping.settings import DLS, PRIORITISED, PSEUDOINVERSE, SDLS, TRANSPOSE, Settings, Work
from gestik.solvers.stepping.vectors import add_posture, clamp_largest
from gestik.solvers.tasks.layout import Tasks
from gestik.solvers.transpose.step import transpose_step


@kernel
def make_step(tasks: Tasks, settings: Settings, work: Work) -> None:
    """Write a step of the free coordinates to work.step, by the method's own rule."""
    if settings.rule == TRANSPOSE:
        transpose_step(work)
    elif settings.rule == PSEUDOINVERSE:
        pseudoinverse_step(work)
    elif settings.rule == DLS:
        dls_step(settings, work)
    elif settings.rule == SDLS:
        sdls_step(tasks, settings, work)
    elif settings.rule == PRIORITISED:
        # The posture is the last of its levels.
        prioritised_step(tasks, settings, work)
    if settings.posture_offset >= 0 and settings.rule != PRIORITISED:
        add_posture(settings, work)
    clamp_largest(work.step, settings.largest_step)
