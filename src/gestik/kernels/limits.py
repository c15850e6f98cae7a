"""Bringing angles inside every limit: boxes, cones of ball joints, couplings of two degrees of freedom.

A rotation of a ball joint is split as swing times twist: the swing leads the twist axis to where it ends up by the
shortest way, the twist turns about it before that.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Quaternion, SkeletonArrays, Vector
from gestik.kernels.euler import ball_rotation, turn_ball
from gestik.kernels.jit import kernel
from gestik.kernels.limit_table import LEAST_TWIST, MOST_TWIST, SWING, LimitArrays
from gestik.kernels.quaternion import (
    angle_of,
    from_axis_angle,
    from_rotation_vector,
    multiply,
    rotation_vector,
    twist_angle,
)
from gestik.kernels.vector import load3, scale, wrap_angle

# A limit broken by less than this [rad or m] is kept.
KEPT = 1e-10
# Rounds of putting one limit after the other right; a few do unless limits fight each other.
ROUNDS = 50
HALVINGS = 40


@kernel
def split_swing_twist(rotation: Quaternion, axis: Vector) -> tuple[Quaternion, float]:
    """The swing, and the angle [rad] in [-pi, pi) of the twist about `axis` that comes before it."""
    twist = wrap_angle(twist_angle(rotation, axis))
    return multiply(rotation, from_axis_angle(axis, -twist)), twist


@kernel
def nearest_on_circle(angle: float, lower: float, upper: float) -> float:
    """The angle [rad] from lower to upper that is nearest to `angle` on the circle."""
    inside = lower + (angle - lower) - 2.0 * math.pi * math.floor((angle - lower) / (2.0 * math.pi))
    if inside <= upper:
        return inside
    return upper if inside - upper <= lower + 2.0 * math.pi - inside else lower


@kernel
def clamp_rotation(
    rotation: Quaternion, axis: Vector, swing: float, least_twist: float, most_twist: float
) -> Quaternion:
    """The rotation with its swing shortened to `swing` and its twist brought into the range [rad]."""
    leaning, twist = split_swing_twist(rotation, axis)
    angle = angle_of(leaning)
    if angle > swing:
        leaning = from_rotation_vector(scale(rotation_vector(leaning), swing / angle))
    return multiply(leaning, from_axis_angle(axis, nearest_on_circle(twist, least_twist, most_twist)))


@kernel
def clamp_cone(skeleton: SkeletonArrays, limits: LimitArrays, cone: int, angles: FloatArray) -> None:
    """Bring one ball joint inside its cone and range; its three entries of `angles` are overwritten."""
    row, ranges = limits.cone_rows[cone], limits.cone_ranges[cone]
    rotation = ball_rotation(skeleton, row, angles)
    axis = load3(limits.cone_axes, cone)
    clamped = clamp_rotation(rotation, axis, ranges[SWING], ranges[LEAST_TWIST], ranges[MOST_TWIST])
    turn_ball(skeleton, row, clamped, angles)


@kernel
def clamp_coupling(skeleton: SkeletonArrays, limits: LimitArrays, coupling: int, angles: FloatArray) -> None:
    """Bring two angles inside their boxes and their coupling by the shortest way; both are overwritten."""
    i, j = limits.coupled_dofs[coupling, 0], limits.coupled_dofs[coupling, 1]
    a, b = limits.coupling_factors[coupling, 0], limits.coupling_factors[coupling, 1]
    total = a * angles[i] + b * angles[j]
    wanted = min(max(total, limits.coupling_bounds[coupling, 0]), limits.coupling_bounds[coupling, 1])
    share = (wanted - total) / (a * a + b * b)
    first = _boxed(angles[i] + share * a, skeleton.lower[i], skeleton.upper[i])
    # What one cannot give because of its own limit, the other one gives.
    second = _boxed((wanted - a * first) / b, skeleton.lower[j], skeleton.upper[j])
    angles[i], angles[j] = _boxed((wanted - b * second) / a, skeleton.lower[i], skeleton.upper[i]), second


@kernel
def _boxed(angle: float, lower: float, upper: float) -> float:
    """The angle, or the limit it is beyond."""
    return min(max(angle, lower), upper)


@kernel
def largest_excess(skeleton: SkeletonArrays, limits: LimitArrays, angles: FloatArray) -> float:
    """By how much the limit broken most is broken [rad or m]; 0 inside all of them."""
    worst = 0.0
    for dof in range(len(angles)):
        worst = max(worst, skeleton.lower[dof] - angles[dof], angles[dof] - skeleton.upper[dof])
    for coupling in range(len(limits.coupled_dofs)):
        total = 0.0
        for k in range(2):
            total += limits.coupling_factors[coupling, k] * angles[limits.coupled_dofs[coupling, k]]
        bounds = limits.coupling_bounds[coupling]
        worst = max(worst, bounds[0] - total, total - bounds[1])
    for cone in range(len(limits.cone_rows)):
        ranges = limits.cone_ranges[cone]
        rotation = ball_rotation(skeleton, limits.cone_rows[cone], angles)
        swing, twist = split_swing_twist(rotation, load3(limits.cone_axes, cone))
        back = nearest_on_circle(twist, ranges[LEAST_TWIST], ranges[MOST_TWIST])
        worst = max(worst, angle_of(swing) - ranges[SWING], abs(wrap_angle(twist - back)))
    return worst


@kernel
def clamp_angles(skeleton: SkeletonArrays, limits: LimitArrays, rest: FloatArray, angles: FloatArray) -> None:
    """Bring `angles` [dof] inside every limit; they are overwritten.

    One limit after the other, round by round.  Limits that fight each other for too long are settled on the way to
    `rest`, which is inside all of them.
    """
    for _ in range(ROUNDS):
        for dof in range(len(angles)):
            angles[dof] = _boxed(angles[dof], skeleton.lower[dof], skeleton.upper[dof])
        if largest_excess(skeleton, limits, angles) <= KEPT:
            return
        for coupling in range(len(limits.coupled_dofs)):
            clamp_coupling(skeleton, limits, coupling, angles)
        for cone in range(len(limits.cone_rows)):
            clamp_cone(skeleton, limits, cone, angles)
    far = angles.copy()
    share = 0.5
    inside = 0.0
    for _ in range(HALVINGS):
        angles[:] = rest + (inside + share) * (far - rest)
        if largest_excess(skeleton, limits, angles) <= KEPT:
            inside += share
        share *= 0.5
    angles[:] = rest + inside * (far - rest)
