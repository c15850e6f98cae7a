"""A target that moves, a body that never pops: a Prepared with memory and speed limits."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import CapabilityError, InputError
from gestik.kernels.arrays import FloatArray
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats
from gestik.solvers.prepared import Prepared
from gestik.solvers.solution import Solution
from gestik.solvers.spec import Capability, Filled

FRAME = 1.0 / 60.0  # s, a step whose time is not told
LONGEST_STEP = 0.1  # s: after a longer gap the body moves as far as in this time, and no farther
BETTER = 0.005  # cost: another way to pose is taken when it is better by this
SLACK = 1e-3  # rad or m: what a pose may move even when no time has passed
PROGRESS = 0.5  # of a frame's way to the wanted pose, below which the gaze is let go to get there


class Tracker:
    """Follows targets frame by frame; no joint ever moves faster than its speed.

    Between frames it keeps the pose it wants, a local optimum that glides along with the target, and the pose it has
    shown.  When a search finds another pose clearly better, or its own comes to an end, it wants that one, and goes
    there looking at the target.
    """

    def __init__(self, prepared: Prepared, speed: ArrayLike | None = None, *, start: ArrayLike | None = None) -> None:
        """Track with a prepared problem.

        Args:
            prepared: From `gestik.prepare`, by a method that can follow.
            speed: The fastest each joint may move, one number or [dof], rad/s or m/s; None: the skeleton's own.
            start: The angles the body has now [dof]; None: the first step's answer is taken as it is.
        """
        if Capability.FOLLOWS not in prepared.spec.capabilities:
            raise CapabilityError(f"method {prepared.spec.name!r} cannot follow a moving target")
        self.prepared = prepared
        self.speed = _read_speed(prepared, speed)
        self._shown = None if start is None else prepared.skeleton.check_angles(start)
        self._wanted: FloatArray | None = None
        self._time: float | None = None

    def step(self, *targets: ArrayLike, time: float | None = None) -> Solution:
        """Move on to a new moment and new targets.

        Args:
            targets: As for `Prepared.solve`; one left out keeps its goal's own.
            time: Of this moment [s]; None: a sixtieth of a second after the last. A clock that goes back stands still.
        """
        rows = self.prepared.pack_row(targets)
        passed = self._pass_time(time)
        best = self.prepared.solve_rows(rows, self._start())
        if self._wanted is not None:
            lower, upper = self.prepared.skeleton.lower[None, :], self.prepared.skeleton.upper[None, :]
            glided = self.prepared.follow_rows(rows, frozen_floats(self._wanted[None, :]), lower, upper)
            # A local pose that runs faster than the body can has come to its end: where it lands is chance.
            glides = (np.abs(glided.angles[0] - self._wanted) <= self.speed * passed + SLACK).all()
            if glides and glided.cost[0] <= best.cost[0] + BETTER:
                best = glided
        self._wanted = best.angles[0]
        if self._shown is None:
            self._shown = best.angles[0]
            return self.prepared.wrap(best, rows)
        shown_now = self._approach(rows, best, self._shown, passed)
        self._shown = shown_now.angles[0]
        return self.prepared.wrap(shown_now, rows)

    def _start(self) -> FloatArray:
        """What breaks ties: the pose shown last."""
        return self.prepared.pack_start(self._shown)

    def _pass_time(self, time: float | None) -> float:
        """How much time has passed since the last step [s]."""
        if time is not None and not math.isfinite(time):
            raise InputError(f"time is {time}; it is finite, in seconds")
        before = self._time
        if time is None:
            time = FRAME if before is None else before + FRAME
        self._time = time if before is None else max(before, time)
        return 0.0 if before is None else min(LONGEST_STEP, self._time - before)

    def _approach(self, rows: FloatArray, best: Filled, here: FloatArray, passed: float) -> Filled:
        """The pose wanted, where one step reaches it; else a step towards it that keeps looking at the target."""
        way = best.angles[0] - here
        reach = self.speed * passed
        if (np.abs(way) <= reach).all():
            return best
        # All joints arrive together.
        part = float(np.min(np.where(np.abs(way) > reach, reach / np.maximum(np.abs(way), 1e-300), 1.0)))
        straight = here + part * way
        skeleton = self.prepared.skeleton
        low = np.clip(skeleton.lower, here - reach, here + reach)[None, :]
        high = np.clip(skeleton.upper, here - reach, here + reach)[None, :]
        held = self.prepared.with_posture(rows, straight)
        looking = self.prepared.follow_rows(held, frozen_floats(straight[None, :]), low, high)
        if self._time_left(best.angles[0] - looking.angles[0]) > self._time_left(way) - PROGRESS * passed:
            only = frozen_floats(straight[None, :])
            looking = self.prepared.follow_rows(held, only, only, only)
        return looking

    def _time_left(self, way: FloatArray) -> float:
        """How long the slowest joint needs for `way` [s]."""
        return float(np.max(np.abs(way) / self.speed))


def _read_speed(prepared: Prepared, speed: ArrayLike | None) -> FloatArray:
    """Read speeds [dof], positive; infinity is no limit."""
    skeleton = prepared.skeleton
    try:
        read = np.array(np.broadcast_to(skeleton.speed if speed is None else speed, (skeleton.dof_count,)), dtype=float)
    except (TypeError, ValueError) as fault:
        raise InputError(f"speed is {shown(speed)}; give one number or {skeleton.dof_count}") from fault
    if not (read > 0.0).all():
        raise InputError(f"speed is {shown(read.tolist())}; every joint's is above 0 [rad/s or m/s]")
    return frozen_floats(np.minimum(read, 1e6))
