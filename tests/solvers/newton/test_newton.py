"""Newton: what it reaches, what it keeps, and how it answers when a goal is out of reach."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.solvers.newton.bind import MODELS
from tests.kernels.trees import random_body, unit
from tests.reference import newton_twin

SEED = 5


def arm() -> gk.Skeleton:
    """Seven hinges like those of a robot's arm, with a hand."""
    builder = gk.SkeletonBuilder("arm")
    above = None
    for number, (axis, height) in enumerate(zip("zyzyzyz", (0.3, 0, 0.4, 0, 0.4, 0, 0.1), strict=True)):
        bound = 2.9 if axis == "z" else 2.0
        place = {"position": (0, 0, height), "lower": -bound, "upper": bound}
        builder.joint(f"j{number}", kind="revolute", parent=above, axis=axis, **place)
        above = f"j{number}"
    builder.frame("hand", parent=above, position=(0.02, 0, 0.1))
    return builder.build()


def puppet() -> gk.Skeleton:
    """A trunk that goes where it wants, two arms, a head with an eye, two legs."""
    builder = gk.SkeletonBuilder("puppet", up="z")
    builder.joint("root", kind="free", position=(0, 0, 1))
    builder.joint("head", kind="ball", parent="root", position=(0, 0, 0.6), lower=(-1, -1, -1), upper=(1, 1, 1))
    builder.frame("eyes", parent="head", kind="eye", position=(0.1, 0, 0.1), axis="x")
    for side, y in (("left", 0.2), ("right", -0.2)):
        for limb, height, length in (("arm", 0.5, 0.3), ("leg", 0.0, 0.45)):
            name = f"{side} {limb}"
            builder.joint(name, kind="ball", parent="root", position=(0, y, height), lower=(-2,) * 3, upper=(2,) * 3)
            bend = {"lower": -2.5, "upper": 0.0} if limb == "arm" else {"lower": 0.0, "upper": 2.5}
            builder.joint(f"{name} bend", kind="revolute", parent=name, axis="y", position=(0, 0, -length), **bend)
            builder.frame(f"{name} end", parent=f"{name} bend", position=(0, 0, -length))
    return builder.build()


def problems(skeleton: gk.Skeleton, count: int, seed: int = SEED) -> tuple[np.ndarray, list[gk.Position], np.ndarray]:
    """Configurations, and the goals that put the hand where they do, as one batch."""
    angles = np.random.default_rng(seed).uniform(skeleton.lower, skeleton.upper, (count, skeleton.dof_count))
    seen = [skeleton.forward(q).of("hand") for q in angles]
    goals = [gk.Position("hand", [s.position for s in seen]), gk.Orientation("hand", [s.rotation for s in seen])]
    return angles, goals, angles


def test_every_target_an_arm_can_reach_is_reached_inside_its_limits() -> None:
    """500 places and rotations from cold; errors are those of forward kinematics."""
    skeleton = arm()
    _, goals, _ = problems(skeleton, 500)
    answers = gk.solve_batch(skeleton, goals, method="newton")
    assert answers.reached.all()
    assert (answers.angles >= skeleton.lower).all()
    assert (answers.angles <= skeleton.upper).all()
    for answer, point in zip(answers, np.asarray(goals[0].point), strict=True):
        found = skeleton.forward(answer.angles).of("hand").position
        np.testing.assert_allclose(np.linalg.norm(found - point), answer.errors[0], atol=1e-12)


def test_a_near_start_is_not_left_for_another_bend() -> None:
    """500 starts within 0.1 rad of an answer: all reached, and no joint moves by more than half a radian."""
    skeleton = arm()
    angles, goals, _ = problems(skeleton, 500)
    shaken = angles + np.random.default_rng(SEED).uniform(-0.1, 0.1, angles.shape)
    starts = np.clip(shaken, skeleton.lower, skeleton.upper)
    answers = gk.solve_batch(skeleton, goals, method="newton", start=starts)
    assert answers.reached.all()
    assert np.abs(answers.angles - starts).max() <= 0.5


def test_batch_threads_and_single_solves_give_the_same_bits() -> None:
    """One compiled call for all of them; nothing is remembered in between."""
    skeleton = arm()
    _, goals, _ = problems(skeleton, 200)
    batch = gk.solve_batch(skeleton, goals, method="newton", threads=2).angles
    assert (batch == gk.solve_batch(skeleton, goals, method="newton", threads=1).angles).all()
    prepared = gk.prepare(skeleton, [gk.Position("hand", (0, 0, 1)), gk.Orientation("hand", (1, 0, 0, 0))], "newton")
    for row in range(0, 200, 17):
        alone = prepared.solve(np.asarray(goals[0].point)[row], np.asarray(goals[1].quaternion)[row])
        assert (alone.angles == batch[row]).all()


@pytest.mark.parametrize("model", MODELS)
def test_a_target_at_the_present_pose_takes_no_step(model: str) -> None:
    """Whatever the model: nothing is missing, so nothing moves."""
    skeleton = arm()
    start = np.full(7, 0.3)
    goal = gk.Position("hand", skeleton.forward(start).of("hand").position)
    answer = gk.solve(skeleton, goal, method="newton", start=start, model=model)
    assert answer.iterations == 0
    assert (answer.angles == start).all()


@pytest.mark.parametrize("model", MODELS)
def test_every_model_gets_there_from_nearby(model: str) -> None:
    """Without restarts; plain gradients need hundreds of steps, the others few."""
    skeleton = arm()
    start = np.full(7, 0.4)
    goals = [gk.Position("hand", skeleton.forward(start + 0.1).of("hand").position)]
    answer = gk.solve(skeleton, goals, "newton", start, model=model, restarts=0, max_iterations=5000)
    assert answer.reached
    assert answer.iterations <= {"hybrid": 6, "exact": 8, "gauss_newton": 6, "bfgs": 40, "gradient": 1000}[model]


def test_out_of_reach_the_closest_pose_is_found_and_flagged() -> None:
    """A place twice too far: the arm points at it, to a hundredth of a millimetre."""
    skeleton = arm()
    for direction in np.random.default_rng(SEED).normal(size=(20, 3)):
        direction[2] = abs(direction[2])
        shoulder = np.array((0.0, 0.0, 0.3))
        target = shoulder + 3.0 * unit(direction)
        answer = gk.solve(skeleton, gk.Position("hand", target), method="newton")
        assert not answer.reached
        assert answer.status == "out of reach"
        longest = 0.4 + 0.4 + 0.1 + 0.1
        assert 3.0 - longest - 0.03 <= answer.errors[0] <= 3.0 - longest + 0.011


@pytest.mark.parametrize("exact", [True, False])
def test_steps_are_those_of_the_slow_twin(exact: bool) -> None:
    """Five steps on a tree with balls, a slide and a mimic joint, towards two places at once, to 1e-8."""
    body = random_body(6, "ZYX")
    start = np.random.default_rng(SEED).uniform(-0.7, 0.7, body.dof_count)
    goals = [("crown", np.array((1.0, 2.0, -1.0))), ("tip", np.array((-1.0, 0.5, 2.0)))]
    expected = newton_twin.newton(body, start, goals, 5, exact=exact)
    asked = [gk.Position(name, point) for name, point in goals]
    options = {"model": "exact" if exact else "gauss_newton", "restarts": 0, "max_iterations": 5}
    answer = gk.solve(body, asked, "newton", start, **options)
    np.testing.assert_allclose(answer.angles, expected, atol=1e-8)


def test_a_posture_is_held_by_what_the_goals_leave_free() -> None:
    """A light one moves the redundant arm as near to it as it goes, and the hand by next to nothing."""
    skeleton = arm()
    posture = np.array((0.5, 0.8, -0.4, -1.2, 0.3, 0.9, 0.0))
    target = skeleton.forward(posture + 0.2).of("hand")
    goals = [gk.Position("hand", target.position), gk.Orientation("hand", target.rotation)]
    held = gk.solve(skeleton, [*goals, gk.Posture(posture, weight=1e-3)], "newton", posture)
    left = gk.solve(skeleton, goals, "newton", skeleton.rest)
    assert held.reached
    assert np.linalg.norm(held.angles - posture) < np.linalg.norm(left.angles - posture)
    # Along the way that is free nothing is to be gained any more.
    jacobian = skeleton.jacobian(held.angles, "hand")
    free = np.linalg.svd(jacobian)[2][6]
    assert abs(free @ (held.angles - posture)) < 1e-3


def test_a_puppet_reaches_with_both_hands_while_its_feet_stay_and_its_eyes_aim() -> None:
    """Six goals on five limbs, a root that moves, every limit kept."""
    skeleton = puppet()
    standing = skeleton.rest.copy()
    for name, angle in (("left leg bend", 0.6), ("right leg bend", 0.6), ("left arm bend", -1.0)):
        standing[skeleton.dof_names.index(name)] = angle
    pose = skeleton.forward(standing)
    feet = [gk.Position(f"{side} leg end", pose.of(f"{side} leg end").position) for side in ("left", "right")]
    rng = np.random.default_rng(SEED)
    for _ in range(20):
        spot = np.array((0.45, 0.0, 1.2)) + rng.uniform(-0.12, 0.12, 3)
        aside = np.array((0.0, 0.15, 0.0))
        hands = [gk.Position("left arm end", spot + aside), gk.Position("right arm end", spot - aside)]
        goals = [*feet, *hands, gk.Aim("eyes", at=spot)]
        answer = gk.solve(skeleton, [*goals, gk.Posture(standing, weight=1e-3)], "newton", standing)
        assert answer.reached, answer.explain()
        assert not skeleton.limit_excess(answer.angles)


def test_a_start_outside_the_limits_is_brought_inside() -> None:
    """And joints that carry no goal stay where the start has them, or take the posture."""
    skeleton = puppet()
    start = np.full(skeleton.dof_count, 9.0)
    goal = gk.Position("left arm end", (0.3, 0.3, 1.2))
    answer = gk.solve(skeleton, goal, "newton", start)
    assert answer.reached
    assert not skeleton.limit_excess(answer.angles)
    leg = skeleton.dof_names.index("right leg bend")
    assert answer.angles[leg] == skeleton.upper[leg]
    held = gk.solve(skeleton, [goal, gk.Posture(skeleton.rest)], "newton", start)
    assert held.angles[leg] == skeleton.rest[leg]


def test_only_the_joints_named_move() -> None:
    """A mask keeps the others where the start has them."""
    skeleton = arm()
    start = np.full(7, 0.3)
    answer = gk.solve(skeleton, gk.Position("hand", (0.5, 0.2, 0.6)), "newton", start, joints=["j0", "j1", "j3"])
    assert answer.reached
    assert (answer.angles[[2, 4, 5, 6]] == 0.3).all()


def test_a_tracker_glides_with_it() -> None:
    """A target that wanders by a centimetre a frame is followed, and no joint leaps."""
    skeleton = arm()
    prepared = gk.prepare(skeleton, gk.Position("hand", (0.5, 0.0, 0.6)), "newton")
    tracker = gk.Tracker(prepared, speed=3.0)
    before = tracker.step((0.5, 0.0, 0.6)).angles
    for frame in range(60):
        turn = 0.02 * frame
        answer = tracker.step((0.5 * np.cos(turn), 0.5 * np.sin(turn), 0.6))
        assert answer.reached
        assert np.abs(answer.angles - before).max() <= 3.0 / 60.0 + 1e-9
        before = answer.angles


def test_what_newton_cannot_take_is_refused() -> None:
    """A posture alone, or given by places; an option that is none."""
    skeleton = arm()
    goal = gk.Position("hand", (0.5, 0, 0.5))
    with pytest.raises(gk.errors.CapabilityError, match="at least one goal"):
        gk.solve(skeleton, gk.Posture(skeleton.rest), "newton")
    with pytest.raises(gk.errors.CapabilityError, match="posture points"):
        gk.solve(skeleton, [goal, gk.Posture(positions=np.zeros((7, 3)))], "newton")
    with pytest.raises(gk.errors.InputError, match="model"):
        gk.solve(skeleton, goal, "newton", model="guess")
