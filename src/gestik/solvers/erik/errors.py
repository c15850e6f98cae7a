"""The error functions (eq. 19-22, Algorithms 4-7)."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.measures import symmetric_twin
from gestik.kernels.quaternion import conjugate, load4_at, multiply, rotate
from gestik.kernels.vector import dot, load3_at, store3_at
from gestik.solvers.erik.joint_model import BENDS, PARENT, SEGMENT
from gestik.solvers.erik.problem import BASIS, BONE, COSINE, SHARE, Problem, Target, Work


@kernel
def quaternion_distance(a: Quaternion, b: Quaternion) -> float:
    """Z of eq. 20, min(|a - b|, |a + b|) / sqrt(2), formed without cancellation near zero."""
    turn = multiply(a, conjugate(b))
    return math.sqrt((turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]) / (1.0 + abs(turn[0])))


@kernel
def orientation_error(problem: Problem, target: Target, work: Work) -> float:
    """OrientationError (Algorithm 5) of the last joint's frame."""
    end = load4_at(work.frames, len(problem.model), 0)
    error = quaternion_distance(target.rotation, end)
    if problem.settings.symmetric_endpoint:
        error = min(error, quaternion_distance(target.rotation, symmetric_twin(end, problem.settings.symmetry)))
    return error


@kernel
def draw_posture(problem: Problem, work: Work) -> None:
    """Note the posture's bends, from its bones in work.drawn, and what share each has in the measure.

    Corrected: bones are unit vectors, and one index counts the bends both in the sum and in its norm.
    """
    model, drawn = problem.model, work.drawn
    before: Vector = problem.settings.base
    weight, total = 1.0, 0.0
    for joint in range(len(model)):
        bone = load3_at(drawn, joint, BONE)
        drawn[joint, SHARE] = 0.0
        if model[joint, BENDS] == 0.0 or dot(bone, bone) < 0.5:
            continue
        drawn[joint, COSINE], drawn[joint, SHARE] = dot(before, bone), weight
        total += 2.0 * weight
        weight *= problem.settings.aggravation
        before = bone
    for joint in range(len(model)):
        drawn[joint, SHARE] /= max(total, 1e-300)


@kernel
def posture_error(problem: Problem, work: Work) -> float:
    """PostureError (Algorithm 6): how far the cosines of the solution's bends are from the posture's."""
    model, drawn = problem.model, work.drawn
    before: Vector = problem.settings.base
    error = 0.0
    for joint in range(len(model)):
        if drawn[joint, SHARE] > 0.0:
            bone = rotate(load4_at(work.frames, joint + 1, 0), load3_at(model, joint, SEGMENT))
            error += drawn[joint, SHARE] * abs(dot(before, bone) - drawn[joint, COSINE])
            before = bone
    return error


@kernel
def bones_of(model: FloatArray, warped: FloatArray, drawn: FloatArray) -> None:
    """The bones of a posture that is laid out: a joint's bone is its parent's bone to the next joint."""
    for joint in range(len(model)):
        store3_at(drawn, joint, BONE, rotate(load4_at(warped, joint + 1, BASIS), bone_above(model, joint)))


@kernel
def bone_above(model: FloatArray, joint: int) -> Vector:
    """A joint's bone in the frame of the joint above, or of the superpoint."""
    if joint + 1 == len(model):
        return load3_at(model, joint, SEGMENT)
    return load3_at(model, joint + 1, PARENT)
