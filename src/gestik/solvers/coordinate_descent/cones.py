"""Ball joints that keep their cone while one of their angles after the other is moved."""

from __future__ import annotations

from gestik.kernels.arrays import FloatArray, Quaternion
from gestik.kernels.chain_table import AXIS, DOF
from gestik.kernels.jit import kernel
from gestik.kernels.limits import nearest_on_circle, split_swing_twist
from gestik.kernels.quaternion import angle_of, from_axis_angle, multiply
from gestik.kernels.vector import load3_at, wrap_angle
from gestik.solvers.coordinate_descent.layout import CONE_AXIS, FIRST_JOINT, LEAST_TWIST, MOST_TWIST, SWING
from gestik.solvers.coordinate_descent.problem import Problem

# A cone broken by less than this [rad] is kept.
KEPT = 1e-9
HALVINGS = 20


@kernel
def is_in_cone(problem: Problem, cone: int, q: FloatArray) -> bool:
    """Whether a ball joint swings and twists within its cone."""
    chain, cones = problem.chain, problem.cones
    first = int(cones[cone, FIRST_JOINT])
    turned: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for joint in range(first, first + 3):
        turned = multiply(turned, from_axis_angle(load3_at(chain.table, joint, AXIS), q[chain.codes[joint, DOF]]))
    swing, twist = split_swing_twist(turned, load3_at(cones, cone, CONE_AXIS))
    back = nearest_on_circle(twist, cones[cone, LEAST_TWIST], cones[cone, MOST_TWIST])
    return angle_of(swing) <= cones[cone, SWING] + KEPT and abs(wrap_angle(twist - back)) <= KEPT


@kernel
def kept_in_cone(problem: Problem, joint: int, q: FloatArray, value: float) -> float:
    """How far a joint may go from where it is, inside its cone, towards `value`."""
    cone = problem.cone_of[joint]
    if cone < 0:
        return value
    dof = problem.chain.codes[joint, DOF]
    before = q[dof]
    q[dof] = value
    share, step = 1.0, 0.5
    if not is_in_cone(problem, cone, q):
        share = 0.0
        for _ in range(HALVINGS):
            q[dof] = before + (share + step) * (value - before)
            if is_in_cone(problem, cone, q):
                share += step
            step *= 0.5
    q[dof] = before
    return float(before + share * (value - before))
