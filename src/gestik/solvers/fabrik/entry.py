"""Where Python enters FABRIK on bodies: flat arrays in, one row of answers per row of targets."""

from __future__ import annotations

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain_table import Chain
from gestik.kernels.jit import borrowed, stage
from gestik.solvers.coordinate_descent.problem import Problem as Descent
from gestik.solvers.fabrik.body import Problem, empty_scratch
from gestik.solvers.fabrik.groups import Groups
from gestik.solvers.fabrik.search import search
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
    group_codes: IntArray,
    centres: FloatArray,
    handle_codes: IntArray,
    handle_table: FloatArray,
    cones: FloatArray,
    drives: IntArray,
    moves: IntArray,
    alone: IntArray,
    cone_of: IntArray,
    coned: FloatArray,
    spans: FloatArray,
    dofs: IntArray,
    both: bool,
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
    own = empty_scratch(len(codes), len(dofs), len(task_codes), len(group_codes))
    own_q = np.empty(len(dofs))
    scratch, q = borrowed(own), borrowed(own_q)
    groups = Groups(group_codes, centres, handle_codes, handle_table, cones, drives)
    problem = borrowed(Problem(Chain(codes, table, limits), Tasks(task_codes, task_table), groups, both))
    descent = borrowed(Descent(problem.chain, problem.tasks, moves, alone, cone_of, coned))
    for row in range(len(targets)):
        box = row if len(low) > 1 else 0
        read_targets(problem.tasks, targets, row, scratch.wanted)
        for i in range(len(dofs)):
            scratch.box[0, i], scratch.box[1, i] = low[box, dofs[i]], high[box, dofs[i]]
            q[i] = min(max(answers[row, dofs[i]], scratch.box[0, i]), scratch.box[1, i])
        report[row, ITERATIONS], report[row, ENDING] = search(problem, descent, spans, most, q, scratch)
        report[row, COST] = tasks_cost(problem.tasks, scratch.wanted, scratch.frames)
        for i in range(len(dofs)):
            answers[row, dofs[i]] = q[i]
        for task in range(len(task_codes)):
            errors[row, task] = task_error(problem.tasks, scratch.wanted, scratch.frames, task)
    # The owners of lent memory must outlive the loop.
    own.pose[0, 0] = own_q[0]
