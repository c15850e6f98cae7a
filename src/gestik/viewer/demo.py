"""The demo without a browser: the same play, told in words or kept as a picture."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import numpy as np

from gestik.kernels.arrays import FloatArray
from gestik.pictures.png import write_png
from gestik.pictures.still import still
from gestik.viewer.act import Act, Reading
from gestik.viewer.target import WanderingTarget


def play(act: Act, target: WanderingTarget, *, rate: float, seconds: float, paced: bool) -> Iterator[Reading]:
    """Yield one reading per step for some seconds.

    Args:
        act: who plays.
        target: what it looks at.
        rate: steps per second.
        seconds: how long, in the play's own time [s]; may be infinite.
        paced: whether to keep to the clock on the wall, or to play as fast as it goes.
    """
    begin = time.perf_counter()
    for step in count():
        now = step / rate
        if now >= seconds:
            return
        if paced:
            time.sleep(max(0.0, begin + now - time.perf_counter()))
        yield act.step(target.at(now), now)


def summary(readings: Sequence[Reading], rate: float) -> str:
    """Return a few words about a play."""
    aim = np.degrees([reading.aim_error for reading in readings])
    shape = [reading.shape_error for reading in readings]
    solve = 1e6 * np.array([reading.solve_time for reading in readings])
    limited = sum(bool(reading.at_limit) for reading in readings)
    return (
        f"{len(readings)} steps at {rate:g} Hz: aim error {np.median(aim):.2f}° (95 % below {_percentile(aim):.2f}°), "
        f"shape error {np.median(shape):.1f}° (95 % below {_percentile(shape):.1f}°), "
        f"solve time {np.median(solve):.0f} µs (95 % below {_percentile(solve):.0f} µs), "
        f"a joint at its limit in {100 * limited / len(readings):.0f} % of the steps"
    )


def _percentile(values: FloatArray | list[float]) -> float:
    return float(np.percentile(values, 95.0))


def told(reading: Reading) -> str:
    """Return one reading as a line."""
    return (
        f"{reading.time:6.1f} s   aim error {math.degrees(reading.aim_error):6.2f}°   "
        f"shape error {reading.shape_error:5.1f}°   solve time {1e6 * reading.solve_time:5.0f} µs   "
        f"at a limit: {', '.join(reading.at_limit) or 'none'}"
    )


def save_shot(path: str | Path, act: Act, reading: Reading) -> None:
    """Keep one moment of the play as a PNG picture."""
    write_png(path, still(act.skeleton, reading.angles, target=reading.point))
