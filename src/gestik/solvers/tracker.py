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
TICK = 1.0 / 120.0  # s: the pose wanted moves on in these steps, so that all frame rates show the same motion
SEARCH_EVERY = 4  # ticks, between looks for another way to pose
ON_TICK = 1e-3  # ticks: a step this close to a tick is on it
LONGEST_STEP = 0.1  # s: after a longer gap the body moves as far as in this time, and no farther
BETTER = 0.005  # cost: another way to pose is taken when it is better by this
LONGEST_STEP_TICKS = round(LONGEST_STEP / TICK)
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
        self._wanted: FloatArray | None = None  # at the last step
        self._gliding: FloatArray | None = None  # the pose wanted at the last tick
        self._targets = np.zeros((1, 0))  # of the last step
        self._began = 0.0  # s, on the clock of the steps
        self._time = 0.0  # s since the first step
        self._ticks = 0  # since the first step

    @property
    def wanted(self) -> FloatArray | None:
        """The pose it is on its way to [dof]; None before the first step."""
        return self._wanted

    def step(self, *targets: ArrayLike, time: float | None = None) -> Solution:
        """Move on to a new moment and new targets.

        Args:
            targets: As for `Prepared.solve`; one left out keeps its goal's own.
            time: Of this moment [s]; None: a sixtieth of a second after the last. A clock that goes back stands still.
        """
        rows = self.prepared.pack_row(targets)
        if time is not None and not math.isfinite(time):
            raise InputError(f"time is {time}; it is finite, in seconds")
        if self._gliding is None:
            best, passed = self._begin(rows, time), 0.0
        else:
            best, passed = self._go_on(rows, self._gliding, time)
        self._targets, self._wanted = rows, best.angles[0]
        shown_now = best if self._shown is None else self._approach(rows, best, self._shown, passed)
        self._shown = shown_now.angles[0]
        return self.prepared.wrap(shown_now, rows)

    def _begin(self, rows: FloatArray, time: float | None) -> Filled:
        """Want the best pose of all."""
        self._began = 0.0 if time is None else time
        best = self.prepared.solve_rows(rows, self.prepared.pack_start(self._shown))
        self._gliding = best.angles[0]
        return best

    def _go_on(self, rows: FloatArray, gliding: FloatArray, time: float | None) -> tuple[Filled, float]:
        """Glide on, tick by tick, while the targets move over from those before; returns the time that passed too."""
        last = self._time
        self._time = last + FRAME if time is None else max(last, time - self._began)
        due = math.floor(self._time / TICK + ON_TICK)
        best, is_now = None, False
        for tick in range(max(self._ticks, due - LONGEST_STEP_TICKS) + 1, due + 1):
            is_now = self._time - tick * TICK <= ON_TICK * TICK
            share = max(0.0, (tick * TICK - last) / (self._time - last))
            there = rows if is_now else self.prepared.between(self._targets, rows, share)
            best = self._glide(there, gliding, look_around=tick % SEARCH_EVERY == 0)
            gliding = best.angles[0]
        self._gliding, self._ticks = gliding, due
        if best is None or not is_now:
            best = self._glide(rows, gliding, look_around=False)
        return best, min(LONGEST_STEP, self._time - last)

    def _glide(self, rows: FloatArray, gliding: FloatArray, *, look_around: bool) -> Filled:
        """Move the pose wanted along with its targets; to another where it ends or a search finds a better one."""
        skeleton = self.prepared.skeleton
        start = frozen_floats(gliding[None, :])
        glided = self.prepared.follow_rows(rows, start, skeleton.lower, skeleton.upper)
        # A local pose that runs faster than the body can has come to its end: where it lands is chance.
        glides = bool((np.abs(glided.angles[0] - gliding) <= self.speed * TICK + SLACK).all())
        if glides and not look_around:
            return glided
        best = self.prepared.solve_rows(rows, start)
        return glided if glides and glided.cost[0] <= best.cost[0] + BETTER else best

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
        low = np.clip(skeleton.lower, here - reach, here + reach)
        high = np.clip(skeleton.upper, here - reach, here + reach)
        held = self.prepared.with_posture(rows, straight)
        looking = self.prepared.follow_rows(held, frozen_floats(straight[None, :]), low, high)
        if self._time_left(best.angles[0] - looking.angles[0]) > self._time_left(way) - PROGRESS * passed:
            looking = self.prepared.follow_rows(held, frozen_floats(straight[None, :]), straight, straight)
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
