"""How a posture stands to the limits of a skeleton: boxes, cones, couplings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gestik.kernels.arrays import Quaternion, Vector
from gestik.kernels.limit_table import LimitArrays
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.transforms import IDENTITY, as_vector, from_axis_angle, multiply

if TYPE_CHECKING:
    from gestik.model.skeleton import Skeleton

# A limit broken by less than this [rad or m] is kept.
KEPT = 1e-9


def limit_arrays(skeleton: Skeleton) -> LimitArrays:
    """Cones and couplings as kernels read them."""
    balls = [skeleton.joint_names.index(cone.joint) for cone in skeleton.cones]
    coupled = [[skeleton.dof_names.index(dof) for dof in coupling.dofs] for coupling in skeleton.couplings]
    return LimitArrays(
        cone_rows=frozen_integers([skeleton.turns_of(joint)[0] for joint in balls]),
        cone_axes=frozen_floats(np.reshape([cone.axis for cone in skeleton.cones], (-1, 3))),
        cone_ranges=frozen_floats(np.reshape([(cone.swing, *cone.twist) for cone in skeleton.cones], (-1, 3))),
        coupled_dofs=frozen_integers(np.reshape(coupled, (-1, 2))),
        coupling_factors=frozen_floats(np.reshape([coupling.factors for coupling in skeleton.couplings], (-1, 2))),
        coupling_bounds=frozen_floats(
            np.reshape([(coupling.lower, coupling.upper) for coupling in skeleton.couplings], (-1, 2))
        ),
    )


def limit_excess(skeleton: Skeleton, angles: Sequence[float]) -> dict[str, float]:
    """By how much each broken limit is broken [rad or m]: below 0 under the lower, above 0 over the upper one."""
    excesses = {}
    for what, value, lower, upper in _measured(skeleton, angles):
        excess = min(value - lower, 0.0) + max(value - upper, 0.0)
        if abs(excess) > KEPT:
            excesses[what] = excess
    return excesses


def faults_of_rest(skeleton: Skeleton) -> Iterator[str]:
    """Name each limit the rest posture breaks; to come to rest must always be possible."""
    for what, excess in limit_excess(skeleton, skeleton.rest.tolist()).items():
        side = "above its upper" if excess > 0.0 else "below its lower"
        yield f"{what} is at rest {abs(excess):g} {side} limit; give the joints a rest that keeps it"


def _measured(skeleton: Skeleton, angles: Sequence[float]) -> Iterator[tuple[str, float, float, float]]:
    """What each limit is on, how large that is, and from where to where it may be."""
    yield from zip(skeleton.dof_names, angles, skeleton.lower.tolist(), skeleton.upper.tolist(), strict=True)
    named = dict(zip(skeleton.dof_names, angles, strict=True))
    for coupling in skeleton.couplings:
        total = sum(factor * named[dof] for factor, dof in zip(coupling.factors, coupling.dofs, strict=True))
        yield str(coupling), total, coupling.lower, coupling.upper
    for cone, axis in zip(skeleton.cones, skeleton.limits.cone_axes, strict=True):
        swing, twist = _swing_and_twist(_turned(skeleton, cone.joint, angles), as_vector(axis))
        yield f"swing of {cone.joint}", swing, 0.0, cone.swing
        yield f"twist of {cone.joint}", _on_the_side_of(cone.twist, twist), *cone.twist


def _turned(skeleton: Skeleton, joint: str, angles: Sequence[float]) -> Quaternion:
    """How far a ball joint is turned."""
    turned = IDENTITY
    for row in skeleton.turns_of(skeleton.joint_names.index(joint)):
        axis = as_vector(skeleton.arrays.axis[row])
        turned = multiply(turned, from_axis_angle(axis, angles[skeleton.arrays.dof[row]]))
    return turned


def _swing_and_twist(rotation: Quaternion, axis: Vector) -> tuple[float, float]:
    """Angles [rad] of the swing and of the twist about `axis` that comes before it."""
    w, x, y, z = rotation
    along = x * axis[0] + y * axis[1] + z * axis[2]
    straight = math.hypot(w, along)
    across = math.hypot(x - along * axis[0], y - along * axis[1], z - along * axis[2])
    return 2.0 * math.atan2(across, straight), 2.0 * math.atan2(along, w) if straight > 0.0 else 0.0


def _on_the_side_of(limits: tuple[float, float], angle: float) -> float:
    """The equal angle that is inside the limits, or the nearest to one of them."""
    lower, upper = limits
    above = lower + (angle - lower) % math.tau
    below = above - math.tau
    return above if above <= upper or above - upper <= lower - below else below
