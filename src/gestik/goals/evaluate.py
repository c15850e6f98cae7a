"""How far a frame is from what is asked of it, and how each joint changes that: the only switch over goal kinds."""

from __future__ import annotations

import math

from gestik.goals.kinds import AIM_ALONG, AIM_AT_POINT, ORIENTATION_GOAL, POSITION_GOAL
from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import angle_of, conjugate, inner, load4_at, multiply, rotate
from gestik.kernels.vector import add, angle_between, cross, dot, load3_at, norm, safe_normalise, scale, subtract

# Columns of a target row: what kernels get to see of one goal's target.
TARGET = 0  # 4: a point, a unit direction, or the rotation wanted
TWIN = 4  # 4: the rotation that is as good by symmetry; else the same
TARGET_WIDTH = 8

# A target nearer to the eye than this [m] is inside it: there is no direction to look along.
NO_SIGHT = 1e-9


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
        if norm(wanted) < NO_SIGHT:
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


@kernel
def goal_curvature(
    kind: int,
    target: FloatArray,
    goal: int,
    point: Vector,
    looking: Vector,
    rotation: Quaternion,
    slope: FloatArray,
    curvature: FloatArray,
) -> float:
    """The cost 1/2 error^2 of a goal, the error in metres or radians, and how it bends with the motion of its frame.

    slope [6] and curvature [6, 6] are overwritten, in the sense of `gestik.kernels.hessian.add_cost_derivatives`.
    """
    slope[:] = 0.0
    curvature[:, :] = 0.0
    if kind == POSITION_GOAL:
        missing = subtract(load3_at(target, goal, TARGET), point)
        for k in range(3):
            slope[k] = -missing[k]
            curvature[k, k] = 1.0
        return 0.5 * dot(missing, missing)
    if kind == ORIENTATION_GOAL:
        turn = missing_turn(target, goal, rotation)
        angle = angle_of(turn)
        _bend_of_turn(turn, slope, curvature)
    else:
        wanted = load3_at(target, goal, TARGET)
        if kind == AIM_AT_POINT:
            gap = subtract(wanted, point)
            distance = norm(gap)
            if distance < NO_SIGHT:
                return 0.0
            wanted = scale(gap, 1.0 / distance)
            _bend_of_sight(looking, wanted, 1.0 / distance, slope, curvature)
        angle = angle_between(looking, wanted)
        _bend_of_looking(looking, wanted, slope, curvature)
    # So far these are slope and curvature of the cosine of the error; the cost is a function of that.
    first, second = _half_square_by_cosine(angle)
    for i in range(6):
        for j in range(6):
            curvature[i, j] = first * curvature[i, j] + second * slope[i] * slope[j]
    for i in range(6):
        slope[i] *= first
    return 0.5 * angle * angle


@kernel
def _half_square_by_cosine(angle: float) -> tuple[float, float]:
    """First and second derivative of 1/2 angle^2 by the cosine of the angle in [0, pi].

    At pi the cost has an edge; there they are huge and finite.
    """
    if angle < 0.02:
        square = angle * angle
        return -(1.0 + square / 6.0 + 7.0 / 360.0 * square * square), 1.0 / 3.0 + square * (
            2.0 / 15.0 + square * 2.0 / 63.0
        )
    sine = max(math.sin(angle), 1e-9)
    return -angle / sine, (sine - angle * math.cos(angle)) / (sine * sine * sine)


@kernel
def _bend_of_turn(turn: Quaternion, slope: FloatArray, curvature: FloatArray) -> None:
    """Write the angular slope and curvature of the cosine of a missing turn, (trace - 1) / 2 of its matrix Q.

    The slope is the vector part of Q, and the curvature (Q^T - trace(Q) 1) / 2.
    """
    half_trace = 2.0 * turn[0] * turn[0] - 0.5
    for k in range(3):
        slope[3 + k] = 2.0 * turn[0] * turn[1 + k]
        curvature[3 + k, 3 + k] = -half_trace
    x, y, z = rotate(turn, (1.0, 0.0, 0.0)), rotate(turn, (0.0, 1.0, 0.0)), rotate(turn, (0.0, 0.0, 1.0))
    for k in range(3):
        curvature[3, 3 + k] += 0.5 * x[k]
        curvature[4, 3 + k] += 0.5 * y[k]
        curvature[5, 3 + k] += 0.5 * z[k]


@kernel
def _bend_of_looking(looking: Vector, wanted: Vector, slope: FloatArray, curvature: FloatArray) -> None:
    """Write the angular slope and curvature of the cosine between a looking direction that turns and a wanted one."""
    turned = cross(looking, wanted)
    cosine = dot(looking, wanted)
    for k in range(3):
        slope[3 + k] = turned[k]
        curvature[3 + k, 3 + k] = -cosine
    for i in range(3):
        for j in range(3):
            curvature[3 + i, 3 + j] += looking[i] * wanted[j]


@kernel
def _bend_of_sight(looking: Vector, sight: Vector, nearness: float, slope: FloatArray, curvature: FloatArray) -> None:
    """Write what the motion of the eye adds to the cosine between looking direction and line of sight.

    `nearness` is one over the distance of the target [1/m].  The line of sight turns as the eye moves across it.
    """
    cosine = dot(looking, sight)
    across = subtract(looking, scale(sight, cosine))
    for i in range(3):
        slope[i] = -nearness * across[i]
        unit = 1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0
        flat = subtract(unit, scale(sight, sight[i]))
        swung = scale(cross(looking, flat), -nearness)
        for j in range(3):
            both = across[i] * sight[j] + sight[i] * across[j] + cosine * flat[j]
            curvature[i, j] = -nearness * nearness * both
            curvature[3 + j, i] = curvature[i, 3 + j] = swung[j]
