"""BWCD_Solution and CCD (Algorithms 20 to 22): aim the end by turning one joint after another, inside limits.

Corrected: every angle is clamped, which is nowhere printed; the best angle inside the limits is the nearest one on the
circle.  And the text aims a direction and leaves the roll to the tip's twist; where the tip does not twist, or not far
enough, joints turn towards the whole orientation.
"""

from __future__ import annotations

from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.kernels.best_turn import Pull, best_angle, pull_on_rotation, pull_on_vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import conjugate, from_axis_angle, inner, load4_at, multiply, rotate, store4_at
from gestik.kernels.vector import dot, load3_at
from gestik.solvers.erik.backward import end_twist
from gestik.solvers.erik.forward import off_edge
from gestik.solvers.erik.joint_model import AXIS, LOWER, REST, SEGMENT, TWISTER, UPPER
from gestik.solvers.erik.problem import NOW, Problem, Target, Work

HALF_TURN = 3.14  # rad: a tip that twists less far than this cannot be left alone with the roll


@kernel
def rolls_by_tip(model: FloatArray) -> bool:
    """Whether the last joint turns about its own bone, and far: then aiming a direction is enough."""
    tip = len(model) - 1
    return bool(model[tip, TWISTER] > 0.0 and model[tip, UPPER] - model[tip, LOWER] > HALF_TURN)


@kernel
def tip_segment(model: FloatArray) -> Vector:
    """The end's bone in the last joint's frame."""
    return load3_at(model, len(model) - 1, SEGMENT)


@kernel
def miss(model: FloatArray, target: Target, end: Quaternion, whole: bool) -> float:
    """CCDTest (Algorithm 20): (1 - cosine) / 2 of the angle that is missed, of the direction or the whole orientation.

    Corrected: the printed floor of it would accept almost everything.
    """
    if whole:
        cosine = inner(target.rotation, end)
        return 1.0 - cosine * cosine
    return 0.5 * (1.0 - dot(target.direction, rotate(end, tip_segment(model))))


@kernel
def pull_on_end(model: FloatArray, target: Target, axis: Vector, end: Quaternion, whole: bool) -> Pull:
    """What draws the end towards its target about a world axis."""
    if whole:
        return pull_on_rotation(axis, multiply(target.rotation, conjugate(end)))
    return pull_on_vector(axis, rotate(end, tip_segment(model)), target.direction)


@kernel
def place(problem: Problem, work: Work) -> None:
    """Forward kinematics of work.angles[NOW] into work.frames (ApplyFK)."""
    model, angles = problem.model, work.angles[NOW]
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    store4_at(work.frames, 0, 0, rotation)
    for joint in range(len(model)):
        rotation = multiply(rotation, load4_at(model, joint, REST))
        rotation = multiply(rotation, from_axis_angle(load3_at(model, joint, AXIS), angles[joint]))
        store4_at(work.frames, joint + 1, 0, rotation)


@kernel
def finish_tip(problem: Problem, target: Target, work: Work) -> None:
    """Give a tip that turns about its own bone the twist that is left (BWTwist)."""
    model = problem.model
    joint = len(model) - 1
    if not rolls_by_tip(model):
        return
    basis = multiply(load4_at(work.frames, joint, 0), load4_at(model, joint, REST))
    angle = end_twist(problem, multiply(conjugate(basis), target.rotation))
    work.angles[NOW, joint] = angle
    store4_at(work.frames, joint + 1, 0, multiply(basis, from_axis_angle(load3_at(model, joint, AXIS), angle)))


@kernel
def bwcd_solution(problem: Problem, target: Target, work: Work) -> None:
    """Aim from the root up: what has to change, changes near the root.

    What is above a joint turns with it as one; frames are written as the sweep passes them.
    """
    model, settings, angles, frames = problem.model, problem.settings, work.angles[NOW], work.frames
    count, whole = len(model), not rolls_by_tip(model)
    for _ in range(settings.max_turns):
        end = load4_at(frames, count, 0)
        before = miss(model, target, end, whole)
        after, done = before, before <= settings.ccd_precision
        if done:
            break
        for joint in range(count):
            axis = load3_at(model, joint, AXIS)
            basis = multiply(load4_at(frames, joint, 0), load4_at(model, joint, REST))
            if not done:
                world_axis = rotate(basis, axis)
                pull = pull_on_end(model, target, world_axis, end, whole)
                angle = best_angle(pull, angles[joint], model[joint, LOWER], model[joint, UPPER])
                end = multiply(from_axis_angle(world_axis, angle - angles[joint]), end)
                angles[joint] = angle
                after = miss(model, target, end, whole)
                done = after <= settings.ccd_precision
            store4_at(frames, joint + 1, 0, multiply(basis, from_axis_angle(axis, angles[joint])))
        if done or abs(after - before) <= settings.precision:
            break
    finish_tip(problem, target, work)


@kernel
def ccd_solution(problem: Problem, target: Target, work: Work, whole: bool) -> None:
    """Aim from the tip down, a direction or the whole orientation.

    The frames below a joint stay as they are while it turns, so no forward kinematics is needed inside a round.
    """
    model, settings, angles, frames = problem.model, problem.settings, work.angles[NOW], work.frames
    count = len(model)
    for _ in range(settings.max_turns):
        end = load4_at(frames, count, 0)
        before = miss(model, target, end, whole)
        after = before
        if before <= settings.ccd_precision:
            break
        for joint in range(count - 1, -1, -1):
            world_axis = rotate(
                multiply(load4_at(frames, joint, 0), load4_at(model, joint, REST)), load3_at(model, joint, AXIS)
            )
            pull = pull_on_end(model, target, world_axis, end, whole)
            angle = best_angle(pull, angles[joint], model[joint, LOWER], model[joint, UPPER])
            if settings.avoid_edges:
                angle = off_edge(model, joint, angle, settings.disturbance)
            end = multiply(from_axis_angle(world_axis, angle - angles[joint]), end)
            angles[joint] = angle
            after = miss(model, target, end, whole)
            if after <= settings.ccd_precision:
                break
        place(problem, work)
        if after <= settings.ccd_precision or abs(after - before) <= settings.precision:
            break
    if not whole:
        finish_tip(problem, target, work)
