"""The iterative solver of Jacobian methods: Ribeiro & Paiva (ERIK), Algorithm 1, corrected.

- Lines 7 to 9 remember and test the clamped error, which is never above D_max, and never test the last update.  Here
  the error itself is remembered and tested, after every update.
- Lines 10, 15 and 19 remember the last increment only and return the start plus that.  Here the best angles are kept.
- Steps end at the limits: what would go farther is held there and the others step anew (Baerlocher 2001, sec. 6.5).
"""

from __future__ import annotations

import math

from gestik.goals.kinds import POSITION_GOAL
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain import pose_chain
from gestik.kernels.chain_table import Chain
from gestik.kernels.jit import kernel, stage
from gestik.kernels.vector import wrap_angle
from gestik.solvers.report import SEARCHED, SPENT, STALLED
from gestik.solvers.stepping.rules import make_step
from gestik.solvers.stepping.settings import Settings, Work
from gestik.solvers.tasks.layout import KIND, PRIORITY, ROWS, TOLERANCE, WEIGHT, Tasks
from gestik.solvers.tasks.residuals import stack_tasks

STILL = 1e-12  # rad or m: a step this short leads nowhere
SETTLED = 1e-4  # rad or m: where the goals are met, a shorter step towards the posture ends the search
PROGRESS = 1e-3  # part of the cost that must go in `patience` iterations


@stage
def iterate(
    chain: Chain,
    tasks: Tasks,
    bodies: FloatArray,
    settings: Settings,
    endless: IntArray,
    box: FloatArray,
    q: FloatArray,
    work: Work,
) -> tuple[int, int]:
    """Improve q [dof] inside the box [2, dof]; it is overwritten by the best found.  Returns iterations and ending."""
    holds_posture = settings.posture_offset >= 0
    for level in range(len(work.costs)):
        work.best_costs[level] = work.marks[level] = math.inf
    best_apart, mark_apart, moved = math.inf, math.inf, math.inf
    iteration, since, ending = 0, 0, SPENT
    while True:
        pose_chain(chain, q, work.pose)
        stack_tasks(
            chain, tasks, bodies, work.wanted, work.pose, work.gathered, work.residual, work.jacobian, work.sizes
        )
        is_met = weigh(tasks, work)
        apart = way_to_posture(holds_posture, endless, q, work)
        if _is_better(work.costs, work.best_costs, apart, best_apart):
            best_apart = apart
            for level in range(len(work.costs)):
                work.best_costs[level] = work.costs[level]
            for i in range(len(q)):
                work.best[i] = q[i]
        if is_met and (not holds_posture or moved < SETTLED):
            ending = SEARCHED
            break
        if iteration >= settings.iterations:
            break
        if _has_progressed(work) or best_apart < mark_apart * (1.0 - PROGRESS):
            since, mark_apart = 0, best_apart
            for level in range(len(work.costs)):
                work.marks[level] = work.best_costs[level]
        since += 1
        if moved < STILL or since > settings.patience:
            ending = STALLED
            break
        clamp_errors(tasks, settings, work)
        moved = step_inside(tasks, settings, box, q, work)
        iteration += 1
    for i in range(len(q)):
        q[i] = work.best[i]
    return iteration, ending


@kernel
def weigh(tasks: Tasks, work: Work) -> bool:
    """Write each level's cost, the sum of squares of weight times error, nothing where it is met; whether all are."""
    is_met = True
    for level in range(len(work.costs)):
        cost, is_level_met = 0.0, True
        for task in range(len(work.sizes)):
            if tasks.codes[task, PRIORITY] == level:
                is_level_met = is_level_met and work.sizes[task] <= tasks.table[task, TOLERANCE]
                cost += (tasks.table[task, WEIGHT] * work.sizes[task]) ** 2
        work.costs[level] = 0.0 if is_level_met else cost
        is_met = is_met and is_level_met
    return is_met


@kernel
def way_to_posture(holds_posture: bool, endless: IntArray, q: FloatArray, work: Work) -> float:
    """Write the way to the posture to work.pull, the short way round where a joint turns without end; its square."""
    total = 0.0
    for i in range(len(q)):
        way = 0.0
        if holds_posture:
            way = work.posture[i] - q[i]
            if endless[i] == 1:
                way = wrap_angle(way)
        work.pull[i] = way
        total += way * way
    return total


@kernel
def _is_better(costs: FloatArray, best: FloatArray, apart: float, best_apart: float) -> bool:
    """First the levels, one after the other, then the posture; of all but the last level next to nothing is given up.

    Without it the least bit of a level would outweigh all of those behind it.
    """
    last = len(costs) - 1
    for level in range(last + 1):
        slack = 0.0 if level == last else PROGRESS * min(costs[level], best[level])
        if costs[level] < best[level] - slack:
            return True
        if costs[level] > best[level] + slack:
            return False
    return apart < best_apart


@kernel
def _has_progressed(work: Work) -> bool:
    """Whether the best of any level is clearly better than when this was last so."""
    has_progressed = False
    for level in range(len(work.costs)):
        has_progressed = has_progressed or work.best_costs[level] < work.marks[level] * (1.0 - PROGRESS)
    return has_progressed


@kernel
def clamp_errors(tasks: Tasks, settings: Settings, work: Work) -> None:
    """ClampMag, eq. 8, of each task by itself; and the sign of the Jacobian by which the frames move."""
    for task in range(len(work.sizes)):
        is_place = tasks.codes[task, KIND] == POSITION_GOAL
        most = settings.clamp_length if is_place else settings.clamp_turn
        size = work.sizes[task]
        share = 1.0 if size <= most else most / size
        for k in range(ROWS * task, ROWS * task + ROWS):
            work.error[k] = share * work.residual[k]
            for dof in range(work.jacobian.shape[1]):
                work.jacobian[k, dof] = -work.jacobian[k, dof]


@kernel
def step_inside(tasks: Tasks, settings: Settings, box: FloatArray, q: FloatArray, work: Work) -> float:
    """Step, and hold what would leave the box where it would; q is overwritten.  Returns the longest move."""
    count = len(q)
    for i in range(count):
        # What has no room, or none where it would go, is found out by trying.
        work.free[i] = 1 if box[0, i] < box[1, i] else 0
        work.trial[i] = 0.0
    for _ in range(count + 1):
        _leave_out_held(work)
        make_step(tasks, settings, work)
        held = 0
        for i in range(count):
            if work.free[i] == 0:
                continue
            there = q[i] + work.step[i]
            if there < box[0, i] or there > box[1, i]:
                work.trial[i] = (box[0, i] if there < box[0, i] else box[1, i]) - q[i]
                work.free[i] = 0
                held += 1
        if held == 0:
            break
    longest = 0.0
    for i in range(count):
        change = work.step[i] if work.free[i] == 1 else work.trial[i]
        longest = max(longest, abs(change))
        q[i] = min(box[1, i], max(box[0, i], q[i] + change))
    return longest


@kernel
def _leave_out_held(work: Work) -> None:
    """The Jacobian of the coordinates that are free, and the error that is left to them."""
    for k in range(len(work.error)):
        left = work.error[k]
        for i in range(len(work.free)):
            if work.free[i] == 1:
                work.free_jacobian[k, i] = work.jacobian[k, i]
            else:
                work.free_jacobian[k, i] = 0.0
                left -= work.jacobian[k, i] * work.trial[i]
        work.free_error[k] = left
