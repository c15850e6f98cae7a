"""Postures between those of a clip, on the manifold: angles on a line, ball joints by the shortest turn."""

from __future__ import annotations

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, SkeletonArrays
from gestik.kernels.jit import kernel
from gestik.kernels.manifold import difference_of_angles, step_angles


@kernel
def sample_clip(
    skeleton: SkeletonArrays,
    ball_rows: IntArray,
    endless: IntArray,
    times: FloatArray,
    angles: FloatArray,
    wanted: FloatArray,
    out: FloatArray,
) -> None:
    """Write the postures of the moments `wanted` [s] to `out` [wanted, dof], which is overwritten.

    The clip is `angles` [moment, dof] at `times` [moment], which rise; before and after it stands still.
    """
    change = np.empty(angles.shape[1])
    for k in range(len(wanted)):
        after = np.searchsorted(times, wanted[k])
        if after == len(times):
            out[k] = angles[after - 1]
        elif after == 0 or times[after] == wanted[k]:
            out[k] = angles[after]
        else:
            begin, span = times[after - 1], times[after] - times[after - 1]
            between_postures(
                skeleton,
                ball_rows,
                endless,
                angles[after - 1],
                angles[after],
                (wanted[k] - begin) / span,
                change,
                out[k],
            )


@kernel
def between_postures(
    skeleton: SkeletonArrays,
    ball_rows: IntArray,
    endless: IntArray,
    start: FloatArray,
    end: FloatArray,
    fraction: float,
    change: FloatArray,
    out: FloatArray,
) -> None:
    """Go a `fraction` of the shortest way from `start` to `end` [dof]; `change` and `out` [dof] are overwritten."""
    difference_of_angles(skeleton, ball_rows, endless, start, end, change)
    for dof in range(len(change)):
        change[dof] *= fraction
    step_angles(skeleton, ball_rows, start, change, out)
