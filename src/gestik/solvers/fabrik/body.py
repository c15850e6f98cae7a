"""FABRIK on a body of joints: two passes over its points, and the joints that turn to carry them.

Aristidou & Lasenby 2011: the points of a limb are drawn after its end, where limbs part a point takes the mean of what
they ask, and back from the base.  Here every point of the pass from the base is one that real joints carry there, so
that lengths and limits hold after each iteration and the angles are always known.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gestik.goals.evaluate import TARGET, TARGET_WIDTH
from gestik.kernels.arrays import PRISMATIC, FloatArray, Quaternion, Vector
from gestik.kernels.best_turn import best_angle, pull_on_vector
from gestik.kernels.chain import frame_of_parent, place_joint
from gestik.kernels.chain_table import (
    AXIS,
    DOF,
    KIND,
    PARENT,
    POSE_WIDTH,
    POSITION,
    REST_ROTATION,
    ROTATION,
    WORLD_AXIS,
    Chain,
)
from gestik.kernels.euler import euler_angles
from gestik.kernels.jit import kernel, stage
from gestik.kernels.limits import clamp_rotation, nearest_on_circle, split_swing_twist
from gestik.kernels.quaternion import angle_of, conjugate, from_axis_angle, load4_at, multiply, rotate, shortest_turn
from gestik.kernels.vector import add, dot, load3, load3_at, norm, safe_normalise, scale, store3, subtract, wrap_angle
from gestik.solvers.fabrik.groups import (
    ARM,
    BALL,
    BEGIN,
    CHILD,
    CONE,
    END,
    FIRST,
    LAST,
    LEAST_TWIST,
    MOST_TWIST,
    SQUARED_WEIGHT,
    SWING,
    TASK,
    TWIST_AXIS,
    Groups,
)
from gestik.solvers.task_frames import FRAME_WIDTH
from gestik.solvers.tasks.layout import Tasks

# Sweeps over the joints of one group at the most, and the turn [rad] below which no further one is made.
SWEEPS = 6
SETTLED = 1e-5
# A cone or a box broken by less than this [rad] is kept.
KEPT = 1e-9
HALVINGS = 20


class Problem(NamedTuple):
    """Everything that stays the same from solve to solve."""

    chain: Chain
    tasks: Tasks
    groups: Groups
    both: bool  # limits count in the pass to the base too


class Scratch(NamedTuple):
    """The targets of one solve, and memory that kernels trample on."""

    wanted: FloatArray  # [task, TARGET_WIDTH]
    box: FloatArray  # [2, dof], rad or m
    pose: FloatArray  # [joint, POSE_WIDTH]
    frames: FloatArray  # [task, FRAME_WIDTH]
    places: FloatArray  # [group, 3], m, where the pass to the base wants each group's centre
    best: FloatArray  # [dof]


@kernel
def empty_scratch(joints: int, dofs: int, tasks: int, groups: int) -> Scratch:
    """Memory for one thread's solves."""
    return Scratch(
        np.empty((tasks, TARGET_WIDTH)),
        np.empty((2, dofs)),
        np.empty((joints, POSE_WIDTH)),
        np.empty((tasks, FRAME_WIDTH)),
        np.empty((groups, 3)),
        np.empty(dofs),
    )


@kernel
def centre_of(problem: Problem, group: int, pose: FloatArray) -> Vector:
    """Where a group's centre is in the world, by the pose of what it sits on."""
    first = problem.groups.codes[group, FIRST]
    position, rotation = frame_of_parent(problem.chain.codes[first, PARENT], pose)
    return add(position, rotate(rotation, load3(problem.groups.centres, group)))


@kernel
def place_of_handle(problem: Problem, group: int, handle: int, pose: FloatArray) -> Vector:
    """Where a point is that a group carries, by the pose of its last joint."""
    last = problem.groups.codes[group, LAST]
    arm = rotate(load4_at(pose, last, ROTATION), load3_at(problem.groups.handle_table, handle, ARM))
    return add(load3_at(pose, last, POSITION), arm)


@kernel
def wish_of_handle(problem: Problem, handle: int, scratch: Scratch) -> Vector:
    """Where a point shall be: on its target, or where the group beyond wants its centre."""
    child = problem.groups.handle_codes[handle, CHILD]
    if child >= 0:
        return load3(scratch.places, child)
    return load3_at(scratch.wanted, problem.groups.handle_codes[handle, TASK], TARGET)


@kernel
def place_group(problem: Problem, group: int, first: int, q: FloatArray, pose: FloatArray) -> None:
    """Renew the pose of a group's joints from `first` on."""
    for joint in range(first, problem.groups.codes[group, LAST] + 1):
        place_joint(problem.chain, joint, q, pose)


@stage
def settle_group(problem: Problem, group: int, q: FloatArray, scratch: Scratch) -> None:
    """Turn or slide the joints of a group so that its points come nearest to where they shall be, inside the limits."""
    codes = problem.groups.codes
    first, begin = codes[group, FIRST], codes[group, BEGIN]
    place_group(problem, group, first, q, scratch.pose)
    stretch_slides(problem, group, q, scratch)
    if codes[group, BALL] == 0:
        turn_rows(problem, group, q, scratch)
        return
    before = ball_angles(problem, first, q)
    if codes[group, END] > begin + 1 or not swing_ball(problem, group, begin, q, scratch):
        turn_rows(problem, group, q, scratch)
    draw_into_cone(problem, group, before, q)
    place_group(problem, group, first, q, scratch.pose)


@kernel
def stretch_slides(problem: Problem, group: int, q: FloatArray, scratch: Scratch) -> None:
    """Slide what sits on turning joints until its point is as far from their centre as it shall be.

    Which way the link then points is for the turns.
    """
    codes, begin = problem.chain.codes, problem.groups.codes[group, BEGIN]
    first, last = problem.groups.codes[group, FIRST], problem.groups.codes[group, LAST]
    if codes[first, KIND] == PRISMATIC or problem.groups.codes[group, END] > begin + 1:
        return
    centre = centre_of(problem, group, scratch.pose)
    wanted = norm(subtract(wish_of_handle(problem, begin, scratch), centre))
    for joint in range(first, last + 1):
        if codes[joint, KIND] == PRISMATIC and problem.groups.drives[joint] == 1:
            axis = load3_at(scratch.pose, joint, WORLD_AXIS)
            arm = subtract(place_of_handle(problem, group, begin, scratch.pose), centre)
            along = dot(arm, axis)
            way = math.sqrt(max(0.0, along * along - dot(arm, arm) + wanted * wanted)) - along
            move_within(problem, joint, way, q, scratch.box)
            place_group(problem, group, joint, q, scratch.pose)


@kernel
def move_within(problem: Problem, joint: int, change: float, q: FloatArray, box: FloatArray) -> None:
    """Move a joint's coordinate by a change [m], as far as its box lets it."""
    dof = problem.chain.codes[joint, DOF]
    q[dof] = min(max(q[dof] + change, box[0, dof]), box[1, dof])


@kernel
def turn_rows(problem: Problem, group: int, q: FloatArray, scratch: Scratch) -> None:
    """Move one joint of a group after the other, each as is best for all its points."""
    codes = problem.groups.codes
    first, last = codes[group, FIRST], codes[group, LAST]
    for _ in range(SWEEPS):
        largest = 0.0
        for joint in range(first, last + 1):
            if problem.groups.drives[joint] == 0:
                continue
            dof = problem.chain.codes[joint, DOF]
            before = q[dof]
            if problem.chain.codes[joint, KIND] == PRISMATIC:
                slide_row(problem, group, joint, q, scratch)
            else:
                turn_row(problem, group, joint, q, scratch)
            largest = max(largest, abs(q[dof] - before))
            place_group(problem, group, joint, q, scratch.pose)
        if largest < SETTLED or first == last:
            return


@kernel
def slide_row(problem: Problem, group: int, joint: int, q: FloatArray, scratch: Scratch) -> None:
    """Slide a joint by what the group's points miss along its axis, in the mean."""
    axis = load3_at(scratch.pose, joint, WORLD_AXIS)
    total, weights = 0.0, 0.0
    for handle in range(problem.groups.codes[group, BEGIN], problem.groups.codes[group, END]):
        weight = problem.groups.handle_table[handle, SQUARED_WEIGHT]
        here = place_of_handle(problem, group, handle, scratch.pose)
        total += weight * dot(axis, subtract(wish_of_handle(problem, handle, scratch), here))
        weights += weight
    move_within(problem, joint, total / weights, q, scratch.box)


@kernel
def turn_row(problem: Problem, group: int, joint: int, q: FloatArray, scratch: Scratch) -> None:
    """Turn a joint as is best for the group's points."""
    axis, centre = load3_at(scratch.pose, joint, WORLD_AXIS), load3_at(scratch.pose, joint, POSITION)
    cosine, sine = 0.0, 0.0
    for handle in range(problem.groups.codes[group, BEGIN], problem.groups.codes[group, END]):
        arm = subtract(place_of_handle(problem, group, handle, scratch.pose), centre)
        wish = subtract(wish_of_handle(problem, handle, scratch), centre)
        weight = problem.groups.handle_table[handle, SQUARED_WEIGHT]
        pull = pull_on_vector(axis, arm, wish)
        cosine, sine = cosine + weight * pull[0], sine + weight * pull[1]
    dof = problem.chain.codes[joint, DOF]
    q[dof] = best_angle((cosine, sine), q[dof], scratch.box[0, dof], scratch.box[1, dof])


@kernel
def ball_angles(problem: Problem, first: int, q: FloatArray) -> Vector:
    """The three angles [rad] of the ball joint whose rows begin at `first`."""
    dofs = problem.chain.codes
    return q[dofs[first, DOF]], q[dofs[first + 1, DOF]], q[dofs[first + 2, DOF]]


@kernel
def set_ball(problem: Problem, first: int, angles: Vector, q: FloatArray) -> None:
    """Write the three angles of a ball joint."""
    dofs = problem.chain.codes
    q[dofs[first, DOF]], q[dofs[first + 1, DOF]], q[dofs[first + 2, DOF]] = angles


@kernel
def ball_axes(problem: Problem, first: int) -> tuple[Vector, Vector, Vector]:
    """The three axes of a ball joint, each in the frame of its own row."""
    table = problem.chain.table
    return load3_at(table, first, AXIS), load3_at(table, first + 1, AXIS), load3_at(table, first + 2, AXIS)


@kernel
def turn_of(axes: tuple[Vector, Vector, Vector], angles: Vector) -> Quaternion:
    """The rotation three angles of a ball joint mean."""
    turned = multiply(from_axis_angle(axes[0], angles[0]), from_axis_angle(axes[1], angles[1]))
    return multiply(turned, from_axis_angle(axes[2], angles[2]))


@kernel
def swing_ball(problem: Problem, group: int, handle: int, q: FloatArray, scratch: Scratch) -> bool:
    """Turn a ball joint to one point by the shortest way, swing and twist brought inside its cone.

    Returns whether its box lets it.
    """
    first = problem.groups.codes[group, FIRST]
    centre = load3_at(scratch.pose, first, POSITION)
    arm = safe_normalise(subtract(place_of_handle(problem, group, handle, scratch.pose), centre))
    wish = safe_normalise(subtract(wish_of_handle(problem, handle, scratch), centre))
    if norm(arm) < 0.5 or norm(wish) < 0.5:
        return True
    swing = shortest_turn(arm, wish, load3_at(scratch.pose, first, WORLD_AXIS))
    return rotate_ball(problem, group, swing, q, scratch)


@kernel
def rotate_ball(problem: Problem, group: int, turn: Quaternion, q: FloatArray, scratch: Scratch) -> bool:
    """Turn a ball joint by a turn told in the world, swing and twist brought inside its cone.

    Returns whether its box lets it; if not it stands as near to that as every single angle may.
    """
    first, cone = problem.groups.codes[group, FIRST], problem.groups.codes[group, CONE]
    _, above = frame_of_parent(problem.chain.codes[first, PARENT], scratch.pose)
    above = multiply(above, load4_at(problem.chain.table, first, REST_ROTATION))
    local = multiply(multiply(conjugate(above), turn), above)
    axes, here = ball_axes(problem, first), ball_angles(problem, first, q)
    turned = multiply(local, turn_of(axes, here))
    if cone >= 0:
        ranges = problem.groups.cones
        about = load3_at(ranges, cone, TWIST_AXIS)
        turned = clamp_rotation(turned, about, ranges[cone, SWING], ranges[cone, LEAST_TWIST], ranges[cone, MOST_TWIST])
    lower, upper = ball_angles(problem, first, scratch.box[0]), ball_angles(problem, first, scratch.box[1])
    angles = euler_angles(turned, axes, here, lower, upper)
    boxed = (
        min(max(angles[0], lower[0]), upper[0]),
        min(max(angles[1], lower[1]), upper[1]),
        min(max(angles[2], lower[2]), upper[2]),
    )
    set_ball(problem, first, boxed, q)
    place_group(problem, group, first, q, scratch.pose)
    return max(abs(boxed[0] - angles[0]), abs(boxed[1] - angles[1]), abs(boxed[2] - angles[2])) <= KEPT


@kernel
def is_in_cone(problem: Problem, group: int, angles: Vector) -> bool:
    """Whether a ball joint keeps its cone."""
    ranges, cone = problem.groups.cones, problem.groups.codes[group, CONE]
    turned = turn_of(ball_axes(problem, problem.groups.codes[group, FIRST]), angles)
    swing, twist = split_swing_twist(turned, load3_at(ranges, cone, TWIST_AXIS))
    back = nearest_on_circle(twist, ranges[cone, LEAST_TWIST], ranges[cone, MOST_TWIST])
    return angle_of(swing) <= ranges[cone, SWING] + KEPT and abs(wrap_angle(twist - back)) <= KEPT


@kernel
def draw_into_cone(problem: Problem, group: int, before: Vector, q: FloatArray) -> None:
    """Where a ball joint has left its cone, go back towards where it was before, which was inside."""
    first = problem.groups.codes[group, FIRST]
    after = ball_angles(problem, first, q)
    if problem.groups.codes[group, CONE] < 0 or is_in_cone(problem, group, after):
        return
    share, step = 0.0, 0.5
    for _ in range(HALVINGS):
        tried = add(scale(before, 1.0 - share - step), scale(after, share + step))
        if is_in_cone(problem, group, tried):
            share += step
        step *= 0.5
    set_ball(problem, first, add(scale(before, 1.0 - share), scale(after, share)), q)


@kernel
def pass_to_base(problem: Problem, q: FloatArray, scratch: Scratch) -> None:
    """Draw every group's centre after the points it carries, the tips first; where several ask, take the mean.

    What cannot turn every way turns as far as it may before its centre is drawn, and with limits in both passes ball
    joints do too; else only the distance from the centre to each point counts.
    """
    codes, table = problem.groups.codes, problem.groups.handle_table
    for group in range(len(codes) - 1, -1, -1):
        centre = centre_of(problem, group, scratch.pose)
        settles = problem.both or codes[group, BALL] == 0
        if settles:
            settle_group(problem, group, q, scratch)
        else:
            stretch_slides(problem, group, q, scratch)
        total: Vector = (0.0, 0.0, 0.0)
        weights = 0.0
        for handle in range(codes[group, BEGIN], codes[group, END]):
            wish = wish_of_handle(problem, handle, scratch)
            arm = subtract(place_of_handle(problem, group, handle, scratch.pose), centre)
            if not settles:
                way = safe_normalise(subtract(wish, centre))
                if dot(way, way) > 0.5:  # else the point is where the centre is, and the arm keeps its direction
                    arm = scale(way, norm(arm))
            weight = table[handle, SQUARED_WEIGHT]
            total = add(total, scale(subtract(wish, arm), weight))
            weights += weight
        store3(scratch.places, group, scale(total, 1.0 / weights))


@kernel
def pass_to_tip(problem: Problem, q: FloatArray, scratch: Scratch) -> None:
    """Turn every group to the points the other pass has placed, the base first; the pose is renewed on the way."""
    for group in range(len(problem.groups.codes)):
        settle_group(problem, group, q, scratch)
