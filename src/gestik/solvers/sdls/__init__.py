"""Sdls: damped least squares, each singular direction damped as much as it needs."""

from __future__ import annotations

from gestik.solvers.spec import Capability, SolverSpec
from gestik.solvers.stepping.options import (
    CLAMP_PLACE,
    CLAMP_TURN,
    COMMON,
    LARGEST_STEP,
    PATIENCE,
    POSTURE_GAIN,
    binder,
    iterations,
)
from gestik.solvers.stepping.settings import SDLS

SPEC = SolverSpec(
    name="sdls",
    summary="selectively damped least squares: no damping to choose; holds a posture in what the goals leave open",
    citation="Buss & Kim 2005; as Ribeiro & Paiva (ERIK) eq. 11 and 12",
    capabilities=COMMON | Capability.POSTURE,
    options=(iterations(200), LARGEST_STEP, CLAMP_PLACE, CLAMP_TURN, POSTURE_GAIN, PATIENCE),
    bind=binder("sdls", SDLS),
)
