"""FABRIK with limits on bare points: the corrected algorithms pass by pass, limits kept, feasible targets reached."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import gestik as gk
from gestik.solvers.fabrik.limited import direction_of, link_angles, swing_of
from tests.kernels.trees import unit
from tests.reference.fabrik_twin import constrained_passes, direction, swing
from tests.reference.measures_twin import rotation_matrix

FloatArray = NDArray[np.float64]

ALONG_Z = np.column_stack((np.zeros(6), np.zeros(6), np.arange(6.0)))
UPRIGHT = np.tile([1.0, 0.0, 0.0, 0.0], (5, 1))
FRAMES = ("carried", "world")


def both(degrees: float) -> FloatArray:
    """Limits of so many degrees to every side."""
    return np.radians(degrees) * np.array([[-1.0, 1.0], [-1.0, 1.0]])


def laid_out(angles: FloatArray, frames: str) -> FloatArray:
    """The points of five unit links whose joints stand at these angles, all frames upright at rest."""
    points, turned = [np.zeros(3)], np.eye(3)
    for x, y in angles:
        points.append(points[-1] + turned @ direction(x, y))
        turned = turned @ swing(x, y) if frames == "carried" else turned
    return np.array(points)


def test_angles_and_directions_are_each_others_inverse() -> None:
    """Any direction, behind the joint too, comes back from its two angles; the printed pair is 11.9 degrees off."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        frame, link = unit(rng.normal(size=4)), unit(rng.normal(size=3))
        x, y = link_angles(tuple(frame), tuple(link), 0.0, 0.0)
        np.testing.assert_allclose(rotation_matrix(frame) @ direction_of(x, y), link, atol=1e-14)
        np.testing.assert_allclose(rotation_matrix(swing_of(x, y))[:, 2], direction_of(x, y), atol=1e-14)


def test_an_angle_to_the_negative_side_is_negative() -> None:
    """The direction (-0.3, -0.4, 1): printed, both angles came out positive."""
    x, y = link_angles((1.0, 0.0, 0.0, 0.0), (-0.3, -0.4, 1.0), 0.0, 0.0)
    assert x == pytest.approx(math.atan(-0.3))
    assert y == pytest.approx(math.atan2(-0.4, math.hypot(0.3, 1.0)))


@pytest.mark.parametrize("frames", FRAMES)
@pytest.mark.parametrize("seed", range(4))
def test_three_iterations_are_those_of_the_corrected_algorithm(frames: str, seed: int) -> None:
    """Random chains, frames and limits; points and angles agree with the twin's."""
    rng = np.random.default_rng(seed)
    chain = np.cumsum(rng.normal(size=(6, 3)), axis=0)
    rest = np.array([unit(rng.normal(size=4)) for _ in range(5)])
    limits = np.array([[[-a, b], [-c, d]] for a, b, c, d in rng.uniform(0.2, 1.4, (5, 4))])
    target = chain[0] + rng.normal(size=3)
    solved = gk.fabrik_constrained(
        chain, target, limits, orientations=rest, frames=frames, tolerance=0.0, iterations=1, stretch=True
    )
    points, angles = constrained_passes(chain, target, limits, rotation_matrix(rest), 1, carried=frames == "carried")
    assert solved is not None
    np.testing.assert_allclose(solved.points, points, atol=1e-9)
    np.testing.assert_allclose(np.cos(solved.angles), np.cos(angles), atol=1e-9)


@pytest.mark.parametrize("frames", FRAMES)
@pytest.mark.parametrize("degrees", [60, 45, 30])
def test_every_feasible_target_is_reached_inside_the_limits(degrees: int, frames: str) -> None:
    """100 of 100 targets that some angles inside the limits reach, limits, lengths and base kept."""
    rng = np.random.default_rng(degrees)
    limits = both(degrees)
    for _ in range(100):
        target = laid_out(rng.uniform(-1.0, 1.0, (5, 2)) * np.radians(degrees), frames)[-1]
        solved = gk.fabrik_constrained(ALONG_Z, target, limits, orientations=UPRIGHT, frames=frames, iterations=5000)
        assert solved is not None
        assert solved.reached
        assert np.abs(solved.angles).max() <= np.radians(degrees) + 1e-9
        np.testing.assert_allclose(laid_out(solved.angles, frames), solved.points, atol=1e-9)


def test_a_chain_that_is_there_has_its_angles_measured() -> None:
    """No iteration, the same points, and the angles they stand at: printed, they were undefined."""
    angles = np.array([[0.3, 0.1], [-0.2, 0.4], [0.0, 0.0], [0.5, -0.3], [0.1, 0.1]])
    chain = laid_out(angles, "carried")
    solved = gk.fabrik_constrained(chain, chain[-1], both(60), orientations=UPRIGHT)
    assert solved is not None
    assert solved.iterations == 0
    np.testing.assert_allclose(solved.angles, angles, atol=1e-12)
    np.testing.assert_array_equal(solved.points, chain)


def test_a_chain_outside_its_limits_is_brought_inside_even_if_its_end_is_there() -> None:
    """Bent by 50 degrees where 30 are allowed."""
    chain = laid_out(np.tile([np.radians(50.0), 0.0], (5, 1)), "carried")
    solved = gk.fabrik_constrained(chain, chain[-1], both(30), orientations=UPRIGHT, iterations=50)
    assert solved is not None
    assert np.abs(solved.angles).max() <= np.radians(30) + 1e-9


def test_without_orientations_the_chain_as_it_is_counts_as_straight() -> None:
    """Frames are carried along the given links, so that its own angles are zero."""
    chain = laid_out(np.tile([0.4, -0.2], (5, 1)), "carried")
    solved = gk.fabrik_constrained(chain, chain[-1], both(10))
    assert solved is not None
    np.testing.assert_allclose(solved.angles, 0.0, atol=1e-7)


def test_out_of_reach_is_none_unless_told_to_stretch() -> None:
    """Six away with five links; stretched, it comes as near as its limits are found to let it."""
    assert gk.fabrik_constrained(ALONG_Z, (0, 0, 6), both(45), orientations=UPRIGHT) is None
    solved = gk.fabrik_constrained(ALONG_Z, (0, 3, 5), both(45), orientations=UPRIGHT, stretch=True, iterations=200)
    assert solved is not None
    assert not solved.reached
    assert solved.missing == pytest.approx(math.sqrt(34.0) - 5.0, abs=0.02)


def test_no_iteration_is_none_made() -> None:
    """With no iteration allowed the chain comes back as it is, with what is missing."""
    solved = gk.fabrik_constrained(ALONG_Z, (1, 1, 3), both(45), orientations=UPRIGHT, iterations=0)
    assert solved is not None
    np.testing.assert_array_equal(solved.points, ALONG_Z)
    assert solved.missing == pytest.approx(math.sqrt(6.0))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"points": [(0, 0), (1, 0)], "target": (0, 1)}, "three"),
        ({"limits": both(200)}, "joint 0"),
        ({"limits": [[1.0, -1.0], [0.0, 0.0]]}, "joint 0"),
        ({"limits": [[math.nan, 1.0], [0.0, 0.0]]}, "joint 0"),
        ({"limits": "wide"}, "limits"),
        ({"frames": "none"}, "carried, world"),
        ({"orientations": UPRIGHT[:3]}, r"\(5, 4\)"),
        ({"iterations": 0.5}, "whole number"),
    ],
)
def test_wrong_values_are_refused_by_name(changes: dict[str, object], message: str) -> None:
    """InputError says which value is wrong and what would be right."""
    asked = {"points": ALONG_Z, "target": (1, 1, 3), "limits": both(45)} | changes
    with pytest.raises(gk.InputError, match=message):
        gk.fabrik_constrained(**asked)
