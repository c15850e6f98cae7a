"""Pack a skeleton, goals and options into the flat arrays of poise's entry kernel.

No compiler is needed until something is solved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gestik.errors import CapabilityError
from gestik.goals.goal import BoundGoal, Goal
from gestik.goals.kinds import ORIENTATION_GOAL
from gestik.goals.metrics import TWIST, bones_that_count, points_of_chain
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import FloatArray
from gestik.model.chain import SerialChain, cut_chain
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import rotate
from gestik.solvers.poise.two_twists import NOT_TWO_TWISTS, TwoTwists, two_twists
from gestik.solvers.report import REPORT_WIDTH
from gestik.solvers.spec import Filled

MEASURES = ("shape", "paper")
SHAPE_PULL = 3e-4  # cost per rad^2 / 2: enough for a unique answer, 0.1 degrees of shape at the most
PAPER_PULL = 1e-6


class BoundPoise:
    """Poise bound to one chain: stateless and safe to share between threads."""

    def __init__(
        self,
        skeleton: Skeleton,
        goals: Sequence[Goal],
        posture: Posture | None,
        options: Mapping[str, float | int | str],
    ) -> None:
        bound = [goal.bind(skeleton) for goal in goals]
        chain = cut_chain(skeleton, max((goal.frame for goal in bound), key=lambda f: len(skeleton.chain(f.name))))
        self.chain = chain
        self.posture_width = 0 if posture is None else _posture_width(chain, posture)
        self.widths = [goal.target.shape[-1] for goal in goals] + ([self.posture_width] if posture else [])
        self._skeleton = skeleton
        self._posture = posture
        paper = options["measure"] == "paper"
        aggravation = float(options["aggravation"])
        weight = 0.0 if posture is None else posture.weight
        twists = _two_twists(chain, bound, aggravation) if paper and weight > 0.0 else NOT_TWO_TWISTS
        table = chain.arrays.table
        base = rotate(_quaternion(table[0, ct.REST_ROTATION :]), _vector(table[0, ct.BONE :]))
        self._flat = (
            *chain.arrays,
            frozen_integers([_codes(chain, goal) for goal in bound]),
            frozen_floats([_task(chain, goal) for goal in bound]),
            frozen_floats((float(paper), weight, aggravation, *skeleton.up.tolist(), *base)),
            frozen_floats(_starts(chain, int(options["starts"]))),
            frozen_floats(_pull(chain, paper)),
            frozen_floats(bones_that_count(chain)),
            frozen_integers(self._layout(goals, posture)),
            chain.dofs,
            twists.table,
            twists.limits,
            twists.mirrors,
            twists.numbers,
        )

    def _layout(self, goals: Sequence[Goal], posture: Posture | None) -> list[tuple[int, int]]:
        """Where each goal's numbers begin in a row of targets; last the posture's, and its form."""
        offsets = np.concatenate(([0], np.cumsum([goal.target.shape[-1] for goal in goals]))).tolist()
        form = 0 if posture is None else (2 if posture.positions is not None else 1)
        return [*((offset, 0) for offset in offsets[:-1]), (offsets[-1], form)]

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets."""
        return self._run(0, targets, starts, starts, starts)

    def follow(self, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """Improve every row of starts inside its box."""
        return self._run(1, targets, starts, low, high)

    def _run(self, mode: int, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        from gestik.solvers.poise.entry import solve_rows

        count = len(targets)
        targets = self._with_chain_points(targets)
        if self.posture_width == 0 or self._posture is None or self._posture.positions is not None:
            answers = np.clip(starts, self._skeleton.lower, self._skeleton.upper)
        else:
            # Joints off the chain take the posture as far as their limits allow.
            answers = np.clip(targets[:, -self.posture_width :], self._skeleton.lower, self._skeleton.upper)
        answers = np.array(np.broadcast_to(answers, (count, self._skeleton.dof_count)))
        errors = np.empty((count, len(self.widths) + (self._posture is None)))
        report = np.empty((count, REPORT_WIDTH))
        solve_rows(*self._flat, mode, targets, starts, low, high, answers, errors, report)
        return Filled(answers, errors[:, : len(self.widths)], report)

    def _with_chain_points(self, targets: FloatArray) -> FloatArray:
        """Where a posture is given by places, leave those of the chain's joints and of its end."""
        if self._posture is None or self._posture.positions is None:
            return targets
        asked = targets[:, : -self.posture_width]
        points = targets[:, -self.posture_width :].reshape(len(targets), -1, 3)
        return np.hstack((asked, points_of_chain(self.chain, points).reshape(len(targets), -1)))


def _posture_width(chain: SerialChain, posture: Posture) -> int:
    """How many numbers one posture has: an angle a coordinate, or three a point."""
    if posture.positions is None:
        return chain.skeleton.dof_count
    positions = np.asarray(posture.positions)
    points_of_chain(chain, positions)
    return 3 * int(positions.shape[-2])


def _codes(chain: SerialChain, goal: BoundGoal) -> tuple[int, int, int]:
    """A task's integer codes: kind, joint, symmetric."""
    return goal.kind, chain.place(goal.frame).joint, int(goal.symmetric)


def _task(chain: SerialChain, goal: BoundGoal) -> tuple[float, ...]:
    """A task's numbers: tool position and rotation, looking direction in the joint's frame, weight, per metre."""
    place = chain.place(goal.frame)
    looking = rotate(place.rotation, goal.axis)
    reach = float(np.linalg.norm(chain.arrays.table[1:, ct.REST_POSITION : ct.REST_POSITION + 3], axis=1).sum())
    return (*place.position, *place.rotation, *looking, goal.weight, 1.0 / max(reach, 1e-6))


def _starts(chain: SerialChain, count: int) -> FloatArray:
    """Quasi-random angles inside the limits [count, dof]: the additive sequence with the most even spread.

    Roberts 2018: the steps are powers of the root of x^(d+1) = x + 1.  Unlimited joints are drawn in [-pi, pi].
    """
    dofs = len(chain.dofs)
    root = 2.0
    for _ in range(40):
        root = (1.0 + root) ** (1.0 / (dofs + 1))
    steps = root ** -np.arange(1, dofs + 1)
    spread = (0.5 + np.outer(np.arange(1, count + 1), steps)) % 1.0
    lower, upper = chain.arrays.limits
    lower = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2.0 * np.pi, -np.pi))
    upper = np.where(np.isfinite(upper), upper, lower + 2.0 * np.pi)
    starts: FloatArray = lower + spread * (upper - lower)
    return starts


def _pull(chain: SerialChain, paper: bool) -> FloatArray:
    """How strongly the posture's own angles draw each coordinate: enough to choose among poses that look alike.

    A root that turns about the vertical only sets the heading, which the posture leaves free.
    """
    pull = np.full(len(chain.dofs), PAPER_PULL if paper else SHAPE_PULL)
    turn = rotate(_quaternion(chain.arrays.table[0, ct.REST_ROTATION :]), _vector(chain.arrays.table[0, ct.AXIS :]))
    if abs(float(np.dot(turn, chain.skeleton.up))) > 1.0 - TWIST:
        pull[chain.arrays.codes[0, ct.DOF]] = PAPER_PULL
    return pull


def _two_twists(chain: SerialChain, goals: Sequence[BoundGoal], aggravation: float) -> TwoTwists:
    """The closed form, where one orientation of the chain's last joint is all that is asked."""
    kind, joint, symmetric = _codes(chain, goals[0])
    if len(goals) != 1 or kind != ORIENTATION_GOAL or joint != len(chain.rows) - 1 or goals[0].weight == 0.0:
        return NOT_TWO_TWISTS
    looking = rotate(chain.place(goals[0].frame).rotation, goals[0].axis)
    return two_twists(chain, looking if symmetric else None, aggravation)


def bind(
    skeleton: Skeleton, goals: Sequence[Goal], posture: Posture | None, options: Mapping[str, float | int | str]
) -> BoundPoise:
    """Bind poise; goals must lie on one serial chain."""
    if not goals:
        raise CapabilityError("poise needs at least one goal besides the posture: a Position, an Orientation or an Aim")
    return BoundPoise(skeleton, goals, posture, options)


def _vector(values: FloatArray) -> tuple[float, float, float]:
    x, y, z = values[:3].tolist()
    return x, y, z


def _quaternion(values: FloatArray) -> tuple[float, float, float, float]:
    w, x, y, z = values[:4].tolist()
    return w, x, y, z
