"""Inverse kinematics of arms, peers and ours side by side, in one run.

    python -m benchmarks.peers [peer ...]

Panda, UR5 and iiwa, a thousand reachable places and rotations each, made from configurations uniform inside the limits,
and a hundred that are too far away. Each peer solves the same problems in an environment of its own, which `uv` makes;
Pinocchio, in another one, makes the problems from the robots as published and judges the answers. *tight* is within
0.1 mm and 1 mrad and inside the limits; *cold* starts at zero angles, brought inside the limits; *warm* starts within
0.1 rad of an answer; a *jump* is a tight warm answer with a joint more than 0.5 rad from the start; *far* is how much
farther from a target out of reach the answers are than the best that many local searches found. A time is the least of
three rounds of each problem. Exits with 1 when ours misses a bar; a peer that cannot be run is named with the reason.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.calibration import calibrate
from benchmarks.peers.environments import NEEDS, must_run, run_script
from benchmarks.verdict import Verdict, report_console

# Ours comes right after the one it is measured against.
PEERS = ("roboticstoolbox", *(who for who in NEEDS if who not in {"roboticstoolbox", "judge"}))

Marks = dict[str, dict[str, float]]


def main() -> int:
    """Run the benchmark; return the exit code."""
    console, verdict = report_console(), Verdict()
    asked = sys.argv[1:] or PEERS
    with tempfile.TemporaryDirectory() as name:
        must_run("judge", "judge.py", "make", name)
        missing = {who: run_script(who, f"peer_{who}.py", name, f"{name}/answers_{who}.npz") for who in asked}
        must_run("judge", "judge.py", "mark", name)
        marks: dict[str, Marks] = json.loads(Path(name, "marks.json").read_text(encoding="utf-8"))
    show(console, {peer: marks[peer] for peer in asked if peer in marks}, missing)
    if "gestik" in marks:
        judge_ours(verdict, marks["gestik"], marks.get("roboticstoolbox"))
    return verdict.tell(console)


def show(console: Console, marks: dict[str, Marks], missing: dict[str, str]) -> None:
    """Print the table, and what could not be run."""
    table = Table(title=f"a target at a time; calibration loop {calibrate():.3f} us")
    headings = ("peer", "arm", "cold tight %", "median us", "p95 us", "warm tight %", "median us", "p95 us", "jumps")
    for heading in (*headings, "far, median m", "worst m", "longest us"):
        table.add_column(heading, justify="left" if heading in {"peer", "arm"} else "right")
    for peer, by_arm in marks.items():
        for arm, mark in by_arm.items():
            times = [f"{mark[key]:.1f}" for key in ("cold median", "cold p95", "warm median", "warm p95")]
            far = [f"{mark[key]:.3f}" for key in ("far median", "far worst")]
            cold, warm = (f"{100 * mark[key]:.1f}" for key in ("cold tight", "warm tight"))
            row = (cold, *times[:2], warm, *times[2:], f"{mark['jumps']:.0f}", *far, f"{mark['far us']:.0f}")
            table.add_row(peer, arm, *row)
        table.add_section()
    console.print(table)
    for peer, reason in missing.items():
        if reason:
            console.print(f"{peer} is missing: {reason}")


def judge_ours(verdict: Verdict, ours: Marks, theirs: Marks | None) -> None:
    """The bars."""
    for arm, mark in ours.items():
        verdict.at_least(f"{arm}: tight from cold", 100 * mark["cold tight"], 100, "%")
        verdict.at_least(f"{arm}: tight from warm", 100 * mark["warm tight"], 100, "%")
        verdict.at_most(f"{arm}: jumps", mark["jumps"], 0)
        verdict.at_most(f"{arm}: out of reach, beyond the best", mark["far worst"], 0.02, "m")
        verdict.at_least(f"{arm}: out of reach, flagged", 100 * mark["far flagged"], 100, "%")
        verdict.at_most(f"{arm}: out of reach, time", mark["far us"], 1000, "us")
        if theirs is None:
            continue
        for what, key, bar in (
            ("cold median", "cold median", 0.7),
            ("cold p95", "cold p95", 0.5),
            ("warm median", "warm median", 0.7),
        ):
            verdict.at_most(f"{arm}: {what}", mark[key] / theirs[arm][key], bar, "x roboticstoolbox")


if __name__ == "__main__":
    sys.exit(main())
