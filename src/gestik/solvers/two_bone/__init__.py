"""Two bones in closed form: `gestik.two_bone` on three points, and a method on limbs of skeletons.

After course notes on analytic inverse kinematics of two links, corrected as `kernels/two_bones.py` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gestik.goals.goal import Goal
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.solvers.spec import Capability, Option, SolverSpec
from gestik.solvers.two_bone.bind import BoundTwoBone


def bind(
    skeleton: Skeleton, goals: Sequence[Goal], posture: Posture | None, options: Mapping[str, float | int | str]
) -> BoundTwoBone:
    """Bind the closed form; what is no single position is refused by its capabilities."""
    return BoundTwoBone(skeleton, goals, options)


SPEC = SolverSpec(
    name="two_bone",
    summary="arms and legs in closed form: bends the middle joint to the length, then turns the root to the target",
    citation="analytic inverse kinematics of two links by the law of cosines, course notes, corrected",
    capabilities=Capability.POSITION | Capability.JOINT_MASK | Capability.LIMITS | Capability.FOLLOWS,
    options=(
        Option("pole", "", "name of a frame towards which the middle joint bends; empty: the way it bends already"),
        Option(
            "softness",
            0.0,
            "over this last share of its reach the limb stretches less and less, and never quite",
            highest=1.0,
        ),
    ),
    bind=bind,
)
