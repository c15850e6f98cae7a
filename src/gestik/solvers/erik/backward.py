"""The backward phase (Algorithms 15-18): from the root to the tip, put the joints where they really are.

Every joint now stands on the frame its parent truly has, and turns as nearly as it can into the frame the forward phase
wanted of it.
"""

from __future__ import annotations

from gestik.kernels.arrays import Quaternion
from gestik.kernels.best_turn import turn_to_direction
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import conjugate, from_axis_angle, load4_at, multiply, rotate, store4_at, twist_angle
from gestik.kernels.vector import dot, load3_at
from gestik.solvers.erik.joint_model import AXIS, LOWER, REST, SEGMENT, TWISTER, UPPER
from gestik.solvers.erik.latitude import local_swing, safe_angle, safe_twist
from gestik.solvers.erik.problem import NOW, WANTED, Problem, Target, Work


@kernel
def backward_phase(problem: Problem, target: Target, work: Work, may_flip: bool) -> None:
    """Turn work.angles[NOW] into angles of a chain that hangs together; its frames are written along."""
    model, settings, angles, frames = problem.model, problem.settings, work.angles[NOW], work.frames
    count = len(model)
    store4_at(frames, 0, 0, (1.0, 0.0, 0.0, 0.0))
    for joint in range(count):
        is_tip = joint == count - 1
        basis = multiply(load4_at(frames, joint, 0), load4_at(model, joint, REST))
        wanted = target.rotation if is_tip else load4_at(work.wanted, joint, WANTED)
        asked = multiply(conjugate(basis), wanted)
        if model[joint, TWISTER] > 0.0:
            if is_tip:
                angles[joint] = end_twist(problem, asked)
            else:
                angles[joint] = safe_twist(model, joint, twist_angle(asked, load3_at(model, joint, AXIS)), may_flip)
        else:
            angles[joint] = swing_to(problem, joint, asked, is_tip)
            if settings.twist_parent and joint > 0 and model[joint - 1, TWISTER] > 0.0:
                basis = follow_with_parent(problem, work, joint, basis, wanted)
        store4_at(frames, joint + 1, 0, multiply(basis, from_axis_angle(load3_at(model, joint, AXIS), angles[joint])))


@kernel
def end_twist(problem: Problem, asked: Quaternion) -> float:
    """The twist of a tip that turns about its own bone (lines 6-9).

    Corrected: the nearer of the two twists of a symmetric end-point is no better than the other; the one that the
    limits allow is, and only of two of those the smaller.
    """
    model, joint = problem.model, len(problem.model) - 1
    twist = twist_angle(asked, load3_at(model, joint, AXIS))
    return safe_twist(model, joint, twist, problem.settings.tip_flips)


@kernel
def swing_to(problem: Problem, joint: int, asked: Quaternion, is_tip: bool) -> float:
    """The swing whose bone has the latitude wanted, on the side where it comes nearer to the direction wanted.

    Inside the limits that is the side of the direction itself; only a joint that reaches a limit tries the other one.
    """
    model = problem.model
    axis, segment = load3_at(model, joint, AXIS), load3_at(model, joint, SEGMENT)
    direction = rotate(asked, segment)
    angle = local_swing(model, problem.tables, joint, direction, 1.0)
    if is_tip or model[joint, LOWER] < angle < model[joint, UPPER]:
        return angle
    mirrored = local_swing(model, problem.tables, joint, direction, -1.0)
    here = dot(rotate(from_axis_angle(axis, angle), segment), direction)
    there = dot(rotate(from_axis_angle(axis, mirrored), segment), direction)
    return mirrored if there > here else angle


@kernel
def follow_with_parent(problem: Problem, work: Work, joint: int, basis: Quaternion, wanted: Quaternion) -> Quaternion:
    """Let the twister below turn the bone the rest of the way (the joint model's second answer, sec. 3.4).

    Returns the joint's frame after that.
    """
    model, angles, frames = problem.model, work.angles[NOW], work.frames
    parent_axis = load3_at(model, joint - 1, AXIS)
    segment = load3_at(model, joint, SEGMENT)
    bone = rotate(multiply(basis, from_axis_angle(load3_at(model, joint, AXIS), angles[joint])), segment)
    world_axis = rotate(load4_at(frames, joint, 0), parent_axis)
    turn = turn_to_direction(world_axis, bone, rotate(wanted, segment))
    before = angles[joint - 1]
    angles[joint - 1] = safe_angle(model, joint - 1, before + turn)
    moved = from_axis_angle(parent_axis, angles[joint - 1] - before)
    store4_at(frames, joint, 0, multiply(load4_at(frames, joint, 0), moved))
    return multiply(load4_at(frames, joint, 0), load4_at(model, joint, REST))
