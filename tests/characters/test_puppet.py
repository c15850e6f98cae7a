"""The puppet: a small humanoid whose numbers say the same as its pictures."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.formats.load import load_character
from gestik.kernels.arrays import FloatArray
from gestik.model.character import Character
from gestik.model.joints import JointKind
from gestik.pictures.figure import figure
from gestik.pictures.solids import rotation_matrix
from tests.characters.silhouettes import most_alike

MOODS = ("neutral", "curious", "sad", "proud", "shy", "alert", "cheerful", "thoughtful", "waving", "running")
LIMBS = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")
MIRROR = np.array([1.0, -1.0, 1.0])


@pytest.fixture(scope="module")
def puppet() -> Character:
    """The bundled character."""
    return load_character("puppet")


def angles(puppet: Character, mood: str) -> FloatArray:
    """The angles [dof, rad or m] of a mood."""
    return puppet.posture(mood).angles_for(puppet.skeleton)


def place(puppet: Character, mood: str, frame: str) -> FloatArray:
    """Where a frame is in a mood [m]."""
    return puppet.skeleton.forward(angles(puppet, mood)).of(frame).position


def mirrored(puppet: Character, posed: FloatArray) -> FloatArray:
    """The same angles as in a looking glass: left and right swapped, turns about x and z and ways along y negated."""
    named = {}
    for name, angle in puppet.skeleton.named(posed).items():
        swapped = name.replace("left", "RIGHT").replace("right", "left").replace("RIGHT", "right")
        named[swapped] = -angle if name.endswith((".x", ".z", ".ty")) else angle
    return puppet.skeleton.angles_from(named)


def test_it_is_a_small_humanoid_on_a_free_root(puppet: Character) -> None:
    """Four limbs, a trunk, a head with an eye, and the frames people ask for."""
    skeleton = puppet.skeleton
    assert skeleton.joint_kinds[0] is JointKind.FREE
    assert skeleton.joint_names[:5] == ("pelvis", "spine", "chest", "neck", "head")
    for side in ("left", "right"):
        assert {f"{side}_{limb}" for limb in LIMBS} <= set(skeleton.joint_names)
        assert {f"{side}_hand", f"{side}_foot"} <= set(skeleton.frame_names)
    assert len(skeleton.chains()) == 5
    assert puppet.eye == "eye"
    assert skeleton.frame("eye").axis == (1.0, 0.0, 0.0)


def test_at_zero_it_stands_straight_on_both_soles(puppet: Character) -> None:
    """Every frame is turned as the world is, and the puppet is about as tall as the lamp."""
    pose = puppet.skeleton.forward(np.zeros(puppet.skeleton.dof_count))
    np.testing.assert_allclose(np.abs(pose.rotations[:, 0]), 1.0, atol=1e-12)
    for side in ("left", "right"):
        assert pose.of(f"{side}_foot").position[2] == pytest.approx(0.0, abs=1e-12)
    top = max(part.mesh.vertices[:, 2].max() for part in figure(puppet.skeleton, np.zeros(puppet.skeleton.dof_count)))
    assert 0.4 < top < 0.5


def test_left_mirrors_right(puppet: Character) -> None:
    """Limits, and where everything goes."""
    skeleton = puppet.skeleton
    bounded = np.isfinite(skeleton.upper)
    np.testing.assert_allclose(mirrored_limits(puppet)[bounded], skeleton.upper[bounded], atol=1e-12)
    random = np.random.default_rng(7)
    lower, upper = np.where(bounded, skeleton.lower, -0.5), np.where(bounded, skeleton.upper, 0.5)
    for _ in range(10):
        ours = random.uniform(lower, upper)
        theirs = mirrored(puppet, ours)
        for name in ("eye", "left_hand", "left_foot"):
            position = skeleton.forward(ours).of(name).position
            opposite = skeleton.forward(theirs).of(name.replace("left", "right")).position
            np.testing.assert_allclose(opposite, position * MIRROR, atol=1e-12)


def mirrored_limits(puppet: Character) -> FloatArray:
    """The upper limits of the looking glass: where the sign turns, lower ones with their sign changed."""
    skeleton = puppet.skeleton
    lower, upper = (np.where(np.isfinite(bound), bound, 0.0) for bound in (skeleton.lower, skeleton.upper))
    turned = mirrored(puppet, np.ones(skeleton.dof_count)) < 0.0
    return np.where(turned, mirrored(puppet, lower), mirrored(puppet, upper))


def test_it_knows_the_moods_and_can_reach_all_of_them(puppet: Character) -> None:
    """Nothing an animator drew for it breaks its limits."""
    assert set(MOODS) <= set(puppet.postures)
    for mood in puppet.postures:
        assert not puppet.skeleton.limit_excess(angles(puppet, mood)), mood


def test_in_every_mood_it_touches_the_ground_and_does_not_sink_into_it(puppet: Character) -> None:
    """Its lowest point is a hair above the ground."""
    for mood in puppet.postures:
        lowest = min(part.mesh.vertices[:, 2].min() for part in figure(puppet.skeleton, angles(puppet, mood)))
        assert -1e-6 < lowest < 1e-3, mood


def test_standing_moods_stand_on_both_feet_under_the_body(puppet: Character) -> None:
    """Soles on the ground, and the pelvis between them."""
    for mood in ("neutral", "curious", "sad", "proud", "shy", "alert", "cheerful", "thoughtful", "waving"):
        left, right = place(puppet, mood, "left_foot"), place(puppet, mood, "right_foot")
        assert max(left[2], right[2]) < 2e-3, mood
        middle = place(puppet, mood, "chest")[:2] - 0.5 * (left + right)[:2]
        assert np.abs(middle).max() < 0.06, mood


def test_every_mood_looks_forward(puppet: Character) -> None:
    """Within 45 degrees of +x, seen from above, so that a change of mood does not look away."""
    for mood in puppet.postures:
        eye = puppet.skeleton.forward(angles(puppet, mood)).of("eye")
        looking = rotation_matrix(eye.rotation) @ np.array([1.0, 0.0, 0.0])
        assert looking[0] / np.linalg.norm(looking[:2]) > 0.7, mood


def test_moods_are_what_they_are_called(puppet: Character) -> None:
    """Cheerful has its hands up, thoughtful one at its chin, alert one at its brow, proud both at its hips."""
    chin = {mood: place(puppet, mood, "head") for mood in puppet.postures}
    for side in ("left", "right"):
        assert place(puppet, "cheerful", f"{side}_hand")[2] > chin["cheerful"][2] + 0.06
        assert np.linalg.norm(place(puppet, "proud", f"{side}_hand") - place(puppet, "proud", f"{side}_hip")) < 0.06
        assert place(puppet, "curious", f"{side}_hand")[0] < place(puppet, "curious", "chest")[0] - 0.03
    assert np.linalg.norm(place(puppet, "thoughtful", "right_hand") - chin["thoughtful"]) < 0.06
    assert np.linalg.norm(place(puppet, "alert", "right_hand") - place(puppet, "alert", "eye")) < 0.06
    assert place(puppet, "waving", "left_hand")[2] > chin["waving"][2] > place(puppet, "waving", "right_hand")[2]
    assert place(puppet, "sleepy", "pelvis")[2] < 0.08
    assert place(puppet, "sad", "eye")[2] < place(puppet, "neutral", "eye")[2] - 0.02
    assert place(puppet, "running", "left_foot")[2] > 0.05
    assert place(puppet, "playful", "left_foot")[2] > 0.1


def test_no_two_moods_look_alike(puppet: Character) -> None:
    """From the front, each covers another part of the picture than each: a tenth of the figure or more."""
    difference, one, other = most_alike(puppet)
    assert difference > 0.1, (one, other)
