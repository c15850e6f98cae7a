"""`gestik.fabrik`: FABRIK on bare points, in the plane or in space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.goals.goal import read_amount
from gestik.kernels.arrays import FloatArray
from gestik.model.checks import LARGEST
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats

MOST_ITERATIONS = 1_000_000


@dataclass(frozen=True, eq=False)
class Reach:
    """Where a chain of points has come to."""

    points: FloatArray  # [n, 2] or [n, 3], m
    iterations: int
    missing: float  # m, from the last point to the target
    reached: bool  # whether that is within the tolerance


def fabrik(
    points: ArrayLike, target: ArrayLike, *, tolerance: float = 1e-4, iterations: int = 1000, stretch: bool = False
) -> Reach | None:
    """Bring the last point of a chain to a target; the first one stays and every link keeps its length.

    Args:
        points: [n, 2] or [n, 3] m, from the base to the end.
        target: [2] or [3] m.
        tolerance: [m]; looked at before each iteration, so that a chain that is there stays as it is.
        iterations: How many at most; what is reached by then is returned, with what is missing.
        stretch: What to do about a target out of reach, too far away or too close: True stretches or folds the chain to
            be as near as it can be, False returns None.

    Raises:
        InputError: A value is not finite, out of range or of the wrong shape.
    """
    from gestik.solvers.fabrik.passes import REACHABLE, reach_rows

    chain, wanted, is_flat = read_chain(points, target)
    near, most = read_amount("tolerance", tolerance), read_count("iterations", iterations)
    report = np.empty((1, 3))
    reach_rows(chain[None], np.empty(len(chain) - 1), wanted[None], is_flat, bool(stretch), near, most, report)
    count, missing, reachable = report[0].tolist()
    if reachable != REACHABLE and not stretch:
        return None
    return Reach(frozen_floats(chain[:, :2] if is_flat else chain), int(count), missing, missing <= near)


def read_chain(points: ArrayLike, target: ArrayLike) -> tuple[FloatArray, FloatArray, bool]:
    """Read points [n, 3] and a target [3], in the plane z = 0 if they have two numbers each; and whether they have."""
    chain, wanted = _read("points", points), _read("target", target)
    if chain.ndim != 2 or len(chain) < 2 or chain.shape[1] not in (2, 3):
        raise InputError(f"points have shape {chain.shape}, not (n, 2) or (n, 3) with two points or more")
    width = chain.shape[1]
    if wanted.shape != (width,):
        raise InputError(f"target has shape {wanted.shape}, not ({width},) as the points")
    return np.pad(chain, ((0, 0), (0, 3 - width))), np.pad(wanted, (0, 3 - width)), width == 2


def read_count(what: str, value: object) -> int:
    """Read a number of iterations."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= value <= MOST_ITERATIONS:
        raise InputError(f"{what} is {shown(value)}, not a whole number from 0 to {MOST_ITERATIONS}")
    return int(value)


def _read(what: str, values: ArrayLike) -> FloatArray:
    """Read finite numbers."""
    try:
        array = np.array(frozen_floats(values))
    except (TypeError, ValueError, OverflowError) as fault:
        raise InputError(f"{what} is {shown(values)}, not places [m]") from fault
    if not (np.abs(array) <= LARGEST).all():  # also true of NaN
        raise InputError(f"{what} is {shown(array.tolist())}, not finite and within {LARGEST:g}")
    return array
