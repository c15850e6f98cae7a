"""The forward phase (Algorithms 8-14): from the tip to the root, fit each joint into the warped posture.

Each joint begins with the posture's frame below it and is asked to carry the frame above it.  What of that it cannot do
inside its limits is left to the joints nearer the root, whose wanted frames it shifts.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import conjugate, from_axis_angle, load4_at, multiply, rotate, store4_at, twist_angle
from gestik.kernels.vector import dot, load3_at
from gestik.solvers.erik.joint_model import AXIS, EVEN, FLIPS, LOWER, PARENT, REST, SEGMENT, TWISTER, UPPER
from gestik.solvers.erik.latitude import local_swing, safe_twist
from gestik.solvers.erik.problem import ANGLE, BASIS, NOW, WANTED, Problem, Target, Work

AT_EDGE = 1e-6  # rad: this close to a limit a joint is exactly at it


@kernel
def forward_phase(problem: Problem, target: Target, work: Work, may_flip: bool) -> None:
    """Leave in work.angles[NOW] the angles of the warped posture, inside limits, and in work.wanted their frames."""
    model, settings, angles = problem.model, problem.settings, work.angles[NOW]
    count = len(model)
    above = target.rotation
    for joint in range(count - 1, -1, -1):
        is_tip = joint == count - 1
        if not is_tip:
            above = multiply(load4_at(work.warped, joint + 1, BASIS), conjugate(load4_at(model, joint + 1, REST)))
            if model[joint + 1, TWISTER] > 0.0 and faces_away(problem, work, joint):
                turn_half_round(problem, work, joint + 1)
                above = multiply(load4_at(work.warped, joint + 1, BASIS), conjugate(load4_at(model, joint + 1, REST)))
        store4_at(work.wanted, joint, WANTED, above)
        basis = load4_at(work.warped, joint, BASIS)
        asked = multiply(conjugate(basis), above)
        if model[joint, TWISTER] > 0.0:
            # Yaw and roll of the printed YPR together are the twist of the turn about the joint's axis.
            twist = twist_angle(asked, load3_at(model, joint, AXIS))
            angle = safe_twist(model, joint, twist, settings.tip_flips if is_tip else may_flip)
        else:
            angle = local_swing(model, problem.tables, joint, rotate(asked, load3_at(model, joint, SEGMENT)), 1.0)
        if settings.avoid_edges:
            angle = off_edge(model, joint, angle, settings.disturbance)
        angles[joint] = angle
        if not is_tip:
            back = from_axis_angle(load3_at(model, joint, AXIS), -angle)
            store4_at(work.warped, joint, BASIS, multiply(above, back))


@kernel
def off_edge(model: FloatArray, joint: int, angle: float, disturbance: float) -> float:
    """AvoidJointEdge: a joint exactly at a limit is nudged off it, as far as its range allows."""
    lower, upper = model[joint, LOWER], model[joint, UPPER]
    nudge = min(disturbance, 0.5 * (upper - lower))
    if abs(angle - lower) <= AT_EDGE:
        return float(lower + nudge)
    if abs(angle - upper) <= AT_EDGE:
        return float(upper - nudge)
    return angle


@kernel
def faces_away(problem: Problem, work: Work, joint: int) -> bool:
    """Whether the joint's axis points the other way in the frame of the twister above than in its own (line 30)."""
    if problem.model[joint, FLIPS] == 0.0 or problem.model[joint, TWISTER] > 0.0:
        return False
    rest = load4_at(problem.model, joint + 1, REST)
    axis = load3_at(problem.model, joint, AXIS)
    carried = rotate(multiply(load4_at(work.warped, joint + 1, BASIS), conjugate(rest)), axis)
    return dot(carried, rotate(load4_at(work.warped, joint, BASIS), axis)) < -EVEN


@kernel
def turn_half_round(problem: Problem, work: Work, first: int) -> None:
    """PropagateRollUp by pi (Algorithm 10): the joints from `first` on half round their bone, swings reversed."""
    model = problem.model
    for joint in range(first, len(model)):
        half = from_axis_angle(load3_at(model, joint, PARENT), math.pi)
        store4_at(work.warped, joint, BASIS, multiply(load4_at(work.warped, joint, BASIS), half))
        if model[joint, TWISTER] == 0.0:
            work.angles[NOW, joint] = -work.angles[NOW, joint]
            work.warped[joint, ANGLE] = -work.warped[joint, ANGLE]
