"""The clips of character files: keys are met, curves are those the words promise, faults are told with their place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gestik.errors import ModelError
from gestik.formats.character_clips import EASES
from gestik.formats.load import load_character
from gestik.model.clip import Clip
from tests.formats.samples import CHARACTER_PAGE, example_character, write

EXAMPLE = example_character()
ONE_JOINT = """
[character]
name = "arm"
angles = "radians"
[joint.hinge]
kind = "continuous"
axis = "x"
rest = 0.5
[joint.slide]
kind = "prismatic"
axis = "y"
limits = [-1, 1]
[posture.out]
slide = 1
[clip.move]
"""


def read(folder: Path, text: str) -> Clip:
    """The clip "move" of an arm."""
    return load_character(write(folder, "arm.toml", ONE_JOINT + text)).clip("move")


def faults_of(folder: Path, text: str) -> str:
    """What is wrong with it."""
    with pytest.raises(ModelError) as caught:
        read(folder, text)
    return "\n".join(caught.value.faults)


def test_the_documented_clips_are_read_as_the_page_says(tmp_path: Path) -> None:
    """Keys are met, in the file's unit; joints without a line follow the postures; both blocks of the page are read."""
    more = CHARACTER_PAGE.read_text(encoding="utf-8").split("```toml\n[clip.wonder]")[1].split("```")[0]
    character = load_character(write(tmp_path, "nodder.toml", f"{EXAMPLE}\n[clip.wonder]{more}"))
    wonder = character.clip("wonder")
    assert (wonder.name, wonder.skeleton) == ("wonder", character.skeleton)
    keys = np.degrees(wonder.at([0.0, 0.6, 1.1, 2.0]))
    np.testing.assert_allclose(keys, [[0, 25, -40], [15, 40, 80], [-15, 25, -50], [0, 25, -40]], atol=1e-9)
    nod = character.clip("nod")
    np.testing.assert_allclose(np.degrees(nod.at([0.25, 0.5]))[:, 2], [-10, -40], atol=1e-9)
    assert nod.rate == pytest.approx(120.0, rel=0.05)


def test_joints_without_a_line_are_at_rest_or_in_their_posture(tmp_path: Path) -> None:
    """A posture for all keys or one for each; without postures, the rest."""
    assert read(tmp_path, "times = [0, 1]").at(0.5).tolist() == [0.5, 0.0]
    assert read(tmp_path, 'times = [0, 1]\npostures = "out"').at(0.5).tolist() == [0.5, 1.0]
    assert read(tmp_path, 'times = [3]\npostures = ["out"]\nangles.hinge = [2]').at(0.0).tolist() == [2.0, 1.0]


@pytest.mark.parametrize(
    ("ease", "curve"),
    [
        ("linear", lambda u: u),
        ("smooth", lambda u: u * u * (3 - 2 * u)),
        ("in", lambda u: u * u * (2 - u)),
        ("out", lambda u: u * (1 + u - u * u)),
        ("hold", lambda u: 0 * u),
    ],
)
def test_every_word_draws_its_curve(tmp_path: Path, ease: str, curve: object) -> None:
    """Between two keys, at each of the postures kept."""
    clip = read(tmp_path, f'times = [1, 3]\nease = "{ease}"\nangles.slide = [-1, 1]')
    way = 0.5 * (clip.times - 1.0)
    np.testing.assert_allclose(clip.angles[:-1, 1], -1 + 2 * curve(way[:-1]), atol=1e-12)
    assert clip.angles[-1, 1] == 1.0


def test_a_flowing_curve_passes_its_keys_without_stopping_and_overshoots_none(tmp_path: Path) -> None:
    """Velocity has no leap at a key on the way; between any two keys the curve stays between them."""
    times, values = [0.0, 0.5, 0.9, 1.5, 2.0, 2.1], [0.0, 0.3, 0.6, 1.0, -0.5, -0.5]
    clip = read(tmp_path, f"times = {times}\nangles.slide = {values}")
    slide, speed = clip.angles[:, 1], np.diff(clip.angles[:, 1]) / np.diff(clip.times)
    np.testing.assert_allclose(clip.at(times)[:, 1], values, atol=1e-15)
    for k in range(len(times) - 1):
        part = slide[(clip.times >= times[k]) & (clip.times <= times[k + 1])]
        assert (part >= min(values[k : k + 2]) - 1e-12).all()
        assert (part <= max(values[k : k + 2]) + 1e-12).all()
    at_key = int(np.searchsorted(clip.times, 0.9))
    assert speed[at_key] == pytest.approx(speed[at_key - 1], rel=0.1)
    assert speed[at_key] > 0.3
    assert abs(speed[0]) < 0.05


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "clip 'move': times is missing"),
        ("times = []", "not a list of seconds"),
        ("times = [0, 'a']", "'a', not a number"),
        ("times = [0, nan]", "is NaN"),
        ("times = [1, 0]", "do not rise by a millisecond or more: 0 follows 1"),
        ("times = [0, 1e-9]", "do not rise"),
        ("times = [0, 1]\nangles.hinge = [1]", "angles of 'hinge' is [1], not a list of 2"),
        ("times = [0, 1]\nangles.hinge = 1", "angles of 'hinge' is 1, not a list"),
        ("times = [0, 1]\nangles.hinge = [0, inf]", "is infinite"),
        ("times = [0, 1]\nangles.hinges = [0, 1]", "did you mean 'hinge'"),
        ("times = [0, 1]\nangles = 5", "angles is 5, where a table"),
        ('times = [0, 1]\nease = "slow"', f"'slow', not one of {', '.join(EASES)}"),
        ('times = [0, 1]\nease = ["in", "out"]', "neither a word nor 1 of them"),
        ("times = [0, 1]\nease = [5]", "has 5, not one of"),
        ('times = [0, 1]\npostures = ["out"]', "not a list of 2: one posture for each time"),
        ('times = [0, 1]\npostures = "in"', "'in', which is no posture of this file"),
        ("times = [0, 1e8]", "together last too long"),
        ("times = [0, 1]\nangle.hinge = [0, 1]", "no key is called 'angle'; did you mean 'angles'"),
    ],
)
def test_each_fault_of_a_clip_is_told_with_its_place(tmp_path: Path, text: str, fault: str) -> None:
    """What is wrong, where, and what would be right."""
    assert fault in faults_of(tmp_path, text)


def test_many_clips_that_are_too_long_together_are_refused_before_they_are_drawn(tmp_path: Path) -> None:
    """Each alone would do."""
    clips = "".join(f"[clip.c{n}]\ntimes = [0, 1500]\n" for n in range(20))
    assert "together last too long" in faults_of(tmp_path, f"times = [0]\n{clips}")
