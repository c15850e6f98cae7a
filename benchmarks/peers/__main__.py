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
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.calibration import calibrate
from benchmarks.verdict import Verdict, report_console

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PYTHON = "3.11"  # for which every peer has been built
LONGEST = 900  # s, for one peer

# What each peer needs installed; ours comes right after the one it is measured against.
PEERS = {
    "roboticstoolbox": ("roboticstoolbox-python",),
    "gestik": ("-e", str(ROOT)),
    "placo": ("placo==0.10.0",),  # what it links to is not told by later ones, and they do not load
    "mink": ("mink", "daqp"),
    "pink": ("pin-pink", "daqp"),
    "tracik": ("pytracik",),
    "eaik": ("EAIK",),
    "optik": ("optik-py",),
}
JUDGE = ("pin", "example-robot-data", "defusedxml")

Marks = dict[str, dict[str, float]]


def in_environment(packages: tuple[str, ...], *command: str) -> subprocess.CompletedProcess[str]:
    """Run a script of this folder with Python and some packages."""
    uv = shutil.which("uv")
    if uv is None:
        raise RuntimeError("this benchmark makes an environment for each peer with uv, which is not installed")
    wanted = [part for package in packages for part in (["--with", package] if package != "-e" else [])]
    if packages[0] == "-e":
        wanted = ["--with-editable", packages[1]]
    call = [uv, "run", "-q", "--no-project", "--python", PYTHON, "--with", "numpy", *wanted, "python", *command]
    return subprocess.run(call, cwd=HERE, capture_output=True, text=True, timeout=LONGEST, check=False)


def main() -> int:
    """Run the benchmark; return the exit code."""
    console, verdict = report_console(), Verdict()
    asked = sys.argv[1:] or list(PEERS)
    missing: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = in_environment(JUDGE, "judge.py", "make", name)
        if made.returncode:
            raise RuntimeError(made.stderr)
        for peer in asked:
            try:
                done = in_environment(PEERS[peer], f"peer_{peer}.py", name, str(folder / f"answers_{peer}.npz"))
            except subprocess.TimeoutExpired:
                missing[peer] = f"took longer than {LONGEST} s"
                continue
            if done.returncode:
                missing[peer] = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        marked = in_environment(JUDGE, "judge.py", "mark", name)
        if marked.returncode:
            raise RuntimeError(marked.stderr)
        marks: dict[str, Marks] = json.loads((folder / "marks.json").read_text(encoding="utf-8"))
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
