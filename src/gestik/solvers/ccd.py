"""CCD: cyclic coordinate descent, from the tips to the base.

Wang & Chen 1991; Ribeiro & Paiva, ERIK, Algorithm 22, from whose text `coordinate_descent` departs as its files say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gestik.goals.goal import Goal
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.solvers.coordinate_descent.bind import BoundDescent
from gestik.solvers.coordinate_descent.layout import FROM_TIP
from gestik.solvers.spec import Capability, Option, SolverSpec

CAPABILITIES = (
    Capability.POSITION
    | Capability.ORIENTATION
    | Capability.AIM
    | Capability.SEVERAL_GOALS
    | Capability.SEVERAL_LIMBS
    | Capability.JOINT_MASK
    | Capability.LIMITS
    | Capability.FOLLOWS
)
MAX_ITERATIONS = Option("max_iterations", 200, "sweeps over all joints at most", lowest=1, highest=1_000_000)


def bind(
    skeleton: Skeleton, goals: Sequence[Goal], posture: Posture | None, options: Mapping[str, float | int | str]
) -> BoundDescent:
    """Bind CCD; postures are refused by its capabilities."""
    return BoundDescent("ccd", skeleton, goals, FROM_TIP, int(options["max_iterations"]), limited=True)


SPEC = SolverSpec(
    name="ccd",
    summary="turns one joint after the other as is best for the goals, the last joint first; warps most near the tip",
    citation="Wang & Chen, A combined optimization method for solving the inverse kinematics problem (1991)",
    capabilities=CAPABILITIES,
    options=(MAX_ITERATIONS,),
    bind=bind,
)
