"""Where a skeleton is at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray
from gestik.model.joints import Mass
from gestik.model.naming import FrameIndex
from gestik.model.transforms import IDENTITY, as_quaternion, as_vector, compose


class Transform(NamedTuple):
    """A place in the world."""

    position: FloatArray  # [3], m
    rotation: FloatArray  # [4], unit quaternion w first


@dataclass(frozen=True, eq=False)
class Pose:
    """The frames of all joints in the world, and through them of everything that has a name."""

    _index: FrameIndex
    positions: FloatArray  # [joint, 3], m
    rotations: FloatArray  # [joint, 4], unit quaternions w first
    row_positions: FloatArray  # [row, 3], m: the same for every row of the flat table, where frames and shapes sit
    row_rotations: FloatArray  # [row, 4]

    def center_of(self, masses: Sequence[Mass]) -> FloatArray:
        """The centre of some masses of the skeleton [3] m."""
        total, moment = 0.0, np.zeros(3)
        for part in masses:
            where = part.position
            if part.row >= 0:
                above = as_vector(self.row_positions[part.row]), as_quaternion(self.row_rotations[part.row])
                where, _ = compose(*above, part.position, IDENTITY)
            total += part.mass
            moment += part.mass * np.array(where)
        if not total > 0.0:
            raise InputError("nothing here weighs anything: a centre of mass needs masses")
        return np.asarray(moment / total)

    def of(self, name: str) -> Transform:
        """Where the named joint, link, frame or eye is."""
        frame = self._index.find(name)
        if frame.row < 0:
            return Transform(np.array(frame.position), np.array(frame.rotation))
        px, py, pz = self.row_positions[frame.row].tolist()
        qw, qx, qy, qz = self.row_rotations[frame.row].tolist()
        position, rotation = compose((px, py, pz), (qw, qx, qy, qz), frame.position, frame.rotation)
        return Transform(np.array(position), np.array(rotation))
