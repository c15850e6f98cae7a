"""One tick of a performer: the lamp plays a clip with two layers, looks at a moving target, inside limits, filtered.

    python -m benchmarks.performer --ticks 1000000

Each tick is timed by itself, in seconds of its own thread, so that what else the machine does is not counted as long as
it leaves the caches alone.  The calibration loop is timed every few hundred ticks, the best of five each time; bars are
multiples of the mean.
Exits with 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

import gestik as gk
from benchmarks.calibration import budget, calibrate
from benchmarks.verdict import Verdict, report_console

FloatArray = NDArray[np.float64]

MEAN_BAR, TAIL_BAR = 100.0, 400.0  # us on the development machine
TAIL = 99.0  # percent
MEMORY_BAR = 2.0  # MB more at the end than after the first tenth
CALIBRATED_EVERY = 500  # ticks
RATE = 60.0
SPEED_SLACK = 1e-9


def swing(character: gk.Character) -> gk.Clip:
    """A clip of four seconds at 30 Hz that ends where it begins."""
    phase = np.linspace(0.0, 2.0 * np.pi, 121)
    middle = character.posture("alert").angles_for(character.skeleton)
    angles = middle + 0.2 * np.sin(phase)[:, None]
    return gk.Clip("swing", character.skeleton, phase / (2.0 * np.pi) * 4.0, angles)


def memory() -> float:
    """What this process holds [MB]."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 1e6


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.performer", description=__doc__)
    parser.add_argument("--ticks", type=int, default=1_000_000)
    ticks = parser.parse_args().ticks
    console, verdict = report_console(), Verdict()
    lamp = gk.load_character("lamp")
    performer = gk.Performer(lamp, RATE)
    performer.play(swing(lamp), loop=True)
    performer.layer("breathing")
    performer.layer("sway")

    # Filled, because untouched pages of zeros would be taken for a performer that grows.
    seconds, errors = np.full(ticks, np.nan, dtype=np.float32), np.full(ticks, np.nan, dtype=np.float32)
    fastest, before, begun, yardsticks = 0.0, None, 0.0, []
    for frame in range(ticks):
        now = frame / RATE
        point = (0.7, 0.5 * math.sin(0.7 * now), 0.35 + 0.15 * math.sin(0.31 * now))
        start = time.thread_time()
        performer.look_at(point, time=now)
        record = performer.tick(now)
        seconds[frame] = time.thread_time() - start
        errors[frame] = record.errors[0]
        if before is not None:
            fastest = max(fastest, float((np.abs(record.angles - before) * RATE / lamp.skeleton.speed).max()))
        before = record.angles
        if frame % CALIBRATED_EVERY == 0:
            yardsticks.append(calibrate(5))
        if frame == ticks // 10:
            begun = memory()
    grown = memory() - begun
    settled = seconds[ticks // 100 + 100 :] * 1e6
    multiple = float(np.mean(yardsticks))
    mean, tail = float(settled.mean()), float(np.percentile(settled, TAIL))

    table = Table(title=f"performer, lamp, {ticks} ticks", show_header=False)
    rows = {
        "mean": f"{mean:.1f} us, {mean / multiple:.0f} multiples",
        "median": f"{np.median(settled):.1f} us",
        f"{TAIL:g} %": f"{tail:.1f} us, {tail / multiple:.0f} multiples",
        "longest": f"{settled.max():.0f} us",
        "memory grown since the first tenth": f"{grown:.2f} MB",
        "fastest joint over its speed": f"{fastest:.6f}",
        "eye off the moving target, mean": f"{np.degrees(errors[ticks // 100 :].mean()):.2f} degrees",
        "one multiple": f"{multiple:.4f} us on average, forward kinematics of 7 joints in C",
    }
    for what, value in rows.items():
        table.add_row(what, value)
    console.print(table)
    verdict.at_most("mean of a tick", mean / multiple, budget(MEAN_BAR), "multiples")
    verdict.at_most(f"{TAIL:g} % of ticks", tail / multiple, budget(TAIL_BAR), "multiples")
    verdict.at_most("memory grown", grown, MEMORY_BAR, "MB")
    verdict.at_most("fastest joint over its speed", fastest, 1.0 + SPEED_SLACK)
    return verdict.tell(console)


if __name__ == "__main__":
    sys.exit(main())
