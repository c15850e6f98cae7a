"""The commands `solve` and `convert`: good answers, good refusals, statuses that mean something."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gestik as gk
from gestik.cli import WRONG_USE, main
from gestik.cli.solve import MISSED
from tests.pictures.png_reader import read_png

LOOK = ["--look", "eye", "0.6", "0.2", "0.4"]


def test_solve_prints_what_the_library_finds(capsys: pytest.CaptureFixture[str]) -> None:
    """The same bits, in JSON."""
    assert main(["solve", "lamp", *LOOK, "--posture", "curious", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    lamp = gk.load_character("lamp")
    solution = gk.solve(lamp.skeleton, [gk.Aim("eye", at=(0.6, 0.2, 0.4)), lamp.posture("curious")])
    assert told["angles"] == solution.named()
    assert told["reached"] is True
    assert told["status"] == "reached"
    assert told["errors"] == solution.errors.tolist()


def test_solve_in_words_names_joints_and_outcome(capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each joint, in degrees, and one about the goals; out of reach is status 1."""
    place = ["--place", "head", "5", "0", "5"]
    words = ["solve", "lamp", *place, "--method", "ccd", "--option", "max_iterations=30", "--joints", "shoulder"]
    assert main(words) == MISSED
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in told[:5]] == list(gk.load("lamp").dof_names)
    assert "out of reach" in told[-1]
    assert told[0].split()[1] == "0.00°"  # the base may not move


def test_solve_keeps_a_picture_when_asked(tmp_path: Path) -> None:
    """Of the answer, with a ball where it looks."""
    path = tmp_path / "lamp.png"
    assert main(["solve", "lamp", *LOOK, "--posture", "curious", "--picture", str(path)]) == 0
    assert read_png(path.read_bytes()).shape == (640, 960, 3)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["lamp"], "nothing is asked"),
        (["lmap", *LOOK], "'lamp'"),
        (["lamp", "--look", "eye", "0.6", "x", "0.4"], "not 3 numbers"),
        (["lamp", "--look", "eyes", "0.6", "0.2", "0.4"], "eye"),
        (["lamp", "--look", "eye", "nan", "0.2", "0.4"], "nan"),
        (["lamp", *LOOK, "--posture", "happy"], "happy"),
        (["lamp", *LOOK, "--method", "magic"], "magic"),
        (["lamp", *LOOK, "--method", "ccd", "--option", "speed=3"], "speed"),
        (["lamp", *LOOK, "--joints", "knee"], "knee"),
    ],
)
def test_wrong_use_of_solve_is_one_line(words: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Which names the word, and no traceback."""
    assert main(["solve", *words]) == WRONG_USE
    told = capsys.readouterr()
    assert part in told.err
    assert len(told.err.splitlines()) == 1
    assert told.out == ""


def test_an_option_must_be_a_name_and_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    """Said by argparse, as for every option."""
    with pytest.raises(SystemExit) as left:
        main(["solve", "lamp", *LOOK, "--option", "speed"])
    assert left.value.code == WRONG_USE
    assert "'speed' is not NAME=VALUE" in capsys.readouterr().err


def test_a_clip_goes_there_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a character to a recording and on to BVH, the motion is the same."""
    recorded, drawn = tmp_path / "nod.csv", tmp_path / "nod.bvh"
    assert main(["convert", "lamp", str(recorded), "--clip", "nod", "--rate", "30"]) == 0
    assert "46 postures of 'lamp', 1.5 s" in capsys.readouterr().out
    assert main(["convert", str(recorded), str(drawn), "--skeleton", "lamp"]) == 0
    (clip,) = gk.load_clips(drawn).values()
    original = gk.load_character("lamp").clip("nod")
    for time in (0.0, 0.5, 1.0):
        ours = clip.skeleton.forward(clip.at(clip.start + time)).of("head").position @ clip.skeleton.up
        theirs = original.skeleton.forward(original.at(time)).of("head").position @ original.skeleton.up
        assert ours == pytest.approx(theirs, abs=2e-3)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["lamp", "OUT.csv"], "2 clips (nod, wake)"),
        (["lamp", "OUT.csv", "--clip", "nood"], "nod"),
        (["snake", "OUT.csv"], "0 clips (none)"),
        (["missing.bvh", "OUT.csv"], "missing.bvh"),
    ],
)
def test_wrong_use_of_convert_is_one_line(
    words: list[str], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing is written."""
    assert main(["convert", *(word.replace("OUT", str(tmp_path / "out")) for word in words)]) == WRONG_USE
    told = capsys.readouterr().err
    assert part in told
    assert len(told.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
