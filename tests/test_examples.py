"""The examples run as a newcomer runs them: each in an interpreter of its own, where every warning is an error."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run_example(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run an example and return what it printed and how it ended."""
    return subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "examples" / name), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@cache
def printed_by(name: str) -> str:
    """Return what an example that must succeed printed."""
    done = run_example(name)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_examples_are_numbered_without_a_gap() -> None:
    """The files are numbered 01, 02, ..., so that a reader knows where to begin."""
    assert [path.name[:3] for path in EXAMPLES] == [f"{number:02}_" for number in range(1, len(EXAMPLES) + 1)]
    assert EXAMPLES


@pytest.mark.parametrize("name", [path.name for path in EXAMPLES])
def test_an_example_runs_and_tells_what_it_did(name: str) -> None:
    """Every example ends well, prints something, and prints no NaN."""
    printed = printed_by(name)
    assert printed.strip()
    assert not re.search(r"\bnan\b", printed)


@pytest.mark.parametrize("name", [path.name for path in EXAMPLES])
def test_an_example_says_how_to_run_it(name: str) -> None:
    """The docstring of an example holds the command that runs it, with its own name."""
    assert f"python examples/{name}" in (ROOT / "examples" / name).read_text(encoding="utf-8")


def test_the_first_example_looks_at_its_cup() -> None:
    """The lamp of the first example reaches its target, to a thousandth of a degree."""
    printed = printed_by("01_first_solve.py")
    assert "status: reached" in printed
    found = re.search(r"aim error: ([\d.]+) degrees", printed)
    assert found
    assert float(found[1]) <= 1e-3


def test_a_robot_from_a_file_written_on_the_spot_looks_at_its_target() -> None:
    """The small arm of the second example reaches its target."""
    assert "every goal is reached" in printed_by("02_own_robot.py")


def test_every_goal_is_met_but_the_one_out_of_reach() -> None:
    """Of all the wishes of the third example only the place out of reach is not reached."""
    lines = printed_by("03_every_goal.py").splitlines()
    missed = [line for line in lines if " closest " in line]
    assert len(lines) > 5
    assert len(missed) == 1
    assert missed[0].startswith("out of reach")


def test_the_follower_keeps_to_the_speeds_it_is_allowed() -> None:
    """No joint of the fourth example is faster than it may be, and its eye is on the face at the end of the walk."""
    printed = printed_by("04_follow_a_face.py")
    speeds = re.findall(r"fastest +(\d+), allowed +(\d+)", printed)
    assert speeds
    assert all(float(fastest) <= float(allowed) for fastest, allowed in speeds)
    errors = [float(error) for error in re.findall(r"aim error +([\d.]+)", printed)]
    assert errors
    assert sorted(errors)[len(errors) // 2] <= 1.0


def test_a_file_that_is_missing_is_told_in_one_line() -> None:
    """The second example, given a path that leads nowhere, fails with our error and without a traceback."""
    done = run_example("02_own_robot.py", "nowhere.urdf", "tip")
    assert done.returncode == 1
    assert done.stderr.startswith("FormatError")
    assert "nowhere.urdf" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_frame_the_robot_does_not_have_is_told_with_the_nearest_right_ones(tmp_path: Path) -> None:
    """The second example, given a frame misspelt, names the frame that was meant."""
    robot = tmp_path / "nodder.urdf"
    robot.write_text(
        '<robot name="nodder"><link name="base"/><link name="camera"/><joint name="nod" type="revolute">'
        '<parent link="base"/><child link="camera"/><axis xyz="0 1 0"/>'
        '<limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>',
        encoding="utf-8",
    )
    done = run_example("02_own_robot.py", str(robot), "camra")
    assert done.returncode == 1
    assert done.stderr.startswith("NameNotFoundError")
    assert "'camera'" in done.stderr
