"""Newton's local method: steps on a quadratic model of the cost, damped until they gain, inside the limits.

Levenberg and Marquardt's damping makes an indefinite Hessian positive and shortens steps the model does not deserve;
joints that a limit holds, because the cost falls beyond it, leave the equations (Bertsekas 1982).
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain import pose_chain
from gestik.kernels.jit import kernel, stage
from gestik.kernels.linear import factor_last_first, solve_last_first
from gestik.solvers.newton.bends import build_model, measure_tasks
from gestik.solvers.newton.problem import BFGS, EXACT, GRADIENT, HYBRID, Problem, Scratch

ENOUGH = 0.5  # of the tolerance: closer than this a goal is met for good
FLAT = 1e-7  # of the cost: a model that promises less is at its minimum
START_DAMPING = 0.1  # rad^2 or m^2, a unit of cost
FAST = 0.2  # of the cost: a step that gains less asks for the exact Hessian
HOPELESS = 1e30  # damping that no curvature asks for
STILL = 1e-9  # rad or m: a shorter step is none


@kernel
def whole_cost(problem: Problem, q: FloatArray, scratch: Scratch) -> tuple[float, float]:
    """Cost at q [dof], posture included, and the worst error in units of its tolerance; the pose is overwritten."""
    pose_chain(problem.chain, q, scratch.pose)
    cost, worst = measure_tasks(problem.tasks, scratch.targets, scratch.pose)
    if problem.hold > 0.0:
        off = 0.0
        for i in range(len(q)):
            off += (q[i] - scratch.held[i]) ** 2
        cost += 0.5 * problem.hold * off
    return cost, worst


@kernel
def hold_at_limits(q: FloatArray, limits: FloatArray, gradient: FloatArray, free: IntArray) -> None:
    """Mark which coordinates are free: all but those at a limit beyond which the cost would fall."""
    for i in range(len(q)):
        outward = (q[i] <= limits[0, i] and gradient[i] > 0.0) or (q[i] >= limits[1, i] and gradient[i] < 0.0)
        free[i] = 0 if outward else 1


@kernel
def damped_step(q: FloatArray, limits: FloatArray, damping: float, scratch: Scratch) -> bool:
    """Minimise the damped model inside the limits; the step is overwritten.

    Coordinates that would leave are fixed where they leave, and the others are solved again.  Returns False where the
    model is not positive.
    """
    hessian, factor, gradient, step, free = (
        scratch.hessian,
        scratch.factor,
        scratch.gradient,
        scratch.step,
        scratch.free,
    )
    size = len(q)
    for i in range(size):
        step[i] = 0.0
    for _ in range(size):
        for i in range(size):
            if free[i] == 0:
                for j in range(i):
                    factor[i, j] = 0.0
                factor[i, i] = 1.0
                continue
            for j in range(i):
                factor[i, j] = hessian[i, j] if free[j] == 1 else 0.0
            factor[i, i] = hessian[i, i] + damping
        right_side(hessian, gradient, step, free, scratch.right)
        if not factor_last_first(factor, size):
            return False
        solve_last_first(factor, size, scratch.right)
        inside = True
        for i in range(size):
            if free[i] == 0:
                continue
            step[i] = scratch.right[i]
            there = q[i] + step[i]
            if there < limits[0, i] or there > limits[1, i]:
                step[i] = (limits[0, i] if there < limits[0, i] else limits[1, i]) - q[i]
                free[i] = 0
                inside = False
        if inside:
            return True
    return True


@kernel
def right_side(hessian: FloatArray, gradient: FloatArray, step: FloatArray, free: IntArray, right: FloatArray) -> None:
    """Write the right side of the equations of the free coordinates: what steps already fixed leave of the slope."""
    size = len(step)
    for i in range(size):
        right[i] = -gradient[i] if free[i] == 1 else 0.0
    for j in range(size):
        if free[j] == 1 or step[j] == 0.0:
            continue
        for i in range(size):
            if free[i] == 1:
                right[i] -= step[j] * (hessian[i, j] if i >= j else hessian[j, i])


@kernel
def promised_gain(hessian: FloatArray, gradient: FloatArray, step: FloatArray) -> float:
    """How much the model says the step gains."""
    gain = 0.0
    for i in range(len(step)):
        total = gradient[i] + 0.5 * hessian[i, i] * step[i]
        for j in range(i):
            total += hessian[i, j] * step[j]
        gain -= step[i] * total
    return gain


@kernel
def update_curvature(estimate: FloatArray, step: FloatArray, change: FloatArray, work: FloatArray) -> None:
    """Broyden, Fletcher, Goldfarb and Shanno's update of an estimated Hessian by a step and the gradient's change.

    Damped as by Powell 1978, so that it stays positive.  The estimate [dof, dof], `change` and `work` are overwritten.
    """
    size = len(step)
    bend, seen = 0.0, 0.0
    for i in range(size):
        work[i] = 0.0
        for j in range(size):
            work[i] += estimate[i, j] * step[j]
        bend += step[i] * work[i]
        seen += step[i] * change[i]
    if bend <= 0.0:
        return
    share = 1.0 if seen >= 0.2 * bend else 0.8 * bend / (bend - seen)
    for i in range(size):
        change[i] = share * change[i] + (1.0 - share) * work[i]
    seen = share * seen + (1.0 - share) * bend
    for i in range(size):
        for j in range(size):
            estimate[i, j] += change[i] * change[j] / seen - work[i] * work[j] / bend


@kernel
def replace_curvature(model: int, first: bool, scratch: Scratch) -> None:
    """Put the curvature of BFGS, or none for plain gradients, in the place of the one that was built."""
    size, estimate, gradient = len(scratch.step), scratch.estimate, scratch.gradient
    if model == BFGS:
        if first:
            for i in range(size):
                for j in range(size):
                    estimate[i, j] = 1.0 if i == j else 0.0
        else:
            for i in range(size):
                scratch.right[i] = gradient[i] - scratch.before[i]
            update_curvature(estimate, scratch.step, scratch.right, scratch.before)
        for i in range(size):
            scratch.before[i] = gradient[i]
    for i in range(size):
        for j in range(i + 1):
            scratch.hessian[i, j] = estimate[i, j] if model == BFGS else 0.0


@stage
def descend(
    problem: Problem,
    q: FloatArray,
    limits: FloatArray,
    worth: float,
    here: tuple[float, float],
    scratch: Scratch,
) -> tuple[float, float, int]:
    """Improve q [dof] (overwritten, stays inside limits [2, dof]); returns its cost, worst error and steps taken.

    `here` is the `whole_cost` at q, whose pose is still in `scratch`.
    Ends when the goals are met for good, or when a step promises to gain less than `worth`.
    """
    size, trial, model = len(q), scratch.trial, problem.model
    cost, worst = here
    damping = 1.0 if model == GRADIENT else START_DAMPING * (math.sqrt(cost) if model == EXACT else cost)
    growth, moved, exact = 2.0, True, model == EXACT
    for number in range(problem.steps):
        if worst <= ENOUGH and problem.hold == 0.0:
            return cost, worst, number
        if moved:
            build_model(problem, q, exact, scratch)
            if model >= BFGS:
                replace_curvature(model, number == 0, scratch)
        hold_at_limits(q, limits, scratch.gradient, scratch.free)
        while not damped_step(q, limits, damping, scratch):
            damping = max(4.0 * damping, 0.1 * math.sqrt(cost), STILL)
            if not damping < HOPELESS:
                return cost, worst, number
            hold_at_limits(q, limits, scratch.gradient, scratch.free)
        promise = promised_gain(scratch.hessian, scratch.gradient, scratch.step)
        longest = 0.0
        for i in range(size):
            longest = max(longest, abs(scratch.step[i]))
            trial[i] = min(limits[1, i], max(limits[0, i], q[i] + scratch.step[i]))
        if longest < STILL or promise < FLAT * cost or (worst <= 1.0 and promise < worth):
            if exact or model != HYBRID or worst <= 1.0:
                return cost, worst, number
            exact = moved = True  # a saddle looks flat to Gauss and Newton
            continue
        there, off = whole_cost(problem, trial, scratch)
        moved = there < cost
        if moved:
            ratio = (cost - there) / promise
            damping *= max(1.0 / 3.0, 1.0 - (2.0 * ratio - 1.0) ** 3)
            growth = 2.0
            if model == HYBRID:
                exact = cost - there < FAST * cost
            cost, worst = there, off
            for i in range(size):
                q[i] = trial[i]
            if model != GRADIENT:
                damping = min(damping, 0.1 * math.sqrt(cost) if exact else cost)
        else:
            damping = max(damping, 1e-9) * growth
            growth *= 2.0
    return cost, worst, problem.steps
