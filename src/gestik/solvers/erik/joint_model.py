"""The joint model of ERIK, built once per skeleton: what a joint must know to say how far it should turn.

Ribeiro & Paiva 2019, sec. 3.4, Figures 5 and 6, eq. 16-17.  Departs: the parent's bone may point anywhere in the
joint's frame, not only along +Y, so that frames of real robots need no conversion; and where the paper fills a table of
angles by latitude, the angle is also written in closed form,

    latitude of the turned segment = (1 + offset + size cos(angle - peak)) / 2,

which holds for every axis, oblique ones included.  This module is read without the compiler.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.model.chain import SerialChain
from gestik.model.freezing import frozen_floats
from gestik.model.transforms import as_quaternion, as_vector, from_axis_angle, rotate

EVEN = 1e-9  # a direction or an angle this close to a plane of symmetry lies in it, and counts as on the positive side
PARALLEL = 1e-6  # sine of the angle below which two directions count as one

# Columns of a model table [joint, MODEL_WIDTH].
REST = 0  # 4, the joint's frame in that of the joint before it, of the world for the root
AXIS = 4  # 3, unit, joint frame (RA)
SEGMENT = 7  # 3, unit, joint frame: the bone
PARENT = 10  # 3, unit, joint frame: the bone it sits on
OFFSET, SIZE, PEAK = 13, 14, 15  # of the latitude, as above
LOWER, UPPER = 16, 17  # rad
TWISTER = 18  # 1 where the segment lies on the axis
BENDS = 19  # 1 where the bone counts in the posture measure
FLIPS = 20  # 1 where the joints above can be turned half round the bone with all swings reversed, to the same shape
MODEL_WIDTH = 21


@dataclass(frozen=True, eq=False)
class JointModel:
    """One joint: its axis, its segment and its parent's, all unit vectors in the joint's own frame, and its limits."""

    rest: Quaternion
    axis: Vector
    segment: Vector
    parent: Vector
    lower: float  # rad
    upper: float  # rad

    @property
    def is_twister(self) -> bool:
        """Whether the axis lies along the joint's own segment."""
        return _parallel(self.axis, self.segment)

    @property
    def is_plain(self) -> bool:
        """Whether half a turn about the parent's bone, followed by the opposite turn of the joint, changes nothing."""
        if self.is_twister:
            return _parallel(self.axis, self.parent)
        return _parallel(self.segment, self.parent) and abs(float(np.dot(self.axis, self.parent))) < PARALLEL

    @property
    def orthogonal(self) -> Vector:
        """OA of eq. 17: axis x segment.  Corrected: a twister along Z takes axis x X, for the printed axis x Z is 0."""
        if not self.is_twister:
            return _unit(np.cross(self.axis, self.segment))
        return _unit(np.cross(self.axis, (0.0, 1.0, 0.0) if abs(self.segment[0]) > 0.9 else (1.0, 0.0, 0.0)))

    @property
    def parent_orthogonal(self) -> Vector:
        """POA of eq. 17: axis x parent, the pole of the positive hemisphere."""
        if not _parallel(self.axis, self.parent):
            return _unit(np.cross(self.axis, self.parent))
        return (1.0, 0.0, 0.0) if abs(self.axis[0]) < PARALLEL else (0.0, 0.0, 1.0)

    @property
    def sinusoid(self) -> tuple[float, float, float]:
        """Offset, size and peak of parent . segment as the joint turns."""
        axis, segment, parent = np.array(self.axis), np.array(self.segment), np.array(self.parent)
        offset = float(axis @ parent) * float(axis @ segment)
        cosine, sine = float(parent @ segment) - offset, float(parent @ np.cross(axis, segment))
        return offset, math.hypot(cosine, sine), math.atan2(sine, cosine)

    def latitude(self, direction: Sequence[float]) -> float:
        """Latitude of a unit direction in the joint's frame (eq. 16): 0 at the south pole, 1 at the north pole, signed.

        Corrected: a direction in the plane of axis and parent counts as positive; the printed sign(0) = 0 would send
        every straight target to the south pole.
        """
        size = 0.5 * (1.0 + float(np.dot(direction, self.parent)))
        return math.copysign(size, -1.0 if float(np.dot(direction, self.parent_orthogonal)) < -EVEN else 1.0)

    def turned(self, angle: float) -> Vector:
        """The segment after a turn by `angle` [rad]."""
        return rotate(from_axis_angle(self.axis, angle), self.segment)

    def latitude_table(self, step: float) -> tuple[FloatArray, FloatArray]:
        """The paper's LALUT (sec. 3.4.1): (latitude, angle) of both hemispheres, positive first, sorted by latitude.

        `step` [rad] is the distance between entries; the limits themselves are entries.  Corrected: an entry in the
        plane between the hemispheres belongs to both, or one of them would lack its poles.
        """
        lower, upper = max(self.lower, -math.pi), min(self.upper, math.pi)
        angles = np.linspace(lower, upper, max(2, math.ceil((upper - lower) / step) + 1))
        turned = np.array([self.turned(angle) for angle in angles.tolist()])
        sizes, sides = 0.5 * (1.0 + turned @ self.parent), turned @ self.parent_orthogonal
        positive, negative = (
            np.stack((sizes[here], angles[here]), axis=1)[np.argsort(sizes[here], kind="stable")]
            for here in (sides > -PARALLEL, sides < PARALLEL)
        )
        return positive, negative


def joint_models(chain: SerialChain, looking: Vector) -> tuple[JointModel, ...]:
    """Read the joint models of a chain of revolute joints.

    A bone without length has no direction of its own and lends that of the next one; the last lends `looking`, the
    direction of the end in the last joint's frame.
    """
    table = chain.arrays.table
    lower, upper = chain.arrays.limits.tolist()
    rests = [as_quaternion(row[ct.REST_ROTATION : ct.REST_ROTATION + 4]) for row in table]
    axes = [as_vector(row[ct.AXIS : ct.AXIS + 3]) for row in table]
    bones = [as_vector(row[ct.BONE : ct.BONE + 3]) for row in table]
    following = looking if any(looking) else axes[-1]
    for joint in range(len(bones) - 1, -1, -1):
        if not any(bones[joint]):
            bones[joint] = following
        following = rotate(rests[joint], bones[joint])
    # The root has no parent: its own bone at rest takes the part, as in the posture measure.
    parents = [bones[0]] + [_back(rests[joint], bones[joint - 1]) for joint in range(1, len(bones))]
    return tuple(
        JointModel(rest, axis, bone, parent, low, high)
        for rest, axis, bone, parent, low, high in zip(rests, axes, bones, parents, lower, upper, strict=True)
    )


def model_table(models: Sequence[JointModel], bends: FloatArray) -> FloatArray:
    """Write joint models as the table kernels read; `bends` [joint] is 1 where a bone counts in the measure."""
    rows = np.zeros((len(models), MODEL_WIDTH))
    for joint, model in enumerate(models):
        flips = all(above.is_plain for above in models[joint + 1 :])
        numbers = (*model.rest, *model.axis, *model.segment, *model.parent, *model.sinusoid, model.lower, model.upper)
        rows[joint] = (*numbers, float(model.is_twister), bends[joint], float(flips))
    return frozen_floats(rows)


def latitude_tables(models: Sequence[JointModel], step: float) -> FloatArray:
    """All joints' tables as one array [2 joint + hemisphere, entry, (latitude, angle)], padded with latitudes of 2.

    Without entries for a step of 0: kernels then use the closed form.
    """
    if step == 0.0:
        return frozen_floats(np.zeros((2 * len(models), 0, 2)))
    halves = [half for model in models for half in model.latitude_table(step)]
    padded = np.full((len(halves), max(len(half) for half in halves) + 1, 2), 2.0)
    for place, half in enumerate(halves):
        padded[place, : len(half)] = half
    return frozen_floats(padded)


def _unit(values: FloatArray) -> Vector:
    return as_vector(values / np.linalg.norm(values))


def _parallel(a: Vector, b: Vector) -> bool:
    return float(np.linalg.norm(np.cross(a, b))) < PARALLEL


def _back(rest: Quaternion, v: Vector) -> Vector:
    """A direction of the joint before, in the frame of the joint after."""
    return rotate((rest[0], -rest[1], -rest[2], -rest[3]), v)
