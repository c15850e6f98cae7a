"""MJCF without MuJoCo: names, eyes, shapes, what is lost is told, and what is wrong is told with names."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from gestik.errors import FormatError, FormatWarning, ModelError
from gestik.formats.load import load, load_character
from gestik.model.skeleton import Skeleton
from tests.formats.mjcf_samples import MODELS, mjcf
from tests.formats.samples import ROOT, write
from tests.model.samples import assert_sound

ADELINO = ROOT.parent / "shared" / "data" / "adelino.xml"


def read(folder: Path, text: str) -> Skeleton:
    """The skeleton of a text."""
    return load(write(folder, "model.xml", text))


@pytest.mark.parametrize("name", MODELS)
def test_every_sample_is_a_sound_skeleton(tmp_path: Path, name: str) -> None:
    """Each feature by itself gives a skeleton that keeps its promises, on the core alone."""
    skeleton = read(tmp_path, MODELS[name])
    assert_sound(skeleton)
    assert skeleton.up.tolist() == [0, 0, 1]
    assert skeleton.frame("world").row == -1


@pytest.mark.skipif(not ADELINO.exists(), reason="the robot's file is not on this machine")
def test_adelino_is_read_with_its_wobble_joints() -> None:
    """Five joints of a quarter turn each way, ten that give by 0.02 rad, and meshes that are not there."""
    skeleton = load(ADELINO)
    assert_sound(skeleton)
    moving = [name for name in skeleton.dof_names if "wobble" not in name]
    assert moving == ["joint_1", "joint_2", "joint_3", "joint_4", "joint_5"]
    wide = np.isin(skeleton.dof_names, moving)
    np.testing.assert_array_equal(skeleton.upper, np.where(wide, 1.5708, 0.02))
    np.testing.assert_array_equal(skeleton.lower, -skeleton.upper)
    assert skeleton.dof_count == 15
    assert all(shape.kind == "mesh" and shape.path is None for shape in skeleton.shapes)


def test_what_has_no_name_is_called_after_its_body(tmp_path: Path) -> None:
    """A joint takes its body's name, a body the word itself, with a number where the name is taken."""
    text = mjcf('<body name="arm"><joint/><joint/><body><joint/><body/></body><body name="body"/></body>')
    skeleton = read(tmp_path, text)
    assert skeleton.joint_names == ("arm", "arm 2", "body 2")
    assert {"link:arm", "body", "body 2", "body 3"} <= {*skeleton.frame_names, "link:arm"}


def test_the_model_gives_its_name_or_the_file_does(tmp_path: Path) -> None:
    """`<mujoco model=...>`, else the file without its ending."""
    assert read(tmp_path, mjcf("")).name == "sample"
    assert read(tmp_path, "<mujoco><worldbody/></mujoco>").name == "model"


def test_a_fixed_camera_is_an_eye_that_looks_along_minus_z(tmp_path: Path) -> None:
    """Cameras that turn by themselves are no part of the body, and one without a name is of no use."""
    text = mjcf(
        """<body name="head" pos="0 0 1"><joint name="nod" axis="0 1 0"/>
        <camera name="lens" pos="0.1 0 0" xyaxes="0 -1 0 0 0 1"/>
        <camera name="chaser" mode="trackcom"/><camera/></body>"""
    )
    skeleton = read(tmp_path, text)
    eye = skeleton.frame("lens")
    assert (eye.kind, eye.axis, eye.position) == ("eye", (0, 0, -1), (0.1, 0, 0))
    assert "chaser" not in skeleton.frame_names


def test_geoms_become_shapes_with_sizes_and_colours(tmp_path: Path) -> None:
    """Half sizes are doubled, two points make a capsule, materials give colour; colliders are not drawn."""
    text = mjcf(
        """<body name="arm"><joint name="j"/>
        <geom name="ball" size="0.1" rgba="0.1 0.2 0.3 0.5" pos="1 2 3"/>
        <geom name="brick" type="box" size="1 2 3" material="red"/>
        <geom name="bone" type="capsule" size="0.2" fromto="0 0 0 0 0 4"/>
        <geom name="can" type="cylinder" size="0.2 0.5"/>
        <geom name="beam" type="box" size="1 2" fromto="0 0 0 3 0 0"/>
        <geom name="skin" type="mesh" mesh="skin"/><geom name="stem" type="mesh" mesh="stem"/>
        <geom name="collider" size="1" group="3"/><geom type="plane" size="1 1 1"/><geom type="ellipsoid" size="1 2 3"/>
        <geom type="mesh" mesh="nowhere"/><geom type="box" mesh="skin"/><geom type="box" size="1"/><geom size="-1"/>
        <geom size="1" rgba="1 0"/><geom size="1" pos="nan 0 0"/><geom size="x"/></body>""",
        before="""<compiler meshdir="meshes"/><default><mesh scale="2 2 2"/></default>
        <asset><mesh name="skin" file="skin.stl" scale="1 1 -1"/><mesh file="stem.obj"/>
        <material name="red" rgba="1 0 0 1"/><texture name="sky"/></asset>""",
    )
    mesh = write(tmp_path, "meshes/skin.stl", b"solid")
    ball, brick, bone, can, beam, skin, stem = read(tmp_path, text).shapes
    assert (ball.kind, ball.radius, ball.colour, ball.opacity) == ("sphere", 0.1, (0.1, 0.2, 0.3), 0.5)
    assert ball.position == (1, 2, 3)
    assert (brick.kind, brick.size, brick.colour) == ("box", (2, 4, 6), (1, 0, 0))
    assert (bone.kind, bone.radius, bone.height, bone.position) == ("capsule", 0.2, 4, (0, 0, 2))
    assert (can.kind, can.radius, can.height) == ("cylinder", 0.2, 1)
    assert (beam.size, beam.position) == ((2, 4, 3), (1.5, 0, 0))
    assert (skin.kind, skin.size, skin.path) == ("mesh", (1, 1, -1), mesh)
    assert (stem.size, stem.path) == ((2, 2, 2), None)


def test_a_joint_that_an_equality_couples_is_a_mimic(tmp_path: Path) -> None:
    """A straight line makes a follower, a constant locks, and what is inactive is not looked at."""
    text = mjcf(
        '<body><joint name="a" range="0 90"/><joint name="b" type="slide"/><joint name="c"/></body>',
        after="""<equality><joint joint1="b" joint2="a" polycoef="0.5 -2"/><joint joint1="c" polycoef="0.25"/>
        <weld body1="x" active="false"/></equality>""",
    )
    skeleton = read(tmp_path, text)
    assert skeleton.dof_names == ("a", "c")
    assert skeleton.lower[1] == skeleton.upper[1] == skeleton.rest[1] == 0.25
    pose = skeleton.forward([0.1, 0.25])
    np.testing.assert_allclose(pose.of("joint:b").position, [0, 0, 0.3], atol=1e-15)


def test_a_character_takes_its_joints_from_a_model_beside_it(tmp_path: Path) -> None:
    """Its cameras are the eyes to choose from, and postures name its joints."""
    write(tmp_path, "model.xml", mjcf('<body><joint name="nod" range="0 90"/><camera name="lens"/></body>'))
    text = '[character]\nname = "c"\nangles = "degrees"\nskeleton = "model.xml"\n[posture.low]\nnod = 45\n'
    character = load_character(write(tmp_path, "c.toml", text))
    assert character.eye == "lens"
    np.testing.assert_allclose(character.posture("low").angles, [np.pi / 4])


LOSSES: dict[str, tuple[str, str, str]] = {
    "a closed loop": ("", '<connect body1="a" body2="b" anchor="0 0 0"/>', "equality 'connect'"),
    "a curve": ("", '<joint joint1="a" joint2="b" polycoef="0 1 1"/>', "equality of joint 'a'"),
    "a second leader": (
        "",
        '<joint joint1="a" joint2="b"/><joint joint1="a" joint2="c"/>',
        "equality of joint 'a'",
    ),
    "a ball that follows": (
        '<body><joint name="d" type="ball"/></body>',
        '<joint joint1="d" joint2="a"/>',
        "joint 'd'",
    ),
    "a ball that leads": ('<body><joint name="d" type="ball"/></body>', '<joint joint1="a" joint2="d"/>', "joint 'a'"),
    "the range of a ball": ('<body><joint name="d" type="ball" range="0 60"/></body>', "", "the range of a ball joint"),
}


@pytest.mark.parametrize("name", LOSSES)
def test_what_cannot_be_kept_is_told_and_the_rest_is_read(tmp_path: Path, name: str) -> None:
    """A FormatWarning names the file and what is lost."""
    bodies, equalities, told = LOSSES[name]
    hinges = '<body><joint name="a"/><joint name="b"/><joint name="c"/></body>'
    text = mjcf(hinges + bodies, after=f"<equality>{equalities}</equality>")
    with pytest.warns(FormatWarning, match=rf"model\.xml.*{told}") as caught:
        skeleton = read(tmp_path, text)
    assert_sound(skeleton)
    assert len(caught) == 1
    assert caught[0].filename == __file__, "a warning points at the call"


def test_the_range_of_a_ball_joint_holds_all_that_mujoco_allows(tmp_path: Path) -> None:
    """A turn of up to 60 degrees about any axis stays as it is, one of 90 degrees does not."""
    with pytest.warns(FormatWarning, match="a cone and as much twist remain"):
        skeleton = read(tmp_path, mjcf('<body name="b"><joint type="ball" range="0 60"/></body>'))
    for dof in range(3):
        allowed, beyond = np.zeros(3), np.zeros(3)
        allowed[dof], beyond[dof] = np.radians(59.9), np.radians(90)
        np.testing.assert_allclose(skeleton.clamp(allowed), allowed, atol=1e-12)
        assert np.abs(skeleton.clamp(beyond) - beyond).max() > 0.4


def test_many_losses_are_told_in_one_short_warning(tmp_path: Path) -> None:
    """A thousand loops do not fill the screen."""
    text = mjcf("", after="<equality>" + "<connect/>" * 1000 + "</equality>")
    with pytest.warns(FormatWarning, match="and 992 more") as caught:
        read(tmp_path, text)
    assert len(caught) == 1
    assert len(str(caught[0].message)) < 1000


def test_what_means_nothing_to_a_skeleton_is_ignored_in_silence(tmp_path: Path) -> None:
    """Sections of forces, sensors, pictures and keys, and attributes nobody knows."""
    text = mjcf(
        '<light/><body unheard="of"><inertial mass="1"/><joint name="j" damping="1" springref="9"/><plugin/></body>',
        before="<option/><size/><statistic/><visual/><custom/><extension/><default><motor/></default>",
        after="<actuator/><sensor/><contact/><tendon/><keyframe/><deformable/>",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(tmp_path, text).dof_names == ("j",)


@pytest.mark.parametrize("tag", ["include", "attach", "composite", "flexcomp", "replicate"])
def test_what_only_mujoco_expands_is_refused_with_the_way_out(tmp_path: Path, tag: str) -> None:
    """A model that is not whole names the element and says how to make it so."""
    with pytest.raises(FormatError, match=rf"model\.xml' holds <{tag}>, which only MuJoCo expands; let it write"):
        read(tmp_path, mjcf(f"<body><{tag}/></body>"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<mujoco/>", "<worldbody> is missing"),
        ("<robot/>", "begins with <robot>, not with <mujoco>; a URDF's name ends in .urdf"),
        ("<mujocoinclude/>", "begins with <mujocoinclude>, not with <mujoco>$"),
        ("<worldbody/>", "begins with <worldbody>"),
        ("", "cannot be read as XML"),
        ('<!DOCTYPE m [<!ENTITY a "b">]><mujoco>&a;</mujoco>', "declares a document type or entities"),
        ('<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]><mujoco>&a;</mujoco>', "declares a document type"),
    ],
)
def test_what_is_no_model_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    """Other XML, half a model, bombs and references to other files."""
    with pytest.raises(FormatError, match=reason):
        read(tmp_path, text)


HINGE = '<joint name="j" axis="0 0 1" range="-10 20"/>'
ARM = f'<body name="arm" pos="1 2 3">{HINGE}<site name="tip"/><body name="hand"/></body>'
WHOLE = mjcf(
    ARM,
    before='<compiler angle="degree"/><default><default class="small"><joint/></default></default>',
    after='<equality><joint joint1="j"/></equality>',
)

# A change to the arm's text, and words of the fault it must cause.
FAULTS: dict[str, tuple[str, str, str]] = {
    "zero axis": ('axis="0 0 1"', 'axis="0 0 0"', "joint 'j': axis has length zero"),
    "flat axis": ('axis="0 0 1"', 'axis="0 1"', "joint 'j': axis is '0 1', not 3 numbers"),
    "NaN in a position": ('pos="1 2 3"', 'pos="1 nan 3"', "body 'arm': pos is NaN"),
    "infinite position": ('pos="1 2 3"', 'pos="1 inf 3"', "body 'arm': pos is infinite"),
    "NaN in a joint's position": ('axis="0 0 1"', 'pos="0 0 nan"', "joint 'j': pos is NaN"),
    "NaN reference": ('axis="0 0 1"', 'ref="nan"', "joint 'j': ref is NaN"),
    "inverted limits": ('range="-10 20"', 'range="20 -10"', "joint 'j': range begins at 20, above its end at -10"),
    "inverted limits that are meant": (
        'range="-10 20"',
        'range="20 -10" limited="true"',
        "joint 'j': range begins at 20, above its end",
    ),
    "infinite limit": ('range="-10 20"', 'range="-inf 20"', "joint 'j': range is infinite"),
    "one limit": ('range="-10 20"', 'range="-10"', "joint 'j': range is '-10', not 2 numbers"),
    "limited to nothing": ('range="-10 20"', 'limited="true"', "joint 'j': is limited, but its range leaves no room"),
    "limited in other words": ('range="-10 20"', 'limited="yes"', "limited is 'yes', not one of auto, true, false"),
    "a range nobody asked for": ('angle="degree"', 'autolimits="false"', "joint 'j': has a range and neither limited="),
    "unknown kind of joint": ('axis="0 0 1"', 'type="screw"', "type is 'screw', not one of hinge, slide, ball, free"),
    "duplicate joint": (HINGE, HINGE + HINGE, "joint 'j': there are several of that name"),
    "duplicate body": ('name="hand"', 'name="arm"', "link 'arm': there are several of that name"),
    "a body called world": ('name="hand"', 'name="world"', "link 'world': there are several of that name"),
    "duplicate site": ("<site", '<site name="tip"/><site', "frame 'tip': there are several of that name"),
    "colon in a name": ('name="hand"', 'name="a:b"', "name holds a colon"),
    "turned twice": (
        'pos="1 2 3"',
        'euler="0 0 1" zaxis="0 0 1"',
        "body 'arm': is turned in several ways, euler, zaxis",
    ),
    "zero quaternion": ('pos="1 2 3"', 'quat="0 0 0 0"', "body 'arm': quat is a quaternion of length zero"),
    "axes on one line": ('pos="1 2 3"', 'xyaxes="1 0 0 2 0 0"', "body 'arm': xyaxes has both axes on one line"),
    "turn about nothing": ('pos="1 2 3"', 'axisangle="0 0 0 1"', "body 'arm': axisangle has length zero"),
    "infinite turn": ('pos="1 2 3"', 'euler="0 0 inf"', "body 'arm': euler is infinite"),
    "unknown unit": ('angle="degree"', 'angle="grad"', "compiler: angle is 'grad', not one of degree, radian"),
    "unknown sequence": ('angle="degree"', 'eulerseq="xyw"', "compiler: eulerseq is 'xyw', not three of the letters"),
    "unknown switch": ('angle="degree"', 'autolimits="1"', "compiler: autolimits is '1', not one of true, false"),
    "global coordinates": ('angle="degree"', 'coordinate="global"', "compiler: coordinate is 'global', not 'local'"),
    "unknown class": ('axis="0 0 1"', 'class="smaller"', "no default class is called 'smaller'; did you mean 'small'"),
    "class without name": (' class="small"', "", "default class inside 'main': class is missing"),
    "duplicate class": (
        "</default></default>",
        '</default><default class="small"/></default>',
        "default class 'small'",
    ),
    "unknown follower": ('joint1="j"', 'joint1="k"', "equality of joint 'k': no joint is called 'k'"),
    "unknown leader": ('joint1="j"', 'joint1="j" joint2="k"', "equality of joint 'j': no joint is called 'k'"),
    "no follower": (' joint1="j"', "", "equality of joint '': no joint is called ''"),
    "a leader of itself": ('joint1="j"', 'joint1="j" joint2="j"', "joints mimic each other in a circle: 'j' -> 'j'"),
    "NaN polynomial": ('joint1="j"', 'joint1="j" polycoef="0 nan"', "polycoef is NaN"),
    "long polynomial": ('joint1="j"', 'joint1="j" polycoef="1 2 3 4 5 6"', "not at most 5 numbers"),
    "a joint in the world": (ARM, "<joint/>" + ARM, "the world cannot move, and yet holds a joint"),
    "a free joint below": (
        '<body name="hand"/>',
        "<body><freejoint/></body>",
        "belongs into a body of the world, and alone",
    ),
    "a free joint beside": (HINGE, HINGE + "<freejoint/>", "belongs into a body of the world, and alone"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_with_a_model_is_told_with_names(tmp_path: Path, fault: str) -> None:
    """A change that breaks the arm raises ModelError; it names file, place and way out."""
    before, after, expected = FAULTS[fault]
    assert before in WHOLE
    path = write(tmp_path, "model.xml", WHOLE.replace(before, after, 1))
    with pytest.raises(ModelError) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert any(expected in told for told in caught.value.faults), caught.value.faults


def test_the_unbroken_arm_is_read(tmp_path: Path) -> None:
    """What the faults are made of is right, so that each of them is the change alone."""
    assert read(tmp_path, WHOLE).dof_names == ("j",)


def test_an_unknown_class_is_told_once(tmp_path: Path) -> None:
    """A thousand joints of a class nobody declared are one mistake."""
    with pytest.raises(ModelError) as caught:
        read(tmp_path, mjcf('<body childclass="gone">' + "<joint/>" * 1000 + "</body>"))
    assert len(caught.value.faults) == 1
