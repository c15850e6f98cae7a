"""What people complain about elsewhere, tried on every method that takes the problem."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import gestik as gk
from gestik.kernels.arrays import FloatArray
from gestik.solvers.methods import SOLVERS
from gestik.solvers.spec import Capability
from tests.solvers.specimens import ball_limb

LOCAL = [name for name, spec in SOLVERS.items() if Capability.GLOBAL not in spec.capabilities]
FRAMES = 200  # of a sweep


def prepared_for(body: gk.Skeleton, goals: object, method: str) -> gk.Prepared:
    """The problem bound to the method, or the test is none of its business."""
    try:
        return gk.prepare(body, goals, method)
    except gk.CapabilityError as refusal:
        pytest.skip(str(refusal))


def followed(prepared: gk.Prepared, points: FloatArray, start: FloatArray) -> Iterator[gk.Solution]:
    """Solve frame by frame, each from where the last one ended."""
    for point in points:
        solution = prepared.solve(point, start=start)
        start = solution.angles
        yield solution


def largest_step(prepared: gk.Prepared, points: FloatArray, start: FloatArray) -> float:
    """The most any joint moves from one frame to the next [rad or m], once the first frame is found."""
    angles = np.array([solution.angles for solution in followed(prepared, points, start)])
    turns = np.abs(np.diff(angles, axis=0))
    return float(np.minimum(turns, np.abs(turns - 2.0 * np.pi)).max())


def bent_arm(limit: float = 2.6, turned: tuple[float, float, float, float] = (1, 0, 0, 0)) -> gk.Skeleton:
    """Five hinges that alternate, so that an elbow can go any way; rest frames turned as told."""
    builder = gk.SkeletonBuilder("arm", up="y")
    for number, axis in enumerate("zxzxz"):
        place = {"parent": f"j{number - 1}", "position": (0, 0.3, 0) if number == 1 else (0, 0, 0)} if number else {}
        if number > 1:
            place["position"] = (0, 0.3, 0)
        builder.joint(f"j{number}", kind="revolute", axis=axis, lower=-limit, upper=limit, rotation=turned, **place)
    builder.frame("hand", parent="j4", position=(0, 0.3, 0))
    return builder.build()


@pytest.mark.parametrize("method", LOCAL)
def test_a_target_swept_through_the_pole_moves_no_joint_much_faster_than_itself(method: str) -> None:
    """Straight over the head of the arm, and a little beside it: no flip, at most fifty radians for a metre."""
    body = bent_arm()
    for aside in (0.0, 0.01):
        x = np.linspace(-0.5, 0.5, FRAMES)
        points = np.stack([x, np.full(FRAMES, 0.9), np.full(FRAMES, aside)], axis=1)
        prepared = prepared_for(body, gk.Position("hand", points[0]), method)
        start = prepared.solve(points[0], start=np.array([0.9, 0.1, -0.4, 0.1, 0.3])).angles
        assert largest_step(prepared, points, start) <= 50.0 * (x[1] - x[0])


@pytest.mark.parametrize("turned", [(0, 1, 0, 0), (0, 0, 0, 1), (1e-9, 0, 1, 0)])
@pytest.mark.parametrize("method", SOLVERS)
def test_rest_rotations_at_half_a_turn_change_nothing(method: str, turned: tuple[float, ...]) -> None:
    """Limits are on the angles of joints, however their frames are turned at rest.

    Some methods stall at a limit now and then, bwcd most of all, as often as on frames that are not turned.
    """
    body = bent_arm(1.0, tuple(turned))  # type: ignore[arg-type]  # four numbers
    rng = np.random.default_rng(4)
    prepared = prepared_for(body, gk.Position("hand", (0, 0, 0)), method)
    met = 0
    for _ in range(10):
        angles = rng.uniform(-0.8, 0.8, size=body.dof_count)
        solution = prepared.solve(body.forward(angles).of("hand").position, start=angles + 0.1)
        met += solution.reached
        if Capability.LIMITS in SOLVERS[method].capabilities:
            assert (np.abs(solution.angles) <= 1.0).all()
    assert met >= 3


@pytest.mark.parametrize("method", LOCAL)
def test_a_target_out_of_reach_that_stands_still_is_looked_at_without_jitter(method: str) -> None:
    """From inside to three times the reach; then the target rests, and so does the body: to a millionth."""
    body = bent_arm()
    away = np.linspace(0.6, 3.6, FRAMES)[:, None] * np.array([0.6, 0.8, 0.0])
    held = np.repeat(away[-1:], 60, axis=0)
    prepared = prepared_for(body, gk.Position("hand", away[0]), method)
    first = prepared.solve(away[0], start=np.array([0.5, 0.1, -0.9, 0.1, 0.6]))
    moving = list(followed(prepared, away, first.angles))
    resting = np.array([solution.angles for solution in followed(prepared, held, moving[-1].angles)])
    assert np.ptp(resting[20:], axis=0).max() < 1e-6


@pytest.mark.parametrize("method", LOCAL)
def test_a_limited_chain_does_not_leap_where_its_target_crosses_the_rest_plane(method: str) -> None:
    """Three millimetres a frame, from one side of the straight chain to the other."""
    body = bent_arm(1.3)
    z = np.arange(-0.15, 0.15, 0.003)
    points = np.stack([np.full(len(z), 0.25), np.full(len(z), 0.85), z], axis=1)
    prepared = prepared_for(body, gk.Position("hand", points[0]), method)
    start = prepared.solve(points[0], start=np.array([-0.2, -0.2, 0.6, 0.2, -0.6])).angles
    assert largest_step(prepared, points, start) < 0.1


@pytest.mark.parametrize("method", LOCAL)
def test_a_measured_pose_just_outside_the_limits_comes_back_without_a_leap(method: str) -> None:
    """Two hundredths of a radian outside, the target where the hand would be: no joint moves by more than a tenth."""
    body = bent_arm(1.0)
    measured = np.array([1.02, 0.2, -0.5, -0.1, 0.4])
    prepared = prepared_for(body, gk.Position("hand", body.forward(measured).of("hand").position), method)
    solution = prepared.solve(start=measured)
    assert np.abs(solution.angles - measured).max() < 0.1
    if Capability.LIMITS in SOLVERS[method].capabilities:
        assert (np.abs(solution.angles) <= 1.0).all()


@pytest.mark.parametrize("method", SOLVERS)
def test_two_histories_end_in_the_same_answer(method: str) -> None:
    """A prepared problem has no memory: what it was asked before does not matter."""
    body = ball_limb()
    prepared = prepared_for(body, gk.Position("hand", (0.2, -0.6, 0.1)), method)
    fresh = prepared.solve()
    for point in ((0.5, 0.1, 0.3), (9.0, 9.0, 9.0), (-0.3, -0.4, 0.2)):
        prepared.solve(point)
    np.testing.assert_array_equal(prepared.solve().angles, fresh.angles)


@pytest.mark.parametrize("method", [name for name in ("newton", "poise") if name in SOLVERS])
def test_a_limited_joint_is_no_reason_to_miss_where_another_way_leads_there(method: str) -> None:
    """From a start whose nearest way is barred by a limit."""
    builder = gk.SkeletonBuilder("hinges", up="y")
    builder.joint("a", kind="revolute", axis="z", lower=-2.0, upper=2.0)
    builder.joint("b", kind="revolute", axis="z", parent="a", position=(0.5, 0, 0), lower=-2.5, upper=-0.05, rest=-0.1)
    builder.frame("hand", parent="b", position=(0.4, 0, 0))
    body = builder.build()
    target = body.forward([1.2, -1.8]).of("hand").position
    solution = gk.solve(body, gk.Position("hand", target), method, start=[-1.5, -0.05])
    assert solution.reached, solution.explain()
