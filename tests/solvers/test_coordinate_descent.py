"""CCD and BWCD: sweep by sweep what the papers print, corrected; goals met, limits kept, never worse than the start."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import gestik as gk
from gestik.evaluation.skeletons import skeleton
from tests.kernels.trees import random_angles, random_tree
from tests.reference.coordinate_descent_twin import sweep
from tests.reference.forward_twin import named_frame

FloatArray = NDArray[np.float64]

METHODS = ("ccd", "bwcd")
NEVER = 1e-12  # a tolerance no goal is met with, so that all sweeps are made


def straight_arm(count: int) -> gk.Skeleton:
    """An arm in the plane of x and y, each link 1 m along x."""
    builder = gk.SkeletonBuilder("arm", up="y")
    for number in range(count):
        builder.joint(
            f"joint {number}",
            kind="continuous",
            axis="z",
            parent=f"joint {number - 1}" if number else None,
            position=(1.0 if number else 0.0, 0.0, 0.0),
            segment=(1.0, 0.0, 0.0),
        )
    builder.frame("hand", parent=f"joint {count - 1}", position=(1.0, 0.0, 0.0))
    return builder.build()


@pytest.mark.parametrize("letter", ["C", "E", "G"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_two_sweeps_towards_a_place_are_those_of_the_paper(method: str, letter: str, seed: int) -> None:
    """On skeletons C, E and G, limits kept, the angles after two sweeps agree with the twin's."""
    arm = skeleton(letter)
    rng = np.random.default_rng(seed)
    start, target = rng.uniform(arm.lower, arm.upper), rng.normal(size=3) * 2.0
    expected = start
    for _ in range(2):
        expected = sweep(arm, expected, "end", target, None, from_tip=method == "ccd", limited=True)
    solution = gk.solve(arm, gk.Position("end", target, tolerance=NEVER), method=method, start=start, max_iterations=2)
    np.testing.assert_allclose(solution.angles, expected, atol=1e-9)


@pytest.mark.parametrize(("method", "version"), [("ccd", None), ("bwcd", "solution"), ("bwcd", "posture")])
@pytest.mark.parametrize("seed", range(3))
def test_two_sweeps_towards_a_direction_are_those_of_the_paper(method: str, version: str | None, seed: int) -> None:
    """Skeleton G turns its end to a direction; the posture version leaves the limits, as it is meant to."""
    arm = skeleton("G")
    rng = np.random.default_rng(seed + 10)
    start, along = rng.uniform(arm.lower, arm.upper), rng.normal(size=3)
    expected = start
    for _ in range(2):
        expected = sweep(arm, expected, "end", along, (0, 1, 0), from_tip=method == "ccd", limited=version != "posture")
    options = {} if version is None else {"version": version}
    aim = gk.Aim("end", along=along, axis="y", eye=(0, 0, 0), tolerance=NEVER)
    solution = gk.solve(arm, aim, method=method, start=start, max_iterations=2, **options)
    if solution.iterations < 2:  # so exact that rounding counts: then the aim is all there is to compare
        assert gk.metrics.aim_error(arm, solution.angles, "end", along=along, axis="y", eye=(0, 0, 0)) < NEVER
        return
    assert gk.metrics.aim_error(arm, solution.angles, "end", along=along, axis="y", eye=(0, 0, 0)) <= (
        gk.metrics.aim_error(arm, expected, "end", along=along, axis="y", eye=(0, 0, 0)) + 1e-9
    )


def test_the_posture_version_leaves_limits_and_the_solution_version_keeps_them() -> None:
    """A joint limited to half a radian is turned as far as the direction asks, or as far as it may."""
    builder = gk.SkeletonBuilder("stick", up="y")
    builder.joint("bend", kind="revolute", axis="z", lower=-0.5, upper=0.5, segment=(0, 1, 0))
    builder.frame("end", parent="bend", position=(0, 1, 0))
    stick = builder.build()
    goal = gk.Aim("end", along=(-1, 1, 0), axis="y", eye=(0, 0, 0))
    assert gk.solve(stick, goal, method="bwcd", version="posture").angles[0] == pytest.approx(math.pi / 4.0)
    solution = gk.solve(stick, goal, method="bwcd")
    assert solution.angles[0] == pytest.approx(0.5)
    assert not solution.reached


def test_ccd_bends_near_the_tip_and_bwcd_near_the_base() -> None:
    """Turned to a direction, the last joint of a long arm does all the work in CCD, and the first one in BWCD."""
    arm = straight_arm(6)
    goal = gk.Aim("hand", along=(1, 1, 0), axis="x", eye=(0, 0, 0))
    np.testing.assert_allclose(gk.solve(arm, goal, method="ccd").angles, [0, 0, 0, 0, 0, math.pi / 4], atol=1e-12)
    np.testing.assert_allclose(gk.solve(arm, goal, method="bwcd").angles, [math.pi / 4, 0, 0, 0, 0, 0], atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_straight_arm_is_not_stuck_on_the_line_to_its_target(method: str) -> None:
    """The target lies on the line of a straight arm: nothing pulls, and still it is reached."""
    solution = gk.solve(straight_arm(4), gk.Position("hand", (2.5, 0, 0)), method=method)
    assert solution.reached


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(8))
def test_on_any_tree_the_answer_is_never_worse_than_the_start(method: str, seed: int) -> None:
    """Trees with slides, mimic joints and turned frames: inside the limits, errors true, cost not above the start's."""
    tree = random_tree(seed)
    start, drawn = random_angles(tree, seed), random_angles(tree, seed + 100)
    pose = named_frame(tree, drawn, "tool")
    goals = [gk.Position("tool", pose[:3, 3]), gk.Aim("tool", along=pose[:3, 1], axis="y", eye=(0, 0, 0), weight=0.5)]
    solution = gk.solve(tree, goals, method=method, start=start)
    assert (solution.angles >= tree.lower - 1e-12).all()
    assert (solution.angles <= tree.upper + 1e-12).all()
    assert cost_of(tree, solution.angles, goals) <= cost_of(tree, start, goals) + 1e-9
    here = named_frame(tree, solution.angles, "tool")
    assert solution.errors[0] == pytest.approx(np.linalg.norm(here[:3, 3] - pose[:3, 3]), abs=1e-9)


def cost_of(tree: gk.Skeleton, angles: FloatArray, goals: list[object]) -> float:
    """Sum of squares of weight times residual of a place and a direction."""
    frame = named_frame(tree, angles, "tool")
    place, aim = goals
    missing = frame[:3, 3] - place.point
    gaze = frame[:3, 1] - aim.along
    return float(missing @ missing + 0.25 * gaze @ gaze)


@pytest.mark.parametrize("method", METHODS)
def test_orientations_and_gazes_are_met(method: str) -> None:
    """Rotations of skeleton G that it can take, and the lamp's gaze at a cup."""
    arm = skeleton("G")
    rng = np.random.default_rng(5)
    for _ in range(10):
        wanted = arm.forward(rng.uniform(arm.lower, arm.upper)).of("end").rotation
        assert gk.solve(arm, gk.Orientation("end", wanted), method=method).reached
    lamp = gk.load_character("lamp")
    assert gk.solve(lamp.skeleton, gk.Aim(lamp.eye, at=(0.6, 0.2, 0.4)), method=method).reached


@pytest.mark.parametrize("method", METHODS)
def test_a_goal_that_is_met_costs_no_sweep_and_changes_nothing(method: str) -> None:
    """Where the start meets the goal it is the answer."""
    arm = skeleton("E")
    start = np.full(arm.dof_count, 0.3)
    place = arm.forward(start).of("end").position
    solution = gk.solve(arm, gk.Position("end", place), method=method, start=start)
    assert solution.iterations == 0
    np.testing.assert_array_equal(solution.angles, start)


@pytest.mark.parametrize("method", METHODS)
def test_a_tracker_can_follow_with_it(method: str) -> None:
    """A target that moves a centimetre a frame is followed without a leap, by the same method inside a box."""
    arm = skeleton("G")
    start = np.full(arm.dof_count, 0.4)
    place = np.array(arm.forward(start).of("end").position)
    prepared = gk.prepare(arm, gk.Position("end", place), method=method)
    tracker = gk.Tracker(prepared, speed=2.0)
    angles = [tracker.step(place + np.array((0.0, 0.01 * frame, 0.0)), time=frame / 60.0).angles for frame in range(20)]
    assert np.abs(np.diff(angles, axis=0)).max() <= 2.0 / 60.0 + 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_postures_are_refused(method: str) -> None:
    """Neither holds a posture; the error names the method."""
    arm = skeleton("C")
    with pytest.raises(gk.CapabilityError, match=method):
        gk.solve(arm, [gk.Position("end", (1, 1, 1)), gk.Posture(arm.rest)], method=method)
