"""Pseudoinverse: the shortest step that does what can be done; large next to singular poses."""

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
from gestik.solvers.stepping.settings import PSEUDOINVERSE

SPEC = SolverSpec(
    name="pseudoinverse",
    summary="steps by the pseudoinverse of the Jacobian; holds a posture in what the goals leave open",
    citation="Whitney 1969; as Ribeiro & Paiva (ERIK) eq. 5 and 6",
    capabilities=COMMON | Capability.POSTURE,
    options=(iterations(200), LARGEST_STEP, CLAMP_PLACE, CLAMP_TURN, POSTURE_GAIN, PATIENCE),
    bind=binder("pseudoinverse", PSEUDOINVERSE),
)
