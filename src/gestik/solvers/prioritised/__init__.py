"""Prioritised: levels of tasks, each solved in what those before it leave open."""

from __future__ import annotations

from gestik.solvers.spec import Capability, SolverSpec
from gestik.solvers.stepping.options import (
    BOUND,
    CLAMP_PLACE,
    CLAMP_TURN,
    COMMON,
    DAMPING,
    DAMPING_RULE,
    HOLD,
    LARGEST_STEP,
    PATIENCE,
    POSTURE_GAIN,
    binder,
    iterations,
)
from gestik.solvers.stepping.settings import PRIORITISED

SPEC = SolverSpec(
    name="prioritised",
    summary="any number of priorities: a level never disturbs those before it; a posture is the last",
    citation="Baerlocher 2001, Baerlocher & Boulic 2004; as Ribeiro & Paiva (ERIK) eq. 13, 14 and 25",
    capabilities=COMMON | Capability.POSTURE | Capability.PRIORITIES,
    options=(
        iterations(200),
        HOLD,
        DAMPING_RULE,
        DAMPING,
        BOUND,
        LARGEST_STEP,
        CLAMP_PLACE,
        CLAMP_TURN,
        POSTURE_GAIN,
        PATIENCE,
    ),
    bind=binder("prioritised", PRIORITISED),
)
