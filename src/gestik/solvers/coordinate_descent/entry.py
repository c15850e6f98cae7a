"""Where Python enters coordinate descent: flat arrays in, one row of answers per row of targets."""

from __future__ import annotations

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain_table import Chain
from gestik.kernels.jit import borrowed, stage
from gestik.solvers.coordinate_descent.problem import Problem, empty_scratch
from gestik.solvers.coordinate_descent.sweep import descend
from gestik.solvers.report import COST, ENDING, ITERATIONS
from gestik.solvers.task_frames import task_error, tasks_cost
from gestik.solvers.tasks.layout import Tasks
from gestik.solvers.tasks.targets import read_targets


@stage
def solve_rows(
    codes: IntArray,
    table: FloatArray,
    limits: FloatArray,
    task_codes: IntArray,
    task_table: FloatArray,
    moves: IntArray,
    alone: IntArray,
    cone_of: IntArray,
    cones: FloatArray,
    dofs: IntArray,
    order: int,
    most: int,
    targets: FloatArray,
    low: FloatArray,
    high: FloatArray,
    answers: FloatArray,
    errors: FloatArray,
    report: FloatArray,
) -> None:
    """Solve each row of targets inside its box low..high [row or 1, skeleton dof].

    answers [row, skeleton dof] holds the starts and gets the angles; errors [row, task] and report [row, REPORT_WIDTH]
    are overwritten.
    """
    own = empty_scratch(len(codes), len(dofs), len(task_codes))
    own_q = np.empty(len(dofs))
    scratch, q = borrowed(own), borrowed(own_q)
    problem = borrowed(
        Problem(Chain(codes, table, limits), Tasks(task_codes, task_table), moves, alone, cone_of, cones)
    )
    for row in range(len(targets)):
        box = row if len(low) > 1 else 0
        read_targets(problem.tasks, targets, row, scratch.wanted)
        for i in range(len(dofs)):
            scratch.box[0, i], scratch.box[1, i] = low[box, dofs[i]], high[box, dofs[i]]
            q[i] = min(max(answers[row, dofs[i]], scratch.box[0, i]), scratch.box[1, i])
        report[row, ITERATIONS], report[row, ENDING] = descend(problem, order, most, q, scratch)
        report[row, COST] = tasks_cost(problem.tasks, scratch.wanted, scratch.frames)
        for i in range(len(dofs)):
            answers[row, dofs[i]] = q[i]
        for task in range(len(task_codes)):
            errors[row, task] = task_error(problem.tasks, scratch.wanted, scratch.frames, task)
    # The owners of lent memory must outlive the loop.
    own.pose[0, 0] = own_q[0]
