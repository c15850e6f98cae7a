"""The loop of FABRIK on a body: iterate, notice when it is stuck, free it, return the best."""

from __future__ import annotations

import math

from gestik.goals.evaluate import TARGET
from gestik.kernels.arrays import FloatArray
from gestik.kernels.chain import pose_chain
from gestik.kernels.jit import kernel, stage
from gestik.kernels.spreading import spread
from gestik.kernels.vector import load3, load3_at, norm, subtract
from gestik.solvers.coordinate_descent.problem import Problem as Descent
from gestik.solvers.coordinate_descent.problem import Scratch as DescentScratch
from gestik.solvers.coordinate_descent.sweep import sweep_from_tip
from gestik.solvers.fabrik.body import Problem, Scratch, ball_angles, draw_into_cone, pass_to_base, pass_to_tip
from gestik.solvers.fabrik.groups import BALL, FIRST
from gestik.solvers.report import SEARCHED, SPENT, STALLED
from gestik.solvers.task_frames import place_tasks, tasks_cost, tasks_met

# So many iterations that come closer than ever before by less than this share mean that it is stuck.
PATIENCE = 8
LEAST_GAIN = 2e-2
# How often it is freed, and how far [rad or m] coordinates are pushed; the first time to leave a straight line.
PUSHES = 12
FIRST_PUSH = 0.2
WIDEST = 2.0
# Sweeps over single joints, and the move [rad or m] below which they stand still too.
SWEEPS = 10
LEAST_MOVE = 1e-3


@kernel
def place_all(problem: Problem, q: FloatArray, scratch: Scratch) -> None:
    """Renew the pose and the tasks' frames for the coordinates q [dof]."""
    pose_chain(problem.chain, q, scratch.pose)
    place_tasks(problem.tasks, scratch.pose, scratch.frames)


@kernel
def push(q: FloatArray, box: FloatArray, number: int) -> None:
    """Push the coordinates about inside their boxes, each time differently, and farther."""
    reach = FIRST_PUSH + (WIDEST - FIRST_PUSH) * (number - 1) / (PUSHES - 1)
    for dof in range(len(q)):
        pushed = q[dof] + reach * (2.0 * spread(number, dof, len(q)) - 1.0)
        q[dof] = min(max(pushed, box[0, dof]), box[1, dof])


@stage
def free(problem: Problem, descent: Descent, number: int, q: FloatArray, scratch: Scratch) -> None:
    """Get away from where the passes are stuck: sweep over single joints, which limits hold up less, or push."""
    place_all(problem, q, scratch)
    if number % 2 == 1:
        moved = 0.0
        lent = DescentScratch(scratch.wanted, scratch.box, scratch.pose, scratch.frames, scratch.best)
        for _ in range(SWEEPS):
            moved = sweep_from_tip(descent, q, lent)
            if tasks_met(problem.tasks, scratch.wanted, scratch.frames):
                return
        if moved > LEAST_MOVE:
            return
    push(q, scratch.box, number)
    for group in range(len(problem.groups.codes)):
        if problem.groups.codes[group, BALL] == 1:
            before = ball_angles(problem, problem.groups.codes[group, FIRST], scratch.best)
            draw_into_cone(problem, group, before, q)
    place_all(problem, q, scratch)


@kernel
def is_within_reach(problem: Problem, spans: FloatArray, scratch: Scratch) -> bool:
    """Whether the lengths alone let every goal be met: spans [task, 4], m, the fixed centre and how far from it."""
    for task in range(len(spans)):
        away = norm(subtract(load3_at(scratch.wanted, task, TARGET), load3(spans, task)))
        if away > spans[task, 3]:
            return False
    return True


@kernel
def search(
    problem: Problem, descent: Descent, spans: FloatArray, most: int, q: FloatArray, scratch: Scratch
) -> tuple[int, int]:
    """Iterate until every goal is met, at most `most` times; q [dof] is overwritten with the best seen.

    `scratch` brings the targets and the box q lies in, and leaves with the pose and the tasks' frames at q.  Returns
    the iterations, and how it ended.
    """
    place_all(problem, q, scratch)
    best_cost = tasks_cost(problem.tasks, scratch.wanted, scratch.frames)
    scratch.best[:] = q
    can_be_met = is_within_reach(problem, spans, scratch)
    landmark, since, pushes, iterations, ending = math.inf, 0, 0, 0, SPENT
    while not tasks_met(problem.tasks, scratch.wanted, scratch.frames):
        if iterations == most:
            break
        pass_to_base(problem, q, scratch)
        pass_to_tip(problem, q, scratch)
        place_tasks(problem.tasks, scratch.pose, scratch.frames)
        iterations += 1
        cost = tasks_cost(problem.tasks, scratch.wanted, scratch.frames)
        if cost < best_cost:
            best_cost = cost
            scratch.best[:] = q
        since += 1
        if cost < (1.0 - LEAST_GAIN) * landmark:
            landmark, since = cost, 0
        if since < PATIENCE:
            continue
        if pushes == PUSHES or not can_be_met:
            ending = STALLED
            break
        pushes += 1
        q[:] = scratch.best
        free(problem, descent, pushes, q, scratch)
        landmark, since = math.inf, 0
    else:
        return iterations, SEARCHED
    q[:] = scratch.best
    place_all(problem, q, scratch)
    return iterations, ending
