"""What a performer is wished to do: a base to begin with, a target to look at; from any thread, with a time stamp."""

from __future__ import annotations

import math
import threading
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.goals.goal import read_target
from gestik.kernels.arrays import FloatArray
from gestik.model import checks
from gestik.model.clip import Clip
from gestik.model.freezing import frozen_floats

Wish = TypeVar("Wish")


class Base(NamedTuple):
    """A posture, or a clip, under everything else."""

    times: FloatArray  # [moment], s, rising from 0
    angles: FloatArray  # [moment, dof]
    loops: bool
    blend: float  # s, to come from the base before
    begin: float = 0.0  # s, when it began

    def moment(self, now: float) -> float:
        """Where in its times it is [s]."""
        passed, length = now - self.begin, float(self.times[-1])
        return passed % length if self.loops and length > 0.0 else min(passed, length)

    def share(self, now: float) -> float:
        """How much of the way from the base before is done, 0 to 1."""
        return 1.0 if self.blend <= 0.0 else min(1.0, (now - self.begin) / self.blend)


def still(angles: FloatArray, blend: float = 0.0) -> Base:
    """A posture that stays."""
    return Base(frozen_floats([0.0]), frozen_floats(angles[None, :]), False, blend)


def played(clip: Clip, loops: bool, blend: float) -> Base:
    """A clip from its beginning."""
    return Base(frozen_floats(clip.times - clip.start), clip.angles, loops, blend)


class Target(NamedTuple):
    """Something to look at."""

    is_point: bool
    place: FloatArray  # [3], m, or a direction of length one, in the world
    weight: float  # of the gaze, 0 to 1
    fade: float  # s, in which the gaze comes or goes
    stamp: float | None = None  # s, when it was seen; None: it stays until it is replaced
    ends: bool = False  # when the gaze is gone, so is the target


def read_direction(along: ArrayLike) -> FloatArray:
    """Read a direction and bring it to length one."""
    direction = read_place("along", along)
    length = float(np.linalg.norm(direction))
    if length < checks.SHORTEST_AXIS:
        raise InputError("along is a direction without length")
    return direction / length


def read_place(what: str, values: ArrayLike) -> FloatArray:
    """Read one point or direction [3]."""
    place = read_target(what, values, 3)
    if place.ndim != 1:
        raise InputError(f"{what} has shape {place.shape}; a performer looks at one thing at a time")
    return np.array(place)


def read_seconds(what: str, value: float) -> float:
    """Read a duration, 0 or more."""
    try:
        return checks.finite_not_negative(value)
    except ValueError as fault:
        raise InputError(f"{what} {fault}") from fault


def read_stamp(time: float | None) -> float | None:
    """Read a time stamp [s], or None for now."""
    try:
        return None if time is None else checks.finite(time)
    except ValueError as fault:
        raise InputError(f"time {fault}") from fault


class Mailbox(Generic[Wish]):
    """One wish that is due and one for later: the latest wins, and nothing queues up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._due: Wish | None = None
        self._later: tuple[float, Wish] | None = None
        self._now = self._newest = -math.inf

    def put(self, wish: Wish, stamp: float | None) -> None:
        """Leave a wish; None stands for now.  One stamped earlier than the newest so far is dropped."""
        with self._lock:
            if stamp is not None and stamp > self._now > -math.inf:
                self._later = (stamp, wish)
            elif stamp is None or stamp >= self._newest:
                self._newest = self._now if stamp is None else stamp
                self._due = wish

    def take(self, now: float) -> Wish | None:
        """The wish that is due at `now` [s], once.  A clock that goes back makes older stamps count again."""
        with self._lock:
            if now < self._now:
                self._newest = -math.inf
            self._now = now
            if self._later is not None and self._later[0] <= now:
                self._newest, self._due = self._later
                self._later = None
            due, self._due = self._due, None
            return due
