"""Where poise begins: the drawn posture and fixed quasi-random ones, each first turned to face its target."""

from __future__ import annotations

import math

from gestik.goals.evaluate import TARGET, TWIN
from gestik.goals.kinds import AIM_ALONG, AIM_AT_POINT, ORIENTATION_GOAL
from gestik.kernels.arrays import REVOLUTE, FloatArray, Vector
from gestik.kernels.chain import pose_chain
from gestik.kernels.chain_table import AXIS, DOF, KIND, POSITION, ROTATION, WORLD_AXIS
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import conjugate, load4_at, multiply, rotate, twist_angle
from gestik.kernels.vector import add, cross, dot, load3_at, subtract, wrap_angle
from gestik.solvers.poise.problem import LOOKING, TASK_JOINT, TASK_KIND, TOOL, TURNED, Problem, Wanted


@kernel
def nearest_turn(angle: float, near: float, lower: float, upper: float) -> float:
    """Of the angles equal to `angle` modulo a full turn the one inside the limits nearest to `near`, else clamped."""
    best = near + wrap_angle(angle - near)
    if best < lower and best + 2.0 * math.pi <= upper:
        best += 2.0 * math.pi
    elif best > upper and best - 2.0 * math.pi >= lower:
        best -= 2.0 * math.pi
    elif best < lower or best > upper:
        # Out of range either way: the limit that is closer on the circle.
        below, above = abs(wrap_angle(lower - angle)), abs(wrap_angle(upper - angle))
        best = lower if below < above else upper
    return best


@kernel
def begin_at(problem: Problem, wanted: Wanted, number: int, turned: bool, q: FloatArray) -> None:
    """Write the angles of start `number`, or of its turned twin, as near as limits allow.

    Half a turn of the root about the vertical, and the same back in every joint that bends across the vertical, leave
    the same figure: where the root cannot turn so far, the twin has that heading.
    """
    limits = problem.chain.limits
    for i in range(len(q)):
        begin = wanted.angles[i] if number == 0 else problem.starts[number - 1, i]
        if turned:
            begin *= problem.coordinates[i, TURNED]
        q[i] = min(limits[1, i], max(limits[0, i], begin))


@kernel
def facing(problem: Problem, wanted: Wanted, pose: FloatArray) -> tuple[Vector, Vector]:
    """Where the first task looks now and where it should: world vectors; a place, as seen from the joint that turns."""
    codes, table = problem.tasks.codes, problem.tasks.table
    kind, joint = codes[0, TASK_KIND], codes[0, TASK_JOINT]
    rotation = load4_at(pose, joint, ROTATION)
    axis = load3_at(table, 0, LOOKING)
    looking = rotate(rotation, axis)
    if kind == ORIENTATION_GOAL:
        return looking, rotate(load4_at(wanted.target, 0, TARGET), axis)
    goal = load3_at(wanted.target, 0, TARGET)
    if kind == AIM_ALONG:
        return looking, goal
    point = add(load3_at(pose, joint, POSITION), rotate(rotation, load3_at(table, 0, TOOL)))
    if kind == AIM_AT_POINT:
        return looking, subtract(goal, point)
    root = load3_at(pose, max(0, problem.settings.turning), POSITION)
    return subtract(point, root), subtract(goal, root)


@kernel
def face_target(problem: Problem, wanted: Wanted, q: FloatArray, pose: FloatArray) -> float:
    """Turn one joint so that the first task looks the right way round; returns what its limits leave missing [rad]."""
    chain, joint = problem.chain, problem.settings.turning
    if joint < 0:
        return 0.0
    dof = chain.codes[joint, DOF]
    pose_chain(chain, q, pose)
    looking, goal = facing(problem, wanted, pose)
    axis = load3_at(pose, joint, WORLD_AXIS)
    sine = dot(cross(looking, goal), axis)
    cosine = dot(looking, goal) - dot(looking, axis) * dot(goal, axis)
    if sine * sine + cosine * cosine < 1e-12:
        return 0.0
    goal = q[dof] + math.atan2(sine, cosine)
    q[dof] = nearest_turn(goal, q[dof], chain.limits[0, dof], chain.limits[1, dof])
    return abs(wrap_angle(q[dof] - goal))


@kernel
def roll_tip(problem: Problem, wanted: Wanted, q: FloatArray, pose: FloatArray) -> None:
    """Turn the joint that carries a wanted orientation as near to it as it can come."""
    chain = problem.chain
    last = problem.tasks.codes[0, TASK_JOINT]
    if problem.tasks.codes[0, TASK_KIND] != ORIENTATION_GOAL or chain.codes[last, KIND] != REVOLUTE:
        return
    pose_chain(chain, q, pose)
    rotation = load4_at(pose, last, ROTATION)
    axis = load3_at(chain.table, last, AXIS)
    dof = chain.codes[last, DOF]
    low, high = chain.limits[0, dof], chain.limits[1, dof]
    here = q[dof]
    least = math.inf
    for column in (TARGET, TWIN):
        goal = here + twist_angle(multiply(conjugate(rotation), load4_at(wanted.target, 0, column)), axis)
        rolled = nearest_turn(goal, here, low, high)
        short = abs(wrap_angle(rolled - goal))
        if short < least - 1e-9:
            least = short
            q[dof] = rolled
