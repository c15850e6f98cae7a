"""FABRIK: forward and backward reaching.

Aristidou & Lasenby, FABRIK: a fast, iterative solver for the inverse kinematics problem (2011).  On bare points as
`gestik.fabrik` and `gestik.fabrik_constrained`; as a method on skeletons, whose joints carry the points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gestik.goals.goal import Goal
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.solvers.fabrik.bind import CAPABILITIES, MAX_ITERATIONS, BoundFabrik
from gestik.solvers.spec import SolverSpec


def bind(
    skeleton: Skeleton, goals: Sequence[Goal], posture: Posture | None, options: Mapping[str, float | int | str]
) -> BoundFabrik:
    """Bind FABRIK; what is no position is refused by its capabilities."""
    return BoundFabrik("fabrik", skeleton, goals, int(options["max_iterations"]), limits_in_both=False)


SPEC = SolverSpec(
    name="fabrik",
    summary="draws the points of every limb after its end and back from the base; joints follow inside their limits",
    citation="Aristidou & Lasenby, FABRIK: a fast, iterative solver for the inverse kinematics problem (2011)",
    capabilities=CAPABILITIES,
    options=(MAX_ITERATIONS,),
    bind=bind,
)
