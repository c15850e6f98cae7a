"""Read-only arrays of the two types kernels take; being read-only is part of the type they are compiled for."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gestik.kernels.arrays import FloatArray, IntArray


def frozen_floats(values: ArrayLike) -> FloatArray:
    """A read-only, C-contiguous float64 copy; what is no number raises ValueError."""
    array = np.asarray(values)
    if array.dtype == object:  # None would quietly become NaN
        raise ValueError("holds what is no number")
    array = np.array(array, dtype=np.float64, order="C")
    array.setflags(write=False)
    return array


def read_only(array: FloatArray) -> FloatArray:
    """The same numbers, which kernels take: read-only and C-contiguous, without a copy where that is possible."""
    if not array.flags.writeable and array.flags.c_contiguous:
        return array
    view = np.ascontiguousarray(array).view()
    view.setflags(write=False)
    return view


def frozen_integers(values: ArrayLike) -> IntArray:
    """A read-only, C-contiguous int32 copy."""
    array = np.array(values, dtype=np.int32, order="C")
    array.setflags(write=False)
    return array
