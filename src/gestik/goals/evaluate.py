"""How far a frame is from what is asked of it, and how each joint changes that: the only switch over goal kinds."""

from __future__ import annotations

import math

from gestik.goals.kinds import AIM_ALONG, AIM_AT_POINT, ORIENTATION_GOAL, POSITION_GOAL
from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import conjugate, inner, load4_at, multiply
from gestik.kernels.vector import add, cross, dot, load3_at, norm, safe_normalise, scale, subtract

# Columns of a target row: what kernels get to see of one goal's target.
TARGET = 0  # 4: a point, a unit direction, or the rotation wanted
TWIN = 4  # 4: the rotation that is as good by symmetry; else the same
TARGET_WIDTH = 8


@kernel
def missing_turn(target: FloatArray, goal: int, rotation: Quaternion) -> Quaternion:
    """The turn from `rotation` to the nearer of the rotations that meet the goal; its w is not negative."""
    wanted, twin = load4_at(target, goal, TARGET), load4_at(target, goal, TWIN)
    if abs(inner(twin, rotation)) > abs(inner(wanted, rotation)):
        wanted = twin
    turn = multiply(wanted, conjugate(rotation))
    return turn if turn[0] >= 0.0 else (-turn[0], -turn[1], -turn[2], -turn[3])


@kernel
def goal_residual(
    kind: int, target: FloatArray, goal: int, point: Vector, looking: Vector, rotation: Quaternion
) -> Vector:
    """What is missing: a vector that vanishes when the goal is met.

    Position: the way still to go [m].  Orientation: the axis of the missing turn times its chord 2 sin(angle / 2).
    Aim: the chord from where the eye at `point` looks to where it should; nothing for a target inside the eye.
    """
    if kind == ORIENTATION_GOAL:
        turn = missing_turn(target, goal, rotation)
        return 2.0 * turn[1], 2.0 * turn[2], 2.0 * turn[3]
    wanted = load3_at(target, goal, TARGET)
    if kind == POSITION_GOAL:
        return subtract(wanted, point)
    if kind == AIM_AT_POINT:
        wanted = subtract(wanted, point)
        if norm(wanted) < 1e-9:
            return 0.0, 0.0, 0.0
        wanted = safe_normalise(wanted)
    return subtract(wanted, looking)


@kernel
def residual_size(kind: int, residual: Vector) -> float:
    """The goal's error in its own unit: metres for a position, radians for a turn or a gaze."""
    size = norm(residual)
    return size if kind == POSITION_GOAL else 2.0 * math.asin(min(1.0, 0.5 * size))


@kernel
def residual_change(
    kind: int,
    slides: bool,
    axis: Vector,
    joint_position: Vector,
    point: Vector,
    looking: Vector,
    turn: Quaternion,
    sight: Vector,
    nearness: float,
) -> Vector:
    """How the residual changes with one joint about or along the world `axis` at `joint_position`.

    `turn` is the missing turn of an orientation; `sight` the unit line of sight of an aim and `nearness` one over its
    length [1/m].
    """
    if kind == ORIENTATION_GOAL:
        if slides:
            return 0.0, 0.0, 0.0
        # The turn is multiplied from the right by (1, -axis / 2): this is twice the change of its vector.
        return add(scale(axis, -turn[0]), cross(axis, (turn[1], turn[2], turn[3])))
    if kind == AIM_ALONG:
        return (0.0, 0.0, 0.0) if slides else cross(looking, axis)
    moved = axis if slides else cross(axis, subtract(point, joint_position))
    if kind == POSITION_GOAL:
        return scale(moved, -1.0)
    # The looking direction turns, and the line of sight turns as the eye moves across it.
    across = scale(subtract(moved, scale(sight, dot(sight, moved))), -nearness)
    return across if slides else add(across, cross(looking, axis))
