"""Why a goal was missed: how far out of reach, which limits hold it, how the method ended."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.model.reach import reach
from gestik.solvers.report import SEARCHED, SPENT, STALLED
from gestik.solvers.solution import Asked, Solution


@pytest.fixture(scope="module")
def arm() -> gk.Skeleton:
    """Three links of one metre, all in one plane; the middle joint bends little."""
    builder = gk.SkeletonBuilder("arm", up="y")
    builder.joint("a", kind="continuous", axis="z", position=(0, 0.5, 0))
    builder.joint("b", parent="a", kind="revolute", axis="z", position=(1, 0, 0), lower=-0.5, upper=0.5)
    builder.joint("c", parent="b", kind="revolute", axis="z", position=(1, 0, 0), lower=-3, upper=3)
    builder.frame("hand", parent="c", position=(1, 0, 0))
    return builder.build()


def answer(skeleton: gk.Skeleton, goal: gk.Position, angles: list[float], ending: int) -> Solution:
    """A solution with these angles, its error taken from forward kinematics."""
    error = np.linalg.norm(skeleton.forward(angles).of("hand").position - goal.point)
    asked = Asked(skeleton, (goal.bind(skeleton),), (slice(0, 3),))
    return Solution(np.array(angles), np.array([error]), 12, ending, np.asarray(goal.point), asked)


def test_a_target_beyond_the_bones_is_out_of_reach_by_the_difference(arm: gk.Skeleton) -> None:
    """Four metres from the first joint, with three metres of bones."""
    solution = answer(arm, gk.Position("hand", (4.0, 0.5, 0.0)), [0.0, 0.0, 0.0], STALLED)
    assert solution.status == "out of reach"
    assert "'hand' is 1e+03 mm off, its target 1e+03 mm out of reach" in solution.explain()


def test_the_limit_that_holds_is_named_and_no_other(arm: gk.Skeleton) -> None:
    """B wants to bend farther towards the target; c stands at its limit but would lead away beyond it."""
    goal = gk.Position("hand", (0.0, 2.0, 0.0))
    solution = answer(arm, goal, [0.0, 0.5, 0.0], STALLED)
    assert solution.at_limit == ("b",)
    assert "held by the limit of b" in solution.explain()
    away = answer(arm, goal, [0.0, -0.5, 0.0], STALLED)
    assert away.at_limit == ("b",)
    assert "held" not in away.explain()


@pytest.mark.parametrize(
    ("ending", "status", "words"),
    [
        (STALLED, "stalled", "stalled after 12 iterations"),
        (SPENT, "out of iterations", "out of iterations after 12"),
        (SEARCHED, "closest", "the closest that was found"),
    ],
)
def test_it_says_how_the_method_ended(arm: gk.Skeleton, ending: int, status: str, words: str) -> None:
    """For a target in reach that was missed."""
    solution = answer(arm, gk.Position("hand", (1.0, 1.0, 0.0)), [0.0, 0.0, 0.0], ending)
    assert solution.status == status
    assert words in solution.explain()


def test_what_is_met_needs_no_words(arm: gk.Skeleton) -> None:
    """However the loop ended."""
    solution = answer(arm, gk.Position("hand", (3.0, 0.5, 0.0)), [0.0, 0.0, 0.0], SPENT)
    assert solution.status == "reached"
    assert solution.explain() == "every goal is reached"


def test_no_angles_leave_the_shell_of_reach() -> None:
    """On the bundled lamp and on chains that slide, for random angles inside the limits."""
    rng = np.random.default_rng(5)
    builder = gk.SkeletonBuilder("slider", up="z")
    builder.joint("lift", kind="prismatic", axis="z", lower=-0.2, upper=0.7)
    builder.joint("turn", parent="lift", kind="continuous", axis="y", position=(0, 0, 0.1))
    builder.joint("plate", parent="turn", kind="fixed", position=(0.3, 0, 0.4))
    builder.joint("pull", parent="plate", kind="prismatic", axis="x", lower=0, upper=0.2)
    builder.frame("end", parent="pull", position=(0.1, 0.1, 0))
    for body, frame in ((builder.build(), "end"), (gk.load("lamp"), "eye")):
        shell = reach(body, body.frame(frame))
        lower, upper = np.maximum(body.lower, -np.pi), np.minimum(body.upper, np.pi)
        for angles in rng.uniform(lower, upper, size=(200, body.dof_count)):
            x, y, z = body.forward(angles).of(frame).position.tolist()
            assert shell.gap((x, y, z)) <= 1e-12


def test_a_long_bone_keeps_the_hand_away_from_the_root() -> None:
    """Two metres and half a metre: nothing nearer than one and a half."""
    builder = gk.SkeletonBuilder("long", up="y")
    builder.joint("a", kind="continuous", axis="z")
    builder.joint("b", parent="a", kind="continuous", axis="z", position=(2, 0, 0))
    builder.frame("hand", parent="b", position=(0.5, 0, 0))
    body = builder.build()
    assert reach(body, body.frame("hand"))[1:] == (1.5, 2.5)
    assert gk.solve(body, gk.Position("hand", (0.2, 0, 0)), method="poise").status == "out of reach"
