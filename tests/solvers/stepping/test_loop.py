"""The loop of Jacobian methods: best so far, limits inside it, postures in what is left open."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk

METHODS = ("transpose", "pseudoinverse", "dls", "sdls", "prioritised")
POSTURE_METHODS = METHODS[1:]


def planar(count: int, limit: float | None = None) -> gk.Skeleton:
    """A chain of unit links that turn about z."""
    builder = gk.SkeletonBuilder(f"planar {count}", up="y")
    for k in range(count):
        kind = {"kind": "continuous"} if limit is None else {"kind": "revolute", "lower": -limit, "upper": limit}
        place = {"parent": f"j{k - 1}", "position": (1, 0, 0)} if k else {}
        builder.joint(f"j{k}", axis="z", **kind, **place)
    builder.frame("hand", parent=f"j{count - 1}", position=(1, 0, 0))
    return builder.build()


@pytest.mark.parametrize("method", METHODS)
def test_more_iterations_never_make_the_answer_worse(method: str) -> None:
    """The best angles are kept, not the last: of a hard target each longer search returns at least as good ones."""
    chain = planar(4)
    target = gk.Position("hand", (0.3, 0.2, 0), tolerance=0.0)
    errors = [
        gk.solve(chain, target, method, start=[0.1, 0.2, 0.3, 0.4], max_iterations=count, patience=1000).errors[0]
        for count in range(1, 40)
    ]
    assert (np.diff(errors) <= 1e-15).all()
    assert errors[-1] < errors[0]


@pytest.mark.parametrize("method", METHODS)
def test_a_limit_is_worked_around_and_not_only_clamped(method: str) -> None:
    """The first joint ends at its limit, the others reach: to clamp at the end would leave the hand short."""
    chain = planar(3, limit=0.9)
    target = chain.forward([0.9, 0.5, 0.3]).of("hand").position
    solution = gk.solve(chain, gk.Position("hand", target, axes="xy"), method, start=[0.85, -0.1, 0.2])
    assert solution.reached, solution.explain()
    assert (np.abs(solution.angles) <= 0.9).all()


@pytest.mark.parametrize("method", POSTURE_METHODS)
def test_a_posture_is_held_in_what_the_goal_leaves_open(method: str) -> None:
    """The nearest of all poses that reach: no small change that keeps the hand comes closer to the posture."""
    chain = planar(6)
    posture = np.array([0.4, -0.2, 0.3, 0.5, -0.4, 0.2])
    goals = [gk.Position("hand", (3.0, 2.5, 0.0)), gk.Posture(posture)]
    solution = gk.solve(chain, goals, method, max_iterations=500)
    free = gk.solve(chain, goals[0], method, max_iterations=500)
    assert solution.reached
    assert solution.errors[1] < np.sqrt(np.mean((free.angles - posture) ** 2))
    J = chain.jacobian(solution.angles, "hand")[:2]
    open_way = (np.eye(6) - np.linalg.pinv(J) @ J) @ (posture - solution.angles)
    assert np.linalg.norm(open_way) < 5e-3


@pytest.mark.parametrize("method", METHODS)
def test_masked_joints_stay_where_they_start(method: str) -> None:
    """Only the two last ones may move, and they do."""
    chain = planar(4)
    start = [0.3, 0.2, 0.1, 0.4]
    solution = gk.solve(chain, gk.Position("hand", (2.5, 1.5, 0)), method, start=start, joints=["j2", "j3"])
    np.testing.assert_array_equal(solution.angles[:2], start[:2])
    assert (solution.angles[2:] != start[2:]).all()


def test_the_first_level_is_met_though_the_second_cannot_be() -> None:
    """Two ends that cannot both be reached: the priority decides which is, and the other comes as near as it can."""
    builder = gk.SkeletonBuilder("y", up="y")
    builder.joint("trunk", kind="continuous", axis="z")
    for side in ("left", "right"):
        builder.joint(side, kind="continuous", axis="z", parent="trunk", position=(1, 0, 0))
        builder.frame(f"{side} hand", parent=side, position=(1, 0, 0))
    body = builder.build()
    left, right = (1.0, 1.0, 0.0), (-1.0, -1.0, 0.0)
    for first in (0, 1):
        goals = [
            gk.Position("left hand", left, priority=first),
            gk.Position("right hand", right, priority=1 - first),
        ]
        solution = gk.solve(body, goals, "prioritised", start=[0.2, 0.3, 0.1], max_iterations=500)
        assert solution.errors[first] < 1e-4
        assert solution.errors[1 - first] > 0.1
    both = gk.solve(
        body, [gk.Position("left hand", left), gk.Position("right hand", right)], "dls", start=[0.2, 0.3, 0.1]
    )
    assert (both.errors > 0.1).all()


def test_priorities_are_refused_by_methods_that_weigh() -> None:
    """And the one that knows them is named."""
    chain = planar(4)
    goals = [gk.Position("hand", (1, 1, 0)), gk.Position("j2", (0, 1, 0), priority=1)]
    with pytest.raises(gk.CapabilityError, match="prioritised"):
        gk.solve(chain, goals, "dls")
    assert gk.prepare(chain, goals).spec.name == "prioritised"


def test_relative_goals_move_with_their_frame() -> None:
    """One hand on the other, wherever that is; the answer is judged by forward kinematics."""
    builder = gk.SkeletonBuilder("two arms", up="y")
    builder.joint("trunk", kind="continuous", axis="z")
    for side, x in (("left", -0.5), ("right", 0.5)):
        builder.joint(f"{side} upper", kind="ball", parent="trunk", position=(x, 1, 0))
        builder.joint(f"{side} lower", kind="ball", parent=f"{side} upper", position=(0, -0.6, 0))
        builder.frame(f"{side} hand", parent=f"{side} lower", position=(0, -0.6, 0))
    body = builder.build()
    goals = [
        gk.Position("left hand", (0.05, 0.0, 0.0), relative_to="right hand"),
        gk.Orientation("left hand", (0, 1, 0, 0), relative_to="right hand", axes="xz"),
    ]
    start = np.full(body.dof_count, 0.2)
    for method in METHODS[1:]:
        solution = gk.solve(body, goals, method, start=start, max_iterations=500)
        assert solution.reached, (method, solution.explain())
        pose = body.forward(solution.angles)
        left, right = pose.of("left hand"), pose.of("right hand")
        assert np.linalg.norm(left.position - right.position) == pytest.approx(0.05, abs=2e-4)


def test_slack_leaves_room_and_axes_leave_freedom() -> None:
    """A hand within a ball, a hand within a box, a hand at a height."""
    chain = planar(3)
    near = gk.solve(chain, gk.Position("hand", (2.0, 1.0, 0.0), slack=0.3), "dls", start=[0.1, 0.1, 0.1])
    away = np.linalg.norm(chain.forward(near.angles).of("hand").position - (2.0, 1.0, 0.0))
    assert near.reached
    assert 0.1 < away <= 0.3001
    high = gk.solve(chain, gk.Position("hand", (9.0, 1.5, 9.0), axes="y"), "dls", start=[0.1, 0.1, 0.1])
    assert high.reached
    assert chain.forward(high.angles).of("hand").position[1] == pytest.approx(1.5, abs=1e-4)
    boxed = gk.solve(chain, gk.Position("hand", (2.0, 1.0, 0.0), slack=(0.5, 0.0, 0.0)), "dls", start=[0.5, 0.5, 0.5])
    place = chain.forward(boxed.angles).of("hand").position
    assert boxed.reached
    assert abs(place[0] - 2.0) <= 0.5001
    assert place[1] == pytest.approx(1.0, abs=1e-4)
