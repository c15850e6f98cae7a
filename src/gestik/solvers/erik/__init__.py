"""ERIK: expressive inverse kinematics after Ribeiro & Paiva (2019), the whole algorithm, as corrected.

A posture is warped towards the target, fitted into the joints from the tip to the root and from the root to the tip,
and aimed by coordinate descent, until its error is small enough.  `docs/methods/erik.md` has the equations, every
correction, and where each algorithm of the paper stands.
"""

from __future__ import annotations

from gestik.solvers.erik.bind import bind
from gestik.solvers.erik.options import OPTIONS
from gestik.solvers.spec import Capability, SolverSpec

SPEC = SolverSpec(
    name="erik",
    summary="warps a posture until its end faces an orientation, by fast heuristics; chains of hinges",
    citation=(
        "Ribeiro & Paiva 2019, Expressive Inverse Kinematics Solving in Real-time for Virtual and Robotic Interactive "
        "Characters"
    ),
    capabilities=(
        Capability.ORIENTATION | Capability.POSTURE | Capability.POSTURE_POINTS | Capability.LIMITS | Capability.GLOBAL
    ),
    options=OPTIONS,
    bind=bind,
)
