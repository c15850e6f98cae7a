"""Dls: damped least squares, by elimination or by singular values, with a fixed or an adapted damping."""

from __future__ import annotations

from gestik.solvers.spec import Capability, SolverSpec
from gestik.solvers.stepping.options import (
    BOUND,
    CLAMP_PLACE,
    CLAMP_TURN,
    COMMON,
    DAMPING,
    DAMPING_RULE,
    FORM,
    LARGEST_STEP,
    PATIENCE,
    POSTURE_GAIN,
    binder,
    iterations,
)
from gestik.solvers.stepping.settings import DLS

SPEC = SolverSpec(
    name="dls",
    summary="damped least squares: steady next to singular poses; holds a posture in what the goals leave open",
    citation=(
        "Wampler 1986, Nakamura & Hanafusa 1986; damping of Maciejewski & Klein 1988; as Ribeiro & Paiva (ERIK) eq. 9, "
        "10 and 15"
    ),
    capabilities=COMMON | Capability.POSTURE,
    options=(
        iterations(200),
        DAMPING_RULE,
        DAMPING,
        BOUND,
        FORM,
        LARGEST_STEP,
        CLAMP_PLACE,
        CLAMP_TURN,
        POSTURE_GAIN,
        PATIENCE,
    ),
    bind=binder("dls", DLS),
)
