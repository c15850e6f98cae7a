"""A tracked lamp and a face: it walks past, goes in a circle and a bit, and stops.

    python -m benchmarks.tracking --walks 32 --seed 1

Every walk is tracked at 30, 60 and 120 frames a second, in another mood, from another distance, the circle in front of
the lamp or around it.  Judged are the speeds of the joints, the gaze after the face has stopped, and whether the rates
show the same motion: everywhere but on the way from one pose to another, and those ways begin within one slow frame of
one another.  Around the lamp, whose base stops at 170 degrees to either side, it has to turn back at some point; if the
face stops just then, the way the slowest joint still has to go is granted to the gaze.  Exits with 1 when a bar is
missed.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

import gestik as gk
from benchmarks.calibration import Timing, budget, calibrate, time_beside
from benchmarks.verdict import Verdict, report_console
from tests.reference.forward_twin import looking_error

FloatArray = NDArray[np.float64]

RATES = (30, 60, 120)  # Hz; every slow frame is a frame of the faster ones too
PACE = 1.2  # m/s
SIDE = 2.4  # m, how far to the side the walk past begins and, before a circle around the lamp, ends
IN_FRONT = 0.6  # m, radius of a circle in front of the lamp
SETTLED = 0.3  # s after the stop
STANDING = 1.5  # s, how long the face stands at the end
MOMENT = 0.1  # s
FAR = 0.02  # s for the slowest joint: a pose less far away is the one it glides along with
GAZE_BAR = 1.0  # degrees
SAME_BAR = 0.5  # degrees, between the same joint at two rates
TIME_BAR = 160.0  # us a frame on the development machine, of which a search takes half
COLUMNS = (
    "mood",
    "circle",
    "distance",
    "height",
    "stops after",
    "speed, of the limit",
    "gaze error while walking",
    "gaze settled after",
    "largest calm step",
    "changes of pose",
    "frames compared",
    "largest difference",
    "changes apart",
)


class Walk(NamedTuple):
    """Where a face goes: along a straight line, then in a circle, then nowhere."""

    around: bool  # whether the circle goes around the lamp, or stays in front of it
    distance: float  # m, of the line it walks past on
    height: float  # m
    extra: float  # rad, how far beyond a full circle it stops

    @property
    def centre(self) -> tuple[float, float]:
        """Of the circle [m]; the line is a tangent of a circle in front, and ends on one around."""
        return (0.0, 0.0) if self.around else (self.distance + IN_FRONT, 0.0)

    @property
    def line(self) -> float:
        """How long the straight way is [m]."""
        return 2.0 * SIDE if self.around else SIDE

    @property
    def radius(self) -> float:
        """Of the circle [m]."""
        return float(np.hypot(SIDE, self.distance)) if self.around else IN_FRONT

    @property
    def stops(self) -> float:
        """When it stops [s]."""
        return (self.line + (2.0 * np.pi + self.extra) * self.radius) / PACE

    def at(self, time: float) -> FloatArray:
        """Where it is [3], m."""
        way = PACE * min(time, self.stops)
        if way <= self.line:
            return np.array([self.distance, way - SIDE, self.height])
        x, y = self.centre
        begins = np.arctan2(SIDE, self.distance) if self.around else np.pi
        azimuth = begins + (1.0 if self.around else -1.0) * (way - self.line) / self.radius
        return np.array([x + self.radius * np.cos(azimuth), y + self.radius * np.sin(azimuth), self.height])


class Track(NamedTuple):
    """What one tracker did, frame by frame."""

    times: FloatArray  # [n], s
    angles: FloatArray  # [n, dof], shown
    behind: FloatArray  # [n], s the slowest joint needs from the pose shown to the pose wanted
    gaze: FloatArray  # [n], degrees between where the eye looks and where the face is

    @property
    def arrived(self) -> NDArray[np.bool_]:
        """Frames [n] that show the pose wanted."""
        return self.behind == 0.0

    @property
    def changes(self) -> FloatArray:
        """When it set out for another pose [s]; setting out again within a moment is the same change."""
        away = np.flatnonzero(~self.arrived)
        ways = np.split(away, np.flatnonzero(np.diff(self.times[away]) > MOMENT) + 1)
        return np.array([self.times[way[0]] for way in ways if len(way) and self.behind[way].max() > FAR])


def draw_walks(count: int, seed: int) -> list[Walk]:
    """Draw walks: near and far, low and high, in front of the lamp and around it in turn."""
    generator = np.random.default_rng(seed)
    rows = generator.uniform((0.5, 0.2, 0.0), (1.5, 1.7, np.pi), size=(count, 3))
    return [Walk(bool(number % 2), *row) for number, row in enumerate(rows.tolist())]


def follow(character: gk.Character, posture: str, walk: Walk, rate: int) -> Track:
    """Track a walk at a rate."""
    body, eye = character.skeleton, character.eye or "eye"
    tracker = gk.Tracker(gk.prepare(body, [gk.Aim(eye, at=walk.at(0.0)), character.posture(posture)]))
    times = np.arange(int((walk.stops + STANDING) * RATES[0]) * rate // RATES[0]) / rate
    angles, behind, gaze = np.zeros((len(times), body.dof_count)), np.zeros(len(times)), np.zeros(len(times))
    for frame, time in enumerate(times.tolist()):
        angles[frame] = tracker.step(walk.at(time), time=time).angles
        behind[frame] = (np.abs(tracker.wanted - angles[frame]) / body.speed).max()
        gaze[frame] = np.degrees(looking_error(body, angles[frame], eye, walk.at(time)))
    return Track(times, angles, behind, gaze)


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tracking", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the walks")
    parser.add_argument("--walks", type=int, default=32, help="how many; the moods take turns")
    options = parser.parse_args()

    console, verdict = report_console(), Verdict()
    character = gk.load_character("lamp")
    moods = list(character.postures)
    table = Table(title=f"a face walks past, circles and stops; seed {options.seed}")
    for heading in COLUMNS:
        table.add_column(heading, justify="right")
    for number, walk in enumerate(draw_walks(options.walks, options.seed)):
        mood = moods[number // 2 % len(moods)]
        tracks = [follow(character, mood, walk, rate) for rate in RATES]
        table.add_row(*judge(character.skeleton, mood, walk, tracks, verdict))
    console.print(table)
    timing = time_frames(character, draw_walks(1, options.seed)[0])
    console.print(f"one frame: {timing}; one multiple: {calibrate():.4f} us")
    verdict.at_most("time of a frame", timing.multiples, budget(TIME_BAR), "multiples")
    return verdict.tell(console)


def judge(body: gk.Skeleton, mood: str, walk: Walk, tracks: list[Track], verdict: Verdict) -> list[str]:
    """Hold one walk against the bars; return its row of the table."""
    label = f"{mood}, {walk.distance:.2f} m, {'around' if walk.around else 'in front'}: "
    slow = tracks[0]
    speed = max(float((np.abs(np.diff(t.angles, axis=0)).max(axis=0) * rate / body.speed).max())
                for rate, t in zip(RATES, tracks, strict=True))  # fmt: skip
    broken = max(float(np.maximum(body.lower - t.angles, t.angles - body.upper).max()) for t in tracks)
    late = max(settling_time(t, walk) for t in tracks)
    on_its_way = max(float(t.behind[np.searchsorted(t.times, walk.stops)]) for t in tracks) if walk.around else 0.0
    # Frames all rates share, while none of them is on its way from one pose to another.
    shared = [slice(None, None, rate // RATES[0]) for rate in RATES]
    calm = np.logical_and.reduce([t.arrived[part] for part, t in zip(shared, tracks, strict=True)])
    step = np.degrees(np.abs(np.diff(tracks[1].angles, axis=0))[tracks[1].arrived[1:] & tracks[1].arrived[:-1]].max())
    apart = np.degrees(
        max(float(np.abs(t.angles[part] - slow.angles)[calm].max()) for part, t in zip(shared, tracks, strict=True))
    )
    switches = changes_apart([t.changes for t in tracks])
    verdict.at_most(label + "speed, of the limit", speed, 1.0 + 1e-9)
    verdict.at_most(label + "beyond a limit", broken, 0.0, "rad")
    verdict.at_most(label + "gaze settled after", late, SETTLED + on_its_way, "s")
    verdict.at_most(label + "difference between rates", apart, SAME_BAR, "degrees")
    verdict.at_most(label + "changes of pose apart", switches, 1.0 / RATES[0] + 1e-9, "s")
    return [
        mood,
        "around" if walk.around else "in front",
        f"{walk.distance:.2f} m",
        f"{walk.height:.2f} m",
        f"{walk.stops:.1f} s",
        f"{speed:.3f}",
        f"{slow.gaze[slow.times < walk.stops].mean():.3f}°",
        f"{late:.3f} s" + (f" of {SETTLED + on_its_way:.2f}" if on_its_way else ""),
        f"{step:.1f}°",
        "/".join(str(len(t.changes)) for t in tracks),
        f"{calm.mean():.0%}",
        f"{apart:.3f}°",
        f"{1e3 * switches:.0f} ms",
    ]


def settling_time(track: Track, walk: Walk) -> float:
    """How long after the stop the gaze was last off the face [s]."""
    off = track.times[(track.gaze > GAZE_BAR) & (track.times >= walk.stops)]
    return float(off[-1] - walk.stops) if len(off) else 0.0


def changes_apart(changes: list[FloatArray]) -> float:
    """How far apart the same changes of pose begin at different rates [s]; infinite where their numbers differ."""
    if len({len(times) for times in changes}) > 1:
        return float("inf")
    return float(np.ptp(changes, axis=0).max(initial=0.0))


def time_frames(character: gk.Character, walk: Walk) -> Timing:
    """Time a step of the tracker, over a walk at 60 Hz."""
    goals = [gk.Aim(character.eye or "eye", at=walk.at(0.0)), character.posture("curious")]
    prepared = gk.prepare(character.skeleton, goals)

    def frames(first: int) -> None:
        tracker = gk.Tracker(prepared)
        for frame in range(first, first + 20):
            tracker.step(walk.at(frame / 60.0), time=frame / 60.0)

    parts = [partial(frames, first) for first in range(0, 600, 20)]
    return time_beside(parts, 600)


if __name__ == "__main__":
    sys.exit(main())
