"""Limits that tie joints together: cones of ball joints and couplings of two degrees of freedom.

The search knows boxes.  Where its answer breaks a tie, the tied joints are brought inside by the shortest way and held
there, and all others make up for it as well as they can.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gestik.kernels.arrays import FloatArray
from gestik.model.skeleton import Skeleton
from gestik.solvers.spec import Bound, Filled


class Tied:
    """A bound method whose answers keep ties too."""

    def __init__(self, skeleton: Skeleton, first: Bound) -> None:
        self.widths: Sequence[int] = first.widths
        self._skeleton, self._first = skeleton, first
        self._tied = tied_dofs(skeleton)

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets."""
        found = self._first.solve(targets, starts)
        shape = found.angles.shape
        lower, upper = np.broadcast_to(self._skeleton.lower, shape), np.broadcast_to(self._skeleton.upper, shape)
        return self._inside(targets, found, lower, upper)

    def follow(self, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """Improve every row of starts inside its box."""
        return self._inside(targets, self._first.follow(targets, starts, low, high), low, high)

    def _inside(self, targets: FloatArray, found: Filled, low: FloatArray, high: FloatArray) -> Filled:
        """Bring the rows that break a tie inside."""
        for row, angles in enumerate(found.angles):
            clamped = self._skeleton.clamp(angles)
            if (clamped == angles).all():
                continue
            asked = targets[row : row + 1]
            box = np.where(self._tied, clamped, low[row]), np.where(self._tied, clamped, high[row])
            again = self._first.follow(asked, clamped[None, :], box[0][None, :], box[1][None, :])
            found.angles[row] = np.where(self._tied, clamped, again.angles[0])
            found.errors[row] = again.errors[0]
            found.report[row, 0] = again.report[0, 0]
        return found


def tied_dofs(skeleton: Skeleton) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which degrees of freedom [dof] a cone or a coupling ties to others."""
    tied = np.zeros(skeleton.dof_count, dtype=np.bool_)
    tied[skeleton.limits.coupled_dofs.ravel()] = True
    for row in skeleton.limits.cone_rows.tolist():
        tied[skeleton.arrays.dof[row : row + 3]] = True
    return tied


def with_ties(skeleton: Skeleton, bound: Bound) -> Bound:
    """The bound method itself where no limit ties joints together."""
    return Tied(skeleton, bound) if tied_dofs(skeleton).any() else bound
