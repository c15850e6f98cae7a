"""Pack a skeleton, goals and options into the flat arrays of poise's entry kernel.

No compiler is needed until something is solved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gestik.errors import CapabilityError
from gestik.goals.goal import BoundGoal, Goal
from gestik.goals.kinds import ORIENTATION_GOAL
from gestik.goals.metrics import TWIST, bones_of_points, bones_that_count
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import PRISMATIC, REVOLUTE, FloatArray
from gestik.model.chain import CutTree, Place, cut_tree
from gestik.model.freezing import frozen_floats, frozen_integers, read_only
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, multiply, rotate
from gestik.solvers.poise.plan import CHAIN_PLAN, TREE_PLAN
from gestik.solvers.poise.rival import with_rival
from gestik.solvers.poise.ties import with_ties
from gestik.solvers.poise.two_twists import NOT_TWO_TWISTS, TwoTwists, two_twists
from gestik.solvers.report import REPORT_WIDTH
from gestik.solvers.spec import Bound, Filled

MEASURES = ("shape", "paper")
# Cost per rad^2 / 2: enough for a unique answer, 0.1 degrees of shape at the most.  A tree has so many ways to meet its
# goals that a firmer spring also keeps its search together.
SHAPE_PULL, TREE_PULL = 3e-4, 1e-3
PAPER_PULL = 1e-6
FAR_PULL, FAR_STRIDE = 1e-5, 1.0  # of a slide without limits
ACROSS = 0.7  # a joint whose axis has a smaller cosine with the vertical bends across it
# The columns of poise/problem.py, which this module must not import: it is read without the compiler.
PULL, STRIDE, TURNED, COORDINATE_WIDTH = 0, 1, 2, 3


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
        chain = cut_tree(skeleton, [goal.frame for goal in bound])
        self.chain = chain
        self.posture_width = 0 if posture is None else _posture_width(chain, posture)
        self.widths = [goal.target.shape[-1] for goal in goals] + ([self.posture_width] if posture else [])
        self._skeleton = skeleton
        self._posture = posture
        paper = options["measure"] == "paper"
        if paper and not chain.is_serial:
            raise CapabilityError('measure="paper" knows one chain of bends; on several limbs choose measure="shape"')
        aggravation = float(options["aggravation"])
        weight = 0.0 if posture is None else posture.weight
        twists = _two_twists(chain, bound, aggravation) if paper and weight > 0.0 else NOT_TWO_TWISTS
        turning, plan = _turning_joint(chain, bound[0]), CHAIN_PLAN if chain.is_serial else TREE_PLAN
        table = chain.arrays.table
        base = rotate(_quaternion(table[0, ct.REST_ROTATION :]), _vector(table[0, ct.BONE :]))
        self._flat = (
            *chain.arrays,
            frozen_integers([_codes(chain, goal) for goal in bound]),
            frozen_floats([_task(chain, goal) for goal in bound]),
            frozen_floats((float(paper), weight, aggravation, *skeleton.up.tolist(), *base, turning, *plan.flat())),
            frozen_floats(_starts(chain, int(options["starts"]))),
            frozen_floats(_coordinates(chain, paper)),
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
        targets = self._with_bones(targets)
        if self.posture_width == 0 or self._posture is None or self._posture.positions is not None:
            answers = np.clip(starts, self._skeleton.lower, self._skeleton.upper)
        else:
            # Joints off the chain take the posture as far as their limits allow.
            answers = np.clip(targets[:, -self.posture_width :], self._skeleton.lower, self._skeleton.upper)
        answers = np.array(np.broadcast_to(answers, (count, self._skeleton.dof_count)), order="C")
        errors = np.empty((count, len(self.widths) + (self._posture is None)))
        report = np.empty((count, REPORT_WIDTH))
        starts, low, high = read_only(starts), read_only(low), read_only(high)
        solve_rows(*self._flat, mode, np.ascontiguousarray(targets), starts, low, high, answers, errors, report)
        return Filled(answers, errors[:, : len(self.widths)], report)

    def _with_bones(self, targets: FloatArray) -> FloatArray:
        """Where a posture is given by places, leave the directions of the bones between them."""
        if self._posture is None or self._posture.positions is None:
            return targets
        asked = targets[:, : -self.posture_width]
        points = targets[:, -self.posture_width :].reshape(len(targets), -1, 3)
        return np.hstack((asked, bones_of_points(self.chain, points).reshape(len(targets), -1)))


def _posture_width(chain: CutTree, posture: Posture) -> int:
    """How many numbers one posture has: an angle a coordinate, or three a point."""
    if posture.positions is None:
        return chain.skeleton.dof_count
    positions = np.asarray(posture.positions)
    bones_of_points(chain, positions)
    return 3 * int(positions.shape[-2])


def _codes(chain: CutTree, goal: BoundGoal) -> tuple[int, int, int]:
    """A task's integer codes: kind, joint, symmetric."""
    return goal.kind, chain.place(goal.frame).joint, int(goal.symmetric)


def _task(chain: CutTree, goal: BoundGoal) -> tuple[float, ...]:
    """A task's numbers: tool position and rotation, looking direction in the joint's frame, weight, per metre."""
    place = chain.place(goal.frame)
    looking = rotate(place.rotation, goal.axis)
    return (*place.position, *place.rotation, *looking, goal.weight, 1.0 / max(_reach(chain, place), 1e-6))


def _reach(chain: CutTree, place: Place) -> float:
    """How far from the base a frame can come [m], slides without limits left out."""
    way = chain.way_to(place.joint)
    offsets = chain.arrays.table[way[1:], ct.REST_POSITION : ct.REST_POSITION + 3]
    slides = [joint for joint in way if chain.arrays.codes[joint, ct.KIND] == PRISMATIC]
    extents = np.abs(chain.arrays.limits[:, chain.arrays.codes[slides, ct.DOF]]).max(axis=0)
    bones = float(np.linalg.norm(offsets, axis=1).sum()) + float(np.linalg.norm(place.position))
    return bones + float(extents[np.isfinite(extents)].sum())


def _turning_joint(chain: CutTree, goal: BoundGoal) -> int:
    """The joint that turns a start towards the first goal: one about the vertical, else the first that turns, or -1."""
    codes, table = chain.arrays.codes, chain.arrays.table
    turns = [
        joint
        for joint in chain.way_to(chain.place(goal.frame).joint)
        if codes[joint, ct.KIND] == REVOLUTE and table[joint, ct.GAIN] == 1.0
    ]
    upright = [joint for joint in turns if _is_upright(chain, joint)]
    return [*upright, *turns, -1][0]


def _is_upright(chain: CutTree, joint: int) -> bool:
    """Whether a joint turns about the vertical when all angles are zero."""
    return abs(_uprightness(chain, joint)) > 1.0 - TWIST


def _uprightness(chain: CutTree, joint: int) -> float:
    """The cosine between a joint's axis and the vertical when all angles are zero."""
    turn, table = IDENTITY, chain.arrays.table
    for step in chain.way_to(joint):
        turn = multiply(turn, _quaternion(table[step, ct.REST_ROTATION :]))
    axis = rotate(turn, _vector(table[joint, ct.AXIS :]))
    return float(np.dot(axis, chain.skeleton.up))


def _starts(chain: CutTree, count: int) -> FloatArray:
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


def _coordinates(chain: CutTree, paper: bool) -> FloatArray:
    """How strongly the posture's own value draws each coordinate, and how far it may go at once.

    The spring is enough to choose among poses that look alike.  A root that turns about the vertical only sets the
    heading, which the posture leaves free, and a slide without limits carries the whole figure somewhere else.
    """
    codes = chain.arrays.codes
    table = np.empty((len(chain.dofs), COORDINATE_WIDTH))
    table[:, PULL], table[:, STRIDE] = PAPER_PULL if paper else SHAPE_PULL if chain.is_serial else TREE_PULL, 1.0
    turning = [joint for joint in range(len(codes)) if codes[joint, ct.KIND] == REVOLUTE]
    table[:, TURNED] = 1.0
    for joint in turning:
        if abs(_uprightness(chain, joint)) < ACROSS:
            table[codes[joint, ct.DOF], TURNED] = -1.0
    if turning and _is_upright(chain, turning[0]):
        table[codes[turning[0], ct.DOF], PULL] = PAPER_PULL
    for dof in codes[codes[:, ct.KIND] == PRISMATIC, ct.DOF].tolist():
        if not np.isfinite(chain.arrays.limits[:, dof]).all():
            table[dof] = FAR_PULL, FAR_STRIDE, 1.0
    return table


def _two_twists(chain: CutTree, goals: Sequence[BoundGoal], aggravation: float) -> TwoTwists:
    """The closed form, where one orientation of the chain's last joint is all that is asked."""
    kind, joint, symmetric = _codes(chain, goals[0])
    if len(goals) != 1 or kind != ORIENTATION_GOAL or joint != len(chain.rows) - 1 or goals[0].weight == 0.0:
        return NOT_TWO_TWISTS
    looking = rotate(chain.place(goals[0].frame).rotation, goals[0].axis)
    return two_twists(chain, looking if symmetric else None, aggravation)


def bind(
    skeleton: Skeleton, goals: Sequence[Goal], posture: Posture | None, options: Mapping[str, float | int | str]
) -> Bound:
    """Bind poise, beside a rival that knows the paper's measure, inside limits that tie joints together."""
    if not goals:
        raise CapabilityError("poise needs at least one goal besides the posture: a Position, an Orientation or an Aim")
    bound = with_rival(BoundPoise(skeleton, goals, posture, options), skeleton, goals, posture, options)
    return with_ties(skeleton, bound)


def _vector(values: FloatArray) -> tuple[float, float, float]:
    x, y, z = values[:3].tolist()
    return x, y, z


def _quaternion(values: FloatArray) -> tuple[float, float, float, float]:
    w, x, y, z = values[:4].tolist()
    return w, x, y, z
