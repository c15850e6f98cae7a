"""The sighted measure's part of the model: every bone against the posture's, turned by the best heading."""

from __future__ import annotations

import math
from typing import NamedTuple

from gestik.kernels.arrays import PRISMATIC, FloatArray, IntArray, Vector
from gestik.kernels.chain_table import DIRECTION, DOF, KIND, PARENT, WORLD_AXIS, Chain
from gestik.kernels.jit import kernel
from gestik.kernels.measures import DRAWN_DIRECTION, SHAPED, heading, turn_about
from gestik.kernels.vector import add, cross, dot, load3_at, scale, store3_at, subtract
from gestik.solvers.poise.problem import (
    ROW_X,
    ROW_Y,
    ROW_Z,
    SLIP_LEVER,
    TORQUE,
    WEIGHT,
    YAW_LEVER,
    Scratch,
    Settings,
)

# An angle is its chord times 1 + chord^2 / 24 + 3 chord^4 / 640 + ...: without trigonometry, within 1 % up to 100
# degrees and still growing at 180.
SECOND_TERM, FOURTH_TERM = 1.0 / 24.0, 3.0 / 640.0


@kernel
def rounded_angle(square: float, rounding: float) -> float:
    """The angle [rad] of a chord given its square, its kink at zero rounded."""
    longer = 1.0 + square * (SECOND_TERM + square * FOURTH_TERM)
    return math.sqrt(square + rounding**2) * longer


@kernel
def angle_weight(square: float, rounding: float) -> float:
    """The slope of `rounded_angle` over the chord, divided by the chord: what reweighting takes."""
    chord = math.sqrt(square + rounding**2)
    longer = 1.0 + square * (SECOND_TERM + square * FOURTH_TERM)
    return longer / chord + chord * (2.0 * SECOND_TERM + 4.0 * FOURTH_TERM * square)


@kernel
def shape_cost(settings: Settings, drawn: FloatArray, rounding: float, pose: FloatArray) -> float:
    """The sighted measure as the search sees it: chords for angles and rounded at zero, at a third of the time."""
    turn = heading(pose, DIRECTION, drawn, settings.up)
    result, count = 0.0, 0.0
    for k in range(len(drawn)):
        if drawn[k, SHAPED] > 0.0:
            there = turn_about(load3_at(drawn, k, DRAWN_DIRECTION), settings.up, turn)
            missing = subtract(load3_at(pose, k, DIRECTION), there)
            result += rounded_angle(dot(missing, missing), rounding)
            count += 1.0
    return result / (math.pi * max(1.0, count))


class Said(NamedTuple):
    """What the bones at and beyond a joint say together, as far as that joint can follow it."""

    weight: float
    row_x: Vector  # rows of the sum of weight * u u^T
    row_y: Vector
    row_z: Vector
    torque: Vector  # weight * u x missing: the gradient for a turn about any axis
    yaw_lever: Vector  # how a turn moves the best heading
    slip_lever: Vector  # weight * u x sideways


@kernel
def nothing_said() -> Said:
    """Where a limb begins, counted from its tip."""
    zero = (0.0, 0.0, 0.0)
    return Said(0.0, zero, zero, zero, zero, zero, zero)


@kernel
def keep_said(memory: FloatArray, joint: int, said: Said) -> None:
    """Add what a limb says to the joint it sits on."""
    memory[joint, WEIGHT] += said.weight
    store3_at(memory, joint, ROW_X, add(load3_at(memory, joint, ROW_X), said.row_x))
    store3_at(memory, joint, ROW_Y, add(load3_at(memory, joint, ROW_Y), said.row_y))
    store3_at(memory, joint, ROW_Z, add(load3_at(memory, joint, ROW_Z), said.row_z))
    store3_at(memory, joint, TORQUE, add(load3_at(memory, joint, TORQUE), said.torque))
    store3_at(memory, joint, YAW_LEVER, add(load3_at(memory, joint, YAW_LEVER), said.yaw_lever))
    store3_at(memory, joint, SLIP_LEVER, add(load3_at(memory, joint, SLIP_LEVER), said.slip_lever))


@kernel
def with_kept(memory: FloatArray, joint: int, said: Said) -> Said:
    """Add what the other limbs on a joint said before."""
    return Said(
        said.weight + memory[joint, WEIGHT],
        add(said.row_x, load3_at(memory, joint, ROW_X)),
        add(said.row_y, load3_at(memory, joint, ROW_Y)),
        add(said.row_z, load3_at(memory, joint, ROW_Z)),
        add(said.torque, load3_at(memory, joint, TORQUE)),
        add(said.yaw_lever, load3_at(memory, joint, YAW_LEVER)),
        add(said.slip_lever, load3_at(memory, joint, SLIP_LEVER)),
    )


@kernel
def next_said(codes: IntArray, memory: FloatArray, joint: int, said: Said) -> Said:
    """Go down to `joint` of a tree: a limb that ended above it is kept for the joint it sits on, others join in."""
    below = codes[joint + 1, PARENT] if joint + 1 < len(codes) else joint
    if below != joint:
        if below >= 0:
            keep_said(memory, below, said)
        said = nothing_said()
    return with_kept(memory, joint, said)


@kernel
def add_shape(chain: Chain, settings: Settings, drawn: FloatArray, rounding: float, scratch: Scratch) -> None:
    """Model the sighted measure: bones against the posture's, turned about the vertical by the best heading.

    A joint moves every bone at and beyond it, so what the bones say is summed from the tips down: with the weights w,
    a joint i below j meets it in a_i . (sum over the bones k at and beyond j of w (1 - u u^T)) a_j, because
    (a x u) . (b x u) is a . b - (a . u)(b . u).  The heading follows its normal equation, sum of (up x v') . u = 0
    over the bones, v' being the drawn ones turned; it moves them all sideways at once.
    """
    codes, pose, normal, gradient = chain.codes, scratch.pose, scratch.normal, scratch.gradient
    yaw, slip, memory = scratch.yaw, scratch.slip, scratch.said
    up = settings.up
    turn = heading(pose, DIRECTION, drawn, up)
    count = 0.0
    for k in range(len(codes)):
        count += drawn[k, SHAPED]
    share = settings.posture_weight / (math.pi * max(1.0, count))
    for i in range(len(yaw)):
        yaw[i] = slip[i] = 0.0
    memory[:, :] = 0.0
    stiffness, sideways_weight, sideways_pull = 1e-9, 0.0, 0.0
    said = nothing_said()
    for j in range(len(codes) - 1, -1, -1):
        if len(memory) > 0:
            said = next_said(codes, memory, j, said)
        if drawn[j, SHAPED] > 0.0:
            here, there = load3_at(pose, j, DIRECTION), turn_about(load3_at(drawn, j, DRAWN_DIRECTION), up, turn)
            missing, sideways = subtract(here, there), cross(there, up)
            weight = share * angle_weight(dot(missing, missing), rounding)
            said = Said(
                said.weight + weight,
                add(said.row_x, scale(here, weight * here[0])),
                add(said.row_y, scale(here, weight * here[1])),
                add(said.row_z, scale(here, weight * here[2])),
                add(said.torque, scale(cross(here, missing), weight)),
                subtract(said.yaw_lever, cross(here, sideways)),
                add(said.slip_lever, scale(cross(here, sideways), weight)),
            )
            stiffness += dot(here, there) - dot(here, up) * dot(there, up)
            sideways_weight += weight * dot(sideways, sideways)
            sideways_pull += weight * dot(sideways, missing)
        if codes[j, KIND] == PRISMATIC:
            continue
        dof, axis = codes[j, DOF], load3_at(pose, j, WORLD_AXIS)
        yaw[dof] += dot(axis, said.yaw_lever)
        slip[dof] += dot(axis, said.slip_lever)
        gradient[dof] += dot(axis, said.torque)
        along = (dot(said.row_x, axis), dot(said.row_y, axis), dot(said.row_z, axis))
        turned = subtract(scale(axis, said.weight), along)
        i = j
        while i >= 0:
            if codes[i, KIND] != PRISMATIC:
                add_pair(normal, codes[i, DOF], dof, i == j, dot(load3_at(pose, i, WORLD_AXIS), turned))
            i = codes[i, PARENT]
    for i in range(len(yaw)):
        yaw[i] /= stiffness
    for i in range(len(yaw)):
        gradient[i] += yaw[i] * sideways_pull
        for j in range(i + 1):
            normal[i, j] += slip[i] * yaw[j] + yaw[i] * slip[j] + yaw[i] * yaw[j] * sideways_weight


@kernel
def add_pair(normal: FloatArray, i: int, j: int, same_joint: bool, value: float) -> None:
    """Add what two joints share to the lower triangle; twice where both follow one coordinate."""
    normal[max(i, j), min(i, j)] += value if i != j or same_joint else 2.0 * value
