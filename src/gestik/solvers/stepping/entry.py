"""Where Python enters the Jacobian methods: flat arrays in, one row of answers per row of targets."""

from __future__ import annotations

import numpy as np

from gestik.goals.evaluate import TARGET_WIDTH
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain import pose_chain
from gestik.kernels.chain_table import POSE_WIDTH, Chain
from gestik.kernels.jit import borrowed, kernel, stage
from gestik.solvers.report import COST, ENDING, ITERATIONS
from gestik.solvers.stepping.loop import iterate
from gestik.solvers.stepping.settings import Settings, Work
from gestik.solvers.tasks.layout import BODY_WIDTH, PRIORITY, ROWS, WEIGHT, Tasks
from gestik.solvers.tasks.residuals import gather_masses, task_error
from gestik.solvers.tasks.targets import read_targets


@kernel
def unpack_settings(n: FloatArray) -> Settings:
    """Read the settings from their flat form."""
    return Settings(
        int(n[0]),
        int(n[1]),
        int(n[2]),
        n[3],
        n[4],
        n[5],
        n[6],
        n[7],
        int(n[8]),
        n[9],
        int(n[10]),
        int(n[11]),
    )


@kernel
def empty_work(joints: int, bodies: int, tasks: int, levels: int, m: int, n: int) -> Work:
    """Memory for one thread's solves."""
    most = max(m, n)
    return Work(
        np.empty((joints, POSE_WIDTH)),
        np.empty((bodies, BODY_WIDTH)),
        np.empty((tasks, TARGET_WIDTH)),
        np.empty(m),
        np.empty((m, n)),
        np.empty(tasks),
        np.empty(m),
        np.empty((m, n)),
        np.empty(m),
        np.empty((most, n)),
        np.empty((most, most)),
        np.empty(most),
        np.empty((m, m)),
        np.empty(most),
        np.empty((n, n)),
        np.empty(n),
        np.empty(n),
        np.empty(n),
        np.empty(n),
        np.empty(n),
        np.empty(n),
        np.empty(n, np.int32),
        np.empty(n),
        np.empty(levels),
        np.empty(levels),
        np.empty(levels),
    )


@stage
def solve_rows(
    codes: IntArray,
    table: FloatArray,
    limits: FloatArray,
    task_codes: IntArray,
    task_table: FloatArray,
    bodies: FloatArray,
    numbers: FloatArray,
    drawn: FloatArray,
    dofs: IntArray,
    endless: IntArray,
    targets: FloatArray,
    starts: FloatArray,
    low: FloatArray,
    high: FloatArray,
    answers: FloatArray,
    errors: FloatArray,
    report: FloatArray,
) -> None:
    """Solve each row of targets from its start, inside its box low..high [skeleton dof].

    answers [row, skeleton dof] holds what the joints off the tree shall be and gets the tree's angles; errors
    [row, task] and report [row, REPORT_WIDTH] are overwritten.
    """
    dof_count, task_count = len(dofs), len(task_codes)
    level_count = 1 + task_codes[:, PRIORITY].max()
    own_work = empty_work(len(codes), len(bodies), task_count, level_count, ROWS * task_count, dof_count)
    own_q, own_box = np.empty(dof_count), np.empty((2, dof_count))
    work, q, box = borrowed(own_work), borrowed(own_q), borrowed(own_box)
    chain, tasks = borrowed(Chain(codes, table, limits)), borrowed(Tasks(task_codes, task_table))
    settings = unpack_settings(numbers)
    for i in range(dof_count):
        work.drawn[i] = drawn[i]
    for row in range(len(targets)):
        start, boxed = row if len(starts) > 1 else 0, row if len(low) > 1 else 0
        read_targets(tasks, targets, row, work.wanted)
        for i in range(dof_count):
            box[0, i], box[1, i] = low[boxed, dofs[i]], high[boxed, dofs[i]]
            q[i] = min(box[1, i], max(box[0, i], starts[start, dofs[i]]))
            if settings.posture_offset >= 0:
                work.posture[i] = targets[row, settings.posture_offset + dofs[i]]
        iterations, ending = iterate(chain, tasks, bodies, settings, endless, box, q, work)
        report[row, ITERATIONS], report[row, ENDING] = iterations, ending
        for i in range(dof_count):
            answers[row, dofs[i]] = q[i]
        pose_chain(chain, q, work.pose)
        gather_masses(chain, bodies, work.pose, work.gathered)
        cost = 0.0
        for task in range(task_count):
            errors[row, task] = task_error(tasks, work.wanted, work.pose, work.gathered, task)
            cost += (task_table[task, WEIGHT] * errors[row, task]) ** 2
        report[row, COST] = cost
    keep_alive(own_work, own_q, own_box)


@kernel
def keep_alive(work: Work, q: FloatArray, box: FloatArray) -> None:
    """Touch the owners of lent memory, so that the compiler does not free them before the loop is over."""
    if len(q) == 0:
        work.step[0] = q[0] = box[0, 0] = 0.0
