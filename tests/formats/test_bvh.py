"""BVH: every order of channels, judged by a reader that shares nothing; mended where it can be, else refused."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from gestik.errors import FormatError, FormatWarning, ModelError
from gestik.formats.load import load, load_clips
from gestik.formats.save import save_clip
from gestik.model.clip import Clip
from gestik.model.joints import JointKind
from gestik.model.skeleton import Skeleton
from tests.formats.samples import DANCER_BVH, write
from tests.formats.shared_data import shared_file
from tests.model.samples import crane, random_angles, walker_builder
from tests.reference.bvh_twin import bvh_places

EXACT = 1e-12  # of the skeleton's size


def read(path: Path) -> Clip:
    """The clip of a file."""
    (clip,) = load_clips(path).values()
    return clip


def places_of(clip: Clip, names: list[str]) -> dict[str, np.ndarray]:
    """Where frames are at every moment of a clip."""
    poses = [clip.skeleton.forward(angles) for angles in clip.angles]
    return {name: np.array([pose.of(name).position for pose in poses]) for name in names}


def assert_judged(path: Path, *, replaces: bool = False) -> None:
    """Check each joint and end site at every frame against the other reader."""
    clip = read(path)
    frame_time, expected = bvh_places(path, replaces=replaces)
    assert clip.rate == pytest.approx(1.0 / frame_time) or len(clip) == 1
    own = places_of(clip, list(expected))
    size = max(np.ptp(np.array([places[0] for places in expected.values()]), axis=0))
    for name, places in expected.items():
        np.testing.assert_allclose(own[name], places, rtol=0, atol=EXACT * size, err_msg=name)


def one_joint(channels: str, offset: str = "0 1 0", numbers: int = 30) -> str:
    """A root that turns, and a joint with channels of its own."""
    count = len(channels.split())
    rng = np.random.default_rng(1)
    rows = rng.uniform(-170, 170, (4, numbers))[:, : 3 + count]
    lines = "\n".join(" ".join(f"{number:.4f}" for number in row) for row in rows)
    return (
        "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT knee\n{\n"
        f"OFFSET {offset}\nCHANNELS {count} {channels}\nEnd Site\n{{\nOFFSET 0.5 -2 0.25\n}}\n}}\n}}\n"
        f"MOTION\nFrames: 4\nFrame Time: 0.04\n{lines}\n"
    )


ALL_TURNS = [" ".join(f"{axis}rotation" for axis in order) for order in itertools.permutations("XYZ")]


@pytest.mark.parametrize(
    "channels",
    [
        *ALL_TURNS,
        "Zrotation Xrotation Zrotation",
        "Yrotation Xrotation Yrotation",
        "Xrotation",
        "Zrotation Yrotation",
        "Yposition",
        "Zposition Yrotation",
        "Xposition Zposition",
        "Yposition Zrotation Xrotation Yrotation",
        "Xposition Yposition Zposition Zrotation Xrotation Yrotation",
        "Zposition Xposition Yposition Yrotation Xrotation Zrotation",
        "Zrotation Xrotation Yrotation Xposition Yposition Zposition",
        "Xrotation Xposition Yrotation Yposition Zrotation Zposition",
    ],
)
def test_any_order_of_channels_is_what_another_reader_makes_of_it(tmp_path: Path, channels: str) -> None:
    """At every frame, to 1e-12 of the size."""
    assert_judged(write(tmp_path, "odd.bvh", one_joint(channels, offset="0 0 0")))


def test_a_motion_capture_session_at_every_frame() -> None:
    """2752 frames of 31 joints and their end sites, to 1e-12 of the figure's size."""
    assert_judged(shared_file("cmu_01_01.bvh"))


def test_positions_of_a_joint_add_to_its_offset_or_take_its_place_as_the_numbers_say(tmp_path: Path) -> None:
    """Around zero they are added, around the offset they replace it; the skeleton is the same."""
    template = one_joint("Xposition Yposition Zposition Zrotation Xrotation Yrotation", offset="0 40 3")
    head, _, tail = template.partition("Frame Time: 0.04\n")
    rows = [line.split() for line in tail.splitlines()]
    for replaces in (False, True):
        for row in rows:
            row[3:6] = ["0.5", "41.5" if replaces else "1.5", "2.75" if replaces else "-0.25"]
        text = f"{head}Frame Time: 0.04\n" + "\n".join(map(" ".join, rows))
        path = write(tmp_path, "slid.bvh", text)
        assert_judged(path, replaces=replaces)
        assert read(path).angles[0, 3:6].tolist() == pytest.approx([0.5, 1.5, -0.25])


def test_what_a_joint_may_do_is_what_its_channels_say(tmp_path: Path) -> None:
    """Three turns make a ball, with three positions a free joint, fewer a row of joints, none a fixed one."""
    skeleton = load(write(tmp_path, "dancer.bvh", DANCER_BVH))
    kinds = dict(zip(skeleton.joint_names, skeleton.joint_kinds, strict=True))
    assert kinds == {
        "hips": JointKind.FREE,
        "Left Leg": JointKind.BALL,
        "knee": JointKind.CONTINUOUS,
        "foot.x": JointKind.CONTINUOUS,
        "foot": JointKind.CONTINUOUS,
        "chest": JointKind.FIXED,
        "neck.ty": JointKind.PRISMATIC,
        "neck": JointKind.BALL,
    }
    assert skeleton.dof_names[:9] == (
        *("hips.tx", "hips.ty", "hips.tz", "hips.z", "hips.x", "hips.y"),
        *("Left Leg.x", "Left Leg.y", "Left Leg.z"),
    )
    assert skeleton.up.tolist() == [0, 1, 0]
    assert {"foot.end", "neck.end", "neck.end2"} <= set(skeleton.frame_names)
    assert not np.isfinite(skeleton.upper).any()


def test_colons_that_part_a_namespace_from_a_name_go(tmp_path: Path) -> None:
    """`mixamorig:Hips` is Hips; where two would be called the same the whole name stays, with underscores."""
    text = DANCER_BVH.replace("ROOT hips", "ROOT rig:hips").replace("JOINT knee", "JOINT a:shin")
    assert load(write(tmp_path, "d.bvh", text)).joint_names[:3] == ("hips", "Left Leg", "shin")
    assert "b_neck" in load(write(tmp_path, "d.bvh", text.replace("a:shin", "b:neck"))).joint_names


def test_scale_brings_a_file_in_centimetres_to_metres(tmp_path: Path) -> None:
    """Skeleton and motion alike."""
    path = write(tmp_path, "dancer.bvh", DANCER_BVH)
    plain, small = read(path), load_clips(path, scale=0.01)["dancer"]
    for name in ("foot.end", "neck"):
        np.testing.assert_allclose(0.01 * places_of(plain, [name])[name], places_of(small, [name])[name], atol=1e-12)
    np.testing.assert_allclose(load(path, scale=0.01).segments, small.skeleton.segments)


@pytest.mark.parametrize(
    ("frames", "extra", "whole", "message"),
    [
        (5, "", 3, "says it has 5 frames and holds 3 of 16 numbers"),
        (1, "", 3, "says it has 1 frames and holds 3"),
        (0, "", 3, "says it has 0 frames and holds 3"),
        (3, "1 2 3", 3, "holds 3 of 16 numbers and 3 numbers, which are left out"),
    ],
)
def test_a_count_of_frames_that_is_wrong_is_put_right_and_said(
    tmp_path: Path, frames: int, extra: str, whole: int, message: str
) -> None:
    """What is there counts, whatever the file says about it; half a frame is left out."""
    text = DANCER_BVH.replace("Frames: 3", f"Frames: {frames}") + extra
    with pytest.warns(FormatWarning, match=message):
        assert len(read(write(tmp_path, "dancer.bvh", text))) == whole


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("HIERARCHY", "SKELETON", "begins with 'SKELETON', not with HIERARCHY"),
        ("MOTION", "NOTION", "no line MOTION"),
        ("Frames: 3", "Frames: 1000000000", "Frames: 1000000000 are more than a file of 64 MB holds"),
        ("Frames: 3", "Frames: -3", "Frames: '-3' is not a count"),
        ("Frames: 3", "Frames: " + "9" * 9999, "is not a count"),
        ("Frames: 3", "Frame: 3", "behind MOTION there must be 'Frames: n'"),
        ("Frame Time: 0.05", "Frame Time: 0", "Frame Time: '0' is not seconds above 0"),
        ("Frame Time: 0.05", "Frame Time: 1e-320", "is no time at all"),
        ("Frame Time: 0.05", "Frame Time: nan", "Frame Time: 'nan' is not seconds"),
        ("Frame Time: 0.05", "Frame Time: 9e8", "frames of 9e.08 s lead beyond"),
        ("0 90 0 12", "0 ninety 0 12", "no number: could not convert string to float: 'ninety'"),
        ("0 90 0 12", "0 nan 0 12", "MOTION holds nan"),
        ("0 90 0 12", "0 1e10 0 12", "MOTION holds 1"),
        ("OFFSET 0 -40 0", "OFFSET 0 -40", "line 12: OFFSET '0 -40' is not three numbers"),
        ("OFFSET 0 -40 0", "OFFSET 0 inf 0", "OFFSET '0 inf 0' is not three numbers"),
        ("CHANNELS 1 Xrotation", "CHANNELS 2 Xrotation", "CHANNELS '2 Xrotation' is not a count and so many of"),
        ("CHANNELS 1 Xrotation", "CHANNELS 1 Wrotation", "CHANNELS '1 Wrotation' is not a count"),
        ("CHANNELS 1 Xrotation", "CHANNELS 2 Xrotation Xrotation", "tells the same motion twice"),
        ("CHANNELS 1 Xrotation", "CHANNELS 2 Xposition Xposition", "tells the same motion twice"),
        ("CHANNELS 1 Xrotation", "CHANNELS", "CHANNELS '' is not a count"),
        ("JOINT knee", "ROOT knee", "ROOT in the wrong place"),
        ("JOINT knee", "BONE knee", "line 10: 'BONE' has no place here"),
        ("JOINT knee\n\t\t{", "JOINT knee\n(", r"line 11: '\(' where '{' must be"),
        ("ROOT hips\n{", "ROOT hips\n", "line 4: 'OFFSET' where '{' must be"),
        ("\n}\nMOTION", "\nMOTION", "ends before its braces close"),
        ("\n}\nMOTION", "\n}}\nMOTION", "'}' has no place here"),
    ],
)
def test_what_is_no_bvh_is_refused_with_the_reason(tmp_path: Path, old: str, new: str, reason: str) -> None:
    """FormatError names the file, the line where there is one, and what would be right."""
    assert old in DANCER_BVH
    with pytest.raises(FormatError, match=rf"dancer\.bvh.*{reason}"):
        load_clips(write(tmp_path, "dancer.bvh", DANCER_BVH.replace(old, new)))


def test_joints_of_one_name_or_without_one_are_faults(tmp_path: Path) -> None:
    """All of them told at once."""
    text = DANCER_BVH.replace("JOINT knee", "JOINT neck").replace("JOINT chest", "JOINT")
    with pytest.raises(ModelError, match=r"(?s)dancer\.bvh.*'neck': there are 2 joints") as caught:
        load(write(tmp_path, "dancer.bvh", text))
    assert any("name is empty" in fault for fault in caught.value.faults)


def test_a_file_where_nothing_moves_is_a_skeleton_and_no_clip(tmp_path: Path) -> None:
    """No channel, no clip; no whole frame, no clip either."""
    still = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 1\n"
    path = write(tmp_path, "still.bvh", still)
    assert load(path).dof_count == 0
    with pytest.raises(FormatError, match="no joint has a channel"):
        load_clips(path)
    head = DANCER_BVH.partition("Frame Time: 0.05\n")[0] + "Frame Time: 0.05\n1 2 3"
    with pytest.raises(FormatError, match="no whole frame of 16 numbers"):
        load_clips(write(tmp_path, "cut.bvh", head))


def test_a_clip_read_from_bvh_and_written_is_the_same_file_to_any_reader(tmp_path: Path) -> None:
    """Names, kinds, angles and moments come back; the other reader finds the same places."""
    clip = read(write(tmp_path, "dancer.bvh", DANCER_BVH))
    path = tmp_path / "again.bvh"
    save_clip(clip, path)
    again = read(path)
    names = tuple(name.replace(" ", "_") for name in clip.skeleton.joint_names)
    assert again.skeleton.joint_names == names
    assert again.skeleton.joint_kinds == clip.skeleton.joint_kinds
    np.testing.assert_allclose(again.times, clip.times, atol=1e-9)
    expected = places_of(clip, list(clip.skeleton.joint_names))
    for (name, places), own in zip(expected.items(), places_of(again, list(names)).values(), strict=True):
        np.testing.assert_allclose(own, places, atol=1e-8, err_msg=name)


def test_what_was_captured_comes_back_to_the_last_digit(tmp_path: Path) -> None:
    """A session read, written and read again has the very angles it had."""
    clip = read(shared_file("cmu_01_01.bvh"))
    save_clip(clip, tmp_path / "again.bvh")
    again = read(tmp_path / "again.bvh")
    assert again.skeleton.dof_names == clip.skeleton.dof_names
    np.testing.assert_array_equal(again.angles, clip.angles)
    np.testing.assert_array_equal(again.skeleton.arrays.rest_position, clip.skeleton.arrays.rest_position)


@pytest.mark.parametrize("skeleton", [crane(), walker_builder().build()], ids=lambda skeleton: skeleton.name)
def test_a_clip_of_any_skeleton_is_written_with_the_same_places_and_bones(tmp_path: Path, skeleton: Skeleton) -> None:
    """Turned frames, mimics, slides and z up: after the turn that makes y up, all joints are where they were."""
    rng = np.random.default_rng(7)
    times = 1.0 + np.arange(12) / 25
    clip = Clip("play", skeleton, times, np.array([random_angles(skeleton, rng) for _ in times]))
    save_clip(clip, tmp_path / "play.bvh")
    again = read(tmp_path / "play.bvh")
    assert again.skeleton.up.tolist() == [0, 1, 0]
    assert again.rate == pytest.approx(25)
    joint_names = [name.replace(" ", "_") for name in skeleton.joint_names]
    for before, after in zip(clip.angles, again.angles, strict=True):
        old, new = skeleton.forward(before), again.skeleton.forward(after)
        turned = old.positions @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        np.testing.assert_allclose([new.of(name).position for name in joint_names], turned, atol=1e-8)


def test_a_clip_of_uneven_steps_is_sampled_first(tmp_path: Path) -> None:
    """BVH has one step for all frames: that of the clip's usual rate."""
    skeleton = crane()
    times = [0.0, 0.1, 0.2, 0.55, 0.6]
    clip = Clip("play", skeleton, times, np.linspace(skeleton.rest, skeleton.rest + 0.2, 5))
    save_clip(clip, tmp_path / "play.bvh")
    again = read(tmp_path / "play.bvh")
    assert len(again) == len(clip.sampled(clip.rate)) > 5
    assert again.rate == pytest.approx(clip.rate)
