"""How much poise tries: on a chain many short searches from everywhere, on a tree fewer and longer ones.

No compiler is needed here; `unpack_plan` in entry.py reads these numbers.
"""

from __future__ import annotations

from typing import NamedTuple


class Phase(NamedTuple):
    """How the local method improves a candidate for a while."""

    steps: int  # at most
    sharpness: float  # of the tasks: residuals below it count as quadratic
    rounding: float  # rad, of the sighted measure: below it a bone's deviation counts as quadratic
    trust: float  # rad, the largest step of a joint at first
    worth: float  # cost: what a step must gain to be followed by another


class Plan(NamedTuple):
    """How much a search tries."""

    first_batch: int  # starts
    next_batch: int
    kept: int  # candidates of a batch that are refined
    first: Phase  # for every start
    second: Phase  # for the candidates kept
    last: Phase  # for the best
    loose: Phase  # for every candidate, where the posture is held more loosely

    def flat(self) -> tuple[float, ...]:
        """All numbers in one row."""
        counts, phases = self[:3], self[3:]
        return (*counts, *(number for phase in phases for number in phase))


# What decided: many starts on a chain, whose joints leave few ways to a target, and few on a tree, where almost every
# way leads to it.  Rounding less and less finds better shapes than a sharp measure all along.
CHAIN_PLAN = Plan(
    first_batch=6,
    next_batch=8,
    kept=2,
    first=Phase(5, 1e-2, 0.2, 1.2, 1e-4),
    second=Phase(6, 1e-3, 0.05, 0.8, 2e-5),
    last=Phase(4, 1e-6, 0.01, 0.4, 0.0),
    loose=Phase(8, 1e-3, 0.1, 0.8, 0.0),
)
TREE_PLAN = Plan(
    first_batch=1,
    next_batch=2,
    kept=1,
    first=Phase(11, 1e-2, 0.1, 0.5, 1e-4),
    second=Phase(3, 1e-3, 0.05, 0.5, 2e-5),
    last=Phase(3, 1e-6, 0.02, 0.4, 0.0),
    loose=Phase(8, 1e-3, 0.1, 0.8, 0.0),
)
