"""Set-points a filter must bear: steps, noise, ramps, reversals at the limits; many at once, all seeded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

KINDS = ("steps", "noise", "ramps", "reversals")


def set_point_streams(kind: str, streams: int, frames: int, seed: int) -> FloatArray:
    """Set-points [frame, stream], most of them within -1..1 and some far outside."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    if kind == "noise":
        return rng.normal(0.0, 1.0, (frames, streams))
    if kind == "ramps":
        slopes = rng.uniform(-0.05, 0.05, (frames, streams))
        slopes[rng.uniform(size=slopes.shape) < 0.95] = 0.0
        held = np.where(slopes == 0.0, np.nan, slopes)
        for frame in range(1, frames):
            held[frame] = np.where(np.isnan(held[frame]), held[frame - 1], held[frame])
        return np.cumsum(np.nan_to_num(held), axis=0)
    jumps = rng.uniform(-1.5, 1.5, (frames, streams))
    if kind == "reversals":
        jumps = np.sign(jumps) * rng.choice((0.5, 1.0, 3.0), jumps.shape)
    keeps = rng.uniform(size=jumps.shape) < rng.uniform(0.5, 0.99, streams)
    for frame in range(1, frames):
        jumps[frame] = np.where(keeps[frame], jumps[frame - 1], jumps[frame])
    return jumps


def random_limits(streams: int, seed: int) -> dict[str, FloatArray]:
    """Velocity, acceleration and jerk limits over four decades, and a range around 0, one of each per stream."""
    rng = np.random.default_rng([seed, 99])
    return {
        "velocity": 10.0 ** rng.uniform(-1.0, 1.5, streams),
        "acceleration": 10.0 ** rng.uniform(-0.5, 2.5, streams),
        "jerk": 10.0 ** rng.uniform(0.0, 4.0, streams),
        "lower": rng.uniform(-1.5, -0.1, streams),
        "upper": rng.uniform(0.1, 1.5, streams),
    }


def largest_excess(motion_filter: object, set_points: FloatArray, limits: dict[str, FloatArray]) -> float:
    """Run a filter through set-points [frame, stream]; by how much any sample exceeds any limit."""
    worst = 0.0
    for row in set_points:
        here = motion_filter.step(row)  # type: ignore[attr-defined]
        worst = max(worst, float(np.max(here - limits["upper"])), float(np.max(limits["lower"] - here)))
        for what, values in (
            ("velocity", motion_filter.velocities),  # type: ignore[attr-defined]
            ("acceleration", motion_filter.accelerations),  # type: ignore[attr-defined]
            ("jerk", motion_filter.jerks),  # type: ignore[attr-defined]
        ):
            worst = max(worst, float(np.max(np.abs(values) - limits[what])))
    return worst
