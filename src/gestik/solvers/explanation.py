"""Why a goal was missed, in one sentence, and what can be proved about it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gestik.goals.goal import WORLD, BoundGoal
from gestik.goals.judge import goal_error
from gestik.goals.kinds import CENTER_OF_MASS_GOAL, POSITION_GOAL
from gestik.kernels.arrays import FloatArray
from gestik.model.reach import reach
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import as_vector
from gestik.solvers.report import SPENT, STALLED

AT_LIMIT = 1e-6  # rad or m: closer to a limit than this is at it
NUDGE = 1e-5  # rad or m: how far a joint is tried beyond its limit
HELPS = 1e-3  # of the nudge: what the error must fall by for the limit to be what holds it
NAMED = 4  # limits that are named one by one


def limits_reached(skeleton: Skeleton, angles: FloatArray) -> list[tuple[int, float]]:
    """The degrees of freedom that stand at a limit, each with the side it cannot go to, -1 or 1."""
    low, high = angles <= skeleton.lower + AT_LIMIT, angles >= skeleton.upper - AT_LIMIT
    return [(dof, -1.0 if low[dof] else 1.0) for dof in np.flatnonzero(low | high).tolist()]


def out_of_reach(skeleton: Skeleton, goal: BoundGoal, target: FloatArray) -> float:
    """How far a target is out of reach, by the lengths of bones alone [m]; 0 where that proves nothing."""
    if goal.kind != POSITION_GOAL or goal.reference is not WORLD or not all(goal.axes):
        return 0.0
    room = goal.slack[0] + float(np.linalg.norm(goal.slack[1:]))
    return max(0.0, reach(skeleton, goal.frame).gap(as_vector(target)) - room - goal.tolerance)


def explain_miss(
    skeleton: Skeleton,
    angles: FloatArray,
    missed: Sequence[tuple[BoundGoal, float, FloatArray]],
    ending: int,
    iterations: int,
) -> str:
    """Say by how much each goal, given with its error and its target, is missed, what holds it, and how it ended."""
    parts = []
    for goal, error, target in missed:
        beyond = out_of_reach(skeleton, goal, target)
        far = f", its target {in_words(goal, beyond)} out of reach" if beyond > 0.0 else ""
        parts.append(f"{goal.frame.name!r} is {in_words(goal, error)} off{far}")
    held = _holding(skeleton, angles, missed)
    if held:
        parts.append(f"held by the {'limit' if len(held) == 1 else 'limits'} of {_listed(held)}")
    if ending == STALLED:
        parts.append(f"stalled after {iterations} iterations where no small step helps")
    elif ending == SPENT:
        parts.append(f"out of iterations after {iterations}")
    else:
        parts.append("the closest that was found")
    return "; ".join(parts)


def _holding(
    skeleton: Skeleton, angles: FloatArray, missed: Sequence[tuple[BoundGoal, float, FloatArray]]
) -> list[str]:
    """The degrees of freedom whose limit keeps a missed goal from getting closer at once."""
    held = []
    errors = _errors(skeleton, angles, missed)
    for dof, side in limits_reached(skeleton, angles):
        beyond = angles.copy()
        beyond[dof] += side * NUDGE
        if (_errors(skeleton, beyond, missed) < errors - HELPS * NUDGE).any():
            held.append(skeleton.dof_names[dof])
    return held


def _errors(
    skeleton: Skeleton, angles: FloatArray, missed: Sequence[tuple[BoundGoal, float, FloatArray]]
) -> FloatArray:
    """The errors of the missed goals at other angles."""
    pose = skeleton.forward(angles)
    return np.array([goal_error(goal, pose, target) for goal, _, target in missed])


def in_words(goal: BoundGoal, error: float) -> str:
    """An error in words."""
    return (
        f"{1000.0 * error:.3g} mm"
        if goal.kind in (POSITION_GOAL, CENTER_OF_MASS_GOAL)
        else f"{np.degrees(error):.3g} degrees"
    )


def _listed(names: Sequence[str]) -> str:
    """Names in a row, not too many."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
