"""Character files: the documented example, every key, and every fault with its place."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from gestik.errors import FormatError, ModelError
from gestik.formats.load import load, load_character
from gestik.model.character import Character
from tests.formats.samples import CHARACTER_PAGE, GRIPPER_URDF, example_character, write
from tests.model.samples import assert_sound

EXAMPLE = example_character()
HEADER = '[character]\nname = "test"\nangles = "degrees"\n'


def read(folder: Path, text: str) -> Character:
    """The character of a text."""
    return load_character(write(folder, "nodder.toml", text))


def faults_of(folder: Path, text: str) -> tuple[str, ...]:
    """What is wrong with a text."""
    with pytest.raises(ModelError) as caught:
        read(folder, text)
    assert "nodder.toml" in str(caught.value)
    return caught.value.faults


def test_the_documented_example_is_read_as_the_page_says(tmp_path: Path) -> None:
    """Joints in order, degrees as radians, postures over the rest, eye, colours and shapes."""
    nodder = read(tmp_path, EXAMPLE)
    skeleton = nodder.skeleton
    assert_sound(skeleton)
    assert (nodder.name, nodder.eye, nodder.motion.rate) == ("nodder", "gaze", 60.0)
    assert skeleton.up.tolist() == [0, 1, 0]
    assert skeleton.dof_names == ("turn", "lean", "nod")
    np.testing.assert_allclose(np.degrees(skeleton.lower), [-150, -60, -100])
    np.testing.assert_allclose(np.degrees(skeleton.upper), [150, 90, 100])
    np.testing.assert_allclose(np.degrees(skeleton.speed), [180, 180, 240])
    np.testing.assert_allclose(np.degrees(skeleton.rest), [0, 10, 0], atol=1e-12)
    np.testing.assert_allclose(skeleton.segments, [[0, 0.02, 0], [0, 0.2, 0], [0, 0, 0.08]])
    np.testing.assert_allclose(np.degrees(nodder.posture("curious").angles), [0, 25, -40])
    np.testing.assert_allclose(np.degrees(nodder.posture("sad").angles), [0, 40, 70])
    assert skeleton.frame("gaze").axis == (0, 0, 1)
    foot, stem, shade, bulb = skeleton.shapes
    assert (foot.name, foot.row, foot.finish) == ("foot", -1, "metal")
    assert stem.position == (0, 0.1, 0)
    assert (stem.height, stem.radius) == (0.2, 0.012)
    assert (shade.radii, shade.open) == ((0.025, 0.06), True)
    np.testing.assert_allclose(shade.colour, [0xD9 / 255, 0x48 / 255, 0x2B / 255])
    assert (bulb.kind, bulb.finish, bulb.position) == ("sphere", "glow", (0, 0, 0.03))


def test_every_key_the_reader_knows_is_on_the_page() -> None:
    """The page names each key of each table."""
    page = CHARACTER_PAGE.read_text(encoding="utf-8")
    keys = "name angles up eye rate skeleton kind parent axis position rotation limits speed rest segment mimic"
    keys += " convention swing twist twist_axis factors size radius from to top_radius open file scale"
    keys += " colour finish opacity"
    missing = [key for key in keys.split() if f"`{key}`" not in page and f"`{key} = " not in page]
    assert not missing


def test_radians_and_degrees_mean_the_same_character(tmp_path: Path) -> None:
    """The unit of the file changes what is written and nothing of what is meant."""
    joints = """
[joint.a]
kind = "revolute"
axis = "x"
rotation = [{quarter}, 0, 0]
limits = [-{quarter}, {quarter}]
speed = {quarter}
rest = {half}
[joint.rack]
kind = "prismatic"
axis = "x"
limits = [-0.5, inf]
speed = 0.25
mimic = {{ joint = "a", gain = {gain}, bias = 0.125 }}
[joint.wheel]
kind = "continuous"
axis = "x"
mimic = {{ joint = "slide", gain = {quarter}, bias = {half} }}
[joint.slide]
kind = "prismatic"
axis = "y"
limits = [0, 2]
[posture.p]
a = {half}
slide = 0.5
"""
    degrees = HEADER + joints.format(quarter=90, half=45, gain=1 / 90)
    quarter = math.pi / 2
    radians = HEADER.replace("degrees", "radians") + joints.format(quarter=quarter, half=quarter / 2, gain=1 / quarter)
    one, other = read(tmp_path, degrees), read(tmp_path, radians)
    for found, expected in zip(one.skeleton.arrays, other.skeleton.arrays, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(one.skeleton.speed, other.skeleton.speed)
    np.testing.assert_allclose(one.skeleton.rest, [math.pi / 4, 0])
    np.testing.assert_allclose(one.posture("p").angles, [math.pi / 4, 0.5])
    np.testing.assert_allclose(other.posture("p").angles, [math.pi / 4, 0.5])
    # At a quarter turn the rack stands at 1 + 0.125 m; a slide of 1 m turns the wheel by a quarter and an eighth.
    pose = one.skeleton.forward([math.pi / 2, 1.0])
    np.testing.assert_allclose(pose.of("rack").position, [1.125, 0, 0], atol=1e-12)
    np.testing.assert_allclose(pose.of("wheel").rotation, [math.cos(0.375 * math.pi), math.sin(0.375 * math.pi), 0, 0])


def test_a_rotation_is_three_angles_or_a_quaternion(tmp_path: Path) -> None:
    """A quarter turn about y, written both ways, is one rotation."""
    tables = "[frame.a]\nrotation = [0, 90, 0]\n[frame.b]\nrotation = [0.7071, 0, 0.7071, 0]\n"
    skeleton = read(tmp_path, HEADER + tables).skeleton
    np.testing.assert_allclose(skeleton.frame("a").rotation, skeleton.frame("b").rotation, atol=1e-15)


def test_joints_of_another_file_get_eyes_shapes_and_postures(tmp_path: Path) -> None:
    """A robot's URDF stays as it is; the character adds what makes it somebody."""
    write(tmp_path, "robots/gripper.urdf", GRIPPER_URDF)
    text = HEADER + 'skeleton = "robots/gripper.urdf"\n'
    text += '[eye.lens]\nparent = "link:palm"\naxis = "z"\nposition = [0, 0, 0.01]\n'
    text += '[shape.lid]\nparent = "lens"\nkind = "sphere"\nradius = 0.01\n[posture.open]\nwrist = 45\nleft = 0.03\n'
    character = read(tmp_path, text)
    assert (character.name, character.skeleton.name, character.eye) == ("test", "test", "lens")
    assert character.skeleton.joint_names[character.skeleton.frame("lens").row] == "mount"
    np.testing.assert_allclose(character.posture("open").angles, [math.pi / 4, 0, 0.03])
    assert character.skeleton.shapes[-1].position == (0, 0, 0.01)


def test_an_eye_that_shares_its_name_with_another_place_is_told_apart(tmp_path: Path) -> None:
    """The character's eye is a name goals can use as it is."""
    text = HEADER + '[joint.head]\nkind = "continuous"\naxis = "x"\n'
    text += '[eye.head]\nparent = "head"\naxis = "z"\nposition = [0, 0, 1]\n'
    character = read(tmp_path, text)
    assert character.eye == "eye:head"
    assert character.skeleton.frame(character.eye).position == (0, 0, 1)


def test_a_character_may_have_no_eye_and_no_posture(tmp_path: Path) -> None:
    """Only the name and the unit must be given."""
    character = read(tmp_path, HEADER)
    assert (character.eye, dict(character.postures), character.skeleton.joint_count) == (None, {}, 0)
    assert character.skeleton.up.tolist() == [0, 0, 1]


def test_a_file_from_windows_is_read(tmp_path: Path) -> None:
    """A byte order mark and carriage returns are no obstacle."""
    text = "\ufeff" + EXAMPLE.replace("\n", "\r\n")
    assert load(write(tmp_path, "nodder.toml", text)).dof_names == ("turn", "lean", "nod")


def test_a_mesh_lies_in_the_folder_of_the_file_or_is_missing(tmp_path: Path) -> None:
    """A mesh that is there has a path; one that is missing keeps its name, and the character is read."""
    mesh = write(tmp_path, "meshes/head.glb", b"glTF")
    text = HEADER + '[shape.a]\nkind = "mesh"\nfile = "meshes/head.glb"\nscale = 0.01\n'
    text += '[shape.b]\nkind = "mesh"\nfile = "lost.glb"\nscale = [1, -1, 1]\n'
    there, lost = read(tmp_path, text).skeleton.shapes
    assert (there.path, there.size) == (mesh, (0.01, 0.01, 0.01))
    assert (lost.path, lost.file, lost.size) == (None, "lost.glb", (1, -1, 1))


# A change to the example, and words of the one fault it must cause.
FAULTS: dict[str, tuple[str, str, str]] = {
    "no name": ('name = "nodder"\n', "", "character: name is missing"),
    "name that is a number": ('name = "nodder"', "name = 3", "character: name is 3, not text"),
    "no unit": ('angles = "degrees"\n', "", "character: angles is missing"),
    "unknown unit": ('"degrees"', '"grads"', "character: angles is 'grads', not one of degrees, radians"),
    "unknown up": ('up = "y"', 'up = "up"', "up is 'up', not one of x, y, z"),
    "unknown eye": ('eye = "gaze"', 'eye = "gase"', "character: eye: no eye is called 'gase'; did you mean 'gaze'?"),
    "eye that is a joint": ('eye = "gaze"', 'eye = "nod"', "character: eye: no eye is called 'nod'"),
    "two eyes": (
        'eye = "gaze"\n\n[joint.turn]',
        '\n[eye.third]\naxis = "x"\n[joint.turn]',
        "character: eye is missing, and there are 2 to choose from: ('third', 'gaze')",
    ),
    "rate of zero": ('up = "y"', 'up = "y"\nrate = 0', "character: rate is 0, not above 0"),
    "rate beyond reason": ('up = "y"', 'up = "y"\nrate = 1e6', "character: rate is 1e+06, above 10000"),
    "unknown key": ("speed = 240", "sped = 240", "joint 'nod': no key is called 'sped'; did you mean 'speed'?"),
    "American spelling": ('colour = "shell"', 'color = "shell"', "no key is called 'color'; did you mean 'colour'"),
    "unknown table": ("[frame.crown]", "[fame.crown]", "file: no key is called 'fame'; did you mean 'frame'"),
    "joint without kind": ('[joint.turn]\nkind = "revolute"', "[joint.turn]", "joint 'turn': kind is missing"),
    "unknown kind": (
        '[joint.turn]\nkind = "revolute"',
        '[joint.turn]\nkind = "hinge"',
        "joint 'turn': kind is 'hinge'",
    ),
    "one limit": ("limits = [-60, 90]", "limits = [90]", "joint 'lean': limits is [90], not [lowest, highest]"),
    "limits in words": ("limits = [-60, 90]", 'limits = [-60, "b"]', "joint 'lean': limits is 'b', not a number"),
    "no limits": ("limits = [-100, 100]\n", "", "is missing"),
    "inverted limits": ("limits = [-60, 90]", "limits = [90, -60]", "limit 1.5708 rad (90 deg) is above upper limit"),
    "rest outside": (
        "rest = 10",
        "rest = 91",
        "rest 1.58825 rad (91 deg) is outside its limits, -1.0472 rad (-60 deg)",
    ),
    "unknown parent": (
        'parent = "lean"\nkind = "rev',
        'parent = "leen"\nkind = "rev',
        "no joint is called 'leen'; did",
    ),
    "position of two": ("position = [0, 0.20, 0]", "position = [0, 0.20]", "joint 'nod': position is [0, 0.2], not 3"),
    "rotation of two": (
        "rest = 10",
        "rotation = [0, 90]",
        "joint 'lean': rotation is [0, 90], neither three angles nor",
    ),
    "rotation too long": ("rest = 10", "rotation = [1, 1, 0, 0]", "rotation is a quaternion of length 1.41421, not 1"),
    "mimic without joint": ("rest = 10", "mimic = { gain = 2 }", "mimic: joint is missing"),
    "mimic with a wrong key": ("rest = 10", 'mimic = { joint = "turn", gane = 2 }', "mimic: no key is called 'gane'"),
    "mimic that is a name": ("rest = 10", 'mimic = "turn"', "joint 'lean': mimic is 'turn', where a table is expected"),
    "eye without axis": ('axis = "z"\n\n[colour]', "\n[colour]", "eye 'gaze': axis, the direction it looks along, is"),
    "frame with axis": (
        "position = [0, 0.05, 0]\n\n[eye",
        'axis = "z"\n[eye',
        "frame 'crown': no key is called 'axis'",
    ),
    "wrong colour": ('"#fff1c4"', '"#fff1c"', "shape 'bulb': colour is '#fff1c', not a colour such as"),
    "unknown colour": ('colour = "shell"', 'colour = "shel"', "nor one of the colours this file names: shell, steel"),
    "wrong colour in the palette": ('steel = "#8d99a6"', "steel = 5", "colour: steel is 5, not 3 numbers"),
    "unknown finish": ('finish = "glow"', 'finish = "glowing"', "shape 'bulb': finish is 'glowing', not one of matte"),
    "opacity beyond one": ('finish = "glow"', "opacity = 1.5", "shape 'bulb': opacity is 1.5, outside 0 to 1"),
    "unknown shape": ('kind = "capsule"', 'kind = "pill"', "shape 'stem': kind is 'pill', not one of box, sphere"),
    "no radius": ("radius = 0.022\n", "", "shape 'bulb': radius is missing"),
    "no end": ("to = [0, 0.20, 0]\n", "", "shape 'stem': to is missing"),
    "no length": ("to = [0, 0, 0.08]", "to = [0, 0, -0.02]", "shape 'shade': from and to are the same point"),
    "open that is a number": ("open = true", "open = 1", "shape 'shade': open is 1, not true or false"),
    "a lid on a ball": ('finish = "glow"', "open = true", "shape 'bulb': no key is called 'open'"),
    "mesh outside": (
        'kind = "sphere"\nposition = [0, 0, 0.03]\nradius = 0.022',
        'kind = "mesh"\nfile = "../../x.glb"',
        "shape 'bulb': file is '../../x.glb', which is not a file in the folder of this one or below",
    ),
    "posture of nobody": (
        "lean = 25",
        "leen = 25",
        "posture 'curious': no joint that moves by itself is called 'leen'",
    ),
    "posture in words": ("lean = 25", 'lean = "much"', "posture 'curious': lean is 'much', not a number"),
    "posture without end": ("lean = 25", "lean = inf", "posture 'curious': lean is infinite"),
    "posture that is a number": ("[posture.sad]", "[posture]\nhappy = 4\n[posture.sad]", "file: posture.'happy' is 4"),
    "colon in a name": ("[frame.crown]", '[frame."a:b"]', "frame 'a:b': name holds a colon"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_with_a_character_is_told_with_its_place(tmp_path: Path, fault: str) -> None:
    """A change that breaks the example raises ModelError that names the table, the key and the way out."""
    before, after, expected = FAULTS[fault]
    assert before in EXAMPLE
    told = faults_of(tmp_path, EXAMPLE.replace(before, after, 1))
    assert any(expected in line for line in told), told


def test_tables_that_are_no_tables_of_names_are_told(tmp_path: Path) -> None:
    """A list of joints, as other formats have it, says which form is expected."""
    told = faults_of(tmp_path, HEADER + '[[joint]]\nkind = "fixed"\n')
    assert told == ("file: joint is [{'kind': 'fixed'}], where tables [joint.NAME] are expected",)


def test_all_faults_of_a_character_are_told_at_once(tmp_path: Path) -> None:
    """One mistake in every part of the file: as many faults, none lost and none twice."""
    text = EXAMPLE
    chosen = ["no name", "unknown eye", "unknown key", "one limit", "unknown colour", "no radius", "posture in words"]
    for fault in chosen:
        text = text.replace(*FAULTS[fault][:2], 1)
    told = faults_of(tmp_path, text)
    assert len(told) == len(chosen), told
    assert all(FAULTS[fault][2] in "\n".join(told) for fault in chosen)


@pytest.mark.parametrize(
    ("skeleton", "reason"),
    [
        ('"missing.urdf"', "there is no file"),
        ('"../gripper.urdf"', "which is not a file in the folder of this one or below"),
        ('"/gripper.urdf"', "which is not a file in the folder"),
        ('"."', "which is not a file in the folder"),
        ('"gripper.fbx"', "does not end in .urdf"),
        ('"nodder.toml"', "does not end in .urdf"),
        ('"a\\u0000b.urdf"', "nodder.toml"),
        ("5", "is 5, not text"),
        ('"robot.urdf"', "cannot be read as XML"),
    ],
)
def test_a_skeleton_that_cannot_be_fetched_is_a_format_error(tmp_path: Path, skeleton: str, reason: str) -> None:
    """Paths that lead outside, nowhere or to another format are refused before anything is opened."""
    folder = tmp_path / "characters"
    write(folder, "robot.urdf", "robot")
    write(tmp_path, "gripper.urdf", GRIPPER_URDF)
    with pytest.raises(FormatError, match=reason):
        read(folder, f"{HEADER}skeleton = {skeleton}\n")


def test_a_link_that_leads_outside_is_not_followed(tmp_path: Path) -> None:
    """A symbolic link in the folder is judged by where it leads."""
    folder = tmp_path / "characters"
    folder.mkdir()
    (folder / "robot.urdf").symlink_to(write(tmp_path, "gripper.urdf", GRIPPER_URDF))
    with pytest.raises(FormatError, match="which is not a file in the folder"):
        read(folder, HEADER + 'skeleton = "robot.urdf"\n')


def test_faults_of_the_other_file_and_of_the_character_are_told_together(tmp_path: Path) -> None:
    """A broken robot and a broken posture appear in one error; joints and up have no place beside a skeleton."""
    write(tmp_path, "gripper.urdf", GRIPPER_URDF.replace('lower="-1"', 'lower="3"'))
    text = HEADER + 'skeleton = "gripper.urdf"\nup = "y"\n[joint.a]\nkind = "fixed"\n[posture.a]\nwrisd = 1\n'
    told = "\n".join(faults_of(tmp_path, text))
    assert "lower limit 3 rad" in told
    assert "character: up has no place here: the skeleton is that of 'gripper.urdf'" in told
    assert "file: joint has no place here" in told
    assert "did you mean 'wrist'" in told


BALL_AND_FREE = """
[joint.pelvis]
kind = "free"
speed = [1, 1, 1, 90, 90, 90]
rest = [0, 0, 0.5, 0, 0, 90]
[joint.hip]
kind = "ball"
parent = "pelvis"
convention = "ZXZ"
limits = [[-90, 90], [0, inf], [-inf, inf]]
speed = 180
swing = 60
twist = [-45, 90]
twist_axis = "-z"
"""


def test_ball_and_free_joints_take_lists_of_limits_speeds_and_rests(tmp_path: Path) -> None:
    """Slides in metres, turns in the file's unit."""
    skeleton = read(tmp_path, HEADER + BALL_AND_FREE).skeleton
    assert_sound(skeleton)
    assert skeleton.dof_names[6:] == ("hip.z", "hip.x", "hip.z2")
    np.testing.assert_allclose(skeleton.rest, [0, 0, 0.5, 0, 0, math.pi / 2, 0, 0, 0])
    np.testing.assert_allclose(skeleton.speed, [1, 1, 1, *[math.pi / 2] * 3, *[math.pi] * 3])
    np.testing.assert_allclose(skeleton.lower[6:], [-math.pi / 2, 0, -math.inf])
    np.testing.assert_allclose(skeleton.upper[6:], [math.pi / 2, math.inf, math.inf])
    np.testing.assert_allclose(skeleton.limits.cone_ranges, [[math.pi / 3, -math.pi / 4, math.pi / 2]])
    np.testing.assert_array_equal(skeleton.limits.cone_axes, [[0, 0, -1]])


@pytest.mark.parametrize("lines", ["hip.z = 45\npelvis.tx = 2", '"hip.z" = 45\n"pelvis.tx" = 2'])
def test_a_posture_names_the_motions_of_a_ball_with_or_without_quotes(tmp_path: Path, lines: str) -> None:
    """TOML reads a dotted key as a table of its own; it is the same name."""
    character = read(tmp_path, HEADER + BALL_AND_FREE + f"[posture.p]\n{lines}\n")
    expected = character.skeleton.angles_from({"hip.z": math.pi / 4, "pelvis.tx": 2.0})
    np.testing.assert_allclose(character.posture("p").angles, expected)


def test_faults_of_a_ball_are_told_with_what_would_be_right(tmp_path: Path) -> None:
    """Too few limits, one speed for slides and turns, and a name that is the joint's and not an angle's."""
    text = HEADER + BALL_AND_FREE.replace("[[-90, 90], ", "[").replace("[1, 1, 1, 90, 90, 90]", "3")
    told = faults_of(tmp_path, text + "[posture.p]\nhip = 3\n")
    assert any("hip': limits is [[0, inf], [-inf, inf]], not a list of 3 pairs" in line for line in told)
    assert any("pelvis': speed is 3, not 6 numbers" in line for line in told)
    assert any("is called 'hip'; did you mean 'hip.z'" in line for line in told)


def test_couplings_are_in_the_files_own_units(tmp_path: Path) -> None:
    """Limits of a sum of angles are degrees, of a sum that begins with a slide metres; names may have dots."""
    text = (
        HEADER
        + BALL_AND_FREE
        + """
[coupling.legs]
factors = { hip.z = 1, "hip.x" = -0.5 }
limits = [-90, inf]
[coupling.lift]
factors = { "pelvis.tz" = 2, "hip.x" = 0.01 }
limits = [-1, 3]
"""
    )
    legs, lift = read(tmp_path, text).skeleton.couplings
    assert (legs.dofs, legs.factors, legs.upper) == (("hip.z", "hip.x"), (1.0, -0.5), math.inf)
    assert legs.lower == pytest.approx(-math.pi / 2)
    assert lift.factors == (2.0, pytest.approx(0.01 * 180.0 / math.pi))
    assert (lift.lower, lift.upper) == (-1.0, 3.0)


def test_faults_of_a_coupling_are_told_with_its_name(tmp_path: Path) -> None:
    """No limits, a factor in words, a joint nobody has, and one degree of freedom too few."""
    told = faults_of(
        tmp_path,
        HEADER
        + BALL_AND_FREE
        + """
[coupling.a]
factors = { "hip.z" = "much", "hip.q" = 1 }
[coupling.b]
factors = { "hip.z" = 1 }
limits = [3, 1, 2]
""",
    )
    for expected in (
        "coupling 'a': limits is missing",
        "coupling 'a': factor of 'hip.z' is 'much', not a number",
        "coupling of 'hip.z' and 'hip.q': no degree of freedom is called 'hip.q'",
        "coupling 'b': limits is [3, 1, 2], not [lowest, highest]",
        "takes the factors of two degrees of freedom by name",
    ):
        assert any(expected in line for line in told), told
