"""Checks of rows of numbers where they enter: one compiled pass, so that a single solve costs no more than it must."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.jit import kernel

SOUND = -1  # nothing is wrong
NO_LENGTH = -2  # and below: span -2 - k has none
SHORTEST = 1e-9  # a direction or quaternion below this has no length


@kernel
def settle_rows(rows: FloatArray, largest: float, spans: IntArray) -> int:
    """Check that all numbers are within `largest`, and bring each span [begin, end) of columns to length one, in place.

    Returns SOUND; or the place in the flattened rows of the first number that is too large or NaN; or, less than SOUND,
    the number of the first span without length, counted down from NO_LENGTH.
    """
    width: int = rows.shape[1]
    for row in range(len(rows)):
        for column in range(width):
            if not abs(rows[row, column]) <= largest:
                return row * width + column
        for span in range(len(spans)):
            square = 0.0
            for column in range(spans[span, 0], spans[span, 1]):
                square += rows[row, column] * rows[row, column]
            length = math.sqrt(square)
            if length < SHORTEST:
                return NO_LENGTH - span
            for column in range(spans[span, 0], spans[span, 1]):
                rows[row, column] /= length
    return SOUND
