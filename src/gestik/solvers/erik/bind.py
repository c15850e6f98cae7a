"""Pack a skeleton, goals and hyperparameters into the flat arrays of ERIK's entry kernel.

No compiler is needed until something is solved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gestik.errors import CapabilityError, InputError
from gestik.goals.goal import BoundGoal, Goal
from gestik.goals.metrics import bones_of_points, bones_that_count
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import REVOLUTE, FloatArray, Vector
from gestik.model.chain import SerialChain, cut_chain
from gestik.model.freezing import frozen_floats
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import rotate
from gestik.solvers.erik.joint_model import PARALLEL, JointModel, joint_models, latitude_tables, model_table
from gestik.solvers.report import REPORT_WIDTH
from gestik.solvers.spec import Filled

Options = Mapping[str, float | int | str]

# The bits of the extensions for solves that do not converge, as numbered in extensions.py.
OFFSET_BIT, CCD_BITS, OWN_BIT = 1, 2 + 4 + 8, 16


class Added(NamedTuple):
    """What a user added to ERIK."""

    entry: Callable[..., None] | None = None  # takes the place of `entry.solve_rows`
    has_extension: bool = False


class BoundErik:
    """ERIK bound to one chain: stateless and safe to share between threads."""

    def __init__(self, skeleton: Skeleton, goal: Goal, posture: Posture | None, options: Options, added: Added) -> None:
        bound = goal.bind(skeleton)
        chain = cut_chain(skeleton, bound.frame)
        place = chain.place(bound.frame)
        check_chain(chain, bound, place.joint)
        looking = rotate(place.rotation, bound.axis)
        models = joint_models(chain, looking)
        self.models = models
        self.chain = chain
        self.widths = [4] if posture is None else [4, _posture_width(chain, posture)]
        self._skeleton = skeleton
        self._posture = posture
        self._added = added
        numbers = _numbers(models, bound, looking, posture, options, added)
        self._flat = (
            model_table(models, bones_that_count(chain)[:, 0]),
            latitude_tables(models, float(options["latitude_step"])),
            frozen_floats(numbers),
            frozen_floats(place.rotation),
            0 if posture is None else (1 if posture.positions is None else 2),
            chain.dofs,
        )

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets."""
        from gestik.solvers.erik.entry import solve_rows

        held = targets[:, 4:] if self._posture is not None and self._posture.positions is None else starts
        # Joints off the chain take the posture as far as their limits allow.
        answers = np.clip(held, self._skeleton.lower, self._skeleton.upper)
        answers = np.array(np.broadcast_to(answers, (len(targets), self._skeleton.dof_count)), order="C")
        if self._posture is not None and self._posture.positions is not None:
            bones = bones_of_points(self.chain, targets[:, 4:].reshape(len(targets), -1, 3))
            targets = np.ascontiguousarray(np.hstack((targets[:, :4], bones.reshape(len(targets), -1))))
        errors, report = np.empty((len(targets), 2)), np.empty((len(targets), REPORT_WIDTH))
        entry = self._added.entry or solve_rows
        entry(*self._flat, targets, frozen_floats(starts), answers, errors, report)
        return Filled(answers, errors[:, : len(self.widths)], report)

    def follow(self, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """ERIK solves whole problems only."""
        raise CapabilityError("erik does not improve a start locally")


def bind(skeleton: Skeleton, goals: Sequence[Goal], posture: Posture | None, options: Options) -> BoundErik:
    """Bind the paper's ERIK."""
    return bind_with(skeleton, goals, posture, options, Added())


def bind_with(
    skeleton: Skeleton, goals: Sequence[Goal], posture: Posture | None, options: Options, added: Added
) -> BoundErik:
    """Bind ERIK with what a user added."""
    if len(goals) != 1:
        raise CapabilityError("erik needs one Orientation besides the posture: what the end shall face")
    return BoundErik(skeleton, goals[0], posture, options, added)


def check_chain(chain: SerialChain, goal: BoundGoal, joint: int) -> None:
    """Refuse chains that are not made of hinges, each with an angle of its own."""
    codes, table = chain.arrays.codes, chain.arrays.table
    if (codes[:, ct.KIND] != REVOLUTE).any():
        raise CapabilityError(f"the chain to {goal.frame.name!r} has a joint that slides; erik knows hinges only")
    if len(chain.dofs) != len(codes) or (table[:, ct.GAIN] != 1.0).any() or table[:, ct.BIAS].any():
        raise CapabilityError(f"the chain to {goal.frame.name!r} has a mimic joint; erik turns every joint by itself")
    if joint != len(codes) - 1:
        raise CapabilityError(f"frame {goal.frame.name!r} is not carried by the last joint of its chain")


def _posture_width(chain: SerialChain, posture: Posture) -> int:
    """How many numbers one posture has: an angle a coordinate, or three a point."""
    if posture.positions is None:
        return chain.skeleton.dof_count
    positions = np.asarray(posture.positions)
    bones_of_points(chain, positions)
    return 3 * int(positions.shape[-2])


def _numbers(
    models: Sequence[JointModel],
    goal: BoundGoal,
    looking: Vector,
    posture: Posture | None,
    options: Options,
    added: Added,
) -> list[float]:
    """The settings of problem.py in the order of their fields."""
    switched = {name: options[name] == "on" for name in ("avoid_edges", "twist_parent", "refresh")}
    extensions = OFFSET_BIT * (options["offset_trick"] == "on") + CCD_BITS * (options["ccd_trick"] == "on")
    tip = models[-1]
    tip_flips = goal.symmetric and tip.is_twister and float(np.linalg.norm(np.cross(tip.axis, looking))) < PARALLEL
    even = all(model.is_twister or abs(model.lower + model.upper) < PARALLEL for model in models)
    numbers = [
        options["max_iterations"],
        options["max_turns"],
        options["threshold"],
        goal.weight,
        0.0 if posture is None else posture.weight,
        options["aggravation"],
        options["disturbance"],
        options["ccd_precision"],
        options["precision"],
        options["stall"],
        options["tie"],
        options["offset_seed"],
        extensions + OWN_BIT * added.has_extension,
        switched["avoid_edges"],
        switched["twist_parent"],
        switched["refresh"],
        goal.symmetric,
        tip_flips,
        even or any(not np.isfinite(model.lower + model.upper) for model in models),
        *rotate(models[0].rest, models[0].segment),
        *looking,
    ]
    if any(isinstance(number, str) for number in numbers):
        raise InputError("the hyperparameters of erik are numbers")
    return [float(number) for number in numbers]
