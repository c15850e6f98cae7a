"""Saving a posture: the artist's file keeps every word that is not the posture's."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from gestik.errors import FormatError, GestikError, InputError, NameNotFoundError
from gestik.formats.load import load_character
from gestik.formats.posture_editing import save_posture
from tests.formats.samples import example_character, write

EXAMPLE = example_character()


@pytest.fixture
def nodder(tmp_path: Path) -> Path:
    """The documented example as a file."""
    return write(tmp_path, "nodder.toml", EXAMPLE)


def test_a_new_posture_is_added_at_the_end_and_nothing_else_changes(nodder: Path) -> None:
    """All the text from before is still there, and the posture reads back."""
    save_posture(nodder, "proud", {"lean": math.radians(-20), "nod": math.radians(-12.3456)})
    added = "\n[posture.proud]\nlean = -20\nnod = -12.346\n"
    assert nodder.read_text(encoding="utf-8") == EXAMPLE + added
    found = np.degrees(load_character(nodder).posture("proud").angles)
    np.testing.assert_allclose(found, [0, -20, -12.346], atol=1e-12)


def test_a_posture_that_is_there_keeps_its_place_and_its_comments(nodder: Path) -> None:
    """Values change in place, joints left out go, new ones come after the last, and comments stay with their lines."""
    nodder.write_text(
        EXAMPLE.replace("lean = 40", "lean = 40   # nearly falls over") + "\n# --- the end ---\n", encoding="utf-8"
    )
    save_posture(nodder, "sad", {"turn": math.radians(5), "lean": math.radians(41)})
    expected = EXAMPLE.replace("lean = 40\nnod = 70\n", "lean = 41   # nearly falls over\nturn = 5\n")
    assert nodder.read_text(encoding="utf-8") == expected + "\n# --- the end ---\n"


def test_a_posture_between_others_stays_between_them(nodder: Path) -> None:
    """The heading that follows, and the comment before it, are not touched."""
    save_posture(nodder, "curious", {"lean": 0.0, "nod": 0.0, "turn": math.radians(90)})
    expected = EXAMPLE.replace("lean = 25\nnod = -40\n", "lean = 0\nnod = 0\nturn = 90\n")
    assert nodder.read_text(encoding="utf-8") == expected


def test_an_array_of_angles_writes_every_joint(nodder: Path) -> None:
    """Angles in their order are as good as names."""
    save_posture(nodder, "all", np.radians([1.0, 2.0, 3.0]))
    assert nodder.read_text(encoding="utf-8").endswith("[posture.all]\nturn = 1\nlean = 2\nnod = 3\n")


def test_saving_twice_is_the_same_as_saving_once(nodder: Path) -> None:
    """What is written reads back as itself, so that nothing creeps."""
    save_posture(nodder, "once", np.array([0.1234567, 0.2, 0.3]))
    text = nodder.read_text(encoding="utf-8")
    save_posture(nodder, "once", load_character(nodder).posture("once").angles)
    assert nodder.read_text(encoding="utf-8") == text


def test_postures_may_break_limits_and_names_may_have_spaces(nodder: Path) -> None:
    """The library of an artist is not censored, and its names are quoted where TOML wants it."""
    save_posture(nodder, "head over heels", {"nod": 6.0})
    np.testing.assert_allclose(load_character(nodder).posture("head over heels").angles[2], 6.0, atol=1e-5)


def test_lengths_are_saved_in_metres_and_radians_in_radians(tmp_path: Path) -> None:
    """The file's unit is for what turns; what slides is in metres in every file."""
    text = (
        '[character]\nname = "t"\nangles = "{unit}"\n[joint.slide]\nkind = "prismatic"\naxis = "x"\nlimits = [0, 1]\n'
    )
    text += '[joint.turn]\nkind = "continuous"\naxis = "x"\n'
    for unit, quarter in (("degrees", "90"), ("radians", "1.5708")):
        path = write(tmp_path, f"{unit}.toml", text.replace("{unit}", unit))
        save_posture(path, "p", [0.25, math.pi / 2])
        assert path.read_text(encoding="utf-8").endswith(f"\n\n[posture.p]\nslide = 0.25\nturn = {quarter}\n")


def test_line_ends_of_windows_are_kept(tmp_path: Path) -> None:
    """A file with carriage returns has them everywhere afterwards."""
    path = write(tmp_path, "nodder.toml", EXAMPLE.replace("\n", "\r\n"))
    save_posture(path, "sad", {"nod": 1.0})
    save_posture(path, "new", {"nod": 1.0})
    data = path.read_bytes()
    assert data.count(b"\r\n") == data.count(b"\n") > 50


@pytest.mark.parametrize(
    "postures",
    [
        "[posture]\nsad = { nod = 1, lean = 2 }   # short",
        "[posture.sad]\nnod = 1\n\n[frame.between]\n\n[posture.happy]\nnod = 2",
    ],
)
def test_postures_written_in_other_ways_are_edited_too(tmp_path: Path, postures: str) -> None:
    """Inline tables and postures between other tables read back as saved, comments included."""
    text = EXAMPLE[: EXAMPLE.index("[posture.curious]")] + postures + "\n"
    path = write(tmp_path, "nodder.toml", text)
    save_posture(path, "sad", {"turn": math.radians(8), "nod": math.radians(9)})
    np.testing.assert_allclose(np.degrees(load_character(path).posture("sad").angles), [8, 10, 9])
    saved = path.read_text(encoding="utf-8")
    assert ("# short" in saved) == ("# short" in postures)
    save_posture(path, "new", {"nod": 0.0})
    assert "new" in load_character(path).postures


@pytest.mark.parametrize(
    ("postures", "name"),
    [("posture = { sad = { nod = 1 } }\n", "new"), ("posture.sad.nod = 1\nposture.sad.lean = 2\n", "sad")],
)
def test_a_form_that_cannot_be_edited_is_refused_and_left_alone(tmp_path: Path, postures: str, name: str) -> None:
    """One inline table of all postures, and a posture of dotted keys: the file stays as it was, the way out is told."""
    text = postures + EXAMPLE[: EXAMPLE.index("[posture.curious]")]
    path = write(tmp_path, "nodder.toml", text)
    with pytest.raises(FormatError, match=rf"cannot be edited; write it as a table \[posture\.{name}\]"):
        save_posture(path, name, {"turn": 1.0})
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("name", "angles", "error"),
    [
        ("", {"nod": 1.0}, InputError),
        ("a\nb", {"nod": 1.0}, InputError),
        (5, {"nod": 1.0}, InputError),
        ("p", {"nodd": 1.0}, NameNotFoundError),
        ("p", {"nod": math.nan}, InputError),
        ("p", [1.0, 2.0], InputError),
        ("p", [1.0, 2.0, math.inf], InputError),
    ],
)
def test_what_is_no_posture_is_refused_and_the_file_left_alone(
    nodder: Path, name: str, angles: object, error: type[GestikError]
) -> None:
    """Wrong names, joints and angles raise, and the file and its folder stay as they were."""
    with pytest.raises(error):
        save_posture(nodder, name, angles)
    assert nodder.read_text(encoding="utf-8") == EXAMPLE
    assert [path.name for path in nodder.parent.iterdir()] == ["nodder.toml"]


def test_a_disk_that_fails_leaves_the_old_file_and_no_rubbish(nodder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the last step fails, the error is ours, the file is whole, and the draft is gone."""

    def fail(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(FormatError, match="cannot be written: no space left"):
        save_posture(nodder, "proud", {"nod": 1.0})
    assert nodder.read_text(encoding="utf-8") == EXAMPLE
    assert [path.name for path in nodder.parent.iterdir()] == ["nodder.toml"]


def test_a_file_that_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    """Missing and broken files raise as they do on loading."""
    with pytest.raises(FormatError, match="there is no file"):
        save_posture(tmp_path / "missing.toml", "p", {})
    broken = write(tmp_path, "broken.toml", "[character")
    with pytest.raises(FormatError):
        save_posture(broken, "p", {})
    assert broken.read_bytes() == b"[character"


@pytest.mark.parametrize("old", ["", '[posture.sad]\n"hip.z" = 1\n', "[posture.sad]\nhip.z = 1\nhip.y = 2\n"])
def test_the_angles_of_a_ball_joint_are_saved_under_their_names(tmp_path: Path, old: str) -> None:
    """A new posture, or one written with or without quotes, reads back as the angles saved."""
    text = '[character]\nname = "b"\nangles = "degrees"\n[joint.hip]\nkind = "ball"\n'
    file = write(tmp_path, "ball.toml", text + old)
    save_posture(file, "sad", np.radians([10, 20, 30]))
    np.testing.assert_allclose(np.degrees(load_character(file).posture("sad").angles), [10, 20, 30])
