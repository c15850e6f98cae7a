"""Poise: the best pose that looks where it should, by direct search.

It minimises ``sum of weight * measure over the goals + posture weight * posture measure``, every measure in [0, 1]
(ERIK, eq. 19), over all angles inside the limits: in closed form on chains between two twists with the paper's measure,
from a few fixed starts with a box-limited local method on every other chain or tree.
"""

from __future__ import annotations

from gestik.solvers.poise.bind import MEASURES, bind
from gestik.solvers.spec import Capability, Option, SolverSpec

SPEC = SolverSpec(
    name="poise",
    summary="aims exactly, holds the posture as nearly as possible, keeps every limit; chains and trees",
    citation="own method on the problem of Ribeiro & Paiva, Expressive Inverse Kinematics (ERIK)",
    capabilities=(
        Capability.POSITION
        | Capability.ORIENTATION
        | Capability.AIM
        | Capability.POSTURE
        | Capability.POSTURE_POINTS
        | Capability.SEVERAL_GOALS
        | Capability.SEVERAL_LIMBS
        | Capability.LIMITS
        | Capability.GLOBAL
        | Capability.FOLLOWS
    ),
    options=(
        Option(
            "measure",
            "shape",
            "how a posture is compared: shape sees what people see, paper compares the cosines of bends as ERIK does",
            choices=MEASURES,
        ),
        Option(
            "aggravation", 1.0, "ERIK's alpha: how much more each bend towards the tip counts", lowest=0.1, highest=10.0
        ),
        Option(
            "starts",
            102,
            "quasi-random starts at most; the posture and some of them are always tried, more while goals are not met",
            lowest=6,
            highest=1000,
        ),
    ),
    bind=bind,
)
