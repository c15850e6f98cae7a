"""Limits that tie several degrees of freedom together, as kernels read them.  This module imports no numba."""

from __future__ import annotations

from typing import NamedTuple

from gestik.kernels.arrays import FloatArray, IntArray

# Columns of LimitArrays.cone_ranges.
SWING = 0
LEAST_TWIST = 1
MOST_TWIST = 2


class LimitArrays(NamedTuple):
    """Cones of ball joints and couplings of two degrees of freedom; boxes stand in SkeletonArrays."""

    cone_rows: IntArray  # [cone], the first of the ball joint's three rows
    cone_axes: FloatArray  # [cone, 3], unit, the axis of twist in the joint's frame
    cone_ranges: FloatArray  # [cone, 3], rad
    coupled_dofs: IntArray  # [coupling, 2]
    coupling_factors: FloatArray  # [coupling, 2], none of them 0
    coupling_bounds: FloatArray  # [coupling, 2], lower and upper bound of the sum of factor * angle
