"""BWCD_Posture (Algorithm 19): turn the posture towards the target, from the root up, limits ignored."""

from __future__ import annotations

from gestik.kernels.arrays import FloatArray, Quaternion
from gestik.kernels.best_turn import best_turn
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import from_axis_angle, load4_at, multiply, rotate, store4_at
from gestik.kernels.vector import load3_at
from gestik.solvers.erik.joint_model import AXIS, REST
from gestik.solvers.erik.orient import miss, pull_on_end, rolls_by_tip
from gestik.solvers.erik.problem import ANGLE, BASIS, Problem, Target, Work


@kernel
def lay_posture(model: FloatArray, angles: FloatArray, warped: FloatArray) -> None:
    """Write a posture's angles [joint] and the frames they give; the last row is the superpoint's (eq. 24)."""
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    count = len(model)
    for joint in range(count):
        basis = multiply(rotation, load4_at(model, joint, REST))
        rotation = multiply(basis, from_axis_angle(load3_at(model, joint, AXIS), angles[joint]))
        warped[joint, ANGLE] = angles[joint]
        store4_at(warped, joint, BASIS, basis)
    warped[count, ANGLE] = 0.0
    store4_at(warped, count, BASIS, rotation)


@kernel
def warp_posture(problem: Problem, target: Target, work: Work) -> None:
    """Turn each joint so that the end looks along the target as well as that joint alone can.

    What the joints so far have turned is carried along as one rotation, instead of turning everything above each time.
    """
    model, warped, settings = problem.model, work.warped, problem.settings
    count, whole = len(model), not rolls_by_tip(model)
    for _ in range(settings.max_turns):
        end = load4_at(warped, count, BASIS)
        done = miss(model, target, end, whole) <= settings.ccd_precision
        if done:
            return
        carried: Quaternion = (1.0, 0.0, 0.0, 0.0)
        for joint in range(count):
            basis = multiply(carried, load4_at(warped, joint, BASIS))
            store4_at(warped, joint, BASIS, basis)
            if done:
                continue
            axis = rotate(basis, load3_at(model, joint, AXIS))
            turn = best_turn(pull_on_end(model, target, axis, end, whole))
            warped[joint, ANGLE] += turn
            step = from_axis_angle(axis, turn)
            carried = multiply(step, carried)
            end = multiply(step, end)
            done = miss(model, target, end, whole) <= settings.ccd_precision
        store4_at(warped, count, BASIS, end)
