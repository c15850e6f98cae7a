"""Poise on any serial chain: a few structured and quasi-random starts, a few steps each, the best ones polished."""

from __future__ import annotations

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel
from gestik.solvers.poise.descent import descend
from gestik.solvers.poise.problem import Problem, Scratch, Wanted
from gestik.solvers.poise.residuals import cost_at, task_cost
from gestik.solvers.poise.starts import face_target, roll_tip

FIRST_STEPS = 4
SECOND_STEPS = 3
LAST_STEPS = 5
KEPT = 2
BATCHES = 5  # the first is always tried, the others while the tasks are not met
COARSE, FINE, FINEST = 1e-2, 1e-3, 1e-6  # below these a task's residual counts as quadratic
FIRST_TRUST, SECOND_TRUST, LAST_TRUST = 1.2, 0.4, 0.2  # rad
FIRST_WORTH, SECOND_WORTH = 1e-4, 2e-5  # cost: what a step must gain to be followed by another
MET = 0.002  # task cost below which the search is content
SADDLE = 1e-3  # rad: straight joints are saddles of the measures, so searches begin a little to one side


@kernel
def fill_start(problem: Problem, wanted: Wanted, number: int, q: FloatArray, pose: FloatArray) -> None:
    """Write start `number` into q, turned to face the target: 0 is the posture, the rest are quasi-random."""
    limits = problem.chain.limits
    for i in range(len(q)):
        begin = wanted.angles[i] if number == 0 else problem.starts[number - 1, i]
        q[i] = min(limits[1, i], max(limits[0, i], begin))
    face_target(problem, wanted, q, pose)
    roll_tip(problem, wanted, q, pose)
    for i in range(len(q)):
        if abs(q[i]) < SADDLE < limits[1, i]:
            q[i] = SADDLE


@kernel
def swap_rows(pool: FloatArray, costs: FloatArray, a: int, b: int) -> None:
    """Exchange two candidates."""
    for i in range(pool.shape[1]):
        pool[a, i], pool[b, i] = pool[b, i], pool[a, i]
    costs[a], costs[b] = costs[b], costs[a]


@kernel
def search(problem: Problem, wanted: Wanted, pool: FloatArray, costs: FloatArray, scratch: Scratch) -> int:
    """Leave the angles of least cost in pool[0] and their cost in costs[0]; returns how many starts were tried.

    pool [1 + start, dof] and costs [1 + start] are overwritten.
    """
    limits = problem.chain.limits
    total = 1 + len(problem.starts)
    tried, batch = 0, 1 + len(problem.starts) // BATCHES
    while tried < total:
        # The best so far stays in place 0 and competes with the new ones.
        first = tried
        tried = min(total, tried + batch)
        for number in range(first, tried):
            fill_start(problem, wanted, number, pool[number], scratch.pose)
            costs[number] = descend(
                problem, wanted, pool[number], limits, FIRST_STEPS, COARSE, FIRST_TRUST, FIRST_WORTH, scratch
            )
        for place in range(min(KEPT, tried)):
            least = place
            for number in range(place + 1, tried):
                if costs[number] < costs[least]:
                    least = number
            swap_rows(pool, costs, place, least)
            costs[place] = descend(
                problem, wanted, pool[place], limits, SECOND_STEPS, FINE, SECOND_TRUST, SECOND_WORTH, scratch
            )
        for place in range(1, min(KEPT, tried)):
            if costs[place] < costs[0]:
                swap_rows(pool, costs, 0, place)
        descend(problem, wanted, pool[0], limits, LAST_STEPS, FINEST, LAST_TRUST, 0.0, scratch)
        costs[0] = cost_at(problem, wanted, pool[0], scratch.pose)
        if task_cost(problem.tasks, wanted.target, scratch.pose) < MET:
            break
    return tried
