"""Warping: the whole clip looks, keeps its expression, and never pops."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import gestik as gk
from gestik.motion.paths import best_path, keep_speeds, without_wraps
from tests.motion.stage import FACE, LAMP

BODY = LAMP.skeleton


def gesture(first: str, second: str, rate: float = 60.0, seconds: float = 2.0) -> gk.Clip:
    """From one posture to another and back, with a tremble."""
    times = np.arange(round(seconds * rate) + 1) / rate
    start, end = (LAMP.posture(name).angles_for(BODY) for name in (first, second))
    share = 0.5 - 0.5 * np.cos(2.0 * np.pi * times / seconds)
    tremble = 0.05 * np.sin(2.0 * np.pi * 1.3 * times[:, None] + np.arange(BODY.dof_count))
    angles = np.clip(start + (end - start) * share[:, None] + tremble, BODY.lower, BODY.upper)
    return gk.Clip(f"{first} {second}", BODY, times, angles)


def aim_errors(clip: gk.Clip, points: object) -> np.ndarray:
    """How far the eye looks off the points at each moment [rad]."""
    targets = np.broadcast_to(points, (len(clip), 3))
    return np.array([gk.metrics.aim_error(BODY, q, "eye", at=p) for q, p in zip(clip.angles, targets, strict=True)])


def mean_shape(angles: np.ndarray, drawn: np.ndarray) -> float:
    """Mean shape error [degrees]."""
    return float(np.mean([gk.metrics.shape_error(BODY, q, p, "eye") for q, p in zip(angles, drawn, strict=True)]))


def fastest(clip: gk.Clip) -> float:
    """Of every joint's speed over its limit the largest."""
    steps = np.abs(np.diff(clip.angles, axis=0)) / np.diff(clip.times)[:, None]
    return float((steps / BODY.speed).max())


@pytest.mark.parametrize("moods", [("neutral", "curious"), ("curious", "proud"), ("sad", "sad")])
def test_a_warped_clip_looks_and_keeps_its_expression(moods: tuple[str, str]) -> None:
    """The eye is on the target all the time, the shape within 10 % of the best poses of single moments."""
    clip = gesture(*moods)
    warped = gk.warp(clip, gk.Aim("eye", at=FACE))
    single = gk.solve_batch(BODY, [gk.Aim("eye", at=FACE), gk.Posture(clip.angles)], method="poise")
    assert aim_errors(warped, FACE).max() < 1e-3
    assert mean_shape(warped.angles, clip.angles) <= 1.1 * mean_shape(single.angles, clip.angles)
    assert fastest(warped) <= 1.0 + 1e-9
    np.testing.assert_array_equal(warped.times, clip.times)
    assert warped.name == clip.name


@pytest.mark.parametrize("point", [(-0.3, 0.6, 0.2), (0.3, -0.5, 0.6)])
def test_where_single_moments_would_leap_a_warp_keeps_the_speeds_and_mostly_looks(point: tuple[float, ...]) -> None:
    """A wild gesture and a target beside its poles: no joint too fast, the mean orientation error below 0.01."""
    clip = gesture("shy", "proud")
    warped = gk.warp(clip, gk.Aim("eye", at=point))
    assert fastest(warped) <= 1.0 + 1e-9
    assert np.mean(np.sqrt(2.0) * np.sin(0.25 * aim_errors(warped, point))) <= 0.01
    assert (warped.angles >= BODY.lower).all()
    assert (warped.angles <= BODY.upper).all()


def test_a_moving_target_may_be_a_function_or_a_list() -> None:
    """A target that circles is looked at all the time, told either way."""
    clip = gesture("neutral", "curious")
    points = np.stack((0.7 + 0.0 * clip.times, 0.3 * np.cos(3.0 * clip.times), 0.3 + 0.1 * np.sin(3.0 * clip.times)), 1)
    listed = gk.warp(clip, gk.Aim("eye", at=points))
    told = gk.warp(clip, lambda time: gk.Aim("eye", at=points[round(time * 60.0)]))
    np.testing.assert_array_equal(told.angles, listed.angles)
    assert aim_errors(listed, points).max() < 0.01


def test_a_clip_that_looks_already_comes_back_unchanged() -> None:
    """What a warp returns is left alone by the next."""
    warped = gk.warp(gesture("neutral", "curious"), gk.Aim("eye", at=FACE))
    np.testing.assert_allclose(gk.warp(warped, gk.Aim("eye", at=FACE)).angles, warped.angles, atol=1e-6)


@pytest.mark.parametrize("rate", [30.0, 120.0])
def test_the_rate_of_a_clip_changes_no_pose(rate: float) -> None:
    """At 30 and 120 Hz the poses of common moments are those of 60 Hz, to a hundredth of a radian."""
    slow, fast = sorted((60.0, rate))
    poses = {own: gk.warp(gesture("shy", "shy", own), gk.Aim("eye", at=FACE)).angles for own in (slow, fast)}
    np.testing.assert_allclose(poses[fast][:: round(fast / slow)], poses[slow], atol=0.01)


def test_joints_that_may_not_leave_the_clip_do_not() -> None:
    """With base, neck and head free the others play the clip to the last bit."""
    clip = gesture("curious", "curious")
    warped = gk.warp(clip, gk.Aim("eye", at=FACE), joints=["base", "neck", "head"])
    np.testing.assert_array_equal(warped.angles[:, 1:3], clip.angles[:, 1:3])
    assert aim_errors(warped, FACE).mean() < aim_errors(clip, FACE).mean()


def test_a_speed_that_is_told_is_kept() -> None:
    """At half a radian a second the warp is late, and never faster."""
    warped = gk.warp(gesture("neutral", "curious"), gk.Aim("eye", at=FACE), speed=0.5)
    assert np.abs(np.diff(warped.angles, axis=0)).max() * 60.0 <= 0.5 + 1e-9


def test_a_single_posture_is_a_clip_too() -> None:
    """A clip of one moment is solved like a posture."""
    still = gk.Clip("still", BODY, [0.0], [LAMP.posture("proud").angles_for(BODY)])
    assert aim_errors(gk.warp(still, gk.Aim("eye", at=FACE)), FACE).max() < 1e-3


def test_wrong_wishes_are_told() -> None:
    """No clip, no goal, a posture, too few targets, speeds that are none, methods that cannot follow, wrong names."""
    clip, goal = gesture("neutral", "curious"), gk.Aim("eye", at=FACE)
    for arguments, settings in (
        ((BODY, goal), {}),
        ((clip, []), {}),
        ((clip, [goal, LAMP.posture("sad")]), {}),
        ((clip, gk.Aim("eye", at=[FACE, FACE])), {}),
        ((clip, goal), {"speed": 0.0}),
        ((clip, goal), {"speed": [1.0, 2.0]}),
        ((clip, goal), {"weight": -1.0}),
        ((clip, lambda time: goal if time < 1.0 else gk.Position("eye", FACE)), {}),
    ):
        with pytest.raises(gk.InputError):
            gk.warp(*arguments, **settings)
    with pytest.raises(gk.NameNotFoundError):
        gk.warp(clip, goal, joints=["wing"])
    with pytest.raises(gk.NameNotFoundError):
        gk.warp(clip, goal, method="pose")


def test_the_best_path_is_that_of_all_paths_tried() -> None:
    """Dynamic programming finds the least sum of costs and moments lost that trying every path finds."""
    rng = np.random.default_rng(5)
    times, speed = np.cumsum(rng.uniform(0.05, 0.2, 6)), np.array([1.0, 2.0])
    for _ in range(10):
        poses, costs = rng.normal(0.0, 0.5, (6, 3, 2)), rng.uniform(0.0, 1.0, (6, 3))
        path = np.empty(6, dtype=np.int32)
        best_path(times, poses, costs, speed, path)

        def total(lanes: tuple[int, ...], poses: np.ndarray = poses, costs: np.ndarray = costs) -> float:
            chosen = poses[np.arange(6), lanes]
            steps = (np.abs(np.diff(chosen, axis=0)) / (speed * np.diff(times)[:, None])).max(axis=1)
            return float(costs[np.arange(6), lanes].sum() + 0.2 * np.maximum(0.0, steps - 1.0).sum())

        assert total(tuple(path.tolist())) == pytest.approx(min(map(total, product(range(3), repeat=6))))


def test_kept_speeds_change_as_little_as_can_be() -> None:
    """No faster than told; the farthest any angle moves is half of what two moments have too much between them."""
    rng = np.random.default_rng(6)
    times, speed = np.cumsum(rng.uniform(0.01, 0.05, 80)), np.array([1.0, 5.0, 1e6])
    angles = np.cumsum(rng.normal(0.0, 0.1, (80, 3)), axis=0)
    slow = angles.copy()
    keep_speeds(times, speed, slow)
    assert (np.abs(np.diff(slow, axis=0)) <= speed * np.diff(times)[:, None] + 1e-12).all()
    apart = np.abs(times[:, None] - times[None, :])
    too_much = np.abs(angles[:, None] - angles[None, :]) - speed * apart[:, :, None]
    np.testing.assert_allclose(
        np.abs(slow - angles).max(axis=0), np.maximum(0.0, 0.5 * too_much.max((0, 1))), atol=1e-12
    )


def test_angles_without_wraps_mean_the_same_poses() -> None:
    """A ball joint that spins on has angles that leap; without wraps they run on, and every pose is what it was."""
    builder = gk.SkeletonBuilder("top")
    builder.joint("wheel", kind="continuous", axis="z")
    builder.joint("ball", kind="ball", parent="wheel", segment=(0, 0, 1))
    top = builder.build()
    turns = np.linspace(0.0, 12.0, 200)
    wrapped = np.stack([(turns + np.pi) % (2.0 * np.pi) - np.pi, -turns % 6.0, 0.2 * turns % 1.0, 0.0 * turns], axis=1)
    wrapped[:, 1] = (turns + np.pi) % (2.0 * np.pi) - np.pi
    smooth = wrapped.copy()
    without_wraps(top.arrays, top.ball_rows, top.endless, smooth)
    assert np.abs(np.diff(smooth[:, 0])).max() < 0.1
    for before, after in zip(wrapped, smooth, strict=True):
        np.testing.assert_allclose(top.difference(before, after), 0.0, atol=1e-9)
