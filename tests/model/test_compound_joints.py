"""Ball and free joints: one joint, several rows, and angles by name."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest

import gestik as gk
from gestik.errors import ModelError
from gestik.model.builder import SkeletonBuilder
from gestik.model.euler import CONVENTIONS
from gestik.model.joints import JointKind, Mimic
from gestik.model.scaling import scaled_skeleton
from gestik.model.skeleton import Skeleton
from tests.model.samples import assert_sound, random_angles
from tests.reference.forward_twin import named_frame
from tests.reference.measures_twin import rotation_matrix, turn_matrix

QUARTER_Z = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))


def walker_builder() -> SkeletonBuilder:
    """A pelvis free in the world, a hip that is a ball, a knee, and a tail that is a ball of another convention."""
    builder = SkeletonBuilder("walker", up="z")
    builder.joint("pelvis", kind="free", position=(0, 0, 1), rotation=QUARTER_Z, speed=[1, 1, 1, 2, 2, 2])
    builder.joint(
        "hip",
        kind="ball",
        parent="pelvis",
        convention="XYZ",
        position=(0, 0.1, 0),
        lower=(-1, -0.5, -np.inf),
        upper=(2, 0.5, np.inf),
        rest=(0.25, 0, 0),
        speed=3.0,
    )
    builder.joint("knee", kind="revolute", axis="y", parent="hip", position=(0, 0, -0.4), lower=0, upper=2.5)
    builder.joint("tail", kind="ball", parent="pelvis", convention="ZXZ", position=(-0.2, 0, 0))
    builder.frame("foot", parent="knee", position=(0, 0, -0.4))
    return builder


@pytest.fixture
def walker() -> Skeleton:
    """The walker, built."""
    return walker_builder().build()


def test_every_motion_of_a_compound_joint_is_a_degree_of_freedom_with_a_name(walker: Skeleton) -> None:
    """A ball joint has three, a free one six; a letter that comes twice gets a 2."""
    assert_sound(walker)
    assert walker.joint_names == ("pelvis", "hip", "knee", "tail")
    free = tuple(f"pelvis.{label}" for label in ("tx", "ty", "tz", "z", "y", "x"))
    assert walker.dof_names == (*free, "hip.x", "hip.y", "hip.z", "knee", "tail.z", "tail.x", "tail.z2")
    assert walker.joint_kinds == (JointKind.FREE, JointKind.BALL, JointKind.REVOLUTE, JointKind.BALL)
    assert walker.dof_slides.tolist() == [True] * 3 + [False] * 10


def test_rows_belong_to_joints_and_joints_sit_on_joints(walker: Skeleton) -> None:
    """Each joint's rows stand together, its last one carries its frame."""
    assert walker.joint_ends.tolist() == [5, 8, 9, 12]
    assert walker.row_joints.tolist() == [0] * 6 + [1] * 3 + [2] + [3] * 3
    assert walker.parents.tolist() == [-1, 0, 1, 0]
    assert walker.frame("hip").row == 8
    np.testing.assert_allclose(walker.segments, [(0, 0.1, 0), (0, 0, -0.4), (0, 0, -0.4), (0, 0, 0)])
    assert walker.arrays.parent.tolist() == [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 5, 10, 11]


def test_limits_rest_and_speed_come_one_for_each_motion(walker: Skeleton) -> None:
    """None means unlimited, at 0, at any speed."""
    hip = slice(6, 9)
    assert walker.lower[hip].tolist() == [-1, -0.5, -np.inf]
    assert walker.upper[hip].tolist() == [2, 0.5, np.inf]
    assert walker.rest[hip].tolist() == [0.25, 0, 0]
    assert walker.speed.tolist() == [1, 1, 1, 2, 2, 2, 3, 3, 3, np.inf, np.inf, np.inf, np.inf]
    assert np.isinf(walker.lower[:6]).all()
    assert not walker.rest[:6].any()


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_ball_joint_turns_about_its_axes_one_after_the_other(convention: str) -> None:
    """R = R_A(a) R_B(b) R_C(c), each axis carried along by the turns before it, for all twelve conventions."""
    builder = SkeletonBuilder("one")
    builder.joint("hip", kind="ball", convention=convention, rotation=QUARTER_Z)
    angles = (0.7, -1.1, 2.3)
    expected = turn_matrix((0, 0, 1), np.pi / 2)
    for letter, angle in zip(convention, angles, strict=True):
        expected = expected @ turn_matrix(np.eye(3)["XYZ".index(letter)], angle)
    pose = builder.build().forward(angles)
    np.testing.assert_allclose(rotation_matrix(pose.rotations[0]), expected, atol=1e-12)


def test_a_free_joint_slides_along_its_rest_frame_and_then_turns(walker: Skeleton) -> None:
    """It starts a quarter turn about z: its x is the world's y."""
    angles = np.zeros(walker.dof_count)
    angles[:4] = 2.0, 3.0, 4.0, 0.5
    pelvis = walker.forward(angles).of("pelvis")
    np.testing.assert_allclose(pelvis.position, (-3.0, 2.0, 5.0), atol=1e-12)
    np.testing.assert_allclose(rotation_matrix(pelvis.rotation), turn_matrix((0, 0, 1), np.pi / 2 + 0.5), atol=1e-12)


def test_every_frame_is_where_matrices_put_it(walker: Skeleton) -> None:
    """The pose by joints and by names agrees with 4x4 matrices along the rows."""
    angles = random_angles(walker, np.random.default_rng(5))
    pose = walker.forward(angles)
    assert pose.positions.shape == (4, 3)
    for joint, name in enumerate(walker.joint_names):
        np.testing.assert_allclose(pose.positions[joint], named_frame(walker, angles, name)[:3, 3], atol=1e-12)
    np.testing.assert_allclose(pose.of("foot").position, named_frame(walker, angles, "foot")[:3, 3], atol=1e-12)


def test_a_pickled_walker_is_the_same_walker(walker: Skeleton) -> None:
    """Joints, rows and names survive."""
    twin = pickle.loads(pickle.dumps(walker))
    assert_sound(twin)
    assert twin.dof_names == walker.dof_names
    np.testing.assert_array_equal(twin.parents, walker.parents)


def test_a_scaled_walker_takes_longer_steps_and_turns_the_same(walker: Skeleton) -> None:
    """Slides of the free joint, their limits and speeds grow, its turns do not."""
    giant = scaled_skeleton(walker, 10.0)
    angles = random_angles(walker, np.random.default_rng(6))
    grown = np.where(walker.dof_slides, 10.0, 1.0) * angles
    small, large = walker.forward(angles), giant.forward(grown)
    np.testing.assert_allclose(large.positions, 10.0 * small.positions, atol=1e-12)
    np.testing.assert_allclose(large.rotations, small.rotations, atol=1e-12)
    assert giant.speed[:6].tolist() == [10, 10, 10, 2, 2, 2]


def test_poise_aims_along_a_chain_that_begins_with_a_ball_joint() -> None:
    """Three rows of a ball are three joints of a serial chain."""
    builder = SkeletonBuilder("arm")
    limits = {"lower": (-2, -1, -2), "upper": (2, 1, 2)}
    builder.joint("shoulder", kind="ball", convention="ZYX", **limits)
    builder.joint("elbow", kind="revolute", parent="shoulder", axis="y", position=(1, 0, 0), lower=-2, upper=0)
    builder.frame("hand", parent="elbow", position=(1, 0, 0))
    arm = builder.build()
    wanted = arm.forward([0.6, -0.4, 0.3, -0.9]).of("hand").position
    solution = gk.solve(arm, [gk.Position("hand", wanted), gk.Posture(arm.rest)])
    assert solution.reached
    np.testing.assert_allclose(arm.forward(solution.angles).of("hand").position, wanted, atol=1e-4)


Mistake = Callable[[SkeletonBuilder], object]

# Each is made on a good walker; the text is part of the one fault it must cause.
MISTAKES: dict[str, tuple[Mistake, str]] = {
    "axis of a ball": (
        lambda b: b.joint("x", kind="ball", axis="z"),
        "joint 'x': a ball joint moves in several ways and has no axis",
    ),
    "convention of a hinge": (
        lambda b: b.joint("x", kind="continuous", axis="z", convention="XYZ"),
        "joint 'x': a continuous joint moves in one way and has no convention",
    ),
    "unknown convention": (lambda b: b.joint("x", kind="ball", convention="XXY"), "is 'XXY', not one of XYX, XYZ, XZX"),
    "convention in small letters": (lambda b: b.joint("x", kind="ball", convention="xyz"), "is 'xyz', not one of"),
    "one limit": (lambda b: b.joint("x", kind="ball", lower=-1.0), "joint 'x': lower is -1.0, not 3 numbers"),
    "three limits of six": (lambda b: b.joint("x", kind="free", upper=(1, 1, 1)), "upper is (1, 1, 1), not 6 numbers"),
    "NaN among limits": (lambda b: b.joint("x", kind="ball", upper=(1, np.nan, 1)), "joint 'x': upper is NaN"),
    "inverted limits": (
        lambda b: b.joint("x", kind="ball", lower=(0, 1, 0), upper=(1, 0, 1)),
        "joint 'x': y: lower limit 1 rad (57.2958 deg) is above upper limit 0 rad",
    ),
    "rest outside": (
        lambda b: b.joint("x", kind="free", lower=(0,) * 6, upper=(1,) * 6, rest=(0, 2, 0, 0, 0, 0)),
        "joint 'x': ty: rest 2 m is outside its limits, 0 m to 1 m",
    ),
    "infinite rest": (lambda b: b.joint("x", kind="ball", rest=(np.inf, 0, 0)), "joint 'x': rest is infinite"),
    "negative speed": (lambda b: b.joint("x", kind="ball", speed=-1.0), "joint 'x': speed is -1, below 0"),
    "one speed for slides and turns": (lambda b: b.joint("x", kind="free", speed=1.0), "speed is 1.0, not 6 numbers"),
    "ball that mimics": (
        lambda b: b.joint("x", kind="ball", mimic=Mimic("knee")),
        "joint 'x': a ball joint moves in several ways and has no mimic",
    ),
    "mimic of a ball": (
        lambda b: b.joint("x", kind="continuous", axis="x", mimic=Mimic("hip")),
        "joint 'x': mimic follows 'hip', which moves in several ways",
    ),
    "joint called as a motion": (
        lambda b: b.joint("hip.z", kind="continuous", axis="x"),
        "joint 'hip.z': 'hip' has a degree of freedom of that name",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_with_a_compound_joint_is_one_fault(mistake: str) -> None:
    """A good walker with one mistake raises one fault, in words that say where and what."""
    make, expected = MISTAKES[mistake]
    builder = walker_builder()
    make(builder)
    with pytest.raises(ModelError) as caught:
        builder.build()
    assert len(caught.value.faults) == 1, caught.value.faults
    assert expected in caught.value.faults[0]
