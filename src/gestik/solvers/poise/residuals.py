"""The cost poise minimises, and its first-order model around a pose.

cost = sum of weight * measure over the tasks + posture weight * posture measure, every measure in [0, 1]
(ERIK, eq. 19).  The model is iteratively reweighted least squares: each residual r enters with the weight
rho'(|r|) / |r| of its own measure rho, so its minimiser is the minimiser of the true, kinked cost.
"""

from __future__ import annotations

import math

from gestik.goals.evaluate import TARGET, goal_residual, missing_turn, residual_change
from gestik.goals.kinds import ORIENTATION_GOAL, POSITION_GOAL
from gestik.kernels.arrays import PRISMATIC, FloatArray, Vector
from gestik.kernels.chain import pose_chain
from gestik.kernels.chain_table import DIRECTION, DOF, KIND, PARENT, POSITION, ROTATION, WORLD_AXIS, Chain
from gestik.kernels.jit import kernel
from gestik.kernels.measures import (
    BENT,
    DRAWN_DIRECTION,
    bend_measure,
    chord_measure,
    shape_measure,
)
from gestik.kernels.quaternion import load4_at, rotate
from gestik.kernels.vector import (
    add,
    add3,
    clear3,
    cross,
    dot,
    load3,
    load3_at,
    norm,
    safe_normalise,
    scale,
    store3,
    subtract,
)
from gestik.solvers.poise.plan import Phase
from gestik.solvers.poise.problem import (
    LOOKING,
    PAPER,
    PER_METRE,
    PULL,
    TASK_JOINT,
    TASK_KIND,
    TASK_WEIGHT,
    TOOL,
    Problem,
    Scratch,
    Settings,
    Tasks,
    Wanted,
)
from gestik.solvers.poise.shape_model import add_shape, shape_cost

SLOPE = math.sqrt(2.0) / 4.0  # of the orientation measure at zero, per radian
BEND_SMOOTHING = 0.01  # of a cosine, below which a bend's deviation counts as quadratic while searching


@kernel
def task_residual(tasks: Tasks, target: FloatArray, pose: FloatArray, task: int) -> Vector:
    """What is missing from one task, in the goal's own unit."""
    codes, table = tasks.codes, tasks.table
    joint = codes[task, TASK_JOINT]
    rotation = load4_at(pose, joint, ROTATION)
    point = add(load3_at(pose, joint, POSITION), rotate(rotation, load3_at(table, task, TOOL)))
    looking = rotate(rotation, load3_at(table, task, LOOKING))
    return goal_residual(codes[task, TASK_KIND], target, task, point, looking, rotation)


@kernel
def task_scale(tasks: Tasks, task: int) -> float:
    """What brings the task's residual to the scale of a measure: one for turns, one over the reach for distances."""
    return tasks.table[task, PER_METRE] if tasks.codes[task, TASK_KIND] == POSITION_GOAL else 1.0


@kernel
def task_columns(
    chain: Chain, tasks: Tasks, target: FloatArray, pose: FloatArray, task: int, columns: FloatArray, first: int
) -> None:
    """How the task's residual changes with each coordinate; the rows of columns [:, 3] from `first` on get it."""
    codes, table = chain.codes, tasks.table
    kind, last = tasks.codes[task, TASK_KIND], tasks.codes[task, TASK_JOINT]
    rotation = load4_at(pose, last, ROTATION)
    turn = missing_turn(target, task, rotation) if kind == ORIENTATION_GOAL else (1.0, 0.0, 0.0, 0.0)
    point = add(load3_at(pose, last, POSITION), rotate(rotation, load3_at(table, task, TOOL)))
    looking = rotate(rotation, load3_at(table, task, LOOKING))
    gap = subtract(load3_at(target, task, TARGET), point)
    sight, nearness = safe_normalise(gap), 1.0 / max(norm(gap), 1e-9)
    for i in range(chain.limits.shape[1]):
        store3(columns, first + i, (0.0, 0.0, 0.0))
    joint = last
    while joint >= 0:
        axis, place = load3_at(pose, joint, WORLD_AXIS), load3_at(pose, joint, POSITION)
        slides = codes[joint, KIND] == PRISMATIC
        change = residual_change(kind, slides, axis, place, point, looking, turn, sight, nearness)
        add3(columns, first + codes[joint, DOF], change)
        joint = codes[joint, PARENT]


@kernel
def posture_cost(settings: Settings, drawn: FloatArray, pose: FloatArray) -> float:
    """The posture measure of a pose in [0, 1]: the paper's, or the sighted angle as a part of pi."""
    if settings.measure == PAPER:
        return bend_measure(pose, DIRECTION, drawn, settings.base, settings.aggravation)
    return shape_measure(pose, DIRECTION, drawn, settings.up) / math.pi


@kernel
def search_cost(problem: Problem, wanted: Wanted, q: FloatArray, rounding: float, pose: FloatArray) -> float:
    """What the local method descends on: the cost with the sighted measure rounded, and the springs."""
    pose_chain(problem.chain, q, pose)
    settings = problem.settings
    posture = (
        posture_cost(settings, wanted.drawn, pose)
        if settings.measure == PAPER
        else shape_cost(settings, wanted.drawn, rounding, pose)
    )
    spring = 0.0
    for i in range(len(q)):
        spring += 0.5 * problem.coordinates[i, PULL] * (q[i] - wanted.angles[i]) ** 2
    return task_cost(problem.tasks, wanted.target, pose) + settings.posture_weight * posture + spring


@kernel
def task_cost(tasks: Tasks, target: FloatArray, pose: FloatArray) -> float:
    """The weighted sum of the tasks' measures."""
    cost = 0.0
    for task in range(len(tasks.codes)):
        size = norm(task_residual(tasks, target, pose, task)) * task_scale(tasks, task)
        measure = size / (1.0 + size) if tasks.codes[task, TASK_KIND] == POSITION_GOAL else chord_measure(size)
        cost += tasks.table[task, TASK_WEIGHT] * measure
    return cost


@kernel
def cost_at(problem: Problem, wanted: Wanted, q: FloatArray, pose: FloatArray) -> float:
    """The whole cost at the angles q; `pose` is overwritten with their frames."""
    pose_chain(problem.chain, q, pose)
    settings = problem.settings
    return task_cost(problem.tasks, wanted.target, pose) + settings.posture_weight * posture_cost(
        settings, wanted.drawn, pose
    )


@kernel
def add_block(
    normal: FloatArray, gradient: FloatArray, columns: FloatArray, first: int, residual: Vector, weight: float
) -> None:
    """Add weight * |residual + sum column_i step_i|^2 / 2, columns being rows from `first` on (lower triangle only)."""
    for i in range(len(gradient)):
        column = scale(load3(columns, first + i), weight)
        if column[0] == 0.0 and column[1] == 0.0 and column[2] == 0.0:
            continue  # most joints of a tree move but one of its ends
        gradient[i] += dot(column, residual)
        for j in range(i + 1):
            normal[i, j] += dot(column, load3(columns, first + j))


@kernel
def add_tasks(problem: Problem, target: FloatArray, scratch: Scratch, sharpness: float) -> None:
    """Model the tasks; residuals below `sharpness` count as quadratic."""
    tasks, pose, columns = problem.tasks, scratch.pose, scratch.task_columns
    for task in range(len(tasks.codes)):
        first = task * len(scratch.gradient)
        residual = task_residual(tasks, target, pose, task)
        factor = task_scale(tasks, task)
        size = norm(residual) * factor
        slope = 1.0 / (1.0 + size) ** 2 if tasks.codes[task, TASK_KIND] == POSITION_GOAL else SLOPE
        weight = tasks.table[task, TASK_WEIGHT] * slope * factor**2 / max(size, sharpness)
        scratch.task_weights[task] = weight
        task_columns(problem.chain, tasks, target, pose, task, columns, first)
        add_block(scratch.normal, scratch.gradient, columns, first, residual, weight)


@kernel
def add_bends(chain: Chain, settings: Settings, drawn: FloatArray, scratch: Scratch) -> None:
    """Model the paper's measure: the cosine of each bend against the posture's."""
    codes, pose, columns = chain.codes, scratch.pose, scratch.columns
    share, norm_sum = 1.0, 0.0
    for k in range(len(codes)):
        if drawn[k, BENT] > 0.0:
            norm_sum += share
            share *= settings.aggravation
    share = 0.5 * settings.posture_weight / max(1e-12, norm_sum)
    previous = previous_drawn = settings.base
    first = 0
    for k in range(len(codes)):
        if drawn[k, BENT] == 0.0:
            continue
        here, here_drawn = load3_at(pose, k, DIRECTION), load3_at(drawn, k, DRAWN_DIRECTION)
        missing = dot(previous, here) - dot(previous_drawn, here_drawn)
        lever = cross(here, previous)
        clear3(columns)
        # Joints before the previous bone carry both bones and leave the bend as it is.
        for joint in range(first, k + 1):
            if codes[joint, KIND] != PRISMATIC:
                columns[codes[joint, DOF], 0] += dot(load3_at(pose, joint, WORLD_AXIS), lever)
        weight = share / math.sqrt(missing**2 + BEND_SMOOTHING**2)
        add_block(scratch.normal, scratch.gradient, columns, 0, (missing, 0.0, 0.0), weight)
        share *= settings.aggravation
        previous, previous_drawn = here, here_drawn
        first = k + 1


@kernel
def build_model(problem: Problem, wanted: Wanted, q: FloatArray, phase: Phase, scratch: Scratch) -> None:
    """Normal equations of the reweighted least squares around `scratch.pose`, the pose of q."""
    normal, gradient, drawn_angles = scratch.normal, scratch.gradient, wanted.angles
    for i in range(len(q)):
        pull = problem.coordinates[i, PULL]
        gradient[i] = pull * (q[i] - drawn_angles[i])
        for j in range(i):
            normal[i, j] = 0.0
        normal[i, i] = pull
    add_tasks(problem, wanted.target, scratch, phase.sharpness)
    if problem.settings.posture_weight > 0.0:
        if problem.settings.measure == PAPER:
            add_bends(problem.chain, problem.settings, wanted.drawn, scratch)
        else:
            add_shape(problem.chain, problem.settings, wanted.drawn, phase.rounding, scratch)
