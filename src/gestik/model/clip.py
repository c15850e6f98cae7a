"""Postures over time: what an animator or a recording made, in seconds, with the skeleton it moves."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray
from gestik.model import checks, clip_editing
from gestik.model.checks import LARGEST
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats
from gestik.model.skeleton import Skeleton

# The most numbers one clip or resampling may hold: 400 MB of them.
LARGEST_CLIP = 50_000_000
# What is nearer than this [s] is the same moment.
SHORTEST_STEP = 1e-9
# A sample this near [steps] to the end of a clip is the end.
CLOSE_TO_THE_END = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class Clip:
    """Postures of a skeleton at moments that rise, immutable; in between it goes the shortest way.

    Raises InputError when times do not rise, or a time or an angle is not finite.  Angles may break limits.
    """

    name: str
    skeleton: Skeleton
    times: FloatArray  # [n], s, rising, from wherever it begins
    angles: FloatArray  # [n, dof], rad or m

    def __post_init__(self) -> None:
        try:
            checks.name(self.name)
        except ValueError as fault:
            raise InputError(f"name of a clip {fault}") from fault
        object.__setattr__(self, "times", _checked_times(self.name, self.times))
        object.__setattr__(self, "angles", _checked_angles(self.name, self.angles, len(self.times), self.skeleton))

    def __reduce__(self) -> tuple[type[Clip], tuple[object, ...]]:
        # Built anew, because a pickled array comes back writable.
        return Clip, tuple(getattr(self, part.name) for part in fields(self))

    def __repr__(self) -> str:
        return f"<Clip {self.name!r} of {self.skeleton.name!r}: {len(self)} postures, {self.duration:g} s>"

    def __len__(self) -> int:
        return len(self.times)

    @property
    def start(self) -> float:
        """When it begins [s]."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """When it ends [s]."""
        return float(self.times[-1])

    @property
    def duration(self) -> float:
        """How long it lasts [s], 0 for a single posture."""
        return self.end - self.start

    @property
    def rate(self) -> float:
        """How many postures a second it has [Hz], by the median of its steps; 0 for a single posture."""
        return float(1.0 / np.median(np.diff(self.times))) if len(self) > 1 else 0.0

    def at(self, time: ArrayLike) -> FloatArray:
        """Angles [dof] at a time [s], or [n, dof] at many; before its beginning the first one, then the last.

        Between two moments slides, hinges and the place of a free root go in a straight line, continuous joints the
        short way round, and ball joints by the one shortest turn (slerp).
        """
        from gestik.kernels.sampling import sample_clip

        moments = _checked_moments(self.name, time)
        wanted = np.atleast_1d(moments)
        angles = np.empty((len(wanted), self.skeleton.dof_count))
        skeleton = self.skeleton
        sample_clip(skeleton.arrays, skeleton.ball_rows, skeleton.endless, self.times, self.angles, wanted, angles)
        return angles if moments.ndim else angles[0]

    def sampled(self, rate: float) -> Clip:
        """The same motion in equal steps, `rate` [Hz] of them a second, from its first moment on.

        Where the end falls between two steps, one more holds the last posture, so that it is always reached.
        """
        try:
            per_second = checks.positive(rate)
        except ValueError as fault:
            raise InputError(f"rate of a clip {fault}") from fault
        steps = self.duration * per_second
        if (steps + 1.0) * max(1, self.skeleton.dof_count) > LARGEST_CLIP:
            raise InputError(
                f"clip {self.name!r} lasts {self.duration:g} s; at {per_second:g} Hz that is too much to hold"
            )
        times = self.start + np.arange(int(np.ceil(steps - CLOSE_TO_THE_END)) + 1) / per_second
        return Clip(self.name, self.skeleton, times, self.at(times))

    def cut(self, begin: float, end: float) -> Clip:
        """The part from one moment [s] to another, both included; its times stay as they are."""
        return self._of(clip_editing.part(self, begin, end))

    def joined(self, other: Clip, *, blend: float = 0.0) -> Clip:
        """This and then another clip of the same skeleton, mixed over `blend` [s] where they meet.

        A body that is free in its world goes on from where it is. Without a blend the other begins a step later.
        """
        return self._of(clip_editing.sequence(self, other, blend))

    def blended(self, other: Clip, weight: float) -> Clip:
        """A mixture with another clip of the same skeleton: 0 is this one, 1 the other, their lengths mixed too."""
        return self._of(clip_editing.mixture(self, other, weight))

    def looped(self, count: int = 1, *, blend: float = 0.25) -> Clip:
        """A motion that can go on for ever, `count` rounds of it: its last `blend` [s] lead into its beginning.

        A body that is free in its world travels on with each round.
        """
        return self._of(clip_editing.loop(self, count, blend))

    def mirrored(self, *, across: ArrayLike | None = None) -> Clip:
        """The motion in a mirror: left and right, told apart by names, change places.

        `across` is the direction from one side to the other; None: between joints of both sides.  Raises InputError
        where the skeleton's sides are not equal.
        """
        from gestik.model.mirroring import mirrored_angles

        return self._of((self.times, mirrored_angles(self, across)))

    def _of(self, played: tuple[FloatArray, FloatArray]) -> Clip:
        """A clip of the same name and skeleton with other times and angles."""
        return Clip(self.name, self.skeleton, *played)


def _checked_times(name: str, times: ArrayLike) -> FloatArray:
    """The times of a clip, read-only."""
    what = f"times of clip {name!r}"
    checked = _numbers(what, times)
    if checked.ndim != 1 or not len(checked):
        raise InputError(f"{what} have shape {checked.shape}, not (n,) with n from 1 on")
    _refuse_endless(what, checked)
    falls = np.flatnonzero(np.diff(checked) < SHORTEST_STEP)
    if len(falls):
        before, after = checked[falls[0] : falls[0] + 2].tolist()
        raise InputError(f"{what} do not rise: {after!r} follows {before!r}")
    return checked


def _checked_angles(name: str, angles: ArrayLike, count: int, skeleton: Skeleton) -> FloatArray:
    """The angles of a clip, read-only."""
    what = f"angles of clip {name!r}"
    checked = _numbers(what, angles)
    if checked.shape != (count, skeleton.dof_count):
        raise InputError(
            f"{what} have shape {checked.shape}, not ({count}, {skeleton.dof_count}): {count} times, and one angle for "
            f"each of {', '.join(skeleton.dof_names) or 'no joints'}"
        )
    _refuse_endless(what, checked)
    return checked


def _checked_moments(name: str, time: ArrayLike) -> FloatArray:
    """One time or many, as they are asked for."""
    what = f"time asked of clip {name!r}"
    checked = _numbers(what, time)
    if checked.ndim > 1:
        raise InputError(f"{what} has shape {checked.shape}, not () or (n,)")
    _refuse_endless(what, checked)
    return checked


def _numbers(what: str, values: ArrayLike) -> FloatArray:
    """Numbers of any shape, read-only."""
    try:
        return frozen_floats(values)
    except (TypeError, ValueError, OverflowError) as fault:
        raise InputError(f"{what}: {shown(values)} are not numbers") from fault


def _refuse_endless(what: str, values: FloatArray) -> None:
    """Raise InputError where a number is NaN, infinite or beyond all measure."""
    wrong = ~(np.abs(values) <= LARGEST)  # also true of NaN
    if wrong.any():
        raise InputError(f"{what} hold {values[wrong].flat[0]}, not finite and within {LARGEST:g}")
