"""Options that several Jacobian methods have, each declared once."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

from gestik.goals.goal import Goal
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.solvers.spec import Bind, Capability, Option
from gestik.solvers.stepping.bind import BoundStepping, Options

# What every one of them can do.
COMMON = (
    Capability.POSITION
    | Capability.ORIENTATION
    | Capability.AIM
    | Capability.CENTER_OF_MASS
    | Capability.SEVERAL_GOALS
    | Capability.SEVERAL_LIMBS
    | Capability.RELATIVE
    | Capability.AXES
    | Capability.SLACK
    | Capability.JOINT_MASK
    | Capability.LIMITS
    | Capability.FOLLOWS
)

PATIENCE = Option(
    "patience", 20, "iterations without progress after which a search has stalled", lowest=1, highest=10_000
)
LARGEST_STEP = Option(
    "largest_step", pi / 4, "the most any coordinate changes in one iteration", unit="rad or m", lowest=1e-3, highest=10
)
CLAMP_PLACE = Option(
    "clamp_place",
    0.5,
    "D_max of places: what is missing is cut to this before a step",
    unit="of the length of all bones",
    lowest=1e-3,
    highest=100.0,
)
CLAMP_TURN = Option(
    "clamp_turn", 1.0, "D_max of turns and gazes: what is missing is cut to this", unit="rad", lowest=1e-3, highest=10.0
)
POSTURE_GAIN = Option(
    "posture_gain", 0.3, "the part of the way to a posture that one step goes, where no goal feels it", highest=1.0
)
DAMPING = Option("damping", 0.1, "lambda, where it is fixed", unit="m or 1", highest=100.0)
DAMPING_RULE = Option(
    "damping_rule",
    "maciejewski",
    "how lambda is found: fixed, or as little as keeps steps shorter than the bound",
    choices=("maciejewski", "fixed"),
)
BOUND = Option(
    "bound", 1.0, "b_max of Maciejewski's rule: the longest step it allows", unit="rad", lowest=1e-3, highest=100.0
)
FORM = Option(
    "form",
    "elimination",
    "how a step with a fixed damping is found: both are the same; a posture needs the singular values besides",
    choices=("elimination", "svd"),
)
HOLD = Option(
    "hold",
    "all",
    "what a posture holds: all angles, its shape (all but twists at base and ends), or nothing",
    choices=("all", "shape", "nothing"),
)


def iterations(default: int) -> Option:
    """How many iterations there are at most."""
    return Option("max_iterations", default, "iterations at most", lowest=1, highest=1_000_000)


def binder(method: str, rule: int) -> Bind:
    """The bind of a Jacobian method."""

    def bind(skeleton: Skeleton, goals: Sequence[Goal], posture: Posture | None, options: Options) -> BoundStepping:
        return BoundStepping(method, rule, skeleton, goals, posture, options)

    return bind
