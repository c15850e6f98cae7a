"""A skeleton, goals and a method bound together: everything is checked and packed once, then it only solves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import CapabilityError, InputError
from gestik.goals.goal import BoundGoal, Goal
from gestik.goals.judge import goal_error
from gestik.goals.kinds import AIM_ALONG, ORIENTATION_GOAL
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.model.checks import LARGEST
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats, frozen_integers, read_only
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.solvers.methods import find_method
from gestik.solvers.needs import check_needs, choose_method, needs_of
from gestik.solvers.solution import Asked, Solution
from gestik.solvers.spec import Bound, Capability, Filled, SolverSpec

HALFWAY = 0.1  # length of a mixture of two opposite directions, below which it points nowhere

# One goal or several; whoever writes a list of goals and a posture has, to a type checker, a list of objects.
Goals = Sequence[object] | Goal | Posture
# Joints or degrees of freedom, one or several.
Names = str | Sequence[str]

SOUND = -1  # the compiled checks (kernels/rows.py) found no fault
NO_LENGTH = -2  # a fault of the compiled checks, one less for each span after the first


class Prepared:
    """A problem whose targets may change from solve to solve.  Made by `gestik.prepare`; keeps no state."""

    def __init__(
        self,
        skeleton: Skeleton,
        goals: Goals,
        method: str | None = None,
        *,
        joints: Names | None = None,
        **options: object,
    ) -> None:
        if not isinstance(skeleton, Skeleton):
            raise InputError(f"the skeleton is {shown(skeleton)}; gestik.load returns one")
        given = read_goals(goals)
        postures = [goal for goal in given if isinstance(goal, Posture)]
        if len(postures) > 1:
            raise InputError(f"{len(postures)} postures are given; one can be held")
        self.skeleton = skeleton
        if skeleton.dof_count == 0:
            raise CapabilityError(f"{skeleton.name!r} has no joint that moves")
        asked = [goal for goal in given if not isinstance(goal, Posture)]
        posture = postures[0] if postures else None
        self.goals: tuple[BoundGoal | None, ...] = tuple(
            None if isinstance(goal, Posture) else goal.bind(skeleton) for goal in given
        )
        self._still = None if joints is None else frozen_floats(~skeleton.mask(joints))
        needed = needs_of(skeleton, [goal for goal in self.goals if goal], posture, self._still is not None)
        self.spec: SolverSpec = choose_method(needed) if method is None else find_method(method)
        self.options = self.spec.read_options(options)
        check_needs(self.spec, needed)
        self._bound: Bound = self.spec.bind(skeleton, asked, posture, self.options)
        # Methods take goals first and the posture last; users may give them in any order.
        self._order = [i for i, goal in enumerate(given) if not isinstance(goal, Posture)]
        self._order += [i for i, goal in enumerate(given) if isinstance(goal, Posture)]
        self._in_order = self._order == list(range(len(given)))
        self._given = given
        self.widths = list(self._bound.widths)
        self._offsets = np.concatenate(([0], np.cumsum(self.widths))).tolist()
        self._own = [self._own_target(goal) for goal in given]
        keeps = Capability.LIMITS in self.spec.capabilities
        self._has_ties = keeps and bool(skeleton.cones or skeleton.couplings)
        # What has to come to length one: quaternions and directions.
        self._unit = [n for n in self._order if (goal := self.goals[n]) and goal.kind in (ORIENTATION_GOAL, AIM_ALONG)]
        spans = [self._offsets[place : place + 2] for place, n in enumerate(self._order) if n in self._unit]
        self._no_spans = frozen_integers(np.empty((0, 2)))
        self._spans = frozen_integers(np.array(spans, dtype=np.int32).reshape(-1, 2))
        slots = [slice(0)] * len(given)
        for place, number in enumerate(self._order):
            slots[number] = slice(self._offsets[place], self._offsets[place + 1])
        self._slots = [(number, slots[number], self.widths[place]) for place, number in enumerate(self._order)]
        self.asked = Asked(skeleton, self.goals, tuple(slots))
        self._rest = frozen_floats(skeleton.rest[None, :])

    def _own_target(self, goal: Goal | Posture) -> FloatArray:
        """The target a goal was made with, flat: [width] or [n, width]."""
        if not isinstance(goal, Posture):
            return goal.target
        if goal.positions is None:
            return goal.angles_for(self.skeleton)
        points = np.asarray(goal.positions)
        return points.reshape(*points.shape[:-2], -1)

    def solve(self, *targets: ArrayLike, start: ArrayLike | None = None) -> Solution:
        """Solve for new targets, in the order of the goals; a goal without one keeps its own.

        Args:
            targets: One per goal, or fewer: points [3], directions [3], quaternions [4], postures [dof].
            start: Angles [dof]; breaks ties. None: the skeleton's rest.
        """
        row = self.pack_row(targets)
        return self.wrap(self.solve_rows(row, self.pack_start(start)), row)

    def solve_rows(self, rows: FloatArray, starts: FloatArray) -> Filled:
        """Solve checked rows; errors come in the order of the goals."""
        if self._still is None:
            return self._ordered(self._inside(self._bound.solve(_own_rows(rows), read_only(starts)), rows))
        begun = np.array(np.broadcast_to(np.clip(starts, self.skeleton.lower, self.skeleton.upper), starts.shape))
        return self.follow_rows(rows, frozen_floats(begun), self.skeleton.lower, self.skeleton.upper)

    def follow_rows(self, rows: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """Improve starts [n, dof] locally inside boxes, [dof] or [n, dof], for checked rows."""
        if self._still is not None:
            # What may not move has no room beside where it starts.
            low, high = np.where(self._still, starts, low), np.where(self._still, starts, high)
        boxes = (frozen_floats(np.broadcast_to(low, starts.shape)), frozen_floats(np.broadcast_to(high, starts.shape)))
        return self._ordered(self._inside(self._bound.follow(_own_rows(rows), read_only(starts), *boxes), rows))

    def _inside(self, filled: Filled, rows: FloatArray) -> Filled:
        """Answers brought inside cones and couplings, which methods do not know, with the errors they have there."""
        if not self._has_ties:
            return filled
        angles, errors = filled.angles, filled.errors
        for number in [row for row, found in enumerate(angles) if self.skeleton.limit_excess(found)]:
            angles[number] = self.skeleton.clamp(angles[number])
            pose = self.skeleton.forward(angles[number])
            for place, goal in enumerate(self.goals[i] for i in self._order):
                target = rows[number, self._offsets[place] : self._offsets[place + 1]]
                if goal is not None:
                    errors[number, place] = goal_error(goal, pose, target)
        return filled

    def _ordered(self, filled: Filled) -> Filled:
        """Errors in the order the goals were given."""
        if self._in_order:
            return filled
        errors = np.empty_like(filled.errors)
        errors[:, self._order] = filled.errors
        return Filled(filled.angles, errors, filled.report)

    def with_posture(self, rows: FloatArray, angles: FloatArray) -> FloatArray:
        """The same targets with another posture to hold, where a posture is held by angles."""
        changed = rows.copy()
        if self.widths[-1] == self.skeleton.dof_count and isinstance(self._given[self._order[-1]], Posture):
            changed[:, self._offsets[-2] :] = angles
        return changed

    def between(self, before: FloatArray, after: FloatArray, share: float) -> FloatArray:
        """Targets [1, width] a share of the way from one row to another, turns by the shorter way round."""
        mixed = before + share * (after - before)
        for place, number in enumerate(self._order):
            goal = self.goals[number]
            if goal is None or goal.kind not in (ORIENTATION_GOAL, AIM_ALONG):
                continue
            part = slice(self._offsets[place], self._offsets[place + 1])
            first, last = before[0, part], after[0, part]
            if goal.kind == ORIENTATION_GOAL and first @ last < 0.0:
                mixed[0, part] -= 2.0 * (1.0 - share) * first
            length = float(np.sqrt(mixed[0, part] @ mixed[0, part]))
            mixed[0, part] = mixed[0, part] / length if length > HALFWAY else last
        return mixed

    def pack_row(self, targets: Sequence[ArrayLike]) -> FloatArray:
        """One row of targets [1, width], checked."""
        if len(targets) > len(self._given):
            raise InputError(f"{len(targets)} targets are given for {len(self._given)} goals")
        row, count = np.empty((1, self._offsets[-1])), len(targets)
        flat = row[0]
        for number, slot, width in self._slots:
            wanted = targets[number] if number < count else self._own[number]
            try:
                values = np.asarray(wanted, np.float64)
                if values.size != width:
                    raise ValueError
                flat[slot] = values if values.ndim == 1 else values.reshape(-1)
            except (TypeError, ValueError, OverflowError) as fault:
                raise InputError(
                    f"target {number + 1} is {shown(wanted)}; {self._describe(number)} takes {width} numbers"
                ) from fault
        return self.check_targets(row)

    def pack_rows(self) -> FloatArray:
        """The goals' own targets as rows [n, width]; shared ones are repeated."""
        counts = {len(own) for own in self._own if own.ndim == 2}
        if len(counts) > 1:
            raise InputError(f"the goals bring batches of different lengths: {', '.join(map(str, sorted(counts)))}")
        rows = np.empty((counts.pop() if counts else 1, self._offsets[-1]))
        for place, number in enumerate(self._order):
            rows[:, self._offsets[place] : self._offsets[place + 1]] = self._own[number]
        return self.check_targets(rows)

    def check_targets(self, rows: FloatArray) -> FloatArray:
        """Refuse what is not finite and bring quaternions and directions to length one, in place."""
        fault = _settle_rows()(rows, LARGEST, self._spans)
        if fault >= 0:
            place = int(np.searchsorted(self._offsets, fault % rows.shape[1], side="right")) - 1
            raise InputError(
                f"the target of {self._describe(self._order[place])} holds {rows.flat[fault]}, not finite and within "
                f"{LARGEST:g}"
            )
        if fault <= NO_LENGTH:
            raise InputError(f"the target of {self._describe(self._unit[NO_LENGTH - fault])} has no length")
        return rows

    def pack_start(self, start: ArrayLike | None) -> FloatArray:
        """A start [1, dof], checked."""
        if start is None:
            return self._rest
        try:
            row = np.array(start, np.float64)[None]
        except (TypeError, ValueError, OverflowError):
            row = np.empty(0)
        if row.shape != self._rest.shape or _settle_rows()(row, LARGEST, self._no_spans) != SOUND:
            row = self.skeleton.check_angles(start)[None]  # raises, and says what is wrong
        row.setflags(write=False)
        return row

    def wrap(self, filled: Filled, rows: FloatArray) -> Solution:
        """The answer to the first of the rows, as users see it."""
        _, iterations, ending = filled.report[0].tolist()
        return Solution(filled.angles[0], filled.errors[0], int(iterations), int(ending), rows[0], self.asked)

    def _describe(self, number: int) -> str:
        """A goal in words."""
        goal = self.goals[number]
        return "the posture" if goal is None else f"{type(self._given[number]).__name__}({goal.frame.name!r})"


@cache
def _settle_rows() -> Callable[[FloatArray, float, IntArray], int]:
    """The compiled checks; looked up once, because an import inside a function costs more than they do."""
    from gestik.kernels.rows import settle_rows

    return settle_rows


def _own_rows(rows: FloatArray) -> FloatArray:
    """Rows as kernels are compiled for: targets that may be written; being so is part of an array's type."""
    return rows if rows.flags.writeable and rows.flags.c_contiguous else np.array(rows, order="C")


def read_goals(goals: Goals) -> list[Goal | Posture]:
    """Read one goal or several."""
    read: list[Goal | Posture] = []
    for goal in goals if isinstance(goals, Sequence) else [goals]:
        if not isinstance(goal, (Goal, Posture)):
            raise InputError(f"{shown(goal)} is no goal; choose from Position, Orientation, Aim and Posture")
        read.append(goal)
    return read
