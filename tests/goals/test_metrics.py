"""The measures users judge poses by, against twins made of matrices on the paper's skeletons."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray
from gestik.model.skeleton import Skeleton
from tests.reference import forward_twin, measures_twin
from tests.reference.forward_twin import chain_segments, named_frame

LETTERS = "ABCDEFG"


def two_postures(letter: str) -> tuple[Skeleton, FloatArray, FloatArray, FloatArray]:
    """One of the paper's skeletons, two random postures of it, and a random orientation."""
    skeleton = gk.evaluation.skeleton(letter)
    drawn = gk.evaluation.random_set(skeleton, 2, seed=ord(letter))
    return skeleton, drawn.postures[0], drawn.postures[1], drawn.orientations[0]


@pytest.mark.parametrize("letter", LETTERS)
def test_the_orientation_error_is_the_papers(letter: str) -> None:
    """Plain, symmetric about the bone, and symmetric about a named axis."""
    skeleton, angles, _, wanted = two_postures(letter)
    end = named_frame(skeleton, angles, "end")[:3, :3]
    target = measures_twin.rotation_matrix(wanted)
    for symmetric, axis in ((None, None), (False, None), (True, (0, 1, 0)), ("x", (1, 0, 0))):
        found = gk.metrics.orientation_error(skeleton, angles, "end", wanted, symmetric)
        assert found == pytest.approx(float(measures_twin.orientation_measure(end, target, axis)), abs=1e-9)


@pytest.mark.parametrize("aggravation", [1.0, 1.7])
@pytest.mark.parametrize("letter", LETTERS)
def test_the_posture_error_is_the_papers(letter: str, aggravation: float) -> None:
    """Over the joints that bend, from the root bone at rest."""
    skeleton, angles, posture, _ = two_postures(letter)
    ours, theirs = (chain_segments(skeleton, q, "end") for q in (angles, posture))
    expected = measures_twin.posture_measure(
        ours.directions[ours.bends], theirs.directions[theirs.bends], ours.base, aggravation
    )
    found = gk.metrics.posture_error(skeleton, angles, posture, "end", aggravation)
    assert found == pytest.approx(float(expected), rel=1e-10)
    assert gk.metrics.posture_error(skeleton, angles, gk.Posture(posture), "end", aggravation) == found
    assert gk.metrics.posture_error(skeleton, posture, posture, "end") == 0.0


@pytest.mark.parametrize("letter", LETTERS)
def test_the_shape_error_is_the_mean_angle_between_bones(letter: str) -> None:
    """In degrees, after the best turn about the vertical; turning away changes nothing."""
    skeleton, angles, posture, _ = two_postures(letter)
    ours, theirs = (chain_segments(skeleton, q, "end").directions for q in (angles, posture))
    expected = measures_twin.shape_error(ours, theirs, skeleton.up)
    found = gk.metrics.shape_error(skeleton, angles, posture, "end")
    assert found == pytest.approx(float(expected), rel=1e-9)
    turned = angles.copy()
    turned[0] += 0.7
    assert gk.metrics.shape_error(skeleton, turned, posture, "end") == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize("letter", LETTERS)
def test_a_posture_given_by_places_is_the_posture_given_by_angles(letter: str) -> None:
    """One place for each joint, and one for the end; without the end nothing is said of the last bone."""
    skeleton, angles, posture, _ = two_postures(letter)
    pose = skeleton.forward(posture)
    places = np.vstack((pose.positions, pose.of("end").position))
    for measure in (gk.metrics.posture_error, gk.metrics.shape_error):
        by_angles = measure(skeleton, angles, posture, "end")
        by_places = measure(skeleton, angles, gk.Posture(positions=places), "end")
        assert by_places == pytest.approx(by_angles, rel=1e-9)
    ours, theirs = (chain_segments(skeleton, q, "end").directions[:-1] for q in (angles, posture))
    expected = measures_twin.shape_error(ours, theirs, skeleton.up)
    short = gk.Posture(positions=pose.positions)
    assert gk.metrics.shape_error(skeleton, angles, short, "end") == pytest.approx(float(expected), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_aim_error_is_the_angle_to_the_target(seed: int) -> None:
    """From where the eye is, which is not where its joint is; along a direction the place does not matter."""
    lamp = gk.load("lamp")
    rng = np.random.default_rng(seed)
    angles, point = rng.uniform(lamp.lower, lamp.upper), rng.normal(size=3)
    found = gk.metrics.aim_error(lamp, angles, "eye", at=point)
    assert found == pytest.approx(forward_twin.looking_error(lamp, angles, "eye", point), rel=1e-9)
    place = named_frame(lamp, angles, "eye")
    along = gk.metrics.aim_error(lamp, angles, "eye", along=point - place[:3, 3])
    assert along == pytest.approx(found, rel=1e-9)
    head = named_frame(lamp, angles, "head")
    looking, gap = head[:3, :3] @ (0, 0, 1), point - head[:3, 3] - head[:3, :3] @ (0.1, 0, 0)
    expected = np.arctan2(np.linalg.norm(np.cross(looking, gap)), looking @ gap)
    told = gk.metrics.aim_error(lamp, angles, "head", at=point, axis="z", eye=(0.1, 0, 0))
    assert told == pytest.approx(float(expected), rel=1e-9)


def test_one_pose_is_judged_by_one_target() -> None:
    """A batch is refused in words; so is a posture of another skeleton."""
    lamp = gk.load("lamp")
    with pytest.raises(InputError, match="2 targets are given"):
        gk.metrics.aim_error(lamp, lamp.rest, "eye", at=np.ones((2, 3)))
    with pytest.raises(InputError, match="3 targets are given"):
        gk.metrics.orientation_error(lamp, lamp.rest, "eye", np.ones((3, 4)))
    with pytest.raises(InputError, match="2 postures are given"):
        gk.metrics.shape_error(lamp, lamp.rest, gk.Posture(positions=np.ones((2, lamp.joint_count, 3))), "eye")
    with pytest.raises(InputError, match="9 points does not fit 'lamp': give one for each of its 5"):
        gk.metrics.shape_error(lamp, lamp.rest, gk.Posture(positions=np.ones((9, 3))), "eye")
    with pytest.raises(InputError, match="3 angles does not fit 'lamp'"):
        gk.metrics.posture_error(lamp, lamp.rest, (0.0, 0.0, 0.0), "eye")
