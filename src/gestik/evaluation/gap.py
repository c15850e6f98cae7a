"""How far a method's answers are from the best that are known."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from gestik.evaluation.plan import Plan
from gestik.evaluation.statistics import combined_error
from gestik.evaluation.task import solve_numbers

BEST_WAY = {"measure": "paper", "starts": 300}  # of poise


class Gap(NamedTuple):
    """Mean combined errors on the same samples."""

    found: float
    best: float


def optimality_gap(plan: Plan, count: int) -> Gap:
    """Solve a seeded subsample again, by the plan's method and by poise with many starts."""
    numbers = plan.drawn(np.arange(min(count, plan.total)))
    found = combined_error(solve_numbers(plan, numbers))
    searching = dataclasses.replace(plan, method="poise", options=BEST_WAY, one_sided=False, half_turn=False)
    best = np.minimum(found, combined_error(solve_numbers(searching, numbers)))
    return Gap(float(found.mean()), float(best.mean()))
