"""The closed form for two bones on skeletons: arms and legs of several builds, their limits, poles and soft ends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import gestik as gk
from tests.reference.measures_twin import turn_matrix
from tests.reference.two_bone_twin import notes_angles

FloatArray = NDArray[np.float64]

UPPER, LOWER = 0.45, 0.4


def arm(root: str, middle: str = "hinge", **middle_limits: float) -> gk.Skeleton:
    """An arm on a shoulder girdle that turns; its root is a ball, two hinges or three, its middle a hinge or a ball."""
    builder = gk.SkeletonBuilder("arm", up="y")
    turns = {"lower": -1.0, "upper": 1.0, "rest": 0.3} if root != "one hinge" else {}
    builder.joint("girdle", kind="revolute" if turns else "fixed", axis="y" if turns else None, **turns)
    above, place = "girdle", (0.1, 0.5, 0.0)
    if root == "ball":
        builder.joint("shoulder", kind="ball", parent=above, position=place)
        above, place = "shoulder", (UPPER, 0.0, 0.0)
    else:
        for axis in {"two hinges": "yz", "three hinges": "yzx", "one hinge": "z"}[root]:
            builder.joint(f"shoulder {axis}", kind="continuous", axis=axis, parent=above, position=place)
            above, place = f"shoulder {axis}", (0.0, 0.0, 0.0)
        place = (UPPER, 0.0, 0.0)
    if middle == "ball":
        builder.joint("elbow", kind="ball", parent=above, position=place)
    else:
        limits = {"lower": -2.6, "upper": 0.0} | middle_limits
        builder.joint(
            "elbow",
            kind="revolute",
            axis="z",
            parent=above,
            position=place,
            rest=0.75 * limits["lower"] + 0.25 * limits["upper"],
            **limits,
        )
    builder.joint("wrist", kind="ball", parent="elbow", position=(LOWER, 0.0, 0.0))
    builder.frame("hand", parent="wrist")
    builder.frame("pole", parent="girdle", position=(0.3, -1.0, -0.4))
    return builder.build()


def reachable(skeleton: gk.Skeleton, seed: int, count: int) -> FloatArray:
    """Places of the hand in random postures that leave the girdle at rest."""
    rng = np.random.default_rng(seed)
    lower, upper = np.maximum(skeleton.lower, -2.5), np.minimum(skeleton.upper, 2.5)
    drawn = rng.uniform(lower, upper, (count, skeleton.dof_count))
    drawn[:, 0] = skeleton.rest[0]
    return np.array([skeleton.forward(angles).of("hand").position for angles in drawn])


@pytest.mark.parametrize("middle", ["hinge", "ball"])
@pytest.mark.parametrize("root", ["ball", "two hinges", "three hinges"])
def test_every_target_in_reach_is_met_in_closed_form(root: str, middle: str) -> None:
    """100 targets each to a tenth of a millimetre; only the limb moves, and not the wrist."""
    body = arm(root, middle)
    targets = reachable(body, 1, 100)
    for target in targets:
        solution = gk.solve(body, gk.Position("hand", target), method="two_bone")
        assert solution.reached, solution.explain()
        assert not body.limit_excess(solution.angles)
        still = body.mask(["girdle", "wrist"])
        np.testing.assert_array_equal(solution.angles[still], body.rest[still])


def test_a_ball_root_needs_one_step_and_is_exact() -> None:
    """One iteration, an error that is rounding."""
    body = arm("ball")
    solutions = gk.solve_batch(body, gk.Position("hand", reachable(body, 2, 100)), method="two_bone")
    assert (solutions.iterations <= 1).all()
    assert solutions.errors.max() < 1e-12


def test_the_elbow_bends_as_the_notes_compute() -> None:
    """Its angle is the notes' theta_2z for the distance of the target."""
    body = arm("ball")
    root = body.forward(body.rest).of("shoulder").position
    for target in reachable(body, 3, 30):
        solution = gk.solve(body, gk.Position("hand", target), method="two_bone")
        expected = notes_angles(UPPER, LOWER, target - root)[3]
        assert solution.named()["elbow"] == pytest.approx(expected, abs=1e-6)


def test_a_planar_arm_of_two_hinges_reaches_in_its_plane() -> None:
    """One hinge at the root: targets in the plane are met, and off it the nearest place in it."""
    body = arm("one hinge")
    for target in reachable(body, 4, 30):
        assert gk.solve(body, gk.Position("hand", target), method="two_bone").reached


@pytest.mark.parametrize("root", ["ball", "two hinges"])
def test_out_of_reach_the_limb_points_at_the_target(root: str) -> None:
    """Three metres away: missing is the distance less both bones, and the answer says that it has not arrived."""
    body = arm(root)
    shoulder = body.forward(body.rest).of("elbow").position
    base = np.array((0.1 * math.cos(0.3), 0.5, -0.1 * math.sin(0.3)))
    target = base + np.array((2.0, 1.0, 2.0))
    solution = gk.solve(body, gk.Position("hand", target), method="two_bone")
    assert np.linalg.norm(shoulder - base) == pytest.approx(UPPER)
    assert solution.errors[0] == pytest.approx(3.0 - UPPER - LOWER, abs=1e-6)
    assert not solution.reached


def test_limits_of_the_hinge_hold_and_the_other_way_to_bend_is_tried() -> None:
    """An elbow that only bends upwards, begun bent as little as it may: reached by bending that way."""
    body = arm("ball", lower=0.2, upper=2.5)
    for target in reachable(body, 5, 30):
        solution = gk.solve(body, gk.Position("hand", target), method="two_bone")
        assert solution.reached
        assert 0.2 <= solution.named()["elbow"] <= 2.5
    close = gk.solve(body, gk.Position("hand", (0.1, 0.5, 0.0)), method="two_bone")
    assert close.named()["elbow"] <= 2.5


def test_the_elbow_bends_towards_the_pole() -> None:
    """No turn about the line from shoulder to hand brings the elbow nearer to the pole; the hand still arrives."""
    body = arm("ball")
    for target in reachable(body, 6, 30):
        solution = gk.solve(body, gk.Position("hand", target), method="two_bone", pole="pole")
        assert solution.reached
        pose = body.forward(solution.angles)
        shoulder, elbow, hand = (pose.of(name).position for name in ("shoulder", "elbow", "hand"))
        axis = (hand - shoulder) / np.linalg.norm(hand - shoulder)
        around = turn_matrix(axis, np.linspace(0.0, math.tau, 361)) @ (elbow - shoulder) + shoulder
        pole = pose.of("pole").position
        assert np.linalg.norm(elbow - pole) <= np.linalg.norm(around - pole, axis=1).min() + 1e-9


def test_a_soft_limb_never_snaps_straight() -> None:
    """A hand drawn out through the reach: the largest step of the elbow is a fraction of the hard limb's."""
    body = arm("ball")
    base = np.array((0.1 * math.cos(0.3), 0.5, -0.1 * math.sin(0.3)))
    steps = {}
    for softness in (0.0, 0.15):
        targets = base + np.outer(np.arange(0.6, 1.0, 1e-3), (1.0, 0.0, 0.0))
        answers = gk.solve_batch(body, gk.Position("hand", targets), method="two_bone", softness=softness)
        elbows = answers.angles[:, body.dof_names.index("elbow")]
        steps[softness] = np.abs(np.diff(elbows)).max()
        if softness:
            assert elbows.max() < 0.0
    assert steps[0.15] < 0.3 * steps[0.0]


def test_boxes_of_a_ball_root_are_kept_and_the_limb_comes_as_near_as_it_finds() -> None:
    """A shoulder with narrow boxes: inside them always, and most targets of its own postures are met."""
    builder = gk.SkeletonBuilder("narrow", up="y")
    builder.joint("hip", kind="ball", lower=(-0.6, -0.8, -0.4), upper=(0.7, 0.5, 0.9))
    builder.joint(
        "knee", kind="revolute", axis="x", parent="hip", position=(0, -0.5, 0), lower=0.0, upper=2.4, rest=0.1
    )
    builder.frame("foot", parent="knee", position=(0, -0.5, 0))
    leg = builder.build()
    rng = np.random.default_rng(7)
    reached = 0
    for _ in range(50):
        target = leg.forward(rng.uniform(leg.lower, leg.upper)).of("foot").position
        solution = gk.solve(leg, gk.Position("foot", target), method="two_bone")
        assert not leg.limit_excess(solution.angles)
        reached += solution.reached
    assert reached >= 40


def test_a_target_that_is_met_changes_nothing() -> None:
    """The hand is there already: no iteration, the same angles."""
    body = arm("ball")
    place = body.forward(body.rest).of("hand").position
    solution = gk.solve(body, gk.Position("hand", place), method="two_bone")
    assert solution.iterations == 0
    np.testing.assert_array_equal(solution.angles, body.rest)


@pytest.mark.parametrize(
    ("frame", "options", "error", "message"),
    [
        ("girdle", {}, gk.CapabilityError, "two_bone|fixed"),
        ("shoulder", {}, gk.CapabilityError, "two joints"),
        ("hand", {"pole": "nose"}, gk.InputError, "pole.*nose"),
        ("hand", {"pole": "elbow"}, gk.CapabilityError, "moves with the limb"),
        ("hand", {"pole": 3.0}, gk.InputError, "not a name"),
        ("hand", {"softness": 2.0}, gk.InputError, "softness"),
    ],
)
def test_what_cannot_be_is_refused(
    frame: str, options: dict[str, object], error: type[Exception], message: str
) -> None:
    """Frames without two bones above them, poles that do not exist or move along, values out of range."""
    with pytest.raises(error, match=message):
        gk.solve(arm("ball"), gk.Position(frame, (0.5, 0.5, 0.0)), method="two_bone", **options)
