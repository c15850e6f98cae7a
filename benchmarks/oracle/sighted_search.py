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
from numba import njit
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

TURN = 0  # the task is an orientation of the last joint
LOOK = 1  # the task is an eye that looks at a point
DIFFERENCE = 1e-7  # rad
ROUNDINGS = (0.3, 0.1, 0.03, 0.01, 0.003, 1e-3, 1e-4)  # of an angle's kink, rad
STEPS_PER_ROUNDING = 6
HALVINGS = 6
SHAKES = 400
LARGEST_SHAKE, SMALLEST_SHAKE = 0.05, 1e-5  # rad
SHAKING_PRICE = 30.0  # of missing the task, per rad: more than any shape can gain


class Sight(NamedTuple):
    """One problem: a chain, its task, and the posture's segments."""

    axis: FloatArray  # [joint, 3], unit, own frame
    rest_position: FloatArray  # [joint, 3], m, in the frame of the joint before
    rest_rotation: FloatArray  # [joint, 3, 3]
    segment: FloatArray  # [joint, 3], unit, own frame; zero where there is none
    lower: FloatArray  # [joint], rad
    upper: FloatArray  # [joint], rad
    up: FloatArray  # [3], unit
    drawn: FloatArray  # [joint, 3], unit segments of the posture in the world
    kind: int  # TURN or LOOK
    tool: FloatArray  # [3], m, where the eye is, in the last joint's frame
    looking: FloatArray  # [3], unit, where it looks, in the last joint's frame
    wanted: FloatArray  # [choice, 3, 3], orientations of the last joint that are equally right
    point: FloatArray  # [3], m, what to look at
    allowed: float  # rad, error of the task that counts as none


class Pose(NamedTuple):
    """Scratch: where the chain is."""

    position: FloatArray  # [joint, 3]
    rotation: FloatArray  # [joint, 3, 3]
    direction: FloatArray  # [joint, 3]


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


@njit(cache=True)
def turned(axis: FloatArray, angle: float, v: FloatArray, out: FloatArray) -> None:
    """Write a vector turned about a unit axis."""
    c, s = math.cos(angle), math.sin(angle)
    along = (axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]) * (1.0 - c)
    x = c * v[0] + s * (axis[1] * v[2] - axis[2] * v[1]) + along * axis[0]
    y = c * v[1] + s * (axis[2] * v[0] - axis[0] * v[2]) + along * axis[1]
    z = c * v[2] + s * (axis[0] * v[1] - axis[1] * v[0]) + along * axis[2]
    out[0], out[1], out[2] = x, y, z


@njit(cache=True)
def place(sight: Sight, q: FloatArray, pose: Pose) -> None:
    """Forward kinematics by matrices; `pose` is overwritten."""
    column, local = np.empty(3), np.empty(3)
    for joint in range(q.size):
        for k in range(3):
            # Column k of rest rotation times turn: the rest rotation of the turned unit vector.
            local[:] = 0.0
            local[k] = 1.0
            turned(sight.axis[joint], q[joint], local, local)
            for i in range(3):
                column[i] = 0.0
                for m in range(3):
                    column[i] += sight.rest_rotation[joint, i, m] * local[m]
            for i in range(3):
                total = column[i]
                if joint > 0:
                    total = 0.0
                    for m in range(3):
                        total += pose.rotation[joint - 1, i, m] * column[m]
                pose.rotation[joint, i, k] = total
        for i in range(3):
            pose.position[joint, i] = sight.rest_position[joint, i]
            if joint > 0:
                pose.position[joint, i] = pose.position[joint - 1, i]
                for m in range(3):
                    pose.position[joint, i] += pose.rotation[joint - 1, i, m] * sight.rest_position[joint, m]
            pose.direction[joint, i] = 0.0
            for m in range(3):
                pose.direction[joint, i] += pose.rotation[joint, i, m] * sight.segment[joint, m]


@njit(cache=True)
def rotation_vector(rotation: FloatArray, goal: FloatArray, out: FloatArray) -> float:
    """Write axis times angle of the turn from one matrix to the other; returns the angle."""
    # The turn is goal rotation^T; its skew part holds axis * sin, its trace the cosine.
    turn = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            turn[i, j] = 0.0
            for m in range(3):
                turn[i, j] += goal[i, m] * rotation[j, m]
    out[0], out[1], out[2] = turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]
    sine = 0.5 * math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2)
    angle = math.atan2(sine, 0.5 * (turn[0, 0] + turn[1, 1] + turn[2, 2] - 1.0))
    factor = 0.5 if sine < 1e-12 else 0.5 * angle / sine
    for i in range(3):
        out[i] *= factor
    return angle


@njit(cache=True)
def task_error(sight: Sight, pose: Pose, choice: int, out: FloatArray) -> float:
    """Write the task's error as a rotation vector [rad]; returns its size."""
    last = len(pose.position) - 1
    if sight.kind == TURN:
        return rotation_vector(pose.rotation[last], sight.wanted[choice], out)
    look, gap = np.zeros(3), np.empty(3)
    for i in range(3):
        gap[i] = sight.point[i] - pose.position[last, i]
        for m in range(3):
            gap[i] -= pose.rotation[last, i, m] * sight.tool[m]
            look[i] += pose.rotation[last, i, m] * sight.looking[m]
    out[0] = look[1] * gap[2] - look[2] * gap[1]
    out[1] = look[2] * gap[0] - look[0] * gap[2]
    out[2] = look[0] * gap[1] - look[1] * gap[0]
    across = math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2)
    angle = math.atan2(across, look[0] * gap[0] + look[1] * gap[1] + look[2] * gap[2])
    for i in range(3):
        out[i] *= 0.0 if across < 1e-300 else angle / across
    return angle


@njit(cache=True)
def nearest_choice(sight: Sight, pose: Pose, scratch: FloatArray) -> int:
    """Tell which of the equally right orientations is nearest."""
    best, best_error = 0, math.inf
    for choice in range(len(sight.wanted)):
        error = task_error(sight, pose, choice, scratch)
        if error < best_error:
            best, best_error = choice, error
    return best


@njit(cache=True)
def shape_gaps(sight: Sight, pose: Pose, gaps: FloatArray) -> None:
    """Write what separates each segment from the posture's, after the best turn about the vertical."""
    up = sight.up
    cosine, sine = 0.0, 0.0
    for k in range(len(gaps)):
        u, v = pose.direction[k], sight.drawn[k]
        u_up = u[0] * up[0] + u[1] * up[1] + u[2] * up[2]
        v_up = v[0] * up[0] + v[1] * up[1] + v[2] * up[2]
        cosine += u[0] * v[0] + u[1] * v[1] + u[2] * v[2] - u_up * v_up
        sine += u[0] * (up[1] * v[2] - up[2] * v[1])
        sine += u[1] * (up[2] * v[0] - up[0] * v[2])
        sine += u[2] * (up[0] * v[1] - up[1] * v[0])
    heading = math.atan2(sine, cosine)
    for k in range(len(gaps)):
        turned(up, heading, sight.drawn[k], gaps[k])
        for i in range(3):
            gaps[k, i] = pose.direction[k, i] - gaps[k, i]


@njit(cache=True)
def mean_angle(sight: Sight, gaps: FloatArray, rounding: float) -> float:
    """Mean over the segments of the angle [rad] of these chords, its kink at 0 rounded."""
    total, count = 0.0, 0
    for k in range(len(gaps)):
        if sight.segment[k, 0] != 0.0 or sight.segment[k, 1] != 0.0 or sight.segment[k, 2] != 0.0:
            chord = math.sqrt(gaps[k, 0] ** 2 + gaps[k, 1] ** 2 + gaps[k, 2] ** 2)
            angle = 2.0 * math.asin(min(1.0, 0.5 * chord))
            total += math.sqrt(angle * angle + rounding * rounding) - rounding
            count += 1
    return total / max(1, count)


@njit(cache=True)
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


@njit(cache=True)
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
            a[n + t, n + t] = -1e-9  # a task may have fewer than three directions
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


@njit(cache=True)
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


@njit(cache=True)
def merit(sight: Sight, q: FloatArray, choice: int, rounding: float, price: float, work: Work) -> float:
    """Mean angle plus the price of every radian by which the task is missed; pose, gaps and error are overwritten."""
    place(sight, q, work.pose)
    shape_gaps(sight, work.pose, work.gaps)
    missed = task_error(sight, work.pose, choice, work.error) - sight.allowed
    return mean_angle(sight, work.gaps, rounding) + price * max(0.0, missed)


@njit(cache=True)
def final_value(sight: Sight, q: FloatArray, work: Work) -> float:
    """Mean angle [rad] of a pose that meets the task, infinite for one that does not."""
    place(sight, q, work.pose)
    choice = nearest_choice(sight, work.pose, work.error)
    value = merit(sight, q, choice, 0.0, 0.0, work)
    return value if task_error(sight, work.pose, choice, work.error) <= sight.allowed else math.inf


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
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
            # More error in the direction of the multipliers would gain most: lean there, up to a hair.
            for t in range(3):
                edge[t] = 0.999 * sight.allowed * multipliers[t] / pull if pull > 1e-9 else 0.0
            if follow(sight, q, step, choice, rounding, price, work):
                damping = max(1e-6, 0.5 * damping)
            else:
                damping = min(1e2, 8.0 * damping)


@njit(cache=True)
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


@njit(cache=True, nogil=True)
def search(sight: Sight, starts: FloatArray, shaken: int, seed: int, best_q: FloatArray) -> float:
    """Descend from every start [start, joint] and shake the best few; best_q is overwritten.

    Returns the mean angle [rad], infinite when no start met the task.
    """
    np.random.seed(seed)
    work = empty_work(best_q.size)
    values, ends = np.empty(len(starts)), starts.copy()
    for s in range(len(starts)):
        descend(sight, ends[s], work)
        values[s] = final_value(sight, ends[s], work)
    best = math.inf
    for s in np.argsort(values)[:shaken]:
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
