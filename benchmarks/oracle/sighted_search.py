"""The compiled heart of the sighted oracle: the most faithful shape of any serial chain that meets its task.

Lowest mean angle between corresponding segments, after the best common turn about the vertical, under a hard limit on
the task's error and on every joint. A sequence of small quadratic programs, each angle's kink rounded less and less:

    minimise sum_k weight_k |u_k - R(heading) v_k + J_k step|^2 / 2   subject to   r + J_r step = t,  limits

where weight_k makes the parabola touch the angle (reweighted least squares) and t, the part of the task's error that is
used up, lies on the edge of what is allowed, in the direction the multipliers ask for. Derivatives are differences:
slow, and right for every chain. From many starts; the best are then shaken at random until nothing better is near.

Matrices only; nothing is shared with the package this judges.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from benchmarks.oracle.compiled import compiled
from benchmarks.oracle.sighted_pose import (
    FloatArray,
    Pose,
    Sight,
    mean_angle,
    nearest_choice,
    place,
    shape_gaps,
    task_error,
)

DIFFERENCE = 1e-7  # rad
ROUNDINGS = (0.3, 0.1, 0.03, 0.01, 0.003, 1e-3, 1e-4)  # of an angle's kink, rad
STEPS_PER_ROUNDING = 6
HALVINGS = 6
LEAN = 0.9  # how much of the allowed error the programs use; shaking finds the rest
HOPPED = 3  # of the best ends, one is taken for each hop
SHAKEN, SHAKES = 4, 400  # so many of the best ends, so often
LARGEST_SHAKE, SMALLEST_SHAKE = 0.05, 1e-5  # rad
SHAKING_PRICE = 30.0  # of missing the task, per rad: more than any shape can gain


class Work(NamedTuple):
    """Scratch: the pose, what is wrong with it, and how that changes with each joint."""

    pose: Pose
    gaps: FloatArray  # [joint, 3], from the posture's segments
    error: FloatArray  # [3], rad, of the task
    moved_gaps: FloatArray  # [joint, 3], the same with one joint moved a little
    moved_error: FloatArray  # [3]
    jacobian: FloatArray  # [joint, joint, 3], of the gaps, by the moved joint
    task_jacobian: FloatArray  # [3, joint]
    hessian: FloatArray  # [joint, joint]
    gradient: FloatArray  # [joint]
    trial: FloatArray  # [joint]


@compiled
def solve_dense(a: FloatArray, b: FloatArray, size: int) -> None:
    """Solve a x = b by elimination with row exchange; both are overwritten, b with x."""
    for column in range(size):
        pivot = column
        for row in range(column + 1, size):
            if abs(a[row, column]) > abs(a[pivot, column]):
                pivot = row
        for k in range(size):
            a[column, k], a[pivot, k] = a[pivot, k], a[column, k]
        b[column], b[pivot] = b[pivot], b[column]
        for row in range(column + 1, size):
            factor = a[row, column] / a[column, column] if a[column, column] != 0.0 else 0.0
            for k in range(column, size):
                a[row, k] -= factor * a[column, k]
            b[row] -= factor * b[column]
    for row in range(size - 1, -1, -1):
        for k in range(row + 1, size):
            b[row] -= a[row, k] * b[k]
        b[row] = b[row] / a[row, row] if a[row, row] != 0.0 else 0.0


@compiled
def boxed_step(
    hessian: FloatArray, gradient: FloatArray, task: FloatArray, missing: FloatArray, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Minimise the quadratic model under task step = missing and low <= step <= high: (step, multipliers).

    Joints that would leave their range are put on its edge one by one, the worst first.
    """
    n = gradient.size
    fixed, step = np.zeros(n), np.zeros(n)
    a, b = np.empty((n + 3, n + 3)), np.empty(n + 3)
    for _ in range(n + 1):
        a[:] = 0.0
        for i in range(n):
            a[i, i] = 1.0
            b[i] = step[i]
            if fixed[i] == 0.0:
                b[i] = -gradient[i]
                for j in range(n):
                    a[i, j] = hessian[i, j]
                for t in range(3):
                    a[i, n + t] = task[t, i]
        for t in range(3):
            a[n + t, n + t] = -1e-9  # a task may ask for fewer than three numbers
            b[n + t] = missing[t]
            for i in range(n):
                a[n + t, i] = task[t, i]
        solve_dense(a, b, n + 3)
        worst, excess = -1, 1e-12
        for i in range(n):
            if fixed[i] == 0.0:
                out = max(low[i] - b[i], b[i] - high[i])
                if out > excess:
                    worst, excess = i, out
        if worst < 0:
            break
        fixed[worst] = 1.0
        step[worst] = min(high[worst], max(low[worst], b[worst]))
    for i in range(n):
        step[i] = min(high[i], max(low[i], b[i]))
    return step, b[n : n + 3].copy()


@compiled
def empty_work(n: int) -> Work:
    """Make room for a chain of n joints."""
    return Work(
        Pose(np.empty((n, 3)), np.empty((n, 3, 3)), np.empty((n, 3))),
        np.empty((n, 3)),
        np.empty(3),
        np.empty((n, 3)),
        np.empty(3),
        np.empty((n, n, 3)),
        np.empty((3, n)),
        np.empty((n, n)),
        np.empty(n),
        np.empty(n),
    )


@compiled
def merit(sight: Sight, q: FloatArray, choice: int, rounding: float, price: float, work: Work) -> float:
    """Mean angle plus the price of every radian by which the task is missed; pose, gaps and error are overwritten."""
    place(sight, q, work.pose)
    shape_gaps(sight, work.pose, work.gaps)
    missed = task_error(sight, work.pose, choice, work.error) - sight.allowed
    return mean_angle(sight, work.gaps, rounding) + price * max(0.0, missed)


@compiled
def final_value(sight: Sight, q: FloatArray, work: Work) -> float:
    """Mean angle [rad] of a pose that meets the task, infinite for one that does not."""
    place(sight, q, work.pose)
    choice = nearest_choice(sight, work.pose, work.error)
    value = merit(sight, q, choice, 0.0, 0.0, work)
    return value if task_error(sight, work.pose, choice, work.error) <= sight.allowed else math.inf


@compiled
def differentiate(sight: Sight, q: FloatArray, choice: int, work: Work) -> None:
    """Write how gaps and error change with each joint, by differences around the pose in `work`."""
    for i in range(q.size):
        kept = q[i]
        q[i] = kept + DIFFERENCE
        place(sight, q, work.pose)
        q[i] = kept
        shape_gaps(sight, work.pose, work.moved_gaps)
        task_error(sight, work.pose, choice, work.moved_error)
        for k in range(q.size):
            for m in range(3):
                work.jacobian[i, k, m] = (work.moved_gaps[k, m] - work.gaps[k, m]) / DIFFERENCE
        for t in range(3):
            work.task_jacobian[t, i] = (work.moved_error[t] - work.error[t]) / DIFFERENCE


@compiled
def model_shape(rounding: float, damping: float, work: Work) -> None:
    """Write the parabola that touches the rounded mean angle at the pose in `work`."""
    n = work.gradient.size
    work.hessian[:] = 0.0
    work.gradient[:] = 0.0
    for k in range(n):
        gap = work.gaps[k]
        chord = math.sqrt(gap[0] ** 2 + gap[1] ** 2 + gap[2] ** 2)
        slope = 1.0 / math.sqrt(max(0.02, 1.0 - 0.25 * chord * chord))  # of the angle over its chord
        weight = slope / math.sqrt(chord * chord + rounding * rounding) / n
        for i in range(n):
            for m in range(3):
                work.gradient[i] += weight * work.jacobian[i, k, m] * gap[m]
                for j in range(n):
                    work.hessian[i, j] += weight * work.jacobian[i, k, m] * work.jacobian[j, k, m]
    for i in range(n):
        work.hessian[i, i] += damping


@compiled
def follow(
    sight: Sight, q: FloatArray, step: FloatArray, choice: int, rounding: float, price: float, work: Work
) -> bool:
    """Take the longest of ever shorter parts of a step that gains; q is overwritten if one does."""
    now = merit(sight, q, choice, rounding, price, work)
    length = 1.0
    for _ in range(HALVINGS):
        for i in range(q.size):
            work.trial[i] = q[i] + length * step[i]
        if merit(sight, work.trial, choice, rounding, price, work) < now - 1e-12:
            q[:] = work.trial
            return True
        length *= 0.5
    return False


@compiled
def descend(sight: Sight, q: FloatArray, work: Work) -> None:
    """Improve angles by quadratic programs, rounding less and less; q is overwritten."""
    edge = np.zeros(3)
    place(sight, q, work.pose)
    choice = nearest_choice(sight, work.pose, work.error)
    price, damping = 3.0, 1e-3
    for rounding in ROUNDINGS:
        for _ in range(STEPS_PER_ROUNDING):
            merit(sight, q, choice, rounding, price, work)
            differentiate(sight, q, choice, work)
            model_shape(rounding, damping, work)
            step, multipliers = boxed_step(
                work.hessian, work.gradient, work.task_jacobian, edge - work.error, sight.lower - q, sight.upper - q
            )
            pull = math.sqrt(multipliers[0] ** 2 + multipliers[1] ** 2 + multipliers[2] ** 2)
            price = max(price, 2.0 * pull)  # dear enough for missing the task never to pay
            # More error in the direction of the multipliers would gain most: lean there, with room for curvature.
            for t in range(3):
                edge[t] = LEAN * sight.allowed * multipliers[t] / pull if pull > 1e-9 else 0.0
            if follow(sight, q, step, choice, rounding, price, work):
                damping = max(1e-6, 0.5 * damping)
            else:
                damping = min(1e2, 8.0 * damping)


@compiled
def shake(sight: Sight, q: FloatArray, tries: int, work: Work) -> None:
    """Try random changes of every size near angles that meet the task; keep what is better; q is overwritten."""
    place(sight, q, work.pose)
    choice = nearest_choice(sight, work.pose, work.error)
    best = merit(sight, q, choice, 0.0, SHAKING_PRICE, work)
    size = LARGEST_SHAKE
    for _ in range(tries):
        one = np.random.randint(q.size) if np.random.random() < 0.3 else -1
        for i in range(q.size):
            change = size * np.random.normal() if one in (-1, i) else 0.0
            work.trial[i] = min(sight.upper[i], max(sight.lower[i], q[i] + change))
        value = merit(sight, work.trial, choice, 0.0, SHAKING_PRICE, work)
        if value < best - 1e-12:
            best = value
            q[:] = work.trial
            size *= 1.7
        else:
            size *= 0.93
        if not SMALLEST_SHAKE < size < 6.0 * LARGEST_SHAKE:
            size = LARGEST_SHAKE


@compiled
def hop(sight: Sight, ends: FloatArray, values: FloatArray, work: Work) -> None:
    """Descend anew from one of the best ends with one to three joints put anywhere; the result replaces the worst end.

    A joint stopped by a limit is put at the other one: a twist may find its way on from there.
    """
    order = np.argsort(values)
    q = ends[order[np.random.randint(min(HOPPED, len(order)))]].copy()
    for _ in range(1 if np.random.random() < 0.7 else 2):
        i = np.random.randint(q.size)
        low, high = max(sight.lower[i], -math.pi), min(sight.upper[i], math.pi)
        if q[i] <= low or q[i] >= high:
            q[i] = high if q[i] <= low else low
        else:
            q[i] = np.random.uniform(low, high)
    descend(sight, q, work)
    value = final_value(sight, q, work)
    if value < values[order[-1]]:
        ends[order[-1]] = q
        values[order[-1]] = value


@compiled
def search(sight: Sight, starts: FloatArray, seed: int, best_q: FloatArray) -> float:
    """Descend from every start [start, joint], hop as often from the best ends, shake the very best.

    `best_q` is overwritten; returns the mean angle [rad], infinite when no pose was found that meets the task.
    """
    np.random.seed(seed)
    work = empty_work(best_q.size)
    values, ends = np.empty(len(starts)), starts.copy()
    for s in range(len(starts)):
        descend(sight, ends[s], work)
        values[s] = final_value(sight, ends[s], work)
    for _ in range(len(starts)):
        hop(sight, ends, values, work)
    best = math.inf
    for s in np.argsort(values)[:SHAKEN]:
        if values[s] == math.inf:
            break
        q = ends[s].copy()
        shake(sight, q, SHAKES, work)
        value = final_value(sight, q, work)
        if values[s] < value:
            value, q = values[s], ends[s]
        if value < best:
            best = value
            best_q[:] = q
    return best
