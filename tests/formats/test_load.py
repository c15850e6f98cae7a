"""Loading by path and by name, and saying what is there when neither works."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import numpy as np
import pytest

from gestik.errors import FormatError, GestikError, InputError, ModelError, NameNotFoundError
from gestik.formats import bundled
from gestik.formats.bundled import list_bundled
from gestik.formats.load import load, load_character, load_clips
from tests.formats.samples import GRIPPER_URDF, example_character, write
from tests.model.samples import assert_sound


def test_every_bundled_character_is_sound_and_has_an_eye_and_postures() -> None:
    """Whatever comes with the package loads by its name, as a skeleton and as a character."""
    assert "lamp" in list_bundled()
    for name in list_bundled():
        character = load_character(name)
        assert character.name == name
        assert_sound(character.skeleton)
        assert load(name).dof_names == character.skeleton.dof_names
        assert character.skeleton.frame(character.eye).axis is not None
        for posture in character.postures.values():
            character.skeleton.forward(posture.angles)


def test_a_path_may_be_text_or_a_path_object(tmp_path: Path) -> None:
    """Both mean the same file, and capitals in the ending do not matter."""
    path = write(tmp_path, "Gripper.URDF", GRIPPER_URDF)
    assert load(path).joint_names == load(str(path)).joint_names == load(os.fspath(path)).joint_names


def test_a_character_read_from_a_zipped_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bundled characters are found also where the package is no folder."""
    archive = tmp_path / "package.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("characters/zipped.toml", example_character())
    monkeypatch.setattr(bundled, "_folder", lambda: zipfile.Path(archive, "characters/"))
    assert list_bundled() == ("zipped",)
    assert load("zipped").dof_names == ("turn", "lean", "nod")


def test_scale_multiplies_every_length(tmp_path: Path) -> None:
    """A robot drawn in centimetres is read in metres, limits of its slides included; so is a character."""
    path = write(tmp_path, "gripper.urdf", GRIPPER_URDF)
    robot, small = load(path), load(path, scale=0.01)
    np.testing.assert_allclose(small.arrays.rest_position, 0.01 * robot.arrays.rest_position)
    np.testing.assert_allclose(small.upper, robot.upper * [1, 1, 0.01])
    lamp, giant = load_character("lamp"), load_character("lamp", scale=10)
    np.testing.assert_allclose(giant.skeleton.segments, 10 * lamp.skeleton.segments)
    np.testing.assert_array_equal(giant.posture("sad").angles, lamp.posture("sad").angles)


def test_the_clips_of_a_character_by_its_name_its_file_and_in_another_size(tmp_path: Path) -> None:
    """As the character has them; a scaled one's skeleton has grown with them."""
    lamp = load_character("lamp")
    assert list(load_clips("lamp")) == list(lamp.clips)
    character = load_character(write(tmp_path, "nodder.toml", example_character()))
    clips = load_clips(tmp_path / "nodder.toml", scale=2.0)
    assert list(clips) == list(character.clips) != []
    for name, clip in clips.items():
        np.testing.assert_array_equal(clip.times, character.clip(name).times)
        np.testing.assert_allclose(clip.skeleton.segments, 2.0 * character.skeleton.segments)


def test_a_file_without_clips_is_no_source_of_them(tmp_path: Path) -> None:
    """The endings that can hold some are listed."""
    with pytest.raises(FormatError, match=r"does not end in \.toml or \.csv"):
        load_clips(write(tmp_path, "gripper.urdf", GRIPPER_URDF))


@pytest.mark.parametrize("scale", [0, -1, float("nan"), "two"])
def test_a_scale_that_cannot_be_meant_is_refused(scale: object) -> None:
    """Before the file is opened."""
    for read in (load, load_character, load_clips):
        with pytest.raises(InputError, match="scale is"):
            read("missing.urdf", scale=scale)


@pytest.mark.parametrize(
    ("source", "error", "reason"),
    [
        (
            "lmap",
            NameNotFoundError,
            "no bundled character is called 'lmap'; did you mean 'lamp'.*ends in .toml or .urdf or .xml",
        ),
        ("", NameNotFoundError, "no bundled character is called ''"),
        (
            "robot.fbx",
            FormatError,
            "'robot.fbx' does not end in .toml or .urdf or .xml or .*, and is no bundled character: .*'lamp'",
        ),
        ("missing/robot.urdf", FormatError, "there is no file 'missing/robot.urdf'"),
        ("folder.urdf", FormatError, "'folder.urdf' is not a file"),
        ("./lamp", FormatError, "does not end in .toml or .urdf"),
        ("a\0b.urdf", FormatError, "a.*b.urdf"),
        ("a" * 5000 + ".urdf", FormatError, "aaa"),
        (5, InputError, "a file or a name is expected, not 5"),
        (None, InputError, "a file or a name is expected, not None"),
        (b"lamp", InputError, "a file or a name is expected"),
    ],
)
def test_what_cannot_be_loaded_says_what_could(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: object, error: type[GestikError], reason: str
) -> None:
    """Wrong names, endings, folders and things that are no paths raise one of our errors, with the choices."""
    monkeypatch.chdir(tmp_path)
    Path("folder.urdf").mkdir()
    with pytest.raises(error, match=reason):
        load(source)


def test_a_robot_is_no_character(tmp_path: Path) -> None:
    """A URDF has no eye and no postures; `load_character` says which ending it wants."""
    path = write(tmp_path, "gripper.urdf", GRIPPER_URDF)
    with pytest.raises(FormatError, match=r"does not end in \.toml"):
        load_character(path)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="whoever may read everything cannot be refused")
def test_a_file_that_may_not_be_read_is_a_format_error(tmp_path: Path) -> None:
    """Missing rights are told in our own words."""
    path = write(tmp_path, "gripper.urdf", GRIPPER_URDF)
    path.chmod(0)
    with pytest.raises(FormatError, match="cannot be read"):
        load(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no pipes among its files")
def test_a_pipe_without_a_writer_is_not_waited_for(tmp_path: Path) -> None:
    """Something that is not a file is refused instead of opened."""
    path = tmp_path / "pipe.urdf"
    os.mkfifo(path)
    with pytest.raises(FormatError, match="is not a file"):
        load(path)


def test_faults_name_the_file(tmp_path: Path) -> None:
    """Among many files, the message says which one is wrong."""
    path = write(tmp_path, "gripper.urdf", GRIPPER_URDF.replace('lower="-1"', 'lower="9"'))
    with pytest.raises(ModelError, match=r"gripper\.urdf: skeleton 'gripper'"):
        load(path)
