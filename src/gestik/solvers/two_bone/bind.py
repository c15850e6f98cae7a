"""Finding the two bones of a limb on a skeleton, and packing them.  No compiler is needed until something is solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gestik.errors import CapabilityError, InputError, NameNotFoundError
from gestik.goals.goal import Goal
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import PRISMATIC, FloatArray, IntArray
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, ORIGIN, as_quaternion, as_vector, compose
from gestik.solvers.coordinate_descent.bind import cones_of, lone_coordinates
from gestik.solvers.fabrik.groups import ARM, BALL, BEGIN, FIRST, LAST, Groups, cut_groups
from gestik.solvers.report import REPORT_WIDTH
from gestik.solvers.spec import Filled
from gestik.solvers.tasks.bind import PackedTasks, moved_tasks, pack_tasks

# A bone shorter than this share of a metre is none, and an axis this close to one does not move its end.
SHORT = 1e-9


class Bone(NamedTuple):
    """What a group carries its point with, all its joints at zero."""

    arm: FloatArray  # [3], m, from the group's centre, in the frame the group sits on
    benders: tuple[int, ...]  # joints of the tree whose turn moves the point


class BoundTwoBone:
    """The closed form bound to a limb: stateless and safe to share between threads."""

    def __init__(self, skeleton: Skeleton, goals: Sequence[Goal], options: Mapping[str, float | int | str]) -> None:
        packed = pack_tasks(skeleton, goals, "two_bone")
        groups = cut_groups(packed)
        self.widths = packed.widths
        codes, numbers = _limb(packed, groups, float(options["softness"]), str(options["pole"]))
        self._flat = (
            *packed.tree.arrays,
            packed.codes,
            packed.table,
            *groups,
            moved_tasks(packed),
            lone_coordinates(packed.tree),
            *cones_of(packed.tree),
            codes,
            numbers,
            packed.tree.dofs,
        )
        self._skeleton = skeleton
        self._low, self._high = frozen_floats(skeleton.lower[None, :]), frozen_floats(skeleton.upper[None, :])

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets."""
        return self.follow(targets, starts, self._low, self._high)

    def follow(self, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """Improve every row of starts inside its box."""
        from gestik.solvers.two_bone.entry import solve_rows

        begun = np.clip(starts, low, high)
        if self._skeleton.cones:  # ball joints stay inside their cones if they begin there
            begun = np.array([self._skeleton.clamp(angles) for angles in begun])
        answers = np.array(np.broadcast_to(begun, (len(targets), starts.shape[1])), order="C")
        errors, report = np.empty((len(targets), len(self.widths))), np.empty((len(targets), REPORT_WIDTH))
        solve_rows(*self._flat, targets, low, high, answers, errors, report)
        return Filled(answers, errors, report)


def _limb(packed: PackedTasks, groups: Groups, softness: float, pole: str) -> tuple[IntArray, FloatArray]:
    """The codes and numbers of the limb, in the places the entry names."""
    tree = packed.tree
    bones = [_bone(packed, groups, group) for group in range(len(groups.codes))]
    # What lies beyond the middle without bending the limb, a wrist at its end or a twist, stays as it is.
    bending = [group for group, bone in enumerate(bones) if bone.benders]
    if len(bending) < 2 or bending[-2] != bending[-1] - 1:
        raise CapabilityError(
            "method 'two_bone' needs two joints that bend the limb, a bone between them and one beyond"
        )
    root, middle = bending[-2:]
    for group in (root, middle):
        joints = range(groups.codes[group, FIRST], groups.codes[group, LAST] + 1)
        if any(tree.arrays.codes[joint, ct.KIND] == PRISMATIC for joint in joints):
            raise CapabilityError("method 'two_bone' knows bones of one length; a joint of this limb slides")
    if len(bones[root].benders) == 1 and len(bending) > 2:
        raise CapabilityError("method 'two_bone' needs a root that turns to all sides, or a limb that moves in a plane")
    hinge = -1 if groups.codes[middle, BALL] else bones[middle].benders[-1]
    reach = sum(float(np.linalg.norm(bone.arm)) for bone in bones[root:])
    pole_joint, place = -1, ORIGIN
    if pole:
        try:
            seat = tree.seat(tree.skeleton.frame(pole))
        except (NameNotFoundError, CapabilityError) as fault:
            raise InputError(f"option pole: {fault}") from fault
        pole_joint, place = seat.joint, seat.position
        if pole_joint >= groups.codes[root, FIRST]:
            raise CapabilityError(
                f"pole {pole!r} moves with the limb; it sits on what carries the limb, or on the base"
            )
        if not groups.codes[root, BALL]:
            raise CapabilityError("a pole needs a limb whose root is a ball joint: hinges leave no choice")
    codes = frozen_integers((root, middle, hinge, pole_joint, bool(pole)))
    return codes, frozen_floats((reach, softness, *place))


def _bone(packed: PackedTasks, groups: Groups, group: int) -> Bone:
    """What a group carries its one point with."""
    table = packed.tree.arrays.table
    position, rotation = ORIGIN, IDENTITY
    axes = {}
    for joint in range(groups.codes[group, FIRST], groups.codes[group, LAST] + 1):
        row = table[joint]
        place = as_vector(row[ct.REST_POSITION : ct.REST_POSITION + 3])
        position, rotation = compose(
            position, rotation, place, as_quaternion(row[ct.REST_ROTATION : ct.REST_ROTATION + 4])
        )
        axes[joint] = np.array(compose(ORIGIN, rotation, as_vector(row[ct.AXIS : ct.AXIS + 3]), IDENTITY)[0])
    handle = groups.handle_table[groups.codes[group, BEGIN], ARM : ARM + 3]
    arm = np.array(compose(position, rotation, as_vector(handle), IDENTITY)[0]) - groups.centres[group]
    far = max(float(np.linalg.norm(arm)), 1.0)
    benders = [
        joint
        for joint, axis in axes.items()
        if groups.drives[joint] and float(np.linalg.norm(np.cross(axis, arm))) > SHORT * far
    ]
    return Bone(arm, tuple(benders))
