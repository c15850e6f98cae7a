"""The lamp: its joints, its eye, and moods one recognises by their numbers as well."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.formats.load import load, load_character
from gestik.kernels.arrays import FloatArray
from gestik.model.character import Character
from gestik.pictures.figure import figure
from gestik.pictures.solids import rotation_matrix
from tests.characters.silhouettes import most_alike

MOODS = ("neutral", "curious", "sad", "proud", "shy", "alert")
FORWARD = np.array([1.0, 0.0, 0.0])


@pytest.fixture(scope="module")
def lamp() -> Character:
    """The bundled character."""
    return load_character("lamp")


def angles(lamp: Character, mood: str) -> FloatArray:
    """The angles [dof, rad] of a mood."""
    return lamp.posture(mood).angles_for(lamp.skeleton)


def gaze(lamp: Character, posed: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where the eye is [m] and where it looks, in the world."""
    eye = lamp.skeleton.forward(posed).of("eye")
    return eye.position, rotation_matrix(eye.rotation) @ np.array(lamp.skeleton.frame("eye").axis)


def test_it_has_five_joints_from_twist_to_twist(lamp: Character) -> None:
    """Root twist, two pitches, one roll, head twist."""
    assert load("lamp").dof_names == lamp.skeleton.dof_names
    assert lamp.skeleton.dof_names == ("base", "shoulder", "elbow", "neck", "head")
    expected = [[0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]
    np.testing.assert_array_equal(lamp.skeleton.arrays.axis, expected)


def test_at_zero_it_is_a_straight_vertical_arm_of_the_size_of_a_desk_lamp(lamp: Character) -> None:
    """Every bone points straight up, and ends where the next one begins."""
    skeleton = lamp.skeleton
    np.testing.assert_array_equal(skeleton.segments[:, :2], 0.0)
    assert (skeleton.segments[:, 2] > 0.02).all()
    positions = skeleton.forward(np.zeros(5)).positions
    np.testing.assert_allclose(np.diff(positions, axis=0), skeleton.segments[:-1], atol=1e-15)
    assert 0.45 <= positions[-1, 2] + skeleton.segments[-1, 2] <= 0.5


def test_limits_are_mirrored_and_speeds_lively(lamp: Character) -> None:
    """A lamp has no better side; it turns at 4 to 7 radians a second."""
    np.testing.assert_array_equal(lamp.skeleton.lower, -lamp.skeleton.upper)
    assert ((lamp.skeleton.speed >= 4.0) & (lamp.skeleton.speed <= 7.0)).all()


def test_the_eye_is_beside_the_axis_its_head_turns_about(lamp: Character) -> None:
    """An eye on that axis would hide every mistake with the offset: turning the head must move the gaze."""
    assert lamp.eye == "eye"
    turned = np.zeros(5)
    turned[-1] = np.pi / 2
    (before, looking), (after, _) = gaze(lamp, np.zeros(5)), gaze(lamp, turned)
    assert np.linalg.norm(after - before) > 0.01
    np.testing.assert_allclose(looking, [0.0, 0.0, 1.0], atol=1e-15)


def test_turning_left_mirrors_turning_right(lamp: Character) -> None:
    """Negating the turns about x and z mirrors everything in the plane the lamp looks along."""
    mirror = np.array([1.0, -1.0, 1.0])
    random = np.random.default_rng(2)
    for _ in range(20):
        right = random.uniform(lamp.skeleton.lower, lamp.skeleton.upper)
        left = right * np.array([-1.0, 1.0, 1.0, -1.0, -1.0])
        ours, theirs = lamp.skeleton.forward(right).positions, lamp.skeleton.forward(left).positions
        np.testing.assert_allclose(ours, theirs * mirror, atol=1e-12)
        for one, other in zip(gaze(lamp, right), gaze(lamp, left), strict=True):
            np.testing.assert_allclose(one, other * mirror, atol=1e-12)


def test_it_knows_the_moods_and_can_reach_all_of_them(lamp: Character) -> None:
    """Nothing an animator drew for it breaks its limits."""
    assert set(MOODS) <= set(lamp.postures)
    for mood in lamp.postures:
        posed = angles(lamp, mood)
        assert (posed >= lamp.skeleton.lower).all(), mood
        assert (posed <= lamp.skeleton.upper).all(), mood


def test_in_no_mood_does_it_sink_into_the_table(lamp: Character) -> None:
    """Its lowest point is its foot."""
    for mood in lamp.postures:
        lowest = min(part.mesh.vertices[:, 2].min() for part in figure(lamp.skeleton, angles(lamp, mood)))
        assert lowest > -1e-6, mood


def test_every_mood_but_the_drooping_ones_looks_forward(lamp: Character) -> None:
    """Within 60 degrees of +x, seen from above, so that a change of mood does not look away."""
    for mood in lamp.postures:
        _, looking = gaze(lamp, angles(lamp, mood))
        heading = looking[:2] / np.linalg.norm(looking[:2])
        assert heading[0] > 0.5, mood


def test_moods_are_what_they_are_called(lamp: Character) -> None:
    """Sad hangs its head, proud lifts it, alert is tall and level, shy is small, curious leans in with a tilt."""
    eyes = {mood: gaze(lamp, angles(lamp, mood)) for mood in MOODS}
    height = {mood: float(position[2]) for mood, (position, _) in eyes.items()}
    upwards = {mood: float(looking[2]) for mood, (_, looking) in eyes.items()}
    assert upwards["sad"] < -0.6
    assert height["sad"] == min(height.values())
    assert upwards["proud"] > 0.4
    assert min(height["proud"], height["alert"]) > 1.3 * max(height[mood] for mood in ("neutral", "sad", "shy"))
    assert abs(upwards["alert"]) < 0.15
    assert -0.5 < upwards["neutral"] < -0.05
    assert height["shy"] < 0.2
    assert eyes["curious"][0][0] > 1.5 * max(eyes[mood][0][0] for mood in ("neutral", "proud", "shy", "alert"))
    assert abs(brow_tilt(lamp, "curious")) > 20.0
    assert abs(brow_tilt(lamp, "alert")) < 5.0


def brow_tilt(lamp: Character, mood: str) -> float:
    """How far the head leans to one side [degrees]: the brow marks the side of it that belongs on top."""
    head = rotation_matrix(lamp.skeleton.forward(angles(lamp, mood)).of("head").rotation)
    return float(np.degrees(np.arcsin(head[2, 1])))


def test_no_two_moods_look_alike(lamp: Character) -> None:
    """From the front, each covers another part of the picture than each: a tenth of the figure or more."""
    difference, one, other = most_alike(lamp)
    assert difference > 0.1, (one, other)


def test_its_clips_stay_within_limits_and_above_the_table(lamp: Character) -> None:
    """Two motions that a robot could play as they are."""
    assert set(lamp.clips) == {"nod", "wake"}
    for name, clip in lamp.clips.items():
        assert (clip.angles >= lamp.skeleton.lower).all(), name
        assert (clip.angles <= lamp.skeleton.upper).all(), name
        speeds = np.abs(np.diff(clip.angles, axis=0)) / np.diff(clip.times)[:, None]
        assert (speeds <= lamp.skeleton.speed).all(), name
        for posed in clip.angles[::20]:
            lowest = min(part.mesh.vertices[:, 2].min() for part in figure(lamp.skeleton, posed))
            assert lowest > -1e-6, name


def test_nodding_moves_the_gaze_down_and_up_and_ends_as_it_began(lamp: Character) -> None:
    """Twice down, and back in the posture it came from."""
    nod = lamp.clip("nod")
    np.testing.assert_allclose(nod.angles[0], angles(lamp, "neutral"), atol=1e-12)
    np.testing.assert_allclose(nod.angles[-1], angles(lamp, "neutral"), atol=1e-12)
    upwards = np.array([gaze(lamp, posed)[1][2] for posed in nod.angles])
    turns = np.diff(np.sign(np.diff(upwards)))
    assert (turns > 0).sum() == 2
    assert np.ptp(upwards) > 0.3
