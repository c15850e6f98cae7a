"""One body plays what another did: limbs point the same way, feet stand, and where the clip begins does not matter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gestik.errors import InputError, NameNotFoundError
from gestik.formats.load import load_clips
from gestik.model.builder import SkeletonBuilder
from gestik.model.clip import Clip
from gestik.model.skeleton import Skeleton
from gestik.motion.limb_map import LimbMap, find_landmarks, match_limbs
from gestik.motion.retarget import retarget
from tests.formats.shared_data import shared_file
from tests.motion.bodies import doll, robot

BONES = [("thigh", "shin"), ("shin", "foot"), ("upper arm", "forearm"), ("forearm", "hand")]
# From y up, as the doll has it, to z up: what leads one up to the other by the shortest turn.
TO_Z_UP = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])


def dance(body: Skeleton, count: int = 60) -> Clip:
    """Knees and elbows bend, arms and head swing, the body turns and travels; smooth, and within the doll's limits."""
    times = np.arange(count) / 60.0
    angles = np.tile(body.rest, (count, 1))
    rng = np.random.default_rng(8)
    for dof, name in enumerate(body.dof_names):
        if body.dof_slides[dof]:
            angles[:, dof] += 0.2 * times if name.endswith("tx") else 0.05 * np.sin(3 * times)
            continue
        size, phase = 0.35 * rng.uniform(0.5, 1.0), rng.uniform(0, 6)
        wave = size * np.sin(2.5 * times + phase)
        middle = body.lower[dof] + 0.6 if np.isfinite(body.lower[dof]) and body.lower[dof] >= -0.1 else 0.0
        angles[:, dof] = middle + wave
    return Clip("dance", body, times, angles)


def directions(clip: Clip, limbs: LimbMap, which: int) -> dict[str, np.ndarray]:
    """Where the bones of the limbs point, at every frame."""
    poses = [clip.skeleton.forward(angles) for angles in clip.angles]
    found = {}
    for side in ("left", "right"):
        for start, end in BONES:
            a, b = limbs[f"{side} {start}"][which], limbs[f"{side} {end}"][which]
            bone = np.array([pose.of(b).position - pose.of(a).position for pose in poses])
            found[f"{side} {start}"] = bone / np.linalg.norm(bone, axis=1, keepdims=True)
    return found


def assert_alike(clip: Clip, played: Clip, limbs: LimbMap, degrees: float, turn: np.ndarray) -> None:
    """Check that all limbs point as the source's do."""
    new = directions(played, limbs, 1)
    for name, bone in directions(clip, limbs, 0).items():
        off = np.degrees(np.arccos(np.clip((bone @ turn.T * new[name]).sum(axis=1), -1, 1)))
        assert off.max() < degrees, f"{name}: {off.max()} degrees"


def test_on_its_own_body_a_clip_is_what_it_was() -> None:
    """Where nothing has to give way, every limb points where it did, to a hundredth of a degree, and hips go along."""
    body = doll()
    clip = dance(body)
    played = retarget(clip, body, feet=False)
    limbs = match_limbs(body, body)
    assert_alike(clip, played, limbs, 0.01, np.eye(3))
    for before, after in zip(clip.angles, played.angles, strict=True):
        there = body.forward(after).of("pelvis").position
        np.testing.assert_allclose(there, body.forward(before).of("pelvis").position, atol=1e-9)


def test_a_robot_of_hinges_with_another_up_points_its_limbs_as_the_doll_does(tmp_path: Path) -> None:
    """Three hinges do what a ball did, to six degrees where they are singular; limits hold, and the way is scaled."""
    clip, body = dance(doll()), robot(tmp_path)
    played = retarget(clip, body, feet=False)
    assert_alike(clip, played, match_limbs(clip.skeleton, body), 6.0, TO_Z_UP)
    assert not any(body.limit_excess(angles) for angles in played.angles)
    travels = [np.ptp(c.angles[:, c.skeleton.dof_slides], axis=0).max() for c in (clip, played)]
    assert travels[1] == pytest.approx(travels[0], rel=0.02)


def test_where_a_body_cannot_travel_it_moves_on_the_spot() -> None:
    """Seen from hips that stand still, limbs point as they do seen from the source's hips."""
    builder = SkeletonBuilder("bust", up="y")
    builder.joint("hips", kind="fixed", position=(0, 1, 0))
    for side, sign in (("left", 1), ("right", -1)):
        builder.joint(f"{side} thigh", kind="ball", parent="hips", position=(0.1 * sign, 0, 0))
        builder.joint(f"{side} shin", kind="ball", parent=f"{side} thigh", position=(0, -0.4, 0))
        builder.joint(f"{side} foot", kind="ball", parent=f"{side} shin", position=(0, -0.4, 0))
    bust = builder.build()
    clip = dance(doll(), 20)
    limbs = match_limbs(clip.skeleton, bust)
    limbs["hips"] = ("pelvis", "hips")
    played = retarget(clip, bust, limbs=limbs)
    for before, after in zip(clip.angles, played.angles, strict=True):
        pose, other = clip.skeleton.forward(before), bust.forward(after)
        seen = _unit(pose.of("left shin").position - pose.of("left thigh").position)
        w, *v = pose.of("pelvis").rotation
        local = seen - 2 * np.cross(v, w * seen - np.cross(v, seen))
        np.testing.assert_allclose(
            _unit(other.of("left shin").position - other.of("left thigh").position), local, atol=1e-4
        )


def _unit(vector: np.ndarray) -> np.ndarray:
    """Its direction."""
    return vector / np.linalg.norm(vector)


def test_feet_of_a_session_stand_where_they_stand(tmp_path: Path) -> None:
    """While both feet of the captured actor stand, for a second, the robot's move by less than a millimetre."""
    session = load_clips(shared_file("cmu_01_01.bvh"), scale=1.7 / 26)["cmu_01_01"]
    part = Clip("part", session.skeleton, session.times[1250:1560], session.angles[1250:1560])
    body = robot(tmp_path)
    for side in ("left", "right"):
        foot = match_limbs(part.skeleton, body)[f"{side} foot"]
        sources = np.array([part.skeleton.forward(angles).of(foot[0]).position for angles in part.angles[130:250]])
        places = [body.forward(angles).of(foot[1]).position for angles in retarget(part, body).angles[130:250]]
        assert 0.005 < np.ptp(sources, axis=0).max() < 0.05
        assert np.ptp(places, axis=0).max() < 0.001


def test_a_map_is_printed_edited_and_told_what_it_lacks() -> None:
    """Entries are pairs of frames; wrong ones are refused with the nearest names, missing ones named."""
    body = doll()
    limbs = match_limbs(body, body)
    assert "left forearm     left forearm -> left forearm" in str(limbs)
    assert len(limbs) == 18
    clip = dance(body, 5)
    for name, pair, error, reason in [
        ("left thigh", ("left thing", "left thigh"), NameNotFoundError, "'left thing'; did you mean 'left thigh'"),
        ("left wing", ("left thigh", "left thigh"), NameNotFoundError, "no landmark of a body is called 'left wing'"),
        ("left thigh", "left thigh", InputError, "not a frame of the one body and one of the other"),
    ]:
        with pytest.raises(error, match=reason):
            retarget(clip, body, limbs={**limbs, name: pair})
    del limbs["right shin"], limbs["hips"]
    with pytest.raises(NameNotFoundError, match=r"no hips, no right shin is known.*limbs\[\"hips\"\] ="):
        retarget(clip, body, limbs=limbs)
    with pytest.raises(InputError, match="a Clip is expected"):
        retarget(body, body)
    with pytest.raises(InputError, match="scale is -1"):
        retarget(clip, body, scale=-1)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("mixamorig_LeftUpLeg", "mixamorig_LeftLeg", "mixamorig_LeftFoot"), "mixamorig_LeftLeg"),
        (("thigh.L", "shin.L", "foot.L"), "shin.L"),
        (("l_hip", "l_knee", "l_ankle"), "l_knee"),
        (("left_hip_pitch_joint", "left_knee_joint", "left_ankle_roll_joint"), "left_knee_joint"),
        (("LThigh", "LShin", "LFoot"), "LShin"),
        (("Bip_L_Thigh", "Bip_L_Calf", "Bip_L_Foot"), "Bip_L_Calf"),
    ],
)
def test_legs_are_found_by_the_names_rigs_and_robots_give_them(names: tuple[str, ...], expected: str) -> None:
    """Whatever the case, the side's place and the words around it."""
    builder = SkeletonBuilder("leg")
    parent = None
    for name in names:
        builder.joint(name, kind="ball", parent=parent, position=(0, 0, -0.4))
        parent = name
    found = find_landmarks(builder.build())
    assert found["left shin"] == expected
    assert (found["left thigh"], found["left foot"]) == (names[0], names[2])
