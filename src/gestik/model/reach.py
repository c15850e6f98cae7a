"""How far a frame can get, by the lengths of its bones alone: what no angles can beat."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FIXED, PRISMATIC, Vector
from gestik.model.joints import Frame
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, ORIGIN, as_quaternion, as_vector, compose
from gestik.model.tree import way_down


class Reach(NamedTuple):
    """A shell around a fixed point that a frame can never leave."""

    centre: Vector  # m, in the world
    least: float  # m
    most: float  # m, infinite for a body that goes where it likes

    def gap(self, point: Vector) -> float:
        """How far a point is outside the shell [m]; 0 inside."""
        away = math.dist(self.centre, point)
        return max(0.0, away - self.most, self.least - away)


def reach(skeleton: Skeleton, frame: Frame) -> Reach:
    """The shell a frame stays in: no farther from its first joint than all bones in a line, nor nearer than they fold.

    Fixed joints are part of their bone.  Whatever slides counts with the most it can do.
    """
    arrays = skeleton.arrays
    centre: Vector | None = None
    bones: list[float] = []
    slides = 0.0
    position, rotation = ORIGIN, IDENTITY
    for row in way_down(arrays.parent.tolist(), frame.row):
        rest = as_vector(arrays.rest_position[row]), as_quaternion(arrays.rest_rotation[row])
        position, rotation = compose(position, rotation, *rest)
        if arrays.kind[row] == FIXED:
            continue
        if centre is None:
            centre = position
        else:
            bones.append(math.hypot(*position))
        if arrays.kind[row] == PRISMATIC:
            slides += _longest_slide(skeleton, row)
        position, rotation = ORIGIN, IDENTITY
    position, _ = compose(position, rotation, frame.position, frame.rotation)
    if centre is None:
        return Reach(position, 0.0, 0.0)
    bones.append(math.hypot(*position))
    total = sum(bones)
    return Reach(centre, max(0.0, 2.0 * max(bones) - total - slides), total + slides)


def _longest_slide(skeleton: Skeleton, row: int) -> float:
    """How far a row can slide from where it stands at zero [m]."""
    arrays = skeleton.arrays
    dof = arrays.dof[row]
    ends = arrays.gain[row] * np.array((arrays.lower[dof], arrays.upper[dof])) + arrays.bias[row]
    return float(np.abs(ends).max())
