"""A whole body: Talos, 28 joints, four places and rotations and a posture, placo's time beside ours in one run.

    python -m benchmarks.body

Feet and hands are asked to go where they are when every joint is up to 0.3 rad from a standing posture, which is start
and posture at once; the base stands still. Both iterate until all four are within 0.1 mm and 1 mrad; Pinocchio judges.
A time is the least of three rounds of each problem. Exits with 1 when an answer of ours misses, or when ours takes more
than 0.9 of placo's time.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from rich.table import Table

from benchmarks.calibration import calibrate
from benchmarks.peers.environments import must_run, run_script
from benchmarks.verdict import Verdict, report_console

BAR = 0.9


def main() -> int:
    """Run the benchmark; return the exit code."""
    console, verdict = report_console(), Verdict()
    with tempfile.TemporaryDirectory() as name:
        must_run("judge", "body_problems.py", "make", name)
        missing = {
            who: run_script(who, f"body_{who}.py", name, f"{name}/body_{who}.npz") for who in ("placo", "gestik")
        }
        must_run("judge", "body_problems.py", "mark", name)
        marks = json.loads(Path(name, "body_marks.json").read_text(encoding="utf-8"))
    table = Table(title=f"Talos, four limbs; calibration loop {calibrate():.3f} us")
    for heading in ("", "joints", "tight %", "median us", "p95 us", "off the posture, rad"):
        table.add_column(heading, justify="right")
    for who, mark in marks.items():
        times = f"{mark['median']:.1f}", f"{mark['p95']:.1f}"
        table.add_row(who, f"{mark['joints']:.0f}", f"{100 * mark['tight']:.1f}", *times, f"{mark['off']:.3f}")
    console.print(table)
    for who, why in missing.items():
        if why:
            console.print(f"{who} is missing: {why}")
    verdict.at_least("tight", 100 * marks["gestik"]["tight"], 100, "%")
    if "placo" in marks:
        verdict.at_most("median time", marks["gestik"]["median"] / marks["placo"]["median"], BAR, "x placo")
    return verdict.tell(console)


if __name__ == "__main__":
    sys.exit(main())
