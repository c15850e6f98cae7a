"""The step of CCD and BWCD: the value of one joint that is best for all goals it moves, the others standing still."""

from __future__ import annotations

from gestik.goals.evaluate import NO_SIGHT, TARGET, missing_turn
from gestik.goals.kinds import AIM_AT_POINT, ORIENTATION_GOAL, POSITION_GOAL
from gestik.kernels.arrays import FloatArray, Vector
from gestik.kernels.best_turn import Pull, best_angle, pull_on_rotation, pull_on_sight, pull_on_vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import load4_at
from gestik.kernels.vector import dot, load3_at, norm, subtract
from gestik.solvers.coordinate_descent.problem import Problem
from gestik.solvers.task_frames import POINT, SIGHT, TURNED
from gestik.solvers.tasks.layout import KIND, WEIGHT, Tasks


@kernel
def pull_of_task(tasks: Tasks, wanted: FloatArray, frames: FloatArray, task: int, centre: Vector, axis: Vector) -> Pull:
    """How one goal pulls at a joint that turns about the world `axis` through `centre`."""
    kind = tasks.codes[task, KIND]
    if kind == ORIENTATION_GOAL:
        return pull_on_rotation(axis, missing_turn(wanted, task, load4_at(frames, task, TURNED)))
    target, point = load3_at(wanted, task, TARGET), load3_at(frames, task, POINT)
    if kind == POSITION_GOAL:
        return pull_on_vector(axis, subtract(point, centre), subtract(target, centre))
    looking = load3_at(frames, task, SIGHT)
    if kind == AIM_AT_POINT:
        if norm(subtract(target, point)) < NO_SIGHT:
            return 0.0, 0.0
        return pull_on_sight(axis, centre, point, looking, target)
    return pull_on_vector(axis, looking, target)


@kernel
def best_turned(
    problem: Problem,
    wanted: FloatArray,
    frames: FloatArray,
    joint: int,
    centre: Vector,
    axis: Vector,
    angle: float,
    lower: float,
    upper: float,
) -> float:
    """The best angle [rad] from lower to upper of a joint that stands at `angle`: all goals it moves pull at it."""
    tasks = problem.tasks
    cosine, sine = 0.0, 0.0
    for task in range(len(tasks.codes)):
        if problem.moves[joint, task] == 1:
            pull = pull_of_task(tasks, wanted, frames, task, centre, axis)
            square = tasks.table[task, WEIGHT] ** 2
            cosine, sine = cosine + square * pull[0], sine + square * pull[1]
    return best_angle((cosine, sine), angle, lower, upper)


@kernel
def best_slid(
    problem: Problem,
    wanted: FloatArray,
    frames: FloatArray,
    joint: int,
    axis: Vector,
    place: float,
    lower: float,
    upper: float,
) -> float:
    """The best place [m] from lower to upper of a joint that slides along `axis`: only positions pull at it."""
    tasks = problem.tasks
    total, weights = 0.0, 0.0
    for task in range(len(tasks.codes)):
        if problem.moves[joint, task] == 1 and tasks.codes[task, KIND] == POSITION_GOAL:
            square = tasks.table[task, WEIGHT] ** 2
            missing = subtract(load3_at(wanted, task, TARGET), load3_at(frames, task, POINT))
            total, weights = total + square * dot(axis, missing), weights + square
    best = place + (total / weights if weights > 0.0 else 0.0)
    return min(max(best, lower), upper)
