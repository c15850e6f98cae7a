"""Goals whose targets move: given as a function of time, or one target for each posture of a clip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gestik.errors import InputError
from gestik.goals.goal import Goal
from gestik.model.clip import Clip
from gestik.model.posture import Posture
from gestik.solvers.prepared import Goals, read_goals

TARGETS = ("at", "along", "point", "quaternion")  # what the goals of this package call their target


def goals_over_time(clip: Clip, goals: Goals | Callable[[float], Goals]) -> list[Goal]:
    """Goals with one target, or one for each posture of the clip."""
    if callable(goals):
        moments = [read_goals(goals(time)) for time in clip.times.tolist()]
        if len({tuple(type(goal) for goal in moment) for moment in moments}) > 1:
            raise InputError("the goals of a warp change their kinds over time")
        read = [_joined(list(series)) for series in zip(*moments, strict=True)]
    else:
        read = read_goals(goals)
    asked = [goal for goal in read if not isinstance(goal, Posture)]
    if len(asked) < len(read):
        raise InputError("a warp holds the clip's own postures; leave the Posture out")
    if not asked:
        raise InputError("a warp needs a goal: an Aim, an Orientation or a Position")
    for goal in asked:
        if goal.target.ndim == 2 and len(goal.target) != len(clip):
            raise InputError(f"{len(goal.target)} targets are given for the {len(clip)} postures of {clip.name!r}")
    return asked


def _joined(series: list[Goal | Posture]) -> Goal | Posture:
    """One goal with the targets of many, in all else like the first."""
    first: Any = series[0]
    if isinstance(first, Posture):
        return first
    changed = next(name for name in TARGETS if getattr(first, name, None) is not None)
    targets = np.array([goal.target for goal in series if not isinstance(goal, Posture)])
    joined: Goal = replace(first, **{changed: targets})
    return joined
