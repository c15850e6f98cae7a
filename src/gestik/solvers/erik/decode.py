"""Postures given by points: the angles, limits aside, whose bones lie along those that were drawn.

The paper takes postures by positions and finds a frame's roll from the plane of a bend in every forward phase
(Algorithm 8, lines 10-25), though BWCD_Posture and lines 6-9 need frames before that.  Corrected: angles are found
once, before anything else, and the rest treats both kinds of posture alike.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.kernels.best_turn import best_turn, pull_on_vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import from_axis_angle, load4_at, multiply, rotate
from gestik.kernels.vector import clamped_acos, cross, dot, load3_at, wrap_angle
from gestik.solvers.erik.joint_model import AXIS, REST, SEGMENT, TWISTER
from gestik.solvers.erik.problem import BONE

SILENT = 1e-6  # a bone this close to a twister's axis does not tell how far that twists


@kernel
def angles_of_bones(model: FloatArray, drawn: FloatArray, previous: FloatArray, angles: FloatArray) -> None:
    """Write the angles [joint] of a posture whose bones are `drawn`; where those leave a choice, near `previous`."""
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for joint in range(len(model)):
        axis = load3_at(model, joint, AXIS)
        basis = multiply(rotation, load4_at(model, joint, REST))
        if model[joint, TWISTER] > 0.0:
            angles[joint] = twist_for_next_bend(model, drawn, joint, basis, previous[joint])
        else:
            angles[joint] = swing_onto(model, drawn, joint, basis)
        rotation = multiply(basis, from_axis_angle(axis, angles[joint]))


@kernel
def swing_onto(model: FloatArray, drawn: FloatArray, joint: int, basis: Quaternion) -> float:
    """The angle that brings a joint's bone nearest to the drawn one; 0 where none was drawn."""
    axis, bone = rotate(basis, load3_at(model, joint, AXIS)), rotate(basis, load3_at(model, joint, SEGMENT))
    return best_turn(pull_on_vector(axis, bone, load3_at(drawn, joint, BONE)))


@kernel
def twist_for_next_bend(model: FloatArray, drawn: FloatArray, joint: int, basis: Quaternion, previous: float) -> float:
    """The twist from which the next joint that bends can bring its bone onto the drawn one.

    Joints between are straight along the axis and do as they would without the twist.
    """
    twist_axis = rotate(basis, load3_at(model, joint, AXIS))
    rotation = basis
    for above in range(joint + 1, len(model)):
        rotation = multiply(rotation, load4_at(model, above, REST))
        if model[above, TWISTER] > 0.0:
            continue
        wanted = load3_at(drawn, above, BONE)
        axis, bone = rotate(rotation, load3_at(model, above, AXIS)), rotate(rotation, load3_at(model, above, SEGMENT))
        across = cross(twist_axis, wanted)
        if dot(wanted, wanted) > 0.5 and dot(across, across) > SILENT * SILENT:
            return nearer_twist(twist_axis, axis, bone, wanted, previous)
        turn = swing_onto(model, drawn, above, rotation)
        rotation = multiply(rotation, from_axis_angle(load3_at(model, above, AXIS), turn))
    return 0.0


@kernel
def nearer_twist(twist_axis: Vector, axis: Vector, bone: Vector, wanted: Vector, previous: float) -> float:
    """Of the two twists that let a swing about `axis` bring `bone` onto `wanted`, the one nearer to `previous`.

    The swing gives the bone its angle to the twist's axis, a sinusoid of its own angle; the twist gives the rest.
    """
    offset = dot(twist_axis, axis) * dot(axis, bone)
    cosine, sine = dot(twist_axis, bone) - offset, dot(twist_axis, cross(axis, bone))
    size = math.sqrt(cosine * cosine + sine * sine)
    if size < SILENT:
        return best_turn(pull_on_vector(twist_axis, bone, wanted))
    peak, away = math.atan2(sine, cosine), clamped_acos((dot(twist_axis, wanted) - offset) / size)
    first = best_turn(pull_on_vector(twist_axis, rotate(from_axis_angle(axis, peak + away), bone), wanted))
    second = best_turn(pull_on_vector(twist_axis, rotate(from_axis_angle(axis, peak - away), bone), wanted))
    return first if abs(wrap_angle(first - previous)) <= abs(wrap_angle(second - previous)) else second
