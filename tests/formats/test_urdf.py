"""URDF: every joint kind moves as its text says, and what is wrong with a robot is told with names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gestik.errors import FormatError, ModelError
from gestik.formats.load import load
from gestik.model.skeleton import Skeleton
from tests.formats.samples import GRIPPER_URDF, ROOT, rotation_matrix, write
from tests.formats.urdf_twin import link_frames
from tests.model.samples import assert_sound, random_angles

SEED = 7
SO101 = ROOT.parent / "shared" / "data" / "so101.urdf"


def assert_moves_as_its_text_says(skeleton: Skeleton, text: str) -> None:
    """Compare every link with the slow twin at random angles."""
    rng = np.random.default_rng(SEED)
    for _ in range(10):
        angles = random_angles(skeleton, rng)
        pose = skeleton.forward(angles)
        for link, frame in link_frames(text, skeleton.named(angles)).items():
            found = pose.of(f"link:{link}")
            np.testing.assert_allclose(found.position, frame[:3, 3], atol=1e-12)
            np.testing.assert_allclose(rotation_matrix(found.rotation), frame[:3, :3], atol=1e-12)


@pytest.fixture
def gripper(tmp_path: Path) -> Skeleton:
    """The gripper, loaded."""
    return load(write(tmp_path, "gripper.urdf", GRIPPER_URDF))


def test_every_joint_kind_moves_as_its_text_says(gripper: Skeleton) -> None:
    """Revolute, continuous, prismatic, fixed and mimic joints agree with matrices written from the text."""
    assert_sound(gripper)
    assert_moves_as_its_text_says(gripper, GRIPPER_URDF)


@pytest.mark.skipif(not SO101.exists(), reason="the robot's file is not on this machine")
def test_a_real_arm_moves_as_its_text_says() -> None:
    """An SO-101 arm as its makers publish it, without its meshes, is read and moves right."""
    skeleton = load(SO101)
    assert_sound(skeleton)
    assert skeleton.dof_count == 6
    assert_moves_as_its_text_says(skeleton, SO101.read_text(encoding="utf-8"))
    meshes = [shape for shape in skeleton.shapes if shape.kind == "mesh"]
    assert meshes
    assert all(shape.path is None and shape.file.endswith(".stl") for shape in meshes)


def test_limits_speeds_and_up_come_from_the_file(gripper: Skeleton) -> None:
    """Continuous joints are unlimited, mimic joints have no limits of their own, a velocity of 0 says nothing."""
    assert gripper.name == "gripper"
    assert gripper.up.tolist() == [0, 0, 1]
    assert gripper.dof_names == ("wrist", "spin", "left")
    np.testing.assert_array_equal(gripper.lower, [-1, -np.inf, 0])
    np.testing.assert_array_equal(gripper.upper, [2, np.inf, 0.04])
    np.testing.assert_array_equal(gripper.speed, [np.inf, 3, 0.2])


def test_links_are_frames_and_share_a_name_with_a_joint_only_in_one_place(gripper: Skeleton) -> None:
    """`left` is joint and link in one place; joint `wrist` carries `arm`, so that link `wrist` must say its kind."""
    assert gripper.frame("left").kind == "joint"
    assert gripper.frame("base").row == -1
    assert {"joint:wrist", "link:wrist", "left", "right_pad"} <= set(gripper.frame_names)
    assert gripper.joint_names[gripper.frame("link:wrist").row] == "spin"


def test_visuals_become_shapes_with_colours(gripper: Skeleton) -> None:
    """Cylinder, mesh, sphere and box ride on the joint that carries their link; collisions are not drawn."""
    arm, cover, ball, palm = gripper.shapes
    assert (arm.kind, arm.radius, arm.height) == ("cylinder", 0.03, 0.3)
    assert (arm.colour, arm.opacity) == ((0.1, 0.2, 0.3), 0.5)
    assert (cover.name, cover.size, cover.path) == ("cover", (0.001, -0.001, 0.001), None)
    assert (ball.kind, palm.kind, palm.size) == ("sphere", "box", (0.1, 0.05, 0.02))
    assert [gripper.joint_names[shape.row] for shape in gripper.shapes] == ["wrist", "wrist", "spin", "mount"]


@pytest.mark.parametrize(
    "place",
    [
        "robots/gripper_description/meshes/cover.stl",
        "robots/gripper_description/urdf/gripper_description/meshes/cover.stl",
    ],
)
def test_a_mesh_of_a_package_is_found_in_the_folders_above_the_robot(tmp_path: Path, place: str) -> None:
    """`package://name/rest` is looked for beside the file and in the folder above that is called so."""
    mesh = write(tmp_path, place, b"solid")
    robot = write(tmp_path, "robots/gripper_description/urdf/gripper.urdf", GRIPPER_URDF)
    assert load(robot).shapes[1].path == mesh


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("meshes/a.stl", True),
        ("meshes/A%20b.STL", True),
        ("missing.stl", False),
        ("secret.txt", False),
        ("http://example.org/a.stl", False),
        ("//server/share/a.stl", False),
        ("a" * 5000 + ".stl", False),
        ("package://../../../a.stl", False),
    ],
)
def test_a_mesh_is_a_file_of_this_machine_or_none(tmp_path: Path, name: str, found: bool) -> None:
    """Only names that end like a mesh are looked at, and nothing is asked of another machine."""
    for mesh in ("meshes/a.stl", "meshes/A b.STL", "secret.txt"):
        write(tmp_path, mesh, b"solid")
    text = GRIPPER_URDF.replace("package://gripper_description/meshes/cover.stl", name)
    cover = load(write(tmp_path, "gripper.urdf", text)).shapes[1]
    assert cover.file == name
    assert (cover.path is not None) == found


@pytest.mark.parametrize(
    "geometry",
    [
        '<box size="0 0 0"/>',
        '<box size="1 1"/>',
        '<sphere radius="-1"/>',
        '<sphere radius="nan"/>',
        "<sphere/>",
        '<cylinder radius="1"/>',
        '<heightmap size="1"/>',
        "",
    ],
)
def test_a_visual_that_makes_no_sense_is_left_out(tmp_path: Path, geometry: str) -> None:
    """What is only drawn never stops a robot from being read."""
    text = GRIPPER_URDF.replace('<sphere radius="0.04"/>', geometry)
    assert len(load(write(tmp_path, "gripper.urdf", text)).shapes) == 3


LIMIT = '<limit lower="-1" upper="2" velocity="0" effort="1"/>'

# A change to the gripper's text, and words of the fault it must cause.
FAULTS: dict[str, tuple[str, str, str]] = {
    "planar joint": ('type="continuous"', 'type="planar"', "type is 'planar', not one of revolute, continuous"),
    "our own word for floating": (
        'type="continuous"',
        'type="free"',
        "type is 'free', not one of revolute,",
    ),
    "no type": (' type="continuous"', "", "joint 'spin': type is None, not one of revolute"),
    "no limit": (LIMIT, "", "joint 'wrist': lower limit is missing; a joint that turns without end is continuous"),
    "inverted limits": ('lower="-1"', 'lower="3"', "lower limit 3 rad (171.887 deg) is above upper limit 2 rad"),
    "limit in words": ('upper="2"', 'upper="two"', "joint 'wrist': upper is 'two', not a number"),
    "limit as Python alone reads it": ('upper="2"', 'upper="1_0"', "joint 'wrist': upper is '1_0', not a number"),
    "limit without end": ('upper="2"', 'upper="inf"', "joint 'wrist': upper limit is infinite"),
    "zero axis": ('xyz="0 0.6 0.8"', 'xyz="0 0 0"', "joint 'wrist': axis has length zero"),
    "flat axis": ('xyz="0 0.6 0.8"', 'xyz="0 1"', "joint 'wrist': axis is '0 1', not 3 numbers"),
    "NaN in an origin": ('xyz="0 0 0.3"', 'xyz="0 0 nan"', "joint 'spin': origin xyz is NaN"),
    "infinite rotation": ('rpy="0.3 -0.2 0.1"', 'rpy="0 inf 0"', "joint 'spin': origin rpy is infinite"),
    "negative velocity": ('velocity="3"', 'velocity="-3"', "joint 'spin': speed is -3, below 0"),
    "unknown leader": ('mimic joint="left"', 'mimic joint="lefd"', "no joint is called 'lefd'; did you mean 'left'?"),
    "mimic without joint": ('mimic joint="left"', "mimic", "joint 'right': mimic: no joint is called ''"),
    "mimic of itself": ('mimic joint="left"', 'mimic joint="right"', "in a circle: 'right' -> 'right'"),
    "mimic with NaN": ('multiplier="-0.5"', 'multiplier="nan"', "joint 'right': mimic multiplier is NaN"),
    "unknown child": ('child link="arm"', 'child link="arn"', "joint 'wrist': child: no link is called 'arn'; did you"),
    "no child": ('<child link="arm"/>', "", "joint 'wrist': <child link=...> is missing"),
    "two parents": (
        'child link="right_pad"',
        'child link="left"',
        "link 'left': is the child of two joints, 'left' and",
    ),
    "two roots": ('<link name="base"/>', '<link name="base"/><link name="moon"/>', "there are 2 roots, links no joint"),
    "no root": ('<link name="base"/>', "", "there is no root"),
    "a circle": ('parent link="base"', 'parent link="palm"', "circle: 'mount' -> 'spin' -> 'wrist' -> 'mount'"),
    "duplicate link": (
        '<link name="base"/>',
        '<link name="base"/><link name="base"/>',
        "link 'base': there are several",
    ),
    "duplicate joint": ('joint name="spin"', 'joint name="wrist"', "joint 'wrist': there are 2 joints of that name"),
    "joint without name": ('joint name="spin" ', "joint ", "joint '': name is empty"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_with_a_robot_is_told_with_names(tmp_path: Path, fault: str) -> None:
    """A change that breaks the gripper raises ModelError; it names file, place and way out."""
    before, after, expected = FAULTS[fault]
    assert before in GRIPPER_URDF
    path = write(tmp_path, "gripper.urdf", GRIPPER_URDF.replace(before, after, 1))
    with pytest.raises(ModelError) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert any(expected in told for told in caught.value.faults), caught.value.faults


def test_all_faults_of_a_robot_are_told_at_once(tmp_path: Path) -> None:
    """Many changes that break different joints appear in one error."""
    text = GRIPPER_URDF
    chosen = ["inverted limits", "zero axis", "NaN in an origin", "unknown leader", "two roots"]
    for fault in chosen:
        text = text.replace(*FAULTS[fault][:2], 1)
    with pytest.raises(ModelError) as caught:
        load(write(tmp_path, "gripper.urdf", text))
    told = "\n".join(caught.value.faults)
    assert all(FAULTS[fault][2] in told for fault in chosen)


def test_a_limit_without_numbers_means_zero(tmp_path: Path) -> None:
    """The specification gives lower and upper a default of 0, which locks the joint."""
    text = GRIPPER_URDF.replace(LIMIT, '<limit velocity="1" effort="1"/>')
    skeleton = load(write(tmp_path, "gripper.urdf", text))
    assert (skeleton.lower[0], skeleton.upper[0]) == (0.0, 0.0)


def test_a_floating_joint_slides_and_turns_every_way(tmp_path: Path) -> None:
    """URDF's word for a free joint: six degrees of freedom, whose slides come first."""
    text = GRIPPER_URDF.replace('type="continuous"', 'type="floating"')
    skeleton = load(write(tmp_path, "gripper.urdf", text))
    free = ("spin.tx", "spin.ty", "spin.tz", "spin.z", "spin.y", "spin.x")
    assert skeleton.dof_names == ("wrist", *free, "left")
    assert_sound(skeleton)


def test_limits_beyond_all_measure_are_none(tmp_path: Path) -> None:
    """Exporters write 1e16 for a rotor that turns for ever: it is continuous."""
    text = GRIPPER_URDF.replace(LIMIT, '<limit lower="-1e16" upper="1e+16" velocity="3" effort="1"/>')
    skeleton = load(write(tmp_path, "gripper.urdf", text))
    assert (skeleton.lower[0], skeleton.upper[0], skeleton.speed[0]) == (-np.inf, np.inf, 3.0)


def test_a_joint_without_axis_turns_about_x(tmp_path: Path) -> None:
    """The specification's default axis is x."""
    skeleton = load(write(tmp_path, "gripper.urdf", GRIPPER_URDF))
    assert skeleton.arrays.axis[skeleton.frame("spin").row].tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    "text",
    [
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="a" value="1"/></robot>',
        '<robot name="r"><xacro:macro name="a"/></robot>',
        '<robot name="r"><link name="${prefix}base"/></robot>',
    ],
)
def test_macros_are_refused_with_the_way_out(tmp_path: Path, text: str) -> None:
    """A file that still holds xacro macros says how to expand them."""
    with pytest.raises(FormatError, match="holds xacro macros; expand them first"):
        load(write(tmp_path, "robot.urdf", text))


def test_a_declared_but_unused_macro_namespace_is_no_macro(tmp_path: Path) -> None:
    """Expanded files keep the declaration and are read."""
    text = GRIPPER_URDF.replace("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ')
    assert load(write(tmp_path, "gripper.urdf", text)).dof_count == 3


def test_other_xml_is_refused_by_its_first_element(tmp_path: Path) -> None:
    """A MuJoCo model in a .urdf says what it begins with."""
    with pytest.raises(FormatError, match="begins with <mujoco>, not with <robot>"):
        load(write(tmp_path, "model.urdf", "<mujoco/>"))


def test_a_robot_of_one_link_has_a_frame_and_no_joints(tmp_path: Path) -> None:
    """The smallest robot is read; the file's name serves where the robot has none."""
    skeleton = load(write(tmp_path, "stone.urdf", '<robot><link name="base"/></robot>'))
    assert (skeleton.name, skeleton.joint_count, skeleton.frame_names) == ("stone", 0, ("base",))


def test_a_robot_without_links_is_refused(tmp_path: Path) -> None:
    """An empty robot is a fault, not a skeleton of nothing."""
    with pytest.raises(ModelError, match="there is no link"):
        load(write(tmp_path, "nothing.urdf", "<robot/>"))
