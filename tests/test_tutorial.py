"""The tutorial does what it says, step by step, in an empty folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from gestik.cli import main

PAGE = Path(__file__).resolve().parent.parent / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_every_step_of_the_tutorial_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files are written, commands that need no browser run and reach their goals, Python runs as it stands."""
    monkeypatch.chdir(tmp_path)
    solved = 0
    for language, block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language == "toml":
            with Path("my_robot.toml").open("a") as file:
                file.write("\n" + block)
        elif language == "python":
            exec(compile(block, "<tutorial>", "exec"), {"__name__": "__main__"})
        for line in block.splitlines() if language == "sh" else ():
            words = shlex.split(line)[1:]
            if words[0] == "solve":
                assert main(words) == 0, line
                solved += 1
            elif words[0] == "demo":
                assert main([*words, "--headless", "--seconds", "0.1"]) == 0, line
    told = capsys.readouterr().out
    assert solved == 3
    assert told.count("reached: every goal is reached") == 3
    assert told.count("reached {") == 3
