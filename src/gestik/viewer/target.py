"""Something to look at: it wanders about by itself until someone takes it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from gestik.kernels.arrays import FloatArray
from gestik.model.skeleton import Skeleton
from gestik.pictures.figure import figure_size, upright

PATIENCE = 8.0  # [s], how long it stays where it was left before it wanders on
RETURN = 2.0  # [s], how long it takes to be back on its way
PAUSE = (0.3, 1.6)  # [s], shortest and longest rest between two glides
SPEED = 1.1  # [figure sizes per s], of a glide on average
SHORTEST_GLIDE = 0.7  # [s]


class WanderingTarget:
    """A point that glides and rests like something alive, mostly in front of the figure, never through it.

    Times are seconds on any one clock that only goes forward.  The same seed gives the same way.
    """

    def __init__(self, skeleton: Skeleton, seed: int = 0) -> None:
        self._random = np.random.default_rng(seed)
        self._size = figure_size(skeleton)
        self._turn = upright(skeleton).T
        self._from = self._to = np.array([0.0, 1.1, 0.55])  # azimuth [rad], distance and height [figure sizes]
        self._leaves = self._arrives = 0.0
        self._held: FloatArray | None = None
        self._let_go = -math.inf
        self.wanders = True

    def take(self, point: ArrayLike) -> None:
        """Hold the target at a point [m] until it is let go."""
        self._held = np.array(point, dtype=np.float64)
        self._let_go = math.inf

    def let_go(self, time: float) -> None:
        """Leave the target where it is; after a while it wanders on."""
        self._let_go = time

    def at(self, time: float) -> FloatArray:
        """Return where the target is [3], m."""
        if not self.wanders:
            if self._held is None:
                self.take(self._wandered(time))
            self.let_go(time)
        if self._held is None:
            return self._wandered(time)
        back = _eased((time - self._let_go - PATIENCE) / RETURN) if self._let_go < math.inf else 0.0
        point = self._held + back * (self._wandered(time) - self._held)
        if back == 1.0:
            self._held = None
        return np.asarray(point)

    def _wandered(self, time: float) -> FloatArray:
        """Return where its own way leads it at a time [3], m."""
        while time >= self._arrives:
            self._choose_next()
        share = _eased((time - self._leaves) / (self._arrives - self._leaves))
        azimuth, distance, height = self._from + share * (self._to - self._from)
        local = np.array([distance * math.cos(azimuth), distance * math.sin(azimuth), height])
        return np.asarray(self._turn @ (self._size * local))

    def _choose_next(self) -> None:
        """Pick the next place to glide to, and how long to rest before."""
        self._from = self._to
        azimuth = float(np.clip(self._random.normal(0.0, math.radians(45.0)), -2.1, 2.1))
        self._to = np.array([azimuth, self._random.uniform(0.85, 1.45), self._random.uniform(0.12, 1.15)])
        way = float(np.linalg.norm(self._to - self._from))
        self._leaves = self._arrives + self._random.uniform(*PAUSE)
        self._arrives = self._leaves + max(SHORTEST_GLIDE, way / SPEED)


def _eased(share: float) -> float:
    """Return 0 before, 1 after, and the smoothest glide between: no jolt at either end (Flash and Hogan 1985)."""
    s = min(1.0, max(0.0, share))
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))
