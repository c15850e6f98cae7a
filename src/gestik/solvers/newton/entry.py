"""Where Python enters newton: two flat arrays for the bound problem, one row of answers per row of targets."""

from __future__ import annotations

import math

import numpy as np

from gestik.goals.evaluate import TARGET, TWIN
from gestik.goals.kinds import ORIENTATION_GOAL
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain import pose_chain
from gestik.kernels.chain_table import CODE_WIDTH as CHAIN_CODE_WIDTH
from gestik.kernels.chain_table import TABLE_WIDTH, Chain
from gestik.kernels.jit import borrowed, kernel, stage
from gestik.kernels.measures import symmetric_twin
from gestik.kernels.quaternion import conjugate, load4_at, multiply, store4_at
from gestik.kernels.vector import load3_at, store3_at
from gestik.solvers.newton.bends import task_error
from gestik.solvers.newton.descent import descend
from gestik.solvers.newton.problem import (
    CODE_WIDTH,
    LOOKING,
    OFFSET,
    SQUARED_WEIGHT,
    SYMMETRIC,
    TASK_KIND,
    TASK_WIDTH,
    TOLERANCE,
    TOOL_ROTATION,
    Problem,
    Tasks,
    empty_scratch,
)
from gestik.solvers.newton.search import search, survey
from gestik.solvers.report import COST, ENDING, ITERATIONS, SEARCHED, SPENT, STALLED

# Modes.
SOLVE, FOLLOW = 0, 1

# Places in `codes`, the problem's whole numbers; the tables of the tree, of the tasks and the tree's dofs come after.
JOINTS, DOFS, TASKS, MODEL, STEPS, RESTARTS, POSTURE_AT, HEADER = 0, 1, 2, 3, 4, 5, 6, 7


@kernel
def read_targets(tasks: Tasks, targets: FloatArray, row: int, decoded: FloatArray) -> None:
    """Decode the targets of one row; rotations become those of the joint that carries the frame."""
    codes, table = tasks.codes, tasks.table
    for task in range(len(codes)):
        offset = codes[task, OFFSET]
        if codes[task, TASK_KIND] != ORIENTATION_GOAL:
            store3_at(decoded, task, TARGET, load3_at(targets, row, offset))
            continue
        rotation = multiply(load4_at(targets, row, offset), conjugate(load4_at(table, task, TOOL_ROTATION)))
        store4_at(decoded, task, TARGET, rotation)
        if codes[task, SYMMETRIC] == 1:
            rotation = symmetric_twin(rotation, load3_at(table, task, LOOKING))
        store4_at(decoded, task, TWIN, rotation)


@kernel
def unpack(codes: IntArray, numbers: FloatArray) -> tuple[Problem, IntArray]:
    """Cut the flat arrays into a problem and the skeleton's coordinate of each of the tree's."""
    joints, dofs, tasks = np.int64(codes[JOINTS]), np.int64(codes[DOFS]), np.int64(codes[TASKS])
    a = HEADER + joints * CHAIN_CODE_WIDTH
    b = a + tasks * CODE_WIDTH
    tree_codes = codes[HEADER:a].reshape((joints, CHAIN_CODE_WIDTH))
    task_codes, tree_dofs = codes[a:b].reshape((tasks, CODE_WIDTH)), codes[b : b + dofs]
    c = 1 + joints * TABLE_WIDTH
    d = c + 2 * dofs
    e = d + tasks * TASK_WIDTH
    table, limits = numbers[1:c].reshape((joints, TABLE_WIDTH)), numbers[c:d].reshape((2, dofs))
    task_table = numbers[d:e].reshape((tasks, TASK_WIDTH))
    tree, asked = Chain(tree_codes, table, limits), Tasks(task_codes, task_table)
    model, steps, restarts = int(codes[MODEL]), int(codes[STEPS]), int(codes[RESTARTS])
    problem = Problem(tree, asked, numbers[0], model, steps, restarts)
    return problem, tree_dofs


@stage
def map_starts(codes: IntArray, numbers: FloatArray, samples: FloatArray, sights: FloatArray) -> None:
    """Write where the goals' frames are at each of the samples [sample, dof]; sights [sample, task, SIGHT_WIDTH]."""
    survey(unpack(codes, numbers)[0], samples, sights)


@stage
def solve_rows(
    codes: IntArray,
    numbers: FloatArray,
    samples: FloatArray,
    sights: FloatArray,
    mode: int,
    targets: FloatArray,
    starts: FloatArray,
    low: FloatArray,
    high: FloatArray,
    answers: FloatArray,
    errors: FloatArray,
    report: FloatArray,
) -> None:
    """Solve each row of targets, or in mode FOLLOW improve each row of starts inside its box low..high.

    answers [row, skeleton dof] is overwritten: joints off the tree keep the start, or take the posture.  errors
    [row, task + 1] gets each task's error and the root mean square distance from the posture [rad or m]; report
    [row, REPORT_WIDTH] the cost, how many steps it took, and how it ended.
    """
    own_problem, dofs = unpack(codes, numbers)
    size, tasks = len(dofs), codes[TASKS]
    own_scratch = empty_scratch(codes[JOINTS], size, tasks)
    own_q, own_best, own_box, own_costs = np.empty(size), np.empty(size), np.empty((2, size)), np.empty(len(samples))
    problem, scratch = borrowed(own_problem), borrowed(own_scratch)
    q, best, box, costs = borrowed(own_q), borrowed(own_best), borrowed(own_box), borrowed(own_costs)
    worth = math.inf
    for task in range(tasks):
        table = problem.tasks.table
        worth = min(worth, 0.5e-4 * table[task, SQUARED_WEIGHT] * table[task, TOLERANCE] ** 2)
    limits, whole = problem.chain.limits, len(numbers) - 2 * answers.shape[1]
    for row in range(len(targets)):
        start, room = starts[row if len(starts) > 1 else 0], row if len(low) > 1 else 0
        for i in range(answers.shape[1]):
            wanted = targets[row, codes[POSTURE_AT] + i] if codes[POSTURE_AT] >= 0 else start[i]
            answers[row, i] = min(numbers[whole + 2 * i + 1], max(numbers[whole + 2 * i], wanted))
            if mode == FOLLOW:
                answers[row, i] = min(high[room, i], max(low[room, i], wanted))
        read_targets(problem.tasks, targets, row, scratch.targets)
        for i in range(size):
            q[i] = min(limits[1, i], max(limits[0, i], start[dofs[i]]))
            scratch.held[i] = targets[row, codes[POSTURE_AT] + dofs[i]] if codes[POSTURE_AT] >= 0 else q[i]
        if mode == SOLVE:
            cost, steps = search(problem, samples, sights, q, best, box, costs, worth, scratch)
        else:
            for i in range(size):
                box[0, i], box[1, i] = low[room, dofs[i]], high[room, dofs[i]]
                q[i] = min(box[1, i], max(box[0, i], start[dofs[i]]))
            cost, _, steps = descend(problem, q, box, worth, scratch)
        off = 0.0
        for i in range(size):
            answers[row, dofs[i]] = q[i]
            off += (q[i] - scratch.held[i]) ** 2
        pose_chain(problem.chain, q, scratch.pose)
        for task in range(tasks):
            errors[row, task] = task_error(
                problem.tasks.codes, problem.tasks.table, scratch.targets, scratch.pose, task
            )
        errors[row, tasks] = math.sqrt(off / size)
        report[row, COST], report[row, ITERATIONS] = cost, steps
        report[row, ENDING] = SPENT if steps >= problem.steps else STALLED
        if mode == SOLVE and problem.restarts > 0:
            report[row, ENDING] = SEARCHED
    if len(codes) == 0:  # keeps the owners of lent memory alive until here
        own_scratch.step[0] = own_q[0] = own_best[0] = own_box[0, 0] = own_costs[0] = 0.0
