"""The flat table every kernel reads, and the two places that index the components of a vector.

This module imports no numba, so that a skeleton can be built and a file read without it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int32]

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

# Kinds of row, as the integer codes kernels branch on.
FIXED = 0
REVOLUTE = 1
PRISMATIC = 2


class SkeletonArrays(NamedTuple):
    """A skeleton as parallel read-only arrays, one row per joint motion, parents before children.

    A row's frame is its parent's frame, moved by the rest transform, then by its own motion: a turn about, or a slide
    along, `axis` by ``gain * angles[dof] + bias`` (a mimic joint shares the ``dof`` of the joint it follows).
    """

    parent: IntArray  # [row], the parent's row, -1 for the base
    kind: IntArray  # [row], FIXED, REVOLUTE or PRISMATIC
    dof: IntArray  # [row], the coordinate that drives it, -1 for a fixed row
    gain: FloatArray  # [row], 1 but for mimic joints
    bias: FloatArray  # [row], rad or m, 0 but for mimic joints
    axis: FloatArray  # [row, 3], unit, in the row's own frame
    rest_position: FloatArray  # [row, 3], m, in the parent's frame
    rest_rotation: FloatArray  # [row, 4], unit quaternion w first, in the parent's frame
    lower: FloatArray  # [dof], rad or m, -inf when unlimited
    upper: FloatArray  # [dof], rad or m, +inf when unlimited
