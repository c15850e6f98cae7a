"""Transpose: steps along the transpose of the Jacobian, as far as the errors get smaller."""

from __future__ import annotations

from gestik.solvers.spec import SolverSpec
from gestik.solvers.stepping.options import (
    CLAMP_PLACE,
    CLAMP_TURN,
    COMMON,
    LARGEST_STEP,
    PATIENCE,
    binder,
    iterations,
)
from gestik.solvers.stepping.settings import TRANSPOSE

SPEC = SolverSpec(
    name="transpose",
    summary="steps along the transpose of the Jacobian: cheap steps, many of them",
    citation="Wolovich & Elliott 1984; step length of Buss 2004; as Ribeiro & Paiva (ERIK) eq. 4",
    capabilities=COMMON,
    options=(iterations(1000), LARGEST_STEP, CLAMP_PLACE, CLAMP_TURN, PATIENCE),
    bind=binder("transpose", TRANSPOSE),
)
