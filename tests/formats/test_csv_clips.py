"""Recordings: every way of writing the same motion is read as that motion, and what cannot be meant is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from gestik.errors import FormatError, FormatWarning, InputError
from gestik.formats.load import load, load_clips
from gestik.formats.save import save_clip
from gestik.model.builder import SkeletonBuilder
from gestik.model.clip import Clip
from gestik.model.skeleton import Skeleton
from tests.formats.samples import GRIPPER_URDF, write

DEGREE = math.pi / 180.0


def arm() -> Skeleton:
    """Two hinges, one of them with a telling name, and a slide."""
    builder = SkeletonBuilder("arm")
    builder.joint("base_yaw", kind="continuous", axis="z")
    builder.joint("pitch_rad", parent="base_yaw", kind="revolute", axis="y", lower=-1, upper=1, rest=0.25)
    builder.joint("rail", parent="pitch_rad", kind="prismatic", axis="x", lower=0, upper=0.5)
    return builder.build()


def read(folder: Path, text: str, **options: object) -> Clip:
    """What a recording is read as."""
    (clip,) = load_clips(write(folder, "wave.csv", text), skeleton=arm(), **options).values()
    return clip


@pytest.mark.parametrize(
    "text",
    [
        "time,base_yaw,rail\n0,90,0.1\n0.5,45,0.2\n",
        "timestamp,base_yaw.pos,rail.pos\n0,90,0.1\n0.5,45,0.2\n",
        "rail [mm],base_yaw [deg],time [ms]\n100,90,0\n200,45,500\n",
        "time_ms,base_yaw_degrees,rail_cm\n0,90,10\n500,45,20\n",
        "time (s),base_yaw (rad),rail (m)\n0,1.5707963267948966,0.1\n0.5,0.7853981633974483,0.2\n",
        "t;base_yaw;rail\n0;90;0,1\n0,5;45;0,2\n",
        "\ufeffTime\tbase_yaw\trail\r\n0\t90\t0.1\r\n\r\n# a remark, with commas\r\n0.5\t45\t0.2\r\n",
        "# by the left arm\ntime,base_yaw,rail\n0,90,0.1\n0.5,4.5e1,0.2\n,,\n",
        'time,"base_yaw","rail"\n"1700000000.0","90","0.1"\n1700000000.5,45,0.2\n',
    ],
)
def test_the_same_motion_however_it_is_written(tmp_path: Path, text: str) -> None:
    """Units in the head or handed in, in any order, with any separator, marks, remarks and clocks on the wall."""
    clip = read(tmp_path, text, angles="degrees")
    assert clip.name == "wave"
    np.testing.assert_allclose(clip.times, [0, 0.5], atol=1e-12)
    np.testing.assert_allclose(clip.angles, [[math.pi / 2, 0.25, 0.1], [math.pi / 4, 0.25, 0.2]], atol=1e-12)


def test_radians_may_be_handed_in_too_and_a_name_may_end_like_a_unit(tmp_path: Path) -> None:
    """`pitch_rad` is a joint of that name, and its unit is the one handed in."""
    text = "time,pitch_rad\n3,1\n4,-5\n"
    np.testing.assert_array_equal(read(tmp_path, text, angles="radians").angles[:, 1], [1, -5])
    np.testing.assert_allclose(read(tmp_path, text, angles="degrees").angles[:, 1], [DEGREE, -5 * DEGREE])
    assert read(tmp_path, text, angles="radians").start == 3.0


def test_scale_is_for_the_lengths_of_the_recording_only(tmp_path: Path) -> None:
    """The skeleton stays the one that was handed in."""
    skeleton = arm()
    path = write(tmp_path, "wave.csv", "time,base_yaw [deg],rail\n0,90,20\n")
    clip = load_clips(path, skeleton=skeleton, scale=0.01)["wave"]
    assert clip.skeleton is skeleton
    np.testing.assert_allclose(clip.angles, [[math.pi / 2, 0.25, 0.2]])


def test_of_lines_of_one_moment_the_last_one_counts(tmp_path: Path) -> None:
    """As slow clocks write them; said in a warning."""
    with pytest.warns(FormatWarning, match="2 lines have the time of the line after them"):
        clip = read(tmp_path, "time,rail\n0,0.1\n0,0.2\n0,0.3\n0.1,0.4\n")
    np.testing.assert_array_equal(clip.angles[:, 2], [0.3, 0.4])


@pytest.mark.parametrize("angles", ["degrees", "radians"])
def test_a_clip_that_was_written_is_read_as_the_same_clip(tmp_path: Path, angles: str) -> None:
    """Whatever the unit, to the last digit or two, with slides and balls; a file that was there is replaced."""
    skeleton = load(write(tmp_path, "gripper.urdf", GRIPPER_URDF))
    rng = np.random.default_rng(3)
    clip = Clip("grip", skeleton, 2.0 + np.cumsum(rng.uniform(0.01, 1.0, 20)), rng.normal(size=(20, 3)))
    path = write(tmp_path, "grip.csv", "old")
    save_clip(clip, path, angles=angles)
    again = load_clips(path, skeleton=skeleton)["grip"]
    np.testing.assert_array_equal(again.times, clip.times)
    np.testing.assert_allclose(again.angles, clip.angles, rtol=1e-15, atol=1e-15)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["grip.csv", "gripper.urdf"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("# only a remark\n", "is empty"),
        ("base_yaw,rail\n1,2\n", "0 columns of time, not one"),
        ("time,t,rail\n1,2,3\n", "2 columns of time, not one"),
        ("time\n1\n", "no column for any of base_yaw"),
        ("time,base_jaw\n1,2\n", "no degree of freedom is called 'base_jaw'; did you mean 'base_yaw'"),
        ("time,rail,rail\n1,2,3\n", "columns 2 and 3 are both 'rail'"),
        ("time,base_yaw [mm]\n1,2\n", "is in 'mm', not one of deg"),
        ("time,rail [deg]\n1,2\n", "slides and is in 'deg', not one of m"),
        ("time,rail\n", "no line of numbers"),
        ("time,rail\n0,1\n1,2,3\n", "line 3 has 3 columns, and the first line 2"),
        ("time,rail\n0,1\n1,\n", "line 3, column 2 is '', not a number"),
        ("time,rail\n0,nan\n", "line 2, column 2 is 'nan', not a number"),
        ("time,rail\n0,1e30\n", "line 2, column 2 is '1e30', not a number"),
        ("time,rail\ninf,0\n", "line 2, column 1 is 'inf', not a number"),
        ("time,rail\n2,0\n1,0\n", "times do not rise: 1.0 s follows 2.0 s"),
        ("time,rail\n0,0\n1e20,0\n", "times reach 1e"),
        ('time,rail\n0,"' + "1" * 200_000 + '"\n', "line 2: field larger"),
    ],
)
def test_what_is_no_recording_is_refused_with_the_reason(tmp_path: Path, text: str, reason: str) -> None:
    """FormatError names the file, the line and the choices."""
    with pytest.raises(FormatError, match=rf"wave\.csv.*{reason}"):
        read(tmp_path, text, angles="degrees")


def test_a_recording_in_some_other_alphabet_is_refused(tmp_path: Path) -> None:
    """Bytes that are no UTF-8."""
    with pytest.raises(FormatError, match="no text in UTF-8"):
        load_clips(write(tmp_path, "wave.csv", b"time,rail\n\xff,1\n"), skeleton=arm())


def test_what_a_recording_needs_and_nothing_else_does_is_asked_for_and_refused(tmp_path: Path) -> None:
    """A skeleton and a unit of angles: InputError or FormatError says how to hand them in."""
    path = write(tmp_path, "wave.csv", "time,base_yaw\n0,1\n")
    with pytest.raises(InputError, match="tells no skeleton: hand it in"):
        load_clips(path)
    with pytest.raises(FormatError, match=r"column 2, 'base_yaw': in degrees or in radians\? Say angles='degrees'"):
        load_clips(path, skeleton=arm())
    with pytest.raises(InputError, match="angles are 'turns', not one of deg"):
        load_clips(path, skeleton=arm(), angles="turns")
    with pytest.raises(InputError, match=r"skeleton is for recordings \(\.csv\)"):
        load_clips("lamp", skeleton=arm())


def test_a_clip_goes_into_formats_that_can_be_written_only(tmp_path: Path) -> None:
    """Endings, units, clips and paths that are none are refused by name, and so is a folder that is not there."""
    skeleton = arm()
    clip = Clip("still", skeleton, [0.0], [skeleton.rest])
    with pytest.raises(FormatError, match=r"does not end in \.csv"):
        save_clip(clip, tmp_path / "still.mp4")
    with pytest.raises(InputError, match="angles are 'turns'"):
        save_clip(clip, tmp_path / "still.csv", angles="turns")
    with pytest.raises(InputError, match="a clip is expected"):
        save_clip(skeleton, tmp_path / "still.csv")
    with pytest.raises(InputError, match="a path is expected"):
        save_clip(clip, 5)
    with pytest.raises(FormatError, match="cannot be written"):
        save_clip(clip, tmp_path / "missing" / "still.csv")
