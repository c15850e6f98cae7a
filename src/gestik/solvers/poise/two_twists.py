"""Recognise a chain that begins and ends with a twist, and write it as a product of exponentials."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import REVOLUTE, FloatArray, Quaternion, Vector
from gestik.model.chain import CutTree
from gestik.model.freezing import frozen_floats
from gestik.model.transforms import IDENTITY, multiply, rotate

PARALLEL = 1e-9
# The columns of poise/inner.py, which this module must not import: it is read without the compiler.
AXIS, SIZE, PEAK, OFFSET, SHARE, LOWER, UPPER, WIDTH = 0, 3, 4, 5, 6, 7, 8, 9
MOST_INNER_JOINTS = 7


@dataclass(frozen=True, eq=False)
class TwoTwists:
    """The flat form of `inner.TwistEnded`."""

    table: FloatArray
    limits: FloatArray
    mirrors: FloatArray
    numbers: FloatArray


NOT_TWO_TWISTS = TwoTwists(
    frozen_floats(np.zeros((0, WIDTH))),
    frozen_floats(np.zeros((2, 2))),
    frozen_floats(np.ones((1, 0))),
    frozen_floats(np.zeros(18)),
)


def two_twists(chain: CutTree, symmetry: Vector | None, aggravation: float) -> TwoTwists:
    """Describe `chain`, whose last joint carries the goal; NOT_TWO_TWISTS where the closed forms do not apply.

    symmetry: the axis of the goal's symmetry in the last joint's frame, None where it has none.
    """
    table = chain.arrays.table
    count = len(table)
    axes, bones = table[:, ct.AXIS : ct.AXIS + 3], table[:, ct.BONE : ct.BONE + 3]
    turns_alone = (chain.arrays.codes[:, ct.KIND] == REVOLUTE).all() and len(chain.dofs) == count
    if not turns_alone or not 3 <= count <= MOST_INNER_JOINTS + 2 or not np.linalg.norm(bones, axis=1).all():
        return NOT_TWO_TWISTS
    twists = np.linalg.norm(np.cross(axes, bones), axis=1) < PARALLEL
    symmetric_tip = symmetry is None or float(np.linalg.norm(np.cross(symmetry, axes[-1]))) < PARALLEL
    if not (twists[0] and twists[-1] and symmetric_tip) or twists[1:-1].all():
        return NOT_TWO_TWISTS

    turn: Quaternion = IDENTITY
    inner = np.zeros((count - 2, WIDTH))
    previous = np.asarray(bones[0])
    shares = aggravation ** np.arange(np.count_nonzero(~twists))
    shares = iter((0.5 * shares / shares.sum()).tolist())
    for joint in range(1, count - 1):
        turn = multiply(turn, _quaternion(table[joint, ct.REST_ROTATION : ct.REST_ROTATION + 4]))
        axis, bone = np.array(rotate(turn, _vector(axes[joint]))), np.array(rotate(turn, _vector(bones[joint])))
        row = inner[joint - 1]
        row[AXIS : AXIS + 3] = axis
        row[LOWER], row[UPPER] = chain.arrays.limits[:, joint]
        if twists[joint]:
            # A bend before a twist is the twist's to keep only when the bone before it lies on its axis.
            if float(np.linalg.norm(np.cross(axis, previous))) > PARALLEL:
                return NOT_TWO_TWISTS
            continue
        along = float(previous @ axis) * float(bone @ axis)
        cosine, sine = float(previous @ bone) - along, float(previous @ np.cross(axis, bone))
        row[SIZE], row[PEAK], row[OFFSET] = math.hypot(cosine, sine), math.atan2(sine, cosine), along
        row[SHARE] = next(shares)
        previous = bone
    tip = multiply(turn, _quaternion(table[-1, ct.REST_ROTATION : ct.REST_ROTATION + 4]))
    end = np.array(rotate(tip, _vector(axes[-1])))
    mirrors = _mirrors(inner, np.asarray(axes[0]), end)
    limits = chain.arrays.limits[:, [0, count - 1]].T
    # Four mirrored arms cover the circle in quarters, two sides of the end in halves.
    roll = math.pi / 2 if symmetry is not None else math.pi
    closes = len(mirrors) == 4 and bool(
        (limits[:, 1] >= (math.pi / 2, roll)).all() and (limits[:, 0] <= (-math.pi / 2, -roll)).all()
    )
    base = table[0, ct.REST_ROTATION : ct.REST_ROTATION + 4]
    numbers = np.concatenate((axes[0], end, base, tip, axes[-1], [float(closes)]))
    return TwoTwists(
        frozen_floats(inner),
        frozen_floats(limits),
        frozen_floats(mirrors),
        frozen_floats(numbers),
    )


def _mirrors(inner: FloatArray, root: FloatArray, end: FloatArray) -> FloatArray:
    """Signs of the angles of mirrored arms with the same bends and polar angle; only the arm itself where none fits.

    Two planes through the root's axis, at right angles, and both one after the other.
    """
    itself = np.ones((1, len(inner)))
    swing = inner[np.argmax(inner[:, SHARE] > 0.0), AXIS : AXIS + 3]
    normal = swing - (swing @ root) * root
    if np.linalg.norm(normal) < PARALLEL or np.linalg.norm(np.cross(root, end)) > PARALLEL:
        return itself
    normal /= np.linalg.norm(normal)
    rows = [itself[0]]
    for plane in (normal, np.cross(root, normal)):
        axes = inner[:, AXIS : AXIS + 3]
        # A turn about an axis in the mirror's plane turns back, about its normal it stays.
        along = axes @ plane
        fits = (np.abs(along) < PARALLEL) | (np.abs(np.abs(along) - 1.0) < PARALLEL)
        signs = np.where(np.abs(along) < PARALLEL, -1.0, 1.0)
        rows.append(signs)
        turned = signs < 0.0
        even = np.abs(inner[:, LOWER] + inner[:, UPPER]) < PARALLEL
        straight = (np.abs(np.sin(inner[:, PEAK])) < PARALLEL) | (inner[:, SHARE] == 0.0)
        if not (fits.all() and (even & straight)[turned].all()):
            return itself
    rows.append(rows[1] * rows[2])
    return np.array(rows)


def _vector(values: FloatArray) -> Vector:
    x, y, z = values.tolist()
    return x, y, z


def _quaternion(values: FloatArray) -> Quaternion:
    w, x, y, z = values.tolist()
    return w, x, y, z
