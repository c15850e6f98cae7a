"""``gestik warp`` and ``gestik vet``: a clip goes in, a better one comes out, and the exit status tells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gestik as gk
from gestik.cli import WRONG_USE, main

LAMP = gk.load("lamp")


def test_a_warped_clip_is_written_and_read_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The lamp's nod, aimed at a point from the command line, looks at it when it is read back."""
    out = tmp_path / "aimed.csv"
    words = ["warp", "lamp", "--clip", "nod", "--rate", "60", "--at", "0.6", "0.35", "0.1", "--out", str(out)]
    assert main(words) == 0
    assert "0.00 degrees off" in capsys.readouterr().out
    (aimed,) = gk.load_clips(out, skeleton=LAMP).values()
    off = [gk.metrics.aim_error(LAMP, angles, "eye", at=(0.6, 0.35, 0.1)) for angles in aimed.angles]
    assert np.max(off) < 1e-3


def test_a_clip_that_breaks_something_is_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit status is 1 for a clip that breaks something, and 0 once it is written slower or filtered."""
    asked = ["vet", "lamp", "--clip", "nod", "--rate", "60", "--acceleration", "10"]
    assert main(asked) == 1
    assert "acceleration of" in capsys.readouterr().out
    for mend in ("stretch", "filter"):
        out = tmp_path / f"{mend}.csv"
        assert main([*asked, "--mend", mend, "--out", str(out)]) == 0
        assert "passes" in capsys.readouterr().out
        again = ["vet", str(out), "--skeleton", "lamp", "--acceleration", "10.01"]
        assert main(again) == 0


@pytest.mark.parametrize("words", [["vet", "lamp"], ["vet", "lamp", "--clip", "nodd"], ["vet", "nowhere.bvh"]])
def test_a_clip_that_is_not_there_is_told_in_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Several clips to choose from, a misspelt one, no file: one line each."""
    assert main(words) == WRONG_USE
    assert capsys.readouterr().err.count("\n") == 1
