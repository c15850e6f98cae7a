"""The command line: quick to help, short about mistakes, quiet when interrupted."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import gestik as gk
from gestik.cli import INTERRUPTED, WRONG_USE, main
from tests.pictures.png_reader import read_png

GESTIK = [sys.executable, "-m", "gestik"]


def test_help_names_the_commands_and_imports_no_compiler() -> None:
    """Half a second is all a look at the help may take; the compiler alone would need more on a small machine."""
    looked = "import sys; from gestik.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    told = "sys.stderr.write(' '.join(m for m in ('numba', 'viser', 'numpy', 'rich') if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", looked + told], capture_output=True, text=True, check=True)
    assert "demo" in done.stdout
    assert "solvers" in done.stdout
    assert done.stderr == ""


def test_the_version_is_the_packages() -> None:
    """As its metadata tells."""
    pytest.importorskip("gestik")
    from importlib.metadata import PackageNotFoundError, version

    try:
        expected = version("gestik")
    except PackageNotFoundError:
        pytest.skip("gestik is not installed here")
    done = subprocess.run([*GESTIK, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"gestik {expected}\n"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["dmeo"], "invalid choice: 'dmeo'"),
        ([], "COMMAND"),
        (["demo", "--rate", "0"], "'0' is not a number above 0"),
        (["demo", "--rate", "nan"], "'nan' is not a number above 0"),
        (["demo", "--seconds", "-1"], "'-1' is not a number above 0"),
        (["demo", "--port", "70000"], "'70000' is not a port"),
        (["demo", "--seed", "one"], "'one' is not a whole number"),
        (["demo", "--shot", "lamp.jpg"], "'lamp.jpg' does not end in .png"),
        (["demo", "--shot", "nowhere/lamp.png"], "there is no folder 'nowhere'"),
    ],
)
def test_wrong_use_says_what_would_be_right(words: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Argparse's own way: usage, one line, status 2."""
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == WRONG_USE
    assert part in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["demo", "--headless", "--posture", "curios"], "did you mean 'curious'?"),
        (["demo", "--headless", "--character", "lampe"], "did you mean 'lamp'?"),
        (["demo", "--headless", "--character", "none.toml"], "none.toml"),
    ],
)
def test_mistakes_are_told_in_one_line(words: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No traceback: the message names the value and the right ones."""
    assert main(words) == WRONG_USE
    told = capsys.readouterr().err
    assert told.startswith("gestik: ")
    assert part in told
    assert told.count("\n") == 1


def test_without_the_viewer_the_demo_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what works without it."""
    monkeypatch.setitem(sys.modules, "viser", None)
    assert main(["demo"]) == WRONG_USE
    told = capsys.readouterr().err
    assert 'pip install "gestik[viewer]"' in told
    assert "--headless" in told


def test_headless_prints_a_line_a_second_and_a_summary(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the play's own time, kept to the clock on the wall, and without the viewer."""
    monkeypatch.setitem(sys.modules, "viser", None)
    main(["demo", "--headless", "--seconds", "0.1"])  # compiles
    capsys.readouterr()
    begin = time.monotonic()
    assert main(["demo", "--headless", "--seconds", "1.2", "--posture", "shy", "--rate", "30"]) == 0
    took = time.monotonic() - begin
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["0.0", "1.0", "36"]
    assert all("aim error" in line and "shape error" in line and "solve time" in line for line in lines)
    assert took > 1.1


def test_the_same_seed_prints_the_same_angles_errors(capsys: pytest.CaptureFixture[str]) -> None:
    """All but the solve times, which are the machine's."""

    def errors(seed: str) -> list[str]:
        main(["demo", "--headless", "--seconds", "0.5", "--rate", "20", "--seed", seed])
        return [line.split("solve time")[0] for line in capsys.readouterr().out.splitlines()]

    assert errors("3") == errors("3")


def test_a_shot_is_a_picture_of_the_lamp_and_its_ball(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A valid PNG, neither blank nor the same for another mood."""
    pictures = []
    for mood in ("proud", "sad"):
        path = tmp_path / f"{mood}.png"
        assert main(["demo", "--shot", str(path), "--posture", mood, "--seconds", "0.5"]) == 0
        assert capsys.readouterr().out == f"saved {path}\n"
        pictures.append(read_png(path.read_bytes()).astype(int))
    for picture in pictures:
        red, green, blue = np.moveaxis(picture, -1, 0)
        assert ((green > red + 40) & (blue > red + 40)).sum() > 2000  # the lamp
        assert ((red > green + 60) & (red > blue + 60)).sum() > 200  # the ball
    assert (np.abs(pictures[0] - pictures[1]).sum(axis=2) > 60).sum() > 2000


def test_solvers_as_json_are_what_the_methods_declare(capsys: pytest.CaptureFixture[str]) -> None:
    """Every method, every option."""
    assert main(["solvers", "--json"]) == 0
    listed = {method["name"]: method for method in json.loads(capsys.readouterr().out)}
    assert set(listed) == {method.name for method in gk.list_solvers()}
    for method in gk.list_solvers():
        told = listed[method.name]
        assert told["citation"] == method.citation
        assert len(told["capabilities"]) == len(list(method.capabilities))
        assert {option["name"]: option["default"] for option in told["options"]} == {
            option.name: option.default for option in method.options
        }


def test_solvers_for_people_name_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    """With its default and its range."""
    assert main(["solvers"]) == 0
    told = capsys.readouterr().out
    for method in gk.list_solvers():
        assert method.name in told
        for option in method.options:
            default = f"{option.default:.4g}" if isinstance(option.default, float) else str(option.default)
            assert option.name in told
            assert default in told


@pytest.mark.skipif(sys.platform == "win32", reason="signals are a POSIX matter")
@pytest.mark.parametrize("words", [["--headless"], ["--port", "8131"]])
def test_ctrl_c_ends_the_demo_quietly(words: list[str]) -> None:
    """With the status shells expect, and no traceback."""
    if words != ["--headless"] and find_spec("viser") is None:
        pytest.skip("the page needs viser")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [*GESTIK, "demo", *words]
    # A shell's background jobs are born deaf to Ctrl-C, and so would be their children.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as demo:
        signal.signal(signal.SIGINT, before)
        assert demo.stdout is not None
        first = demo.stdout.readline()
        time.sleep(0.5)
        demo.send_signal(signal.SIGINT)
        _, complaints = demo.communicate(timeout=60)
    assert "aim error" in first or "http://127.0.0.1:" in first
    assert demo.returncode == INTERRUPTED
    assert "Traceback" not in complaints


def test_a_taken_port_is_replaced_and_said() -> None:
    """The page is then served on the next free one, on this machine only."""
    pytest.importorskip("viser")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [*GESTIK, "demo", "--port", str(port), "--seconds", "0.2"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    first, second = done.stdout.splitlines()
    assert first.startswith(f"port {port} is taken, ")
    assert "open http://127.0.0.1:" in second
    assert f":{port} " not in second


def test_a_recorded_play_is_a_clip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was shown, in seconds, ready for a robot."""
    path = tmp_path / "play.csv"
    assert main(["demo", "--shot", str(tmp_path / "lamp.png"), "--seconds", "0.5", "--record", str(path)]) == 0
    assert "recorded 0.5 s" in capsys.readouterr().out
    (clip,) = gk.load_clips(path, skeleton=gk.load("lamp")).values()
    assert len(clip) == 30
    assert np.ptp(clip.angles, axis=0).max() > 0.0
