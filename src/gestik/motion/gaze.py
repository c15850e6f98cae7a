"""Finding the pose that looks while it holds a posture, moment by moment; joint groups take shares and come late.

A local optimum glides along with target and posture; now and then a search looks everywhere for a better one.  On the
way to another pose the eye stays on the target as far as the joints' speeds allow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gestik.errors import InputError
from gestik.goals.aim import Aim
from gestik.kernels.arrays import FloatArray
from gestik.model import checks
from gestik.model.freezing import frozen_floats
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.solvers.prepared import Prepared

SEARCH_PERIOD = 0.2  # s, between looks for another way to pose
BETTER = 0.005  # cost: another pose is taken when it is better by this
SLACK = 1e-3  # rad or m: what a pose may move even when no time has passed
PROGRESS = 0.5  # of a step's way to the wanted pose, below which the gaze is let go to get there


@dataclass(frozen=True)
class JointGroup:
    """Joints that take part in turning to a target in their own way; the others go at once and do the rest."""

    joints: Sequence[str]  # names of joints or degrees of freedom
    share: float = 1.0  # of the turn a full solve would give them, from 0 to 1
    delay: float = 0.0  # s, behind the eyes

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "share", checks.fraction(self.share))
            object.__setattr__(self, "delay", checks.finite_not_negative(self.delay))
        except ValueError as fault:
            raise InputError(f"share or delay of joint group {self.joints!r} {fault}") from fault


class Question(NamedTuple):
    """What a gaze is asked at one moment."""

    time: float  # s
    is_point: bool  # the target is a point [m], else a direction
    target: FloatArray  # [3], in the world
    posture: FloatArray  # [dof], to hold
    here: FloatArray  # [dof], where the body stands


class Answer(NamedTuple):
    """What it answers."""

    time: float  # of the question [s]
    posture: FloatArray  # [dof], of the question
    pose: FloatArray  # [dof], which looks


class Gaze:
    """Answers one question after another; remembers the pose it wants and the one it has shown."""

    def __init__(self, skeleton: Skeleton, eye: str, speed: FloatArray, groups: Sequence[JointGroup] = ()) -> None:
        """Look with an eye, moving no joint faster than its `speed` [dof, rad/s or m/s]."""
        self.skeleton, self.speed, self.groups = skeleton, speed, list(groups)
        held = Posture(skeleton.rest)
        self._problems = {
            True: Prepared(skeleton, [Aim(eye, at=(1.0, 0.0, 0.0)), held], method="poise"),
            False: Prepared(skeleton, [Aim(eye, along=(1.0, 0.0, 0.0)), held], method="poise"),
        }
        self._masks = [skeleton.mask(group.joints) for group in self.groups]
        if len(self._masks) and np.sum(self._masks, axis=0).max() > 1:
            raise InputError("a joint is in two groups; it can follow one")
        self._lower, self._upper = frozen_floats(skeleton.lower[None, :]), frozen_floats(skeleton.upper[None, :])
        self._longest = max((group.delay for group in self.groups), default=0.0)
        self.forget()

    def forget(self) -> None:
        """Begin anew with the next question, from where the body stands then."""
        self._wanted: FloatArray | None = None
        self._shown: FloatArray | None = None
        self._time = self._searched = 0.0
        self._turns: deque[tuple[float, FloatArray]] = deque()

    def answer(self, question: Question) -> Answer:
        """Find the pose for a question; times of questions do not fall."""
        problem = self._problems[question.is_point]
        rows = problem.pack_row((question.target, question.posture))
        if self._wanted is None or self._shown is None:
            self._time, self._shown = question.time, question.here
        passed, self._time = max(0.0, question.time - self._time), question.time
        reach = self.speed * passed
        wanted = self._best(problem, rows, reach)
        self._wanted, self._shown = wanted, self._on_the_way(problem, rows, wanted, self._shown, reach)
        pose = self._shared(problem, rows, question, self._shown) if self.groups else self._shown
        return Answer(question.time, question.posture, pose)

    def _best(self, problem: Prepared, rows: FloatArray, reach: FloatArray) -> FloatArray:
        """Glide along; search when it is time to, or when the pose came to its end: then where it lands is chance."""
        from gestik.motion.stages import steps_between

        glided = None
        if self._wanted is not None:
            glided = problem.follow_rows(rows, frozen_floats(self._wanted[None, :]), self._lower, self._upper)
            if steps_between(self._wanted, glided.angles[0], reach, SLACK) > 1.0:
                glided = None
            elif self._time - self._searched < SEARCH_PERIOD:
                return np.asarray(glided.angles[0])
        self._searched = self._time
        found = problem.solve_rows(rows, problem.pack_start(self._shown))
        glides = glided is not None and glided.cost[0] <= found.cost[0] + BETTER
        return np.asarray(glided.angles[0] if glided is not None and glides else found.angles[0])

    def _on_the_way(
        self, problem: Prepared, rows: FloatArray, wanted: FloatArray, here: FloatArray, reach: FloatArray
    ) -> FloatArray:
        """The pose wanted, where one step of `reach` [dof] gets there; else a step that looks at the target on its way.

        All joints arrive together.
        """
        from gestik.motion.stages import steps_between

        steps = steps_between(here, wanted, reach, SLACK)
        if steps <= 1.0:
            return wanted
        straight = here + (wanted - here) / steps
        held = problem.with_posture(rows, straight)
        low = frozen_floats(np.clip(here - reach, self._lower[0], self._upper[0])[None, :])
        high = frozen_floats(np.clip(here + reach, self._lower[0], self._upper[0])[None, :])
        looking = problem.follow_rows(held, frozen_floats(straight[None, :]), low, high).angles[0]
        return straight if steps_between(looking, wanted, reach, SLACK) > steps - PROGRESS else looking

    def _shared(self, problem: Prepared, rows: FloatArray, question: Question, full: FloatArray) -> FloatArray:
        """The pose when each group takes its share, late, and the joints in no group look as well as they then can."""
        turn = self.skeleton.difference(question.posture, full)
        self._turns.append((question.time, turn))
        while len(self._turns) > 1 and self._turns[1][0] <= question.time - self._longest:
            self._turns.popleft()
        taken, grouped = turn.copy(), np.zeros(len(turn), dtype=np.bool_)
        for group, mask in zip(self.groups, self._masks, strict=True):
            taken[mask] = group.share * self._turn_at(question.time - group.delay)[mask]
            grouped |= mask
        pose = np.clip(self.skeleton.step(question.posture, taken), self._lower[0], self._upper[0])
        low = frozen_floats(np.where(grouped, pose, self._lower))
        high = frozen_floats(np.where(grouped, pose, self._upper))
        return np.asarray(problem.follow_rows(rows, frozen_floats(pose[None, :]), low, high).angles[0])

    def _turn_at(self, time: float) -> FloatArray:
        """The turn that was wanted at a moment, none before the first."""
        latest = np.zeros(self.skeleton.dof_count)
        for moment, turn in self._turns:
            if moment > time:
                break
            latest = turn
        return latest
