"""Numbers spread evenly without chance: the same ones every time, for starts that shall differ from each other."""

from __future__ import annotations

import math

from gestik.kernels.jit import kernel


@kernel
def spread(number: int, dimension: int, count: int) -> float:
    """Coordinate `dimension` of `count`, in [0, 1), of point `number` of the most evenly spread additive sequence.

    Roberts 2018: the steps are powers of the root of x^(count + 1) = x + 1.
    """
    root = 2.0
    for _ in range(30):
        root = (1.0 + root) ** (1.0 / (count + 1))
    place = 0.5 + number * root ** -(dimension + 1.0)
    return float(place - math.floor(place))
