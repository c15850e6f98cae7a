"""The cost of all goals on a tree, its gradient and its Hessian, in one sweep from the tips to the base.

Erleben & Andrews 2017 build the Hessian goal by goal, each along its own chain.  Here what all goals beyond a joint ask
is summed up first, as the slope [6] and the curvature [6, 6] of their cost by motions of the world's origin; a joint
then needs one product with each joint above it, however many goals it carries.  In this form their eq. 21 (corrected:
``w x (v x dp)``, w being nearer the root) is the part of the curvature that vanishes with the residuals.
"""

from __future__ import annotations

import math

from gestik.goals.evaluate import NO_SIGHT, TARGET, goal_curvature, goal_residual, missing_turn, residual_size
from gestik.goals.kinds import AIM_AT_POINT, ORIENTATION_GOAL, POSITION_GOAL
from gestik.kernels.arrays import PRISMATIC, FloatArray, IntArray, Quaternion, Vector
from gestik.kernels.chain_table import DOF, KIND, PARENT, POSITION, ROTATION, WORLD_AXIS, Chain
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import load4_at, rotate, rotation_vector
from gestik.kernels.vector import add, cross, dot, load3_at, norm, scale, store3_at, subtract
from gestik.solvers.newton.problem import (
    BEND_WIDTH,
    CURVATURE,
    LOOKING,
    SLOPE,
    SQUARED_WEIGHT,
    TASK_JOINT,
    TASK_KIND,
    TOLERANCE,
    TOOL,
    Problem,
    Scratch,
    Tasks,
)


@kernel
def measure_tasks(tasks: Tasks, targets: FloatArray, pose: FloatArray) -> tuple[float, float]:
    """The cost of the goals, 1/2 (weight error)^2 each, and their largest error as a multiple of its tolerance."""
    codes, table = tasks.codes, tasks.table
    cost, worst = 0.0, 0.0
    for task in range(len(codes)):
        error = task_error(codes, table, targets, pose, task)
        cost += 0.5 * table[task, SQUARED_WEIGHT] * error * error
        worst = max(worst, error / max(table[task, TOLERANCE], 1e-12))
    return cost, worst


@kernel
def task_error(codes: IntArray, table: FloatArray, targets: FloatArray, pose: FloatArray, task: int) -> float:
    """How far a goal is from being met [m or rad]."""
    joint = codes[task, TASK_JOINT]
    rotation = load4_at(pose, joint, ROTATION)
    point = add(load3_at(pose, joint, POSITION), rotate(rotation, load3_at(table, task, TOOL)))
    looking = rotate(rotation, load3_at(table, task, LOOKING))
    kind = codes[task, TASK_KIND]
    return residual_size(kind, goal_residual(kind, targets, task, point, looking, rotation))


@kernel
def build_model(problem: Problem, q: FloatArray, exact: bool, scratch: Scratch) -> None:
    """Write the gradient and the Hessian (lower triangle) of the whole cost at q [dof], whose pose is in `scratch`.

    With `exact` false the Hessian is that of Gauss and Newton, never indefinite.
    """
    gradient, hessian = scratch.gradient, scratch.hessian
    for i in range(len(q)):
        gradient[i] = problem.hold * (q[i] - scratch.held[i])
        for j in range(i):
            hessian[i, j] = 0.0
        hessian[i, i] = problem.hold
    bends = scratch.bends
    for joint in range(len(problem.chain.codes)):
        for k in range(BEND_WIDTH):
            bends[joint, k] = 0.0
    add_tasks(problem.tasks, scratch.targets, scratch.pose, exact, bends)
    sweep(problem.chain, scratch.pose, exact, bends, scratch.columns, gradient, hessian)


@kernel
def add_tasks(tasks: Tasks, targets: FloatArray, pose: FloatArray, exact: bool, bends: FloatArray) -> None:
    """Add slope and curvature of every goal to the joint that carries its frame."""
    codes, table = tasks.codes, tasks.table
    for task in range(len(codes)):
        kind, joint, weight = codes[task, TASK_KIND], codes[task, TASK_JOINT], table[task, SQUARED_WEIGHT]
        rotation = load4_at(pose, joint, ROTATION)
        if kind == ORIENTATION_GOAL:
            add_turn(rotation_vector(missing_turn(targets, task, rotation)), weight, exact, bends, joint)
            continue
        point = add(load3_at(pose, joint, POSITION), rotate(rotation, load3_at(table, task, TOOL)))
        if kind == POSITION_GOAL:
            add_way(subtract(load3_at(targets, task, TARGET), point), point, weight, exact, bends, joint)
        else:
            looking = rotate(rotation, load3_at(table, task, LOOKING))
            add_gaze(kind, targets, task, point, looking, rotation, weight, exact, bends, joint)


@kernel
def add_way(missing: Vector, point: Vector, weight: float, exact: bool, bends: FloatArray, joint: int) -> None:
    """Add a position goal: what is `missing` [m] of a point, which turns w of the world move by w x point."""
    force = -weight * missing[0], -weight * missing[1], -weight * missing[2]
    moment = cross(point, force)
    square = dot(point, point)
    along = dot(point, force) if exact else 0.0
    arm = weight * point[0], weight * point[1], weight * point[2]
    for i in range(3):
        bends[joint, SLOPE + i] += force[i]
        bends[joint, SLOPE + 3 + i] += moment[i]
        bends[joint, CURVATURE + 7 * i] += weight
        bends[joint, CURVATURE + 21 + 7 * i] += weight * square - along
        for k in range(3):
            pull = point[i] * force[k] if exact else 0.0
            bends[joint, CURVATURE + 21 + 6 * i + k] += pull - arm[i] * point[k]
    add_cross_block(arm, bends, joint, CURVATURE + 18, 1.0)
    add_cross_block(arm, bends, joint, CURVATURE + 3, -1.0)


@kernel
def add_cross_block(v: Vector, bends: FloatArray, joint: int, corner: int, sign: float) -> None:
    """Add the matrix of ``v x``, times a sign, to a 3 x 3 block of the 6 x 6 curvature."""
    bends[joint, corner + 1] -= sign * v[2]
    bends[joint, corner + 2] += sign * v[1]
    bends[joint, corner + 6] += sign * v[2]
    bends[joint, corner + 8] -= sign * v[0]
    bends[joint, corner + 12] -= sign * v[1]
    bends[joint, corner + 13] += sign * v[0]


@kernel
def add_turn(missing: Vector, weight: float, exact: bool, bends: FloatArray, joint: int) -> None:
    """Add an orientation goal by its missing turn, axis times angle [rad].

    Half the squared angle bends by 1 about the axis, by (angle / 2) cot(angle / 2) across it, and twists by half the
    missing turn, because turns do not commute.  Gauss-Newton takes 1 for all of it.
    """
    angle = norm(missing)
    across = 1.0
    if exact and angle > 1e-4:
        across = 0.5 * angle / math.tan(0.5 * angle)
    beyond = (1.0 - across) / (angle * angle) if angle > 1e-4 else 0.0
    for i in range(3):
        bends[joint, SLOPE + 3 + i] -= weight * missing[i]
        bends[joint, CURVATURE + 21 + 7 * i] += weight * across
        for k in range(3):
            bends[joint, CURVATURE + 21 + 6 * i + k] += weight * beyond * missing[i] * missing[k]
    if exact:
        add_cross_block(missing, bends, joint, CURVATURE + 21, 0.5 * weight)


@kernel
def add_gaze(
    kind: int,
    targets: FloatArray,
    task: int,
    point: Vector,
    looking: Vector,
    rotation: Quaternion,
    weight: float,
    exact: bool,
    bends: FloatArray,
    joint: int,
) -> None:
    """Add an aim from the eye at `point`; the last row of `bends` is trampled on."""
    last = len(bends) - 1
    slope, curvature = bends[last, SLOPE : SLOPE + 6], bends[last, CURVATURE:].reshape((6, 6))
    goal_curvature(kind, targets, task, point, looking, rotation, slope, curvature)
    if not exact:
        flatten_gaze(kind, targets, task, point, looking, curvature)
    force = slope[0], slope[1], slope[2]
    moment = cross(point, force)
    for k in range(3):
        slope[3 + k] += moment[k]
    # To motions of the origin: with P the matrix of point x, [[1, 0], [P, 1]] . curvature . [[1, -P], [0, 1]].
    for row in range(6):
        part = cross(point, (curvature[row, 0], curvature[row, 1], curvature[row, 2]))
        for k in range(3):
            curvature[row, 3 + k] += part[k]
    for column in range(6):
        part = cross(point, (curvature[0, column], curvature[1, column], curvature[2, column]))
        for k in range(3):
            curvature[3 + k, column] += part[k]
    if exact:
        along = dot(point, force)
        for i in range(3):
            curvature[3 + i, 3 + i] -= along
            for k in range(3):
                curvature[3 + i, 3 + k] += point[i] * force[k]
    for k in range(BEND_WIDTH):
        bends[joint, k] += weight * bends[last, k]


@kernel
def flatten_gaze(
    kind: int, targets: FloatArray, task: int, point: Vector, looking: Vector, curvature: FloatArray
) -> None:
    """Write the Gauss-Newton curvature of an aim: J^T J of the chord from where the eye looks to where it should."""
    wanted, nearness = load3_at(targets, task, TARGET), 0.0
    if kind == AIM_AT_POINT:
        gap = subtract(wanted, point)
        distance = norm(gap)
        if distance < NO_SIGHT:
            return
        wanted, nearness = (gap[0] / distance, gap[1] / distance, gap[2] / distance), 1.0 / distance
    for i in range(3):
        unit = 1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0
        flat = subtract(unit, scale(wanted, wanted[i]))
        swung = scale(cross(looking, flat), nearness)
        for k in range(3):
            curvature[i, k] = nearness * nearness * flat[k]
            curvature[3 + i, 3 + k] = unit[k] - looking[i] * looking[k]
            curvature[i, 3 + k] = curvature[3 + k, i] = swung[k]


@kernel
def sweep(
    chain: Chain,
    pose: FloatArray,
    exact: bool,
    bends: FloatArray,
    columns: FloatArray,
    gradient: FloatArray,
    hessian: FloatArray,
) -> None:
    """Hand the bends down from joint to joint, and add what they make of each joint's motion and of each pair's.

    columns [joint, 6] is overwritten, and bends gathers at the base.
    """
    codes = chain.codes
    for joint in range(len(codes)):
        axis = load3_at(pose, joint, WORLD_AXIS)
        if codes[joint, KIND] == PRISMATIC:
            store3_at(columns, joint, 0, axis)
            store3_at(columns, joint, 3, (0.0, 0.0, 0.0))
        else:
            store3_at(columns, joint, 0, cross(load3_at(pose, joint, POSITION), axis))
            store3_at(columns, joint, 3, axis)
    for joint in range(len(codes) - 1, -1, -1):
        dof = codes[joint, DOF]
        linear, angular = load3_at(columns, joint, 0), load3_at(columns, joint, 3)
        force = load3_at(bends, joint, SLOPE)
        gradient[dof] += dot(linear, force) + dot(angular, load3_at(bends, joint, SLOPE + 3))
        pull, turn = bend_of(bends, joint, 0, linear, angular), bend_of(bends, joint, 3, linear, angular)
        if exact:
            turn = add(turn, cross(linear, force))
        hessian[dof, dof] += dot(linear, pull) + dot(angular, turn)
        above = codes[joint, PARENT]
        if above >= 0:
            for k in range(BEND_WIDTH):
                bends[above, k] += bends[joint, k]
        while above >= 0:
            other = codes[above, DOF]
            bend = dot(load3_at(columns, above, 0), pull) + dot(load3_at(columns, above, 3), turn)
            if other == dof:
                bend *= 2.0
            hessian[max(dof, other), min(dof, other)] += bend
            above = codes[above, PARENT]


@kernel
def bend_of(bends: FloatArray, joint: int, row: int, linear: Vector, angular: Vector) -> Vector:
    """Three rows of a joint's curvature times a motion."""
    at = CURVATURE + 6 * row
    return (
        dot(load3_at(bends, joint, at), linear) + dot(load3_at(bends, joint, at + 3), angular),
        dot(load3_at(bends, joint, at + 6), linear) + dot(load3_at(bends, joint, at + 9), angular),
        dot(load3_at(bends, joint, at + 12), linear) + dot(load3_at(bends, joint, at + 15), angular),
    )
