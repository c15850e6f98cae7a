"""Cutting a body into the points FABRIK moves: joints that turn about one common point are one group.

A row whose axis leads through the point of the next one turns about that point as well as about its own, so a twist
goes with the bend that follows it: by itself it would move no point, and never be turned.  What slides goes with the
joint it sits on, whose link it lengthens.  This module imports no numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import PRISMATIC, FloatArray, IntArray
from gestik.model.chain import CutTree
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.transforms import IDENTITY, ORIGIN, as_quaternion, as_vector, compose
from gestik.solvers.tasks.bind import PackedTasks
from gestik.solvers.tasks.layout import JOINT, TOOL, WEIGHT

# Columns of Groups.codes.
FIRST, LAST = 0, 1  # joints of the tree
BALL = 2  # 1 where the group is one ball joint, with slides or without
CONE = 3  # row of Groups.cones, -1 for none
BEGIN, END = 4, 5  # its handles
CODE_WIDTH = 6

# Columns of Groups.handle_codes.
CHILD = 0  # the group whose centre it is, -1
TASK = 1  # the task whose frame it is, -1
# Columns of Groups.handle_table.
ARM = 0  # 3, m, in the frame of the group's last joint
SQUARED_WEIGHT = 3
HANDLE_WIDTH = 4

# Columns of Groups.cones.
TWIST_AXIS, SWING, LEAST_TWIST, MOST_TWIST = 0, 3, 4, 5

# Lines closer than this share of their distance from the origin meet.
MEET = 1e-9


class Groups(NamedTuple):
    """The groups of a tree, those nearer the base first, and the points each one carries."""

    codes: IntArray  # [group, CODE_WIDTH]
    centres: FloatArray  # [group, 3], m, in the frame its first joint sits on
    handle_codes: IntArray  # [handle, 2]
    handle_table: FloatArray  # [handle, HANDLE_WIDTH]
    cones: FloatArray  # [cone, 6]
    drives: IntArray  # [joint], 1 where it moves its coordinate, 0 where it only follows


def cut_groups(packed: PackedTasks) -> Groups:
    """Cut the tree of packed tasks into groups."""
    tree = packed.tree
    count = len(tree.rows)
    above = tree.arrays.codes[:, ct.PARENT].tolist()
    carried = packed.codes[:, JOINT].tolist()
    slides = (tree.arrays.codes[:, ct.KIND] == PRISMATIC).tolist()
    runs: list[list[int]] = []
    centres: list[FloatArray] = []
    for joint in range(count):
        is_free_end = joint > 0 and above[joint] == joint - 1
        alone = above.count(joint - 1) == 1 and joint - 1 not in carried
        if is_free_end and alone and (slides[joint] or not _parts_at_cone(tree, joint)):
            meeting = centres[-1] if slides[joint] else common_point(tree, [*runs[-1], joint])
            if meeting is not None:
                runs[-1].append(joint)
                centres[-1] = meeting
                continue
        runs.append([joint])
        own = common_point(tree, [joint])
        rest = tree.arrays.table[joint, ct.REST_POSITION : ct.REST_POSITION + 3]
        centres.append(np.array(rest) if own is None else own)
    group_of = {joint: group for group, run in enumerate(runs) for joint in run}
    handles: list[tuple[int, int, int, FloatArray]] = []  # group, child, task, arm
    for group, run in enumerate(runs):
        if above[run[0]] >= 0:
            handles.append((group_of[above[run[0]]], group, -1, centres[group]))
    for task, joint in enumerate(carried):
        handles.append((group_of[joint], -1, task, packed.table[task, TOOL : TOOL + 3]))
    handles.sort(key=lambda handle: handle[0])
    squares = _squares_beyond(packed, runs, handles)
    owners = [handle[0] for handle in handles]
    codes = []
    cones: list[tuple[float, ...]] = []
    for group, run in enumerate(runs):
        begin = owners.index(group)
        is_ball, cone = _ball(tree, run)
        if cone is not None:
            cones.append(cone)
        number = len(cones) - 1 if cone is not None else -1
        codes.append((run[0], run[-1], int(is_ball), number, begin, begin + owners.count(group)))
    drivers = tree.arrays.codes[:, ct.DOF].tolist()
    gains = tree.arrays.table[:, ct.GAIN].tolist()
    firsts = [
        gains[j] == 1.0 and not any(drivers[i] == drivers[j] and gains[i] == 1.0 for i in range(j))
        for j in range(count)
    ]
    table = [(*arm.tolist(), square) for (_, _, _, arm), square in zip(handles, squares, strict=True)]
    return Groups(
        frozen_integers(codes),
        frozen_floats(centres),
        frozen_integers([(child, task) for _, child, task, _ in handles]),
        frozen_floats(table),
        frozen_floats(np.reshape(cones, (-1, 6))),
        frozen_integers(firsts),
    )


def _squares_beyond(
    packed: PackedTasks, runs: Sequence[list[int]], handles: Sequence[tuple[int, int, int, FloatArray]]
) -> list[float]:
    """The squared weights of all goals a handle leads to; never quite 0, because they are divided by."""
    sums = [1e-12] * len(runs)
    for owner, _, task, _ in reversed(handles):
        if task >= 0:
            sums[owner] += float(packed.table[task, WEIGHT]) ** 2
    for owner, child, _, _ in reversed(handles):
        if child >= 0:
            sums[owner] += sums[child]
    return [
        sums[child] if child >= 0 else float(packed.table[task, WEIGHT]) ** 2 + 1e-12 for _, child, task, _ in handles
    ]


def common_point(tree: CutTree, run: Sequence[int]) -> FloatArray | None:
    """The point, in the frame the first joint of a run sits on, that all its axes lead through; None if there is none.

    Of several on one line the last joint's place.
    """
    lines = []
    position, rotation = ORIGIN, IDENTITY
    for joint in run:
        row = tree.arrays.table[joint]
        rest = (
            as_vector(row[ct.REST_POSITION : ct.REST_POSITION + 3]),
            as_quaternion(row[ct.REST_ROTATION : ct.REST_ROTATION + 4]),
        )
        position, rotation = compose(position, rotation, *rest)
        axis, _ = compose(ORIGIN, rotation, as_vector(row[ct.AXIS : ct.AXIS + 3]), IDENTITY)
        lines.append((np.array(position), np.array(axis)))
        if tree.arrays.codes[joint, ct.KIND] == PRISMATIC:
            return None
    near = MEET * max(1.0, *(float(np.linalg.norm(point)) for point, _ in lines))
    start, first = lines[-1]
    meeting: FloatArray = start
    for point, other in lines[:-1]:
        across = np.cross(first, other)
        square = float(across @ across)
        if square > MEET:  # the last axis, and where this one comes nearest to it
            meeting = start + first * float(np.cross(point - start, other) @ across) / square
            break
    off = [float(np.linalg.norm(np.cross(line, meeting - point))) for point, line in lines]
    return meeting if max(off) <= near else None


def _parts_at_cone(tree: CutTree, joint: int) -> bool:
    """Whether a ball joint with a cone ends or begins before a joint: what is limited as one turns as one."""
    joints = [int(tree.skeleton.row_joints[tree.rows[here]]) for here in (joint - 1, joint)]
    coned = {int(tree.skeleton.row_joints[row]) for row in tree.skeleton.limits.cone_rows.tolist()}
    return joints[0] != joints[1] and not coned.isdisjoint(joints)


def _ball(tree: CutTree, run: Sequence[int]) -> tuple[bool, tuple[float, ...] | None]:
    """Whether a group is one ball joint, and its cone if it has one."""
    skeleton = tree.skeleton
    rows = [tree.rows[joint] for joint in run if tree.arrays.codes[joint, ct.KIND] != PRISMATIC]
    joints = {int(skeleton.row_joints[row]) for row in rows}
    if len(rows) != 3 or len(joints) != 1:
        return False, None
    limits = skeleton.limits
    for cone, first in enumerate(limits.cone_rows.tolist()):
        if first == rows[0]:
            return True, (*limits.cone_axes[cone].tolist(), *limits.cone_ranges[cone].tolist())
    return True, None
