"""The frames that goals name, as they move: where they are, what is missing from each, how the cost of all adds up."""

from __future__ import annotations

from gestik.goals.evaluate import goal_residual, residual_size
from gestik.kernels.arrays import FloatArray, IntArray, Vector
from gestik.kernels.chain_table import POSITION, ROTATION
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import from_axis_angle, load4_at, multiply, rotate, store4_at
from gestik.kernels.vector import add, dot, load3_at, store3_at, subtract
from gestik.solvers.tasks.layout import AXIS, JOINT, KIND, TOLERANCE, TOOL, TOOL_ROTATION, WEIGHT, Tasks

# Columns of a task's frame [task, FRAME_WIDTH], in the world.
POINT = 0  # 3, m, the goal frame's origin
TURNED = 3  # 4, its rotation
SIGHT = 7  # 3, unit, where it looks
FRAME_WIDTH = 10


@kernel
def place_tasks(tasks: Tasks, pose: FloatArray, frames: FloatArray) -> None:
    """Write where each task's frame is for a pose of the tree."""
    codes, table = tasks.codes, tasks.table
    for task in range(len(codes)):
        joint = codes[task, JOINT]
        above = load4_at(pose, joint, ROTATION)
        rotation = multiply(above, load4_at(table, task, TOOL_ROTATION))
        arm = rotate(above, load3_at(table, task, TOOL))
        store3_at(frames, task, POINT, add(load3_at(pose, joint, POSITION), arm))
        store4_at(frames, task, TURNED, rotation)
        store3_at(frames, task, SIGHT, rotate(rotation, load3_at(table, task, AXIS)))


@kernel
def turn_tasks(moves: IntArray, joint: int, centre: Vector, axis: Vector, angle: float, frames: FloatArray) -> None:
    """Carry along the frames a joint moves when it turns by `angle` [rad] about the world `axis` through `centre`.

    moves [joint, task] says which it moves.
    """
    turn = from_axis_angle(axis, angle)
    for task in range(moves.shape[1]):
        if moves[joint, task] == 0:
            continue
        arm = subtract(load3_at(frames, task, POINT), centre)
        store3_at(frames, task, POINT, add(centre, rotate(turn, arm)))
        store4_at(frames, task, TURNED, multiply(turn, load4_at(frames, task, TURNED)))
        store3_at(frames, task, SIGHT, rotate(turn, load3_at(frames, task, SIGHT)))


@kernel
def slide_tasks(moves: IntArray, joint: int, way: Vector, frames: FloatArray) -> None:
    """Carry along the frames a joint moves when it slides by `way` [m]."""
    for task in range(moves.shape[1]):
        if moves[joint, task] == 1:
            store3_at(frames, task, POINT, add(load3_at(frames, task, POINT), way))


@kernel
def task_residual(tasks: Tasks, wanted: FloatArray, frames: FloatArray, task: int) -> Vector:
    """What is missing from one task, in the sense of `goal_residual`."""
    return goal_residual(
        tasks.codes[task, KIND],
        wanted,
        task,
        load3_at(frames, task, POINT),
        load3_at(frames, task, SIGHT),
        load4_at(frames, task, TURNED),
    )


@kernel
def task_error(tasks: Tasks, wanted: FloatArray, frames: FloatArray, task: int) -> float:
    """How far a task is from being met, in metres or radians."""
    return residual_size(tasks.codes[task, KIND], task_residual(tasks, wanted, frames, task))


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
        cost += tasks.table[task, WEIGHT] ** 2 * dot(residual, residual)
    return cost
