"""What one solve costs: many in one call, and one by one as a control loop solves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

import gestik as gk
from benchmarks.calibration import Timing, time_beside

FloatArray = NDArray[np.float64]

SINGLE_SOLVES = 300
SLICE = 50


def time_solving(prepared: gk.Prepared, targets: FloatArray, postures: FloatArray) -> tuple[Timing, Timing]:
    """Time a prepared problem: many rows in one call, then one by one as a control loop solves."""
    rows, start = prepared.pack_rows(), prepared.pack_start(None)
    slices = [partial(prepared.solve_rows, rows[a : a + SLICE], start) for a in range(0, len(rows), SLICE)]
    pairs = list(zip(targets[:SINGLE_SOLVES], postures[:SINGLE_SOLVES], strict=True))
    singles = [partial(solve_each, prepared, pairs[a : a + SLICE]) for a in range(0, len(pairs), SLICE)]
    return time_beside(slices, len(rows)), time_beside(singles, len(pairs))


def solve_each(prepared: gk.Prepared, pairs: Sequence[tuple[FloatArray, FloatArray]]) -> None:
    """Solve one problem after another."""
    for target, posture in pairs:
        prepared.solve(target, posture)
