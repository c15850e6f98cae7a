"""The frames that goals name, as they move: where they are, what is missing from each, how the cost of all adds up."""

from __future__ import annotations

from gestik.goals.evaluate import TARGET, TWIN, goal_residual, residual_size
from gestik.goals.kinds import ORIENTATION_GOAL
from gestik.kernels.arrays import FloatArray, Vector
from gestik.kernels.chain_table import POSITION, ROTATION
from gestik.kernels.jit import kernel
from gestik.kernels.measures import symmetric_twin
from gestik.kernels.quaternion import conjugate, from_axis_angle, load4_at, multiply, rotate, store4_at
from gestik.kernels.vector import add, dot, load3_at, store3_at, subtract
from gestik.solvers.tasks import (
    LOOKING,
    OFFSET,
    SYMMETRIC,
    TASK_JOINT,
    TASK_KIND,
    TASK_WEIGHT,
    TOLERANCE,
    TOOL,
    TOOL_ROTATION,
    Tasks,
)

# Columns of a task's frame [task, FRAME_WIDTH], in the world.
POINT = 0  # 3, m, the goal frame's origin
TURNED = 3  # 4, rotation of the joint that carries it
SIGHT = 7  # 3, unit, where it looks
FRAME_WIDTH = 10


@kernel
def read_targets(tasks: Tasks, targets: FloatArray, row: int, wanted: FloatArray) -> None:
    """Decode one row of targets into wanted [task, TARGET_WIDTH]; rotations become those of the joint."""
    codes, table = tasks.codes, tasks.table
    for task in range(len(codes)):
        offset = codes[task, OFFSET]
        if codes[task, TASK_KIND] == ORIENTATION_GOAL:
            rotation = multiply(load4_at(targets, row, offset), conjugate(load4_at(table, task, TOOL_ROTATION)))
            store4_at(wanted, task, TARGET, rotation)
            if codes[task, SYMMETRIC] == 1:
                rotation = symmetric_twin(rotation, load3_at(table, task, LOOKING))
            store4_at(wanted, task, TWIN, rotation)
        else:
            store3_at(wanted, task, TARGET, load3_at(targets, row, offset))
            store4_at(wanted, task, TWIN, (1.0, 0.0, 0.0, 0.0))


@kernel
def place_tasks(tasks: Tasks, pose: FloatArray, frames: FloatArray) -> None:
    """Write where each task's frame is for a pose of the tree."""
    codes, table = tasks.codes, tasks.table
    for task in range(len(codes)):
        joint = codes[task, TASK_JOINT]
        rotation = load4_at(pose, joint, ROTATION)
        store3_at(
            frames, task, POINT, add(load3_at(pose, joint, POSITION), rotate(rotation, load3_at(table, task, TOOL)))
        )
        store4_at(frames, task, TURNED, rotation)
        store3_at(frames, task, SIGHT, rotate(rotation, load3_at(table, task, LOOKING)))


@kernel
def turn_tasks(tasks: Tasks, joint: int, centre: Vector, axis: Vector, angle: float, frames: FloatArray) -> None:
    """Carry along the frames a joint moves when it turns by `angle` [rad] about the world `axis` through `centre`."""
    turn = from_axis_angle(axis, angle)
    for task in range(len(tasks.codes)):
        if tasks.moves[joint, task] == 0:
            continue
        arm = subtract(load3_at(frames, task, POINT), centre)
        store3_at(frames, task, POINT, add(centre, rotate(turn, arm)))
        store4_at(frames, task, TURNED, multiply(turn, load4_at(frames, task, TURNED)))
        store3_at(frames, task, SIGHT, rotate(turn, load3_at(frames, task, SIGHT)))


@kernel
def slide_tasks(tasks: Tasks, joint: int, way: Vector, frames: FloatArray) -> None:
    """Carry along the frames a joint moves when it slides by `way` [m]."""
    for task in range(len(tasks.codes)):
        if tasks.moves[joint, task] == 1:
            store3_at(frames, task, POINT, add(load3_at(frames, task, POINT), way))


@kernel
def task_residual(tasks: Tasks, wanted: FloatArray, frames: FloatArray, task: int) -> Vector:
    """What is missing from one task, in the sense of `goal_residual`."""
    return goal_residual(
        tasks.codes[task, TASK_KIND],
        wanted,
        task,
        load3_at(frames, task, POINT),
        load3_at(frames, task, SIGHT),
        load4_at(frames, task, TURNED),
    )


@kernel
def task_error(tasks: Tasks, wanted: FloatArray, frames: FloatArray, task: int) -> float:
    """How far a task is from being met, in metres or radians."""
    return residual_size(tasks.codes[task, TASK_KIND], task_residual(tasks, wanted, frames, task))


@kernel
def tasks_met(tasks: Tasks, wanted: FloatArray, frames: FloatArray) -> bool:
    """Whether every task is within its tolerance."""
    for task in range(len(tasks.codes)):
        if task_error(tasks, wanted, frames, task) > tasks.table[task, TOLERANCE]:
            return False
    return True


@kernel
def tasks_cost(tasks: Tasks, wanted: FloatArray, frames: FloatArray) -> float:
    """Sum of the squares of weight times residual."""
    cost = 0.0
    for task in range(len(tasks.codes)):
        residual = task_residual(tasks, wanted, frames, task)
        cost += tasks.table[task, TASK_WEIGHT] ** 2 * dot(residual, residual)
    return cost
