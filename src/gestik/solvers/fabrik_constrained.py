"""FABRIK whose joints keep their limits in both passes, as Algorithm 3 of the FABRIK summary does.

In the pass to the base a joint first turns as far as its limits let it, in the frame it had, and its centre is drawn
after that.  Corrected and extended as the files of `gestik.solvers.fabrik` say.
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
    """Bind FABRIK with limits in both passes; what is no position is refused by its capabilities."""
    return BoundFabrik("fabrik_constrained", skeleton, goals, int(options["max_iterations"]), limits_in_both=True)


SPEC = SolverSpec(
    name="fabrik_constrained",
    summary="FABRIK with the limits of joints kept in both of its passes",
    citation="FABRIK with constraints, Algorithm 3 of the summary, after Aristidou & Lasenby (2011)",
    capabilities=CAPABILITIES,
    options=(MAX_ITERATIONS,),
    bind=bind,
)
