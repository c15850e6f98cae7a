"""Tasks one after the other, each in what those before it do not feel."""

from __future__ import annotations

from gestik.kernels.jit import kernel, stage
from gestik.kernels.svd import turn_rows
from gestik.solvers.stepping.settings import Settings, Work
from gestik.solvers.stepping.vectors import add_inverse, damping_for, length_of, length_of_rows, rank_floor
from gestik.solvers.tasks.layout import PRIORITY, ROWS, Tasks

# Of the size of a level's Jacobian: smaller singular values behind the projector are what levels before have used up.
USED_UP = 1e-6


@stage
def prioritised_step(tasks: Tasks, settings: Settings, work: Work) -> None:
    """Write the step of Baerlocher 2001, Ribeiro & Paiva eq. 14, of any number of levels, to work.step.

    Corrected: the projector is that of the undamped inverse, cut off at its rank; with the damped one a level would
    disturb those before it.  It starts as what is free to move.
    """
    for i in range(len(work.step)):
        work.step[i] = 0.0
        for j in range(len(work.step)):
            work.projector[i, j] = float(work.free[i]) if i == j else 0.0
    for level in range(len(work.costs)):
        _take_level(settings, work, _see_level(tasks, level, work), length_of_rows(work.free_jacobian))
    if settings.posture_offset >= 0:
        _take_level(settings, work, _see_posture(settings, work), 1.0)


@kernel
def _see_level(tasks: Tasks, level: int, work: Work) -> int:
    """Write a level's Jacobian behind the projector to rows, what is left of its error to short; returns its rows."""
    count = 0
    for task in range(len(tasks.codes)):
        if tasks.codes[task, PRIORITY] != level:
            continue
        for k in range(ROWS * task, ROWS * task + ROWS):
            left = work.free_error[k]
            for i in range(len(work.step)):
                left -= work.free_jacobian[k, i] * work.step[i]
                total = 0.0
                for j in range(len(work.step)):
                    total += work.free_jacobian[k, j] * work.projector[j, i]
                work.rows[count, i] = total
            work.short[count] = left
            count += 1
    return count


@kernel
def _see_posture(settings: Settings, work: Work) -> int:
    """The same for the posture, whose Jacobian is the identity without the rows of coordinates that do not count.

    Corrected: its error is that of the angles as they are.  Section 4.0.4 takes off what the first task does, and so
    does eq. 25 again.
    """
    for k in range(len(work.step)):
        for i in range(len(work.step)):
            work.rows[k, i] = work.drawn[k] * work.projector[k, i]
        work.short[k] = work.drawn[k] * (settings.posture_gain * work.pull[k] - work.step[k])
    return len(work.step)


@kernel
def _take_level(settings: Settings, work: Work, count: int, scale: float) -> None:
    """Add a level's step, and take from the projector what it has used."""
    turn_rows(work.rows, work.left, work.sigma, count)
    floor = max(rank_floor(work.sigma, count), USED_UP * scale)
    damping = damping_for(settings, work.sigma, count, floor, length_of(work.short, count))
    add_inverse(work, count, floor, damping, work.short)
    for k in range(count):
        if work.sigma[k] <= floor:
            continue
        share = 1.0 / (work.sigma[k] * work.sigma[k])
        for i in range(len(work.step)):
            for j in range(len(work.step)):
                work.projector[i, j] -= share * work.rows[k, i] * work.rows[k, j]
