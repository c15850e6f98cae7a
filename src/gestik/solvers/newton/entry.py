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
from gestik.solvers.newton.descent import descend, whole_cost
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
    carve_scratch,
    scratch_size,
)
from gestik.solvers.newton.search import search, survey
from gestik.solvers.report import COST, ENDING, ITERATIONS, REPORT_WIDTH, SEARCHED, SPENT, STALLED

# Modes.
SOLVE, FOLLOW = 0, 1

# Places in `codes`, the problem's whole numbers; the tables of the tree, of the tasks and the tree's dofs come after.
JOINTS, DOFS, TASKS, MODEL, STEPS, RESTARTS, POSTURE_AT, WHOLE, HEADER = 0, 1, 2, 3, 4, 5, 6, 7, 8


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
def map_starts(codes: IntArray, numbers: FloatArray, places: FloatArray) -> None:
    """Complete the map [place, dof + SIGHT_WIDTH task], whose first columns hold angles of the tree."""
    survey(unpack(codes, numbers)[0], places)


@stage
def solve_rows(
    codes: IntArray,
    numbers: FloatArray,
    places: FloatArray,
    mode: int,
    targets: FloatArray,
    starts: FloatArray,
    low: FloatArray,
    high: FloatArray,
    out: FloatArray,
) -> None:
    """Solve each row of targets, or in mode FOLLOW improve each row of starts inside its box low..high.

    places [place, dof + SIGHT_WIDTH task] is the map: where to begin again, and where the goals' frames are there.  out
    [row, skeleton dof + error + REPORT_WIDTH] is overwritten: the answers, in which joints off the tree keep the start
    or take the posture; each task's error and, for a posture, the root mean square distance from it; the report.
    Few arrays cross the border, because each takes as long as a tenth of a step.
    """
    own_problem, dofs = unpack(codes, numbers)
    width = codes[WHOLE]
    answers, errors, report = out[:, :width], out[:, width:-REPORT_WIDTH], out[:, -REPORT_WIDTH:]
    joints, size, tasks = len(own_problem.chain.codes), len(dofs), len(own_problem.tasks.codes)
    needed = scratch_size(joints, size, tasks)
    own_memory, own_free = np.empty(needed + 4 * size + len(places)), np.empty(size, np.int32)
    problem, memory, free = borrowed(own_problem), borrowed(own_memory), borrowed(own_free)
    scratch = carve_scratch(joints, size, tasks, memory[:needed], free)
    q, best = memory[needed : needed + size], memory[needed + size : needed + 2 * size]
    box, costs = memory[needed + 2 * size : needed + 4 * size].reshape((2, size)), memory[needed + 4 * size :]
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
            cost, steps = search(problem, places, q, best, box, costs, worth, scratch)
        else:
            for i in range(size):
                box[0, i], box[1, i] = low[room, dofs[i]], high[room, dofs[i]]
                q[i] = min(box[1, i], max(box[0, i], start[dofs[i]]))
            cost, _, steps = descend(problem, q, box, worth, whole_cost(problem, q, scratch), scratch)
        off = 0.0
        for i in range(size):
            answers[row, dofs[i]] = q[i]
            off += (q[i] - scratch.held[i]) ** 2
        pose_chain(problem.chain, q, scratch.pose)
        for task in range(tasks):
            errors[row, task] = task_error(
                problem.tasks.codes, problem.tasks.table, scratch.targets, scratch.pose, task
            )
        if errors.shape[1] > tasks:
            errors[row, tasks] = math.sqrt(off / size)
        report[row, COST], report[row, ITERATIONS] = cost, steps
        report[row, ENDING] = SPENT if steps >= problem.steps else STALLED
        if mode == SOLVE and problem.restarts > 0:
            report[row, ENDING] = SEARCHED
    if len(codes) == 0:  # keeps the owners of lent memory alive until here
        own_memory[0] = own_free[0] = 0
