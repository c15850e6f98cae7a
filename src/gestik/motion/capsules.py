"""A body as capsules, for asking whether it runs into itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray, IntArray, Vector
from gestik.model import checks
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.joints import Shape, ShapeKind
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import compose, rotate

TOUCHING = 1e-3  # m: capsules this near at rest are made to touch


class Capsule(NamedTuple):
    """All points within `radius` of a segment."""

    frame: str  # a joint or another frame it moves with; "" for the base
    start: Vector  # m, in that frame
    end: Vector
    radius: float  # m


class PackedCapsules(NamedTuple):
    """Capsules as kernels read them, and the pairs worth looking at."""

    names: tuple[str, ...]
    rows: IntArray  # [capsule], -1 for the base
    table: FloatArray  # [capsule, CAPSULE_WIDTH] of motion/clearance.py
    pairs: IntArray  # [pair, 2]


def pack_capsules(skeleton: Skeleton, capsules: Sequence[Capsule] | None) -> PackedCapsules:
    """Pack capsules, those of the skeleton's own shapes where none are given.

    Pairs on the same or on neighbouring joints, and pairs that touch at rest, are left out: they are made to.
    """
    from gestik.motion.clearance import CAPSULE_WIDTH, least_gaps

    if capsules is None:
        found = [(shape.name, shape.row, *_core(shape)) for shape in skeleton.shapes if shape.kind != ShapeKind.MESH]
    else:
        found = [_placed(skeleton, capsule) for capsule in capsules]
    rows = [row for _, row, *_ in found]
    table = np.array([(*start, *end, radius) for _, _, start, end, radius in found]).reshape(-1, CAPSULE_WIDTH)
    joints = [-1 if row < 0 else int(skeleton.row_joints[row]) for row in rows]
    apart = [
        (one, two)
        for one in range(len(found))
        for two in range(one + 1, len(found))
        if not _are_neighbours(skeleton, joints[one], joints[two])
    ]
    packed_rows, packed = frozen_integers(rows), frozen_floats(table)
    pairs = np.array(apart, dtype=np.int32).reshape(-1, 2)
    gaps = np.empty((1, len(pairs)))
    least_gaps(
        skeleton.arrays, frozen_floats(skeleton.rest[None, :]), packed_rows, packed, frozen_integers(pairs), gaps
    )
    return PackedCapsules(
        tuple(name for name, *_ in found), packed_rows, packed, frozen_integers(pairs[gaps[0] > TOUCHING])
    )


def _are_neighbours(skeleton: Skeleton, one: int, two: int) -> bool:
    """Whether two joints (-1 is the base) are the same or sit on each other, joints that cannot move not counted."""
    first, second = _moving(skeleton, one), _moving(skeleton, two)
    return first == second or first == _above(skeleton, second) or second == _above(skeleton, first)


def _moving(skeleton: Skeleton, joint: int) -> int:
    """The joint itself, or the nearest above it that can move."""
    while joint >= 0 and not skeleton.joint_kinds[joint].row_kinds[0]:
        joint = int(skeleton.parents[joint])
    return joint


def _above(skeleton: Skeleton, joint: int) -> int:
    """The moving joint a moving joint sits on; the base has none above it."""
    return -2 if joint < 0 else _moving(skeleton, int(skeleton.parents[joint]))


def _placed(skeleton: Skeleton, capsule: Capsule) -> tuple[str, int, Vector, Vector, float]:
    """A capsule in the frame of its row."""
    try:
        start, end = checks.vector(list(capsule.start)), checks.vector(list(capsule.end))
        radius = checks.positive(capsule.radius)
    except (TypeError, ValueError, AttributeError) as fault:
        raise InputError(f"capsule {shown(capsule)} {fault}") from fault
    if not capsule.frame:
        return "base", -1, start, end, radius
    frame = skeleton.frame(capsule.frame)
    begin, _ = compose(frame.position, frame.rotation, start, (1.0, 0.0, 0.0, 0.0))
    finish, _ = compose(frame.position, frame.rotation, end, (1.0, 0.0, 0.0, 0.0))
    return capsule.frame, frame.row, begin, finish, radius


def _core(shape: Shape) -> tuple[Vector, Vector, float]:
    """The segment and radius of a capsule inside a shape, about as wide and as long."""
    x, y, z = shape.size
    axis: Vector = (0.0, 0.0, 1.0)
    if shape.kind == ShapeKind.BOX:
        edges = sorted(((x, (1.0, 0.0, 0.0)), (y, (0.0, 1.0, 0.0)), (z, (0.0, 0.0, 1.0))), key=lambda edge: edge[0])
        radius, half, axis = 0.5 * edges[1][0], 0.5 * edges[2][0], edges[2][1]
        half -= radius
    else:
        radius = max(shape.radii)
        half = 0.0 if shape.kind == ShapeKind.SPHERE else 0.5 * shape.height
        if shape.kind not in (ShapeKind.CAPSULE, ShapeKind.SPHERE):
            if half < radius:  # a disc: lie across it
                radius, half, axis = half, radius, (1.0, 0.0, 0.0)
            half -= radius
    way = rotate(shape.rotation, axis)
    half = max(0.0, half)
    px, py, pz = shape.position
    low = (px - half * way[0], py - half * way[1], pz - half * way[2])
    return low, (px + half * way[0], py + half * way[1], pz + half * way[2]), radius
