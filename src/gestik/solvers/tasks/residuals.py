"""Residuals and Jacobians of tasks, stacked; the layout is told in layout.py."""

from __future__ import annotations

from typing import NamedTuple

from gestik.goals.evaluate import NO_SIGHT, TARGET, goal_residual, missing_turn, residual_change
from gestik.goals.kinds import AIM_AT_POINT, ORIENTATION_GOAL, POSITION_GOAL
from gestik.kernels.arrays import PRISMATIC, FloatArray, Quaternion, Vector
from gestik.kernels.chain_table import DOF, PARENT, POSITION, ROTATION, WORLD_AXIS, Chain
from gestik.kernels.chain_table import KIND as JOINT_KIND
from gestik.kernels.jit import kernel, stage
from gestik.kernels.quaternion import conjugate, load4_at, multiply, rotate
from gestik.kernels.vector import (
    add,
    any_perpendicular,
    cross,
    dot,
    load3_at,
    norm,
    safe_normalise,
    scale,
    store3_at,
    subtract,
)
from gestik.solvers.tasks.layout import (
    AXES,
    AXIS,
    BODY_WIDTH,
    JOINT,
    KIND,
    MOMENT,
    REFERENCE,
    ROWS,
    SEAT,
    SEAT_ROTATION,
    SHARE,
    SLACK,
    TOOL,
    TOOL_ROTATION,
    WEIGHT,
    WHOLE_BODY,
    WORLD,
    Tasks,
)
from gestik.solvers.tasks.shaping import LEAST_COSINE, Stretch, arc_of_chord, beyond_slack, boxed, carried, stretched

# An eye that looks exactly away from its target is tilted by this [rad], because no way back is the shortest.
TILT = 1e-3


class Seen(NamedTuple):
    """A task's frame as its reference sees it, and where the reference is."""

    point: Vector  # m
    rotation: Quaternion
    looking: Vector  # unit
    reference_point: Vector  # m, in the world
    back: Quaternion  # from the world to the reference


@kernel
def placed(pose: FloatArray, joint: int, position: Vector, rotation: Quaternion) -> tuple[Vector, Quaternion]:
    """The world frame of something that sits on a joint, or with -1 on the base."""
    if joint < 0:
        return position, rotation
    above = load4_at(pose, joint, ROTATION)
    return add(load3_at(pose, joint, POSITION), rotate(above, position)), multiply(above, rotation)


@stage
def gather_masses(chain: Chain, bodies: FloatArray, pose: FloatArray, gathered: FloatArray) -> None:
    """Write what each joint moves of all mass, as `bodies` but for all it carries, and with moments in the world.

    The last row is the whole body: its moment is the centre of mass.
    """
    joints = len(chain.codes)
    for joint in range(len(bodies)):
        moment = load3_at(bodies, joint, MOMENT)
        if joint < joints:
            there = scale(load3_at(pose, joint, POSITION), bodies[joint, SHARE])
            moment = add(there, rotate(load4_at(pose, joint, ROTATION), moment))
        gathered[joint, SHARE] = bodies[joint, SHARE]
        store3_at(gathered, joint, MOMENT, moment)
    if len(bodies) > 0:
        for joint in range(joints - 1, -1, -1):
            parent = chain.codes[joint, PARENT]
            above = parent if parent >= 0 else joints
            for k in range(BODY_WIDTH):
                gathered[above, k] += gathered[joint, k]


@kernel
def see_frame(tasks: Tasks, wanted: FloatArray, pose: FloatArray, gathered: FloatArray, task: int) -> Seen:
    """Where a task's frame is, in its reference."""
    codes, table = tasks.codes, tasks.table
    tool, turn = load3_at(table, task, TOOL), load4_at(table, task, TOOL_ROTATION)
    point, rotation = placed(pose, codes[task, JOINT], tool, turn)
    if codes[task, JOINT] == WHOLE_BODY:
        point = load3_at(gathered, len(gathered) - 1, MOMENT)
    here: Vector = (0.0, 0.0, 0.0)
    back: Quaternion = (1.0, 0.0, 0.0, 0.0)
    if codes[task, REFERENCE] != WORLD:
        seat, seat_turn = load3_at(table, task, SEAT), load4_at(table, task, SEAT_ROTATION)
        here, there = placed(pose, codes[task, REFERENCE], seat, seat_turn)
        back = conjugate(there)
        point, rotation = rotate(back, subtract(point, here)), multiply(back, rotation)
    looking = rotate(rotation, load3_at(table, task, AXIS))
    kind = codes[task, KIND]
    if kind not in (POSITION_GOAL, ORIENTATION_GOAL):
        sight = load3_at(wanted, task, TARGET)
        if kind == AIM_AT_POINT:
            sight = safe_normalise(subtract(sight, point))
        if dot(sight, looking) < -1.0 + 1e-12:
            side = any_perpendicular(looking)
            # Along no axis a joint is likely to turn about.
            side = add(side, scale(cross(looking, side), 0.7))
            looking = safe_normalise(add(looking, scale(side, TILT)))
    return Seen(point, rotation, looking, here, back)


class Shaped(NamedTuple):
    """How a task's residual came to be from what is missing, to carry each joint's change the same way."""

    arc: Stretch
    slopes: Vector
    rest: Stretch
    weight: float


@kernel
def shape_residual(tasks: Tasks, wanted: FloatArray, seen: Seen, task: int) -> Shaped:
    """What counts of what is missing."""
    codes, table = tasks.codes, tasks.table
    kind = codes[task, KIND]
    missing = goal_residual(kind, wanted, task, seen.point, seen.looking, seen.rotation)
    arc = Stretch(missing, 1.0, 0.0) if kind == POSITION_GOAL else arc_of_chord(missing)
    x, y, z = stretched(arc)
    axes = codes[task, AXES]
    x, slope_x = boxed(x, table[task, SLACK + 1], (axes & 1) != 0)
    y, slope_y = boxed(y, table[task, SLACK + 2], (axes & 2) != 0)
    z, slope_z = boxed(z, table[task, SLACK + 3], (axes & 4) != 0)
    rest = beyond_slack((x, y, z), table[task, SLACK])
    return Shaped(arc, (slope_x, slope_y, slope_z), rest, table[task, WEIGHT])


@kernel
def task_error(tasks: Tasks, wanted: FloatArray, pose: FloatArray, gathered: FloatArray, task: int) -> float:
    """The error of a goal [m or rad], without its weight."""
    return norm(stretched(shape_residual(tasks, wanted, see_frame(tasks, wanted, pose, gathered, task), task).rest))


@stage
def stack_tasks(
    chain: Chain,
    tasks: Tasks,
    bodies: FloatArray,
    wanted: FloatArray,
    pose: FloatArray,
    gathered: FloatArray,
    residual: FloatArray,
    jacobian: FloatArray,
    sizes: FloatArray,
) -> None:
    """Residuals [3 task], their Jacobian [3 task, dof] and errors [task] for a pose of the tree.

    All are overwritten, and so is gathered, as long as `bodies`.
    """
    gather_masses(chain, bodies, pose, gathered)
    for task in range(len(tasks.codes)):
        seen = see_frame(tasks, wanted, pose, gathered, task)
        shaped = shape_residual(tasks, wanted, seen, task)
        missing = stretched(shaped.rest)
        sizes[task] = norm(missing)
        for k in range(ROWS):
            residual[ROWS * task + k] = shaped.weight * missing[k]
            for dof in range(jacobian.shape[1]):
                jacobian[ROWS * task + k, dof] = 0.0
        if tasks.codes[task, JOINT] == WHOLE_BODY:
            _add_body(chain, tasks, pose, gathered, task, seen, shaped, jacobian)
        else:
            _add_way(chain, tasks, wanted, pose, task, seen, shaped, tasks.codes[task, JOINT], 1.0, jacobian)
        _add_way(chain, tasks, wanted, pose, task, seen, shaped, tasks.codes[task, REFERENCE], -1.0, jacobian)


@stage
def _add_way(
    chain: Chain,
    tasks: Tasks,
    wanted: FloatArray,
    pose: FloatArray,
    task: int,
    seen: Seen,
    shaped: Shaped,
    joint: int,
    sign: float,
    jacobian: FloatArray,
) -> None:
    """Add what each joint from one up to the base does to a task: what moves the reference does the opposite."""
    kind = tasks.codes[task, KIND]
    turn: Quaternion = (1.0, 0.0, 0.0, 0.0)
    sight: Vector = (0.0, 0.0, 0.0)
    nearness = 0.0
    if kind == ORIENTATION_GOAL:
        turn = missing_turn(wanted, task, seen.rotation)
        # At exactly half a turn as next to it, so that there is a way back.
        turn = (max(turn[0], LEAST_COSINE), turn[1], turn[2], turn[3])
    elif kind == AIM_AT_POINT:
        gap = subtract(load3_at(wanted, task, TARGET), seen.point)
        distance = norm(gap)
        if distance < NO_SIGHT:
            return
        sight, nearness = scale(gap, 1.0 / distance), 1.0 / distance
    in_world = tasks.codes[task, REFERENCE] == WORLD
    while joint >= 0:
        axis, origin = load3_at(pose, joint, WORLD_AXIS), load3_at(pose, joint, POSITION)
        if not in_world:
            axis, origin = rotate(seen.back, axis), rotate(seen.back, subtract(origin, seen.reference_point))
        slides = chain.codes[joint, JOINT_KIND] == PRISMATIC
        change = residual_change(kind, slides, axis, origin, seen.point, seen.looking, turn, sight, nearness)
        _add_change(shaped, change, sign, task, chain.codes[joint, DOF], jacobian)
        joint = chain.codes[joint, PARENT]


@stage
def _add_body(
    chain: Chain,
    tasks: Tasks,
    pose: FloatArray,
    gathered: FloatArray,
    task: int,
    seen: Seen,
    shaped: Shaped,
    jacobian: FloatArray,
) -> None:
    """Add what each joint does to the centre of mass: it moves the centre of what it carries, by that part's share."""
    turn: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for joint in range(len(chain.codes)):
        share = gathered[joint, SHARE]
        if share <= 0.0:
            continue
        carries = scale(load3_at(gathered, joint, MOMENT), 1.0 / share)
        axis, origin = load3_at(pose, joint, WORLD_AXIS), load3_at(pose, joint, POSITION)
        slides = chain.codes[joint, JOINT_KIND] == PRISMATIC
        change = residual_change(POSITION_GOAL, slides, axis, origin, carries, carries, turn, carries, 0.0)
        if tasks.codes[task, REFERENCE] != WORLD:
            change = rotate(seen.back, change)
        _add_change(shaped, change, share, task, chain.codes[joint, DOF], jacobian)


@kernel
def _add_change(shaped: Shaped, change: Vector, factor: float, task: int, dof: int, jacobian: FloatArray) -> None:
    """Add the change of what is missing to the Jacobian, as the residual came to be from what is missing."""
    change = carried(shaped.arc, change)
    change = (change[0] * shaped.slopes[0], change[1] * shaped.slopes[1], change[2] * shaped.slopes[2])
    change = carried(shaped.rest, change)
    for k in range(ROWS):
        jacobian[ROWS * task + k, dof] += factor * shaped.weight * change[k]
