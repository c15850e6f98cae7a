"""BWCD: CCD run backwards, from the base to the tips, so that the first joints do most of the work.

Ribeiro & Paiva, ERIK, Algorithm 19 (posture version: limits are not kept) and Algorithm 21 (solution version: they
are), from whose text `coordinate_descent` departs as its files say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gestik.goals.goal import Goal
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.solvers.ccd import CAPABILITIES, MAX_ITERATIONS
from gestik.solvers.coordinate_descent.bind import BoundDescent
from gestik.solvers.coordinate_descent.layout import FROM_BASE
from gestik.solvers.spec import Option, SolverSpec

SOLUTION, POSTURE = "solution", "posture"


def bind(
    skeleton: Skeleton, goals: Sequence[Goal], posture: Posture | None, options: Mapping[str, float | int | str]
) -> BoundDescent:
    """Bind BWCD; postures are refused by its capabilities."""
    is_limited = options["version"] == SOLUTION
    return BoundDescent("bwcd", skeleton, goals, FROM_BASE, int(options["max_iterations"]), limited=is_limited)


SPEC = SolverSpec(
    name="bwcd",
    summary="turns one joint after the other as is best for the goals, the first joint first; warps most near the base",
    citation="Ribeiro & Paiva, Expressive Inverse Kinematics (ERIK), Algorithms 19 and 21",
    capabilities=CAPABILITIES,
    options=(
        MAX_ITERATIONS,
        Option(
            "version",
            SOLUTION,
            "solution keeps the limits; posture does not, and warps what an animator drew",
            choices=(SOLUTION, POSTURE),
        ),
    ),
    bind=bind,
)
