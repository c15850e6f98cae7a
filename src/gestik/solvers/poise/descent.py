"""Poise's local method: Gauss-Newton steps on the reweighted model, inside a box that is limits and trust at once."""

from __future__ import annotations

from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain import pose_chain
from gestik.kernels.jit import kernel, stage
from gestik.kernels.linear import cholesky, solve_cholesky
from gestik.kernels.vector import dot, load3, scale
from gestik.solvers.poise.plan import Phase
from gestik.solvers.poise.problem import STRIDE, Problem, Scratch, Wanted
from gestik.solvers.poise.residuals import build_model, search_cost, task_residual

SHORTER, LONGER = 0.3, 2.5  # times a step that did not gain is tried again, and one after it that did begins


@kernel
def pack_free(
    normal: FloatArray, gradient: FloatArray, step: FloatArray, free: IntArray, factor: FloatArray, packed: FloatArray
) -> int:
    """Gather the equations of the free coordinates at the front of `factor` and `packed`; returns how many there are.

    What the fixed coordinates' steps contribute goes to the right-hand side.
    """
    count = 0
    for i in range(len(step)):
        if free[i] == 0:
            continue
        right = -gradient[i]
        column = 0
        for j in range(i + 1):
            if free[j] == 1:
                factor[count, column] = normal[i, j]
                column += 1
            else:
                right -= normal[i, j] * step[j]
        for j in range(i + 1, len(step)):
            if free[j] == 0:
                right -= normal[j, i] * step[j]
        packed[count] = right
        count += 1
    return count


@kernel
def box_step(
    normal: FloatArray,
    gradient: FloatArray,
    box: FloatArray,
    step: FloatArray,
    free: IntArray,
    factor: FloatArray,
    packed: FloatArray,
) -> bool:
    """Minimise the quadratic model over box[0] <= step <= box[1]; `step` is overwritten, the last three are scratch.

    Coordinates that leave the box are fixed where they left it and the rest is solved again: always inside the box,
    exact whenever no bound or the right ones are active.  Returns whether `factor` holds the free coordinates' factor.
    """
    size = len(step)
    for i in range(size):
        # A coordinate that stands at a bound and is drawn beyond it stays there.
        stays = (box[0, i] >= 0.0 and gradient[i] > 0.0) or (box[1, i] <= 0.0 and gradient[i] < 0.0)
        free[i] = 0 if stays else 1
        step[i] = 0.0
    for _ in range(size):
        count = pack_free(normal, gradient, step, free, factor, packed)
        if not cholesky(factor, count):
            break
        solve_cholesky(factor, count, packed)
        inside = True
        column = 0
        for i in range(size):
            if free[i] == 0:
                continue
            step[i] = packed[column]
            column += 1
            if step[i] < box[0, i] or step[i] > box[1, i]:
                step[i] = box[0, i] if step[i] < box[0, i] else box[1, i]
                free[i] = 0
                inside = False
        if inside:
            return True
    for i in range(size):
        if free[i] == 1:
            step[i] = 0.0
    return False


@kernel
def restore_tasks(problem: Problem, wanted: Wanted, trial: FloatArray, limits: FloatArray, scratch: Scratch) -> None:
    """Bring `trial` back to the tasks it has left to second order, by the model it was found with.

    Without this a step along the curved set of poses that look at the target costs more gaze than it gains posture,
    and the search crawls.  Joints at the box's bounds stay there; `scratch.row` and the pose are overwritten.
    """
    free, packed, columns = scratch.free, scratch.row, scratch.task_columns
    size = len(trial)
    pose_chain(problem.chain, trial, scratch.pose)
    count = 0
    for i in range(size):
        if free[i] == 1:
            packed[count] = 0.0
            count += 1
    for task in range(len(problem.tasks.codes)):
        residual = scale(task_residual(problem.tasks, wanted.target, scratch.pose, task), scratch.task_weights[task])
        count = 0
        for i in range(size):
            if free[i] == 1:
                packed[count] -= dot(load3(columns, task * size + i), residual)
                count += 1
    solve_cholesky(scratch.factor, count, packed)
    count = 0
    for i in range(size):
        if free[i] == 1:
            trial[i] = min(limits[1, i], max(limits[0, i], trial[i] + packed[count]))
            count += 1


@stage
def descend(
    problem: Problem,
    wanted: Wanted,
    q: FloatArray,
    limits: FloatArray,
    phase: Phase,
    scratch: Scratch,
) -> float:
    """Improve q [dof] (overwritten, stays inside limits [2, dof]) for a while; returns its cost, rounded as it was."""
    box, step, trial = scratch.box, scratch.step, scratch.trial
    trust = phase.trust
    cost = search_cost(problem, wanted, q, phase.rounding, scratch.pose)
    moved, solved = True, False
    share = 1.0
    for _ in range(phase.steps):
        if moved:
            build_model(problem, wanted, q, phase, scratch)
            for i in range(len(q)):
                stride = trust * problem.coordinates[i, STRIDE]
                box[0, i] = max(-stride, limits[0, i] - q[i])
                box[1, i] = min(stride, limits[1, i] - q[i])
            solved = box_step(scratch.normal, scratch.gradient, box, step, scratch.free, scratch.factor, scratch.row)
        largest = 0.0
        for i in range(len(q)):
            largest = max(largest, abs(share * step[i]) / problem.coordinates[i, STRIDE])
            trial[i] = min(limits[1, i], max(limits[0, i], q[i] + share * step[i]))
        if solved:
            restore_tasks(problem, wanted, trial, limits, scratch)
        trial_cost = search_cost(problem, wanted, trial, phase.rounding, scratch.pose)
        moved = trial_cost < cost
        if moved:
            for i in range(len(q)):
                q[i] = trial[i]
            gain = cost - trial_cost
            cost = trial_cost
            if gain < phase.worth:
                break
            if share == 1.0:
                trust *= 1.5
            share = min(1.0, LONGER * share)
        else:
            # A shorter step the same way needs no new model; in a smaller box it would go another way.
            share *= SHORTER
        if largest < 1e-9:
            break
    return cost
