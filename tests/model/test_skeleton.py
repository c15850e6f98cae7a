"""The frozen skeleton: names, kinematics, and refusing what cannot be meant."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from gestik.errors import InputError, NameNotFoundError
from gestik.model.builder import SkeletonBuilder
from gestik.model.skeleton import Skeleton
from tests.model.samples import assert_sound, crane, crane_builder, random_angles

SEED = 20240611


def matrix(quaternion: np.ndarray) -> np.ndarray:
    """The rotation matrix of a quaternion, w first."""
    w, (x, y, z) = quaternion[0], quaternion[1:]
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def test_the_crane_is_sound() -> None:
    """A skeleton with every kind of joint keeps every promise kernels rely on."""
    assert_sound(crane())


def test_forward_of_the_crane_is_what_geometry_says() -> None:
    """Turned a quarter, lifted a quarter and reaching 0.3 m: the plate hangs where a pencil would draw it."""
    skeleton = crane()
    pose = skeleton.forward([np.pi / 2, -np.pi / 2, 0.3, 0.0])
    np.testing.assert_allclose(pose.of("lift").position, [0, 0.1, 0.4], atol=1e-15)
    np.testing.assert_allclose(pose.of("reach").position, [0, 0.1, 0.4 + 0.5 + 0.3], atol=1e-15)
    np.testing.assert_allclose(pose.of("plate").position, [0, 0.1, 0.4 + 0.5 + 0.3 + 0.05], atol=1e-15)
    # The belt slides down by 0.25 * lift + 0.125 along -z.
    np.testing.assert_allclose(pose.of("belt").position, [0, 0, 0.25 * np.pi / 2 - 0.125], atol=1e-15)


def test_a_frame_moves_with_its_joint_and_one_on_the_base_does_not() -> None:
    """`of` carries a frame's own offset and turn; the ground stays where it is."""
    skeleton = crane()
    rng = np.random.default_rng(SEED)
    for _ in range(5):
        pose = skeleton.forward(random_angles(skeleton, rng))
        plate, hook = pose.of("plate"), pose.of("hook")
        np.testing.assert_allclose(
            hook.position, plate.position + matrix(plate.rotation) @ [0.01, 0.02, 0.03], atol=1e-14
        )
        np.testing.assert_allclose(
            matrix(hook.rotation), matrix(plate.rotation) @ np.diag([1.0, -1.0, -1.0]), atol=1e-14
        )
        np.testing.assert_array_equal(pose.of("ground").position, [1, 2, 3])


@pytest.mark.parametrize("name", ["hook", "right claw", "belt", "camera", "ground"])
def test_the_jacobian_is_the_difference_of_two_poses(name: str) -> None:
    """Each column is how the frame moves with one angle, mimic joints and slides included."""
    skeleton = crane()
    rng = np.random.default_rng(SEED)
    step = 1e-6
    for _ in range(5):
        angles = random_angles(skeleton, rng)
        jacobian = skeleton.jacobian(angles, name)
        for dof in range(skeleton.dof_count):
            shift = np.eye(skeleton.dof_count)[dof] * step
            before, after = skeleton.forward(angles - shift).of(name), skeleton.forward(angles + shift).of(name)
            spin = (matrix(after.rotation) - matrix(before.rotation)) @ matrix(before.rotation).T / (2 * step)
            np.testing.assert_allclose(jacobian[:3, dof], (after.position - before.position) / (2 * step), atol=1e-8)
            np.testing.assert_allclose(jacobian[3:, dof], [spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-5)


def test_frame_names_can_all_be_asked_for() -> None:
    """Joints come first in row order, then links, frames and eyes; each name leads to its frame."""
    skeleton = crane()
    assert skeleton.frame_names == (*skeleton.joint_names, "hook", "camera", "ground")
    assert [skeleton.frame(name).name for name in skeleton.frame_names] == list(skeleton.frame_names)
    assert skeleton.frame("eye:camera").axis == (1.0, 0.0, 0.0)
    assert skeleton.frame("hook").axis is None


def test_a_name_two_kinds_share_is_good_when_both_mean_the_same_place() -> None:
    """A link that sits on the joint of its name needs no prefix, and an eye there lends its axis."""
    builder = SkeletonBuilder("head")
    builder.joint("head", kind="continuous", axis="y")
    builder.frame("head", kind="link", parent="head", rotation=(-1, 0, 0, 0))
    builder.frame("head", kind="eye", parent="joint:head", axis="z")
    skeleton = builder.build()
    assert skeleton.frame_names == ("head",)
    assert skeleton.frame("head").axis == (0.0, 0.0, 1.0)


def test_a_name_of_two_places_must_say_which() -> None:
    """The bare name raises and lists what to write instead; the longer names work."""
    builder = SkeletonBuilder("arm")
    builder.joint("arm", kind="continuous", axis="y")
    builder.frame("arm", kind="link", parent="joint:arm", position=(0, 1, 0))
    skeleton = builder.build()
    assert skeleton.frame_names == ("joint:arm", "link:arm")
    with pytest.raises(NameNotFoundError, match="'joint:arm' or 'link:arm'"):
        skeleton.frame("arm")
    assert skeleton.frame("link:arm").position == (0.0, 1.0, 0.0)
    assert skeleton.frame("joint:arm").position == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("hok", "did you mean 'hook'"),
        ("eye:hook", "no frame is called 'eye:hook'"),
        ("eie:camera", "did you mean 'eye'"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest_right_ones(name: str, hint: str) -> None:
    """A typing mistake in the name or in the kind before the colon is explained."""
    with pytest.raises(NameNotFoundError, match=hint):
        crane().frame(name)


def test_a_frame_is_asked_for_by_text() -> None:
    """A row number in the place of a name is refused in our own words."""
    with pytest.raises(InputError, match="by its name, not by 3"):
        crane().frame(3)


def test_a_chain_leads_from_the_base_to_the_frame() -> None:
    """The chain of a frame holds the rows it moves with, fixed ones too, and no others."""
    skeleton = crane()
    assert [skeleton.joint_names[row] for row in skeleton.chain("hook")] == ["turn", "lift", "reach", "plate"]
    assert [skeleton.joint_names[row] for row in skeleton.chain("belt")] == ["turn", "belt"]
    assert skeleton.chain("ground").tolist() == []


def test_segments_end_where_they_are_declared_else_at_a_joint_else_at_a_frame() -> None:
    """The declared end wins, then the first joint, then the farthest frame; a bare joint has none."""
    builder = SkeletonBuilder("bones")
    builder.joint("declared", kind="fixed", segment=(9, 9, 9))
    builder.joint("jointed", parent="declared", kind="fixed", position=(1, 0, 0))
    builder.joint("framed", parent="jointed", kind="fixed", position=(0, 2, 0))
    builder.joint("bare", parent="jointed", kind="fixed", position=(0, 0, 3))
    builder.frame("near", parent="framed", position=(0, 0, 1))
    builder.frame("far", parent="near", position=(0, 0, 1))
    builder.frame("ignored", parent="jointed", position=(50, 0, 0))
    segments = dict(zip(builder.build().joint_names, builder.build().segments.tolist(), strict=True))
    assert segments == {"declared": [9, 9, 9], "jointed": [0, 2, 0], "framed": [0, 0, 2], "bare": [0, 0, 0]}


def test_shapes_on_frames_are_given_on_the_row_of_their_joint() -> None:
    """Whoever draws needs only the row: the frame's place is already in the shape's."""
    builder = crane_builder()
    shape = builder.build().shapes[0]
    builder.frame("tilted", parent="lift", position=(1, 0, 0), rotation=(np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
    builder.shape(type(shape)("sphere", parent="tilted", radius=0.1, position=(0.5, 0, 0)))
    skeleton = builder.build()
    assert [skeleton.joint_names[shape.row] for shape in skeleton.shapes] == ["lift", "lift"]
    np.testing.assert_allclose(skeleton.shapes[1].position, [1, 0.5, 0], atol=1e-15)


def test_nothing_of_a_skeleton_can_be_changed() -> None:
    """Attributes and arrays are frozen."""
    skeleton = crane()
    with pytest.raises(AttributeError):
        skeleton.name = "other"
    for array in (*skeleton.arrays, skeleton.up, skeleton.rest, skeleton.speed, skeleton.segments):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize("duplicate", [lambda s: pickle.loads(pickle.dumps(s)), copy.copy, copy.deepcopy])
def test_a_pickled_or_copied_skeleton_is_sound_and_equal_in_everything_but_identity(duplicate: object) -> None:
    """Worker processes get the same skeleton, read-only arrays included."""
    skeleton = crane()
    twin = duplicate(skeleton)
    assert_sound(twin)
    assert repr(twin) == repr(skeleton)
    assert twin.frames == skeleton.frames
    assert twin.shapes == skeleton.shapes
    assert all((one == other).all() for one, other in zip(twin.arrays, skeleton.arrays, strict=True))
    angles = random_angles(skeleton, np.random.default_rng(SEED))
    np.testing.assert_array_equal(twin.forward(angles).positions, skeleton.forward(angles).positions)


def test_skeletons_are_told_apart_by_identity() -> None:
    """A skeleton can be a key, and two built alike are two."""
    one, other = crane(), crane()
    assert len({one, other, one}) == 2
    assert one != other


@pytest.mark.parametrize(
    ("angles", "reason"),
    [
        ([0.0] * 3, r"have shape \(3,\), not \(4,\): one for each of turn, lift, reach, left claw"),
        ([[0.0] * 4], r"have shape \(1, 4\), not \(4,\)"),
        (0.0, r"have shape \(\), not \(4,\)"),
        ([0, 0, np.nan, 0], "angle of 'reach' is nan"),
        ([0, np.inf, 0, 0], "angle of 'lift' is inf"),
        ([0, 0, 0, 1e300], r"angle of 'left claw' is 1e\+300"),
        (["a", 0, 0, 0], "are \\['a', 0, 0, 0\\], not numbers"),
        ([[0, 0], 0, 0, 0], "not numbers"),
        ([1j, 0, 0, 0], "not numbers"),
        ({"turn": 0.1}, "not numbers"),
    ],
)
def test_angles_that_cannot_be_meant_are_refused(angles: object, reason: str) -> None:
    """Wrong shapes, NaN, infinity and text raise InputError that names the joint, before any kernel runs."""
    skeleton = crane()
    for use in (skeleton.forward, skeleton.named, lambda given: skeleton.jacobian(given, "hook")):
        with pytest.raises(InputError, match=reason):
            use(angles)


def test_any_kind_of_numbers_will_do_for_angles() -> None:
    """Lists, integers, float32 and strided arrays all mean the same angles."""
    skeleton = crane()
    expected = skeleton.forward(np.array([1.0, -1.0, 0.5, 0.25])).positions
    strided = np.zeros((4, 2), dtype=np.float32)
    strided[:, 0] = [1.0, -1.0, 0.5, 0.25]
    np.testing.assert_array_equal(skeleton.forward([1, -1, 0.5, 0.25]).positions, expected)
    np.testing.assert_array_equal(skeleton.forward(strided[:, 0]).positions, expected)


def test_names_and_angles_turn_into_each_other() -> None:
    """What `named` names, `angles_from` puts back in order, and a joint left out is at its rest."""
    skeleton = crane()
    angles = np.array([1.0, -0.5, 0.25, 0.125])
    assert skeleton.named(angles) == {"turn": 1.0, "lift": -0.5, "reach": 0.25, "left claw": 0.125}
    np.testing.assert_array_equal(skeleton.angles_from(skeleton.named(angles)), angles)
    np.testing.assert_array_equal(skeleton.angles_from({"lift": -1}), [0.0, -1.0, 0.1, 0.0])


@pytest.mark.parametrize(
    ("named", "error", "reason"),
    [
        ({"lifd": 1.0}, NameNotFoundError, "no degree of freedom of 'crane' is called 'lifd'; did you mean 'lift'"),
        ({"right claw": 1.0}, NameNotFoundError, "did you mean 'left claw'"),
        ({"lift": "up"}, InputError, "angle of 'lift' is 'up', not a number"),
        ({"lift": [1, 2]}, InputError, "not a number"),
        ({"lift": np.nan}, InputError, "angle of 'lift' is nan"),
    ],
)
def test_named_angles_that_cannot_be_meant_are_refused(
    named: dict[str, object], error: type[Exception], reason: str
) -> None:
    """Unknown names, mimic joints and things that are no numbers raise in our own words."""
    with pytest.raises(error, match=reason):
        crane().angles_from(named)


def test_a_skeleton_introduces_itself() -> None:
    """The representation says how many joints there are and which can be moved."""
    assert repr(crane()) == "<Skeleton 'crane': 7 joints, 4 degrees of freedom (turn, lift, reach, left claw)>"
    assert repr(SkeletonBuilder("stone").build()) == "<Skeleton 'stone': 0 joints, 0 degrees of freedom>"


def test_the_limits_of_what_turns_freely_are_infinite() -> None:
    """Limits, speeds and rest come in the order of the degrees of freedom."""
    skeleton: Skeleton = crane()
    np.testing.assert_array_equal(skeleton.lower, [-np.inf, -1.5, 0.1, 0.0])
    np.testing.assert_array_equal(skeleton.upper, [np.inf, 0.5, 0.8, 0.9])
    np.testing.assert_array_equal(skeleton.speed, [2.0, np.inf, 0.3, np.inf])
    np.testing.assert_array_equal(skeleton.rest, [0.0, 0.0, 0.1, 0.0])
