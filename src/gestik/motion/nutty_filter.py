"""The Nutty Motion Filter: set-points may jump, what comes out moves like a body.

Ribeiro & Paiva, "Expressive inverse kinematics" (ERIK), sec. 3.7, eq. 23; docs/motion/nutty-filter.md lists what was
corrected.  Everything is in radians and seconds, or metres for what slides; the author's presets are in degrees and are
converted here.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError, unknown_name
from gestik.kernels.arrays import FloatArray
from gestik.model import checks
from gestik.model.checks import LARGEST
from gestik.model.faults import shown
from gestik.motion import filter_table as ft

MODES = ("classic", "exact")
LIMITERS = ("tanh", "clamp")
LONGEST_FRAME = 10.0  # s
MOST_RESPONSIVE = 0.9999999  # as far as the author's slider goes: at 1 eq. 23 divides by zero


class Preset(NamedTuple):
    """Settings that have a name."""

    smoothness: float
    responsiveness: float
    velocity: float  # rad/s
    acceleration: float  # rad/s^2
    jerk: float  # rad/s^3
    order: int = 3


def _in_degrees(smoothness: float, responsiveness: float, limits: tuple[float, float, float], order: int = 3) -> Preset:
    """A preset as the author writes it, its limits brought from degrees to radians."""
    velocity, acceleration, jerk = (math.radians(limit) for limit in limits)
    return Preset(smoothness, min(responsiveness, MOST_RESPONSIVE), velocity, acceleration, jerk, order)


class NuttyFilter:
    """Turns set-points, one for each joint and frame, into motion: eased, limited, and never a leap.

    ``mode="classic"`` is the author's filter, corrected: its limits are soft spans from peak to peak, and how fast it
    is depends on the rate.  ``mode="exact"`` keeps every limit at every moment and moves the same at any rate; with
    smoothness 0 it goes the quickest way there is.
    """

    # The author's, as published with his demonstration; limits given there in degrees, here in radians.
    PRESETS: ClassVar[dict[str, Preset]] = {
        "slow": _in_degrees(1.0, 0.0, (40.0, 10.0, 100.0), order=1),
        "fast_smooth": _in_degrees(0.93, 0.92, (65.0, 700.0, 100_000.0)),
        "fast": _in_degrees(0.776, 0.4, (100.0, 1000.0, 100_000.0)),
        "loose": _in_degrees(0.55, 0.5, (100.0, 200.0, 20_000.0)),
        "pendular": _in_degrees(0.0, 1.0, (100.0, 60.0, 50_000.0)),
        "paper_a": _in_degrees(1.0, 1.0, (20.0, 100.0, 10_000.0)),
        "paper_b": _in_degrees(0.1, 0.0, (20.0, 100.0, 10_000.0)),
        "paper_c": _in_degrees(0.1, 0.0, (90.0, 700.0, 50_000.0)),
        "paper_d": _in_degrees(0.95, 1.0, (90.0, 700.0, 50_000.0)),
        "paper_e": _in_degrees(0.95, 0.2, (90.0, 700.0, 50_000.0)),
    }

    def __init__(
        self,
        initial: ArrayLike,
        rate: float = 60.0,
        *,
        velocity: ArrayLike,
        acceleration: ArrayLike,
        jerk: ArrayLike,
        smoothness: ArrayLike = 0.93,
        responsiveness: ArrayLike = 0.92,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        beta: ArrayLike = 1.0,
        order: int = 3,
        mode: str = "classic",
        limiter: str = "tanh",
    ) -> None:
        """Stand still at `initial`.

        Args:
            initial: Where the joints are [joint], or one number for one joint; rad or m. Every setting below is one
                number for all joints, or one for each.
            rate: Frames a second [Hz].
            velocity: Limit, above 0 [rad/s or m/s].
            acceleration: Limit, above 0 [rad/s^2 or m/s^2].
            jerk: Limit, above 0 [rad/s^3 or m/s^3].
            smoothness: 0 to 1: how much the motion eases in and out.
            responsiveness: 0 to 1: how much of its speed it keeps in spite of that.
            lower: The least position, None for no limit [rad or m].
            upper: The largest.
            beta: Classic only: the larger, the later the position limiter slows down, above 0.
            order: Classic only: 1 limits velocities, 2 also accelerations, 3 also jerks.
            mode: "classic" or "exact".
            limiter: Classic only: "tanh", which limits softly to half of each limit, or "clamp", to all of it.
        """
        if mode not in MODES:
            raise InputError(f"mode of a filter is {shown(mode)}; choose from {', '.join(MODES)}")
        if limiter not in LIMITERS:
            raise InputError(f"limiter of a filter is {shown(limiter)}; choose from {', '.join(LIMITERS)}")
        if order not in (1, 2, 3) or isinstance(order, bool):
            raise InputError(f"order of a filter is {shown(order)}; it is 1, 2 or 3")
        if mode == "exact" and (order != 3 or limiter != "tanh"):
            raise InputError("an exact filter limits jerk, and has no limiter to choose: leave order and limiter out")
        try:
            self.rate = checks.positive(rate)
        except ValueError as fault:
            raise InputError(f"rate of a filter {fault}") from fault
        if self.rate < 1.0 / LONGEST_FRAME:
            raise InputError(f"rate of a filter is {self.rate:g} Hz; a frame lasts no longer than {LONGEST_FRAME:g} s")
        self.mode, self.order, self.limiter = mode, int(order), limiter
        start = _numbers("initial position", initial)
        if start.ndim > 1:
            raise InputError(f"initial position of a filter has shape {start.shape}, not () or (joint,)")
        self._is_one = start.ndim == 0
        self._settings = settings = np.empty((start.size, ft.SETTING_WIDTH))
        settings[:, ft.VELOCITY] = _setting("velocity", velocity, start.size, above=0.0)
        settings[:, ft.ACCELERATION] = _setting("acceleration", acceleration, start.size, above=0.0)
        settings[:, ft.JERK] = _setting("jerk", jerk, start.size, above=0.0)
        settings[:, ft.LOWER] = _bound("lower", lower, start.size, -math.inf)
        settings[:, ft.UPPER] = _bound("upper", upper, start.size, math.inf)
        settings[:, ft.SMOOTHNESS] = _setting("smoothness", smoothness, start.size, most=1.0)
        shares = _setting("responsiveness", responsiveness, start.size, most=1.0)
        settings[:, ft.RESPONSIVENESS] = np.minimum(shares, MOST_RESPONSIVE)
        settings[:, ft.BETA] = _setting("beta", beta, start.size, above=0.0)
        if (settings[:, ft.LOWER] > settings[:, ft.UPPER]).any():
            raise InputError("lower limit of a filter is above its upper limit")
        self._state = np.zeros((start.size, ft.EXACT_WIDTH if mode == "exact" else ft.CLASSIC_WIDTH))
        self.reset(start)

    @classmethod
    def preset(cls, name: str, initial: ArrayLike, rate: float = 60.0, **changes: Any) -> NuttyFilter:
        """Make a filter with the author's settings of that name; `changes` are settings that shall differ."""
        if name not in cls.PRESETS:
            raise unknown_name("preset of a filter", str(name), cls.PRESETS)
        settings = cls.PRESETS[name]._asdict()
        if changes.get("mode", "classic") == "exact":
            del settings["order"]
        return cls(initial, rate, **{**settings, **changes})

    def step(self, setpoint: ArrayLike) -> Any:
        """Move on by one frame towards a set-point, a number or [joint]; return where the joints are now [rad or m]."""
        wanted = self._checked("set-point", setpoint)
        if self.mode == "exact":
            from gestik.motion.exact_filter import step_exact

            step_exact(self._settings, self._state, wanted, 1.0 / self.rate)
        else:
            from gestik.motion.classic_filter import step_classic

            hard = self.limiter == "clamp"
            step_classic(self._settings, self._state, wanted, 1.0 / self.rate, self.order, hard)
        return self.positions

    def reset(self, positions: ArrayLike) -> None:
        """Stand still somewhere else, at once."""
        start = self._checked("position", positions)
        self._state[:] = 0.0
        self._state[:, ft.POSITION] = start
        if self.mode == "exact":
            self._state[:, ft.SET_POINT] = math.nan
        else:
            self._state[:, [ft.NEWEST, ft.MIDDLE, ft.OLDEST]] = start[:, None]

    @property
    def positions(self) -> Any:
        """Where the joints are, a number or [joint, rad or m]."""
        return self._column(ft.POSITION)

    @property
    def velocities(self) -> Any:
        """How fast they are [rad/s or m/s]; classic: over the last frame."""
        return self._column(ft.SPEED)

    @property
    def accelerations(self) -> Any:
        """How fast that changes [rad/s^2 or m/s^2]."""
        return self._column(ft.PUSH)

    @property
    def jerks(self) -> Any:
        """And how fast that does [rad/s^3 or m/s^3]."""
        return self._column(ft.KICK)

    def _column(self, column: int) -> Any:
        """One column of the state, as it was given: a number, or an array of its own."""
        values = self._state[:, column]
        return float(values[0]) if self._is_one else values.copy()

    def _checked(self, what: str, values: ArrayLike) -> FloatArray:
        """One finite number for each joint."""
        read = _numbers(what, values)
        if read.shape not in ((len(self._state),), ()) or (read.ndim == 0 and not self._is_one):
            raise InputError(f"{what} of a filter has shape {read.shape}, not ({len(self._state)},)")
        return read.reshape(-1)


def _numbers(what: str, values: ArrayLike) -> FloatArray:
    """Finite numbers of any shape."""
    try:
        read = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as fault:
        raise InputError(f"{what} of a filter is {shown(values)}, not numbers") from fault
    if not (np.abs(read) <= LARGEST).all():  # also true of NaN
        raise InputError(f"{what} of a filter is {shown(read.tolist())}, not finite and within {LARGEST:g}")
    return read


def _setting(what: str, values: ArrayLike, count: int, above: float | None = None, most: float = LARGEST) -> FloatArray:
    """One number for each joint, inside its range."""
    read = _numbers(what, values)
    if read.shape not in ((), (count,)):
        raise InputError(f"{what} of a filter has shape {read.shape}; give one number or {count}")
    low = read.min(initial=most)
    if (low <= above if above is not None else low < 0.0) or read.max(initial=0.0) > most:
        least = "above 0" if above is not None else "from 0"
        raise InputError(f"{what} of a filter is {shown(read.tolist())}; it lies {least} to {most:g}")
    return np.broadcast_to(read, (count,))


def _bound(what: str, values: ArrayLike | None, count: int, unlimited: float) -> FloatArray:
    """A limit for each joint; where there is none, None or an infinity."""
    if values is None:
        return np.full(count, unlimited)
    try:
        read = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as fault:
        raise InputError(f"{what} limit of a filter is {shown(values)}, not numbers") from fault
    if read.shape not in ((), (count,)):
        raise InputError(f"{what} limit of a filter has shape {read.shape}; give one number or {count}")
    if not ((np.abs(read) <= LARGEST) | (read == unlimited)).all():
        raise InputError(f"{what} limit of a filter is {shown(read.tolist())}; a number, or {unlimited} for none")
    return np.broadcast_to(read, (count,))
