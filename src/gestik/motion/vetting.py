"""Looking a clip over before a body plays it: limits, speeds, accelerations, jerks, balance, running into itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray
from gestik.model import checks
from gestik.model.clip import Clip
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.limits import KEPT
from gestik.motion.capsules import Capsule, pack_capsules

WORDS = ("speed", "acceleration", "jerk")
UNITS = (("rad/s", "m/s"), ("rad/s²", "m/s²"), ("rad/s³", "m/s³"))
EXCEEDED = 1e-6  # of a limit, by which differences of angles may exceed it from rounding
SAFE = 1e-4  # of the time, by which a stretched clip is slower than it must be


@dataclass(frozen=True)
class Limits:
    """What a clip must keep.  None: not asked."""

    speed: ArrayLike | None = None  # one number or [dof], rad/s or m/s; None: the skeleton's own
    acceleration: ArrayLike | None = None  # rad/s^2 or m/s^2
    jerk: ArrayLike | None = None  # rad/s^3 or m/s^3
    clearance: float = 0.0  # m, between capsules of the body
    capsules: Sequence[Capsule] | None = None  # None: from the skeleton's shapes
    masses: Mapping[str, float] = field(default_factory=dict)  # kg, of the bones of joints
    support: ArrayLike | None = None  # [point, 3], m: what it stands on; the centre of mass stays above
    margin: float = 0.0  # m, from the edge of that


@dataclass(frozen=True)
class Fault:
    """One way in which a clip breaks what it must keep."""

    kind: str  # limit, speed, acceleration, jerk, balance or collision
    what: str  # the degree of freedom, limit or pair
    time: float  # s, of the worst moment
    value: float  # there
    bound: float  # what it must keep; 0 for limits, whose value is by how much
    moments: int  # at how many it is broken
    unit: str

    def __str__(self) -> str:
        often = f"{self.moments} moment{'s' if self.moments > 1 else ''}"
        if self.kind == "limit":
            return f"{self.what} beyond its limit by {abs(self.value):.4g} at {self.time:.3f} s ({often})"
        return (
            f"{self.kind} of {self.what}: {self.value:.4g} {self.unit} at {self.time:.3f} s, "
            f"bound {self.bound:.4g} ({often})"
        )


@dataclass(frozen=True, eq=False)
class Vetting:
    """What was found; ``print(vetting)`` tells it."""

    clip: Clip
    limits: Limits
    faults: tuple[Fault, ...]
    slower: float  # how many times slower the clip must be to keep speeds, accelerations and jerks

    @property
    def passes(self) -> bool:
        """Whether nothing is broken."""
        return not self.faults

    def __str__(self) -> str:
        head = f"{self.clip.name!r} of {self.clip.skeleton.name!r}, {self.clip.duration:.3g} s: "
        if self.passes:
            return head + "passes"
        lines = [f"{len(self.faults)} fault{'s' if len(self.faults) > 1 else ''}", *map(str, self.faults)]
        if self.slower > 1.0 + EXCEEDED:
            lines.append(f"{self.slower:.4g} times slower it keeps speeds, accelerations and jerks")
        return head + "\n  ".join(lines)

    def stretched(self) -> Clip:
        """The clip inside the limits of its joints, and as much slower as it must be."""
        inside = _inside(self.clip)
        again = vet(inside, self.limits)
        factor = again.slower * (1.0 + SAFE) if again.slower > 1.0 else 1.0
        start = inside.start
        return Clip(inside.name, inside.skeleton, start + factor * (inside.times - start), inside.angles)

    def filtered(self, rate: float | None = None) -> Clip:
        """The clip as the exact motion filter plays it: as long as before and a little late.

        Args:
            rate: Of the result [Hz]; None: the clip's own.
        """
        from gestik.motion.nutty_filter import NuttyFilter

        skeleton, clip = self.clip.skeleton, _inside(self.clip)
        if clip.rate <= 0.0:
            return clip
        even = clip.sampled(clip.rate if rate is None else rate)
        bounds = [_bounds(name, value, clip) for name, value in _derivative_limits(self.limits, clip).items()]
        # The filter begins at rest; what has no bound is bounded by what no clip does.
        speed, acceleration, jerk = (np.where(np.isfinite(bound), bound, 1e6) for bound in bounds)
        motion = NuttyFilter(
            even.angles[0],
            1.0 / float(even.times[1] - even.times[0]) if len(even) > 1 else 1.0,
            velocity=speed,
            acceleration=acceleration,
            jerk=jerk,
            smoothness=0.0,
            lower=skeleton.lower,
            upper=skeleton.upper,
            mode="exact",
        )
        angles = [even.angles[0], *(motion.step(wanted) for wanted in even.angles[1:])]
        return Clip(clip.name, skeleton, even.times, np.array(angles))


def vet(clip: Clip, limits: Limits | None = None) -> Vetting:
    """Look a clip over.

    Args:
        clip: To be played.
        limits: What it must keep; None: the limits and speeds of its skeleton, and not to run into itself.

    Speeds, accelerations and jerks are differences from moment to moment, of ball joints the turns in between.
    """
    if not isinstance(clip, Clip):
        raise InputError(f"{shown(clip)} is no clip")
    asked = Limits() if limits is None else limits
    if not isinstance(asked, Limits):
        raise InputError(f"limits of a vetting are {shown(limits)}; make them with gestik.Limits")
    ratios: list[float] = []
    faults = [*_limit_faults(clip), *_derivative_faults(clip, asked, ratios)]
    faults += [*_balance_faults(clip, asked), *_collision_faults(clip, asked)]
    return Vetting(clip, asked, tuple(faults), max(ratios, default=0.0))


def _inside(clip: Clip) -> Clip:
    """The clip with every posture inside every limit."""
    skeleton = clip.skeleton
    return Clip(clip.name, skeleton, clip.times, np.array([skeleton.clamp(angles) for angles in clip.angles]))


def _limit_faults(clip: Clip) -> Iterator[Fault]:
    """Limits of the skeleton that postures break."""
    worst: dict[str, tuple[float, float, int]] = {}
    for time, angles in zip(clip.times.tolist(), clip.angles, strict=True):
        for what, excess in clip.skeleton.limit_excess(angles).items():
            value, when, count = worst.get(what, (0.0, time, 0))
            value, when = (excess, time) if abs(excess) > abs(value) else (value, when)
            worst[what] = value, when, count + 1
    for what, (value, when, count) in worst.items():
        yield Fault("limit", what, when, value, 0.0, count, "")


def _derivative_limits(limits: Limits, clip: Clip) -> dict[str, ArrayLike]:
    """The bounds of speed, acceleration and jerk."""
    speed = clip.skeleton.speed if limits.speed is None else limits.speed
    acceleration = math.inf if limits.acceleration is None else limits.acceleration
    return {"speed": speed, "acceleration": acceleration, "jerk": math.inf if limits.jerk is None else limits.jerk}


def _bounds(name: str, values: ArrayLike, clip: Clip) -> FloatArray:
    """One bound for each degree of freedom, above 0, perhaps infinite."""
    count = clip.skeleton.dof_count
    try:
        read = np.array(np.broadcast_to(np.asarray(values, dtype=np.float64), (count,)))
    except (TypeError, ValueError) as fault:
        raise InputError(f"{name} of a vetting is {shown(values)}; give one number or {count}") from fault
    if not (read > 0.0).all():
        raise InputError(f"{name} of a vetting is {shown(read.tolist())}; every one is above 0")
    return read


def _derivative_faults(clip: Clip, limits: Limits, ratios: list[float]) -> Iterator[Fault]:
    """Speeds, accelerations and jerks that are too large; how much slower each asks for is added to `ratios`."""
    from gestik.motion.clearance import steps_along

    skeleton, times = clip.skeleton, clip.times
    values = np.empty((max(0, len(clip) - 1), skeleton.dof_count))
    steps_along(skeleton.arrays, skeleton.ball_rows, skeleton.endless, clip.angles, values)
    spans, moments = np.diff(times), 0.5 * (times[1:] + times[:-1])
    for order, (name, given) in enumerate(_derivative_limits(limits, clip).items()):
        bounds = _bounds(name, given, clip)
        if order > 0:
            spans, values = np.diff(moments), np.diff(values, axis=0)
            moments = 0.5 * (moments[1:] + moments[:-1])
        if not len(spans):
            return
        values = values / spans[:, None]
        shares = np.abs(values) / bounds
        ratios.append(float(shares.max(initial=0.0)) ** (1.0 / (order + 1)))
        for dof in np.flatnonzero(shares.max(axis=0) > 1.0 + EXCEEDED).tolist():
            at = int(shares[:, dof].argmax())
            often = int(np.count_nonzero(shares[:, dof] > 1.0 + EXCEEDED))
            unit = UNITS[order][int(skeleton.dof_slides[dof])]
            value = float(abs(values[at, dof]))
            yield Fault(name, skeleton.dof_names[dof], float(moments[at]), value, float(bounds[dof]), often, unit)


def _balance_faults(clip: Clip, limits: Limits) -> Iterator[Fault]:
    """Moments at which the centre of mass is not above what the body stands on."""
    from gestik.motion.clearance import centre_path

    if not limits.masses or limits.support is None:
        return
    skeleton, places, masses = clip.skeleton, [], []
    for name, mass in limits.masses.items():
        row = skeleton.frame(name).row
        joint = -1 if row < 0 else int(skeleton.row_joints[row])
        try:
            masses.append(checks.positive(mass))
        except ValueError as fault:
            raise InputError(f"mass of {name!r} {fault}") from fault
        places.append((row, 0.5 * skeleton.segments[joint] if joint >= 0 else np.zeros(3)))
    centres = np.empty((len(clip), 3))
    rows, halves = frozen_integers([row for row, _ in places]), frozen_floats(np.array([half for _, half in places]))
    centre_path(skeleton.arrays, clip.angles, rows, halves, frozen_floats(masses), centres)
    inside = _inside_support(centres, limits.support, skeleton.up)
    broken = inside < limits.margin - KEPT
    if broken.any():
        at = int(inside.argmin())
        often = int(np.count_nonzero(broken))
        yield Fault(
            "balance", "the centre of mass", float(clip.times[at]), float(inside[at]), limits.margin, often, "m"
        )


def _inside_support(points: FloatArray, support: ArrayLike, up: FloatArray) -> FloatArray:
    """How far inside the hull of the support each point is [m], seen from above; below 0 outside."""
    corners = np.asarray(support, dtype=np.float64)
    if corners.ndim != 2 or corners.shape[1] != 3 or len(corners) < 3 or not np.isfinite(corners).all():
        raise InputError(f"support of a vetting has shape {corners.shape}; give three points [3] or more")
    east = np.cross(up, (0.0, 0.0, 1.0) if abs(up[2]) < 0.9 else (1.0, 0.0, 0.0))
    east /= np.linalg.norm(east)
    flat = np.stack((east, np.cross(up, east)))
    hull = _hull((corners @ flat.T).tolist())
    if len(hull) < 3:
        raise InputError("support of a vetting lies on one line, seen from above")
    seen, depth = points @ flat.T, np.full(len(points), math.inf)
    for corner, following in zip(hull, hull[1:] + hull[:1], strict=True):
        edge = np.subtract(following, corner)
        inwards = np.array((-edge[1], edge[0])) / np.linalg.norm(edge)
        depth = np.minimum(depth, (seen - corner) @ inwards)
    return depth


def _hull(points: list[list[float]]) -> list[tuple[float, float]]:
    """The corners of the convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted({(x, y) for x, y in points})
    sides = []
    for way in (ordered, ordered[::-1]):
        side: list[tuple[float, float]] = []
        for x, y in way:
            while len(side) > 1 and _turns_right(side[-2], side[-1], (x, y)):
                side.pop()
            side.append((x, y))
        sides.append(side[:-1])
    return sides[0] + sides[1]


def _turns_right(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Whether the way a-b-c turns right or goes straight on."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0.0


def _collision_faults(clip: Clip, limits: Limits) -> Iterator[Fault]:
    """Pairs of capsules that come too near to each other."""
    from gestik.motion.clearance import least_gaps

    packed = pack_capsules(clip.skeleton, limits.capsules)
    gaps = np.empty((len(clip), len(packed.pairs)))
    least_gaps(clip.skeleton.arrays, clip.angles, packed.rows, packed.table, packed.pairs, gaps)
    for pair in np.flatnonzero(gaps.min(axis=0, initial=math.inf) < limits.clearance - KEPT).tolist():
        one, two = packed.pairs[pair].tolist()
        at = int(gaps[:, pair].argmin())
        often = int(np.count_nonzero(gaps[:, pair] < limits.clearance - KEPT))
        what = f"{packed.names[one]} and {packed.names[two]}"
        yield Fault("collision", what, float(clip.times[at]), float(gaps[at, pair]), limits.clearance, often, "m")
