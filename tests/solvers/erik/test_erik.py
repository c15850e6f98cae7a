"""ERIK on the paper's skeletons and on chains unlike them: limits, measures, both kinds of posture, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.errors import CapabilityError, InputError
from gestik.evaluation.skeletons import LAYOUTS
from gestik.model.builder import SkeletonBuilder
from gestik.model.joints import Mimic
from gestik.model.skeleton import Skeleton
from tests.reference.measures_twin import ORIENTATION_WEIGHT, POSTURE_WEIGHT
from tests.solvers.erik.bodies import odd_chain, one_sided_chain

LETTERS = "ABCDEFG"
COUNT = 60


def problems(letter: str, count: int = COUNT, seed: int = 71) -> tuple[Skeleton, list[object]]:
    """The paper's problem on one of its skeletons."""
    skeleton, drawn = gk.evaluation.skeleton(letter), gk.evaluation.random_set(letter, count, seed)
    return skeleton, [gk.Orientation("tip", drawn.orientations, symmetric=True), gk.Posture(drawn.postures)]


def combined(skeleton: Skeleton, angles: np.ndarray, goals: list[object], frame: str) -> np.ndarray:
    """The error function of each answer, from the public measures."""
    orientation, posture = goals
    errors = []
    for row, found in enumerate(angles):
        target, drawn = orientation.target[row], posture.angles[row]
        turn = gk.metrics.orientation_error(skeleton, found, frame, target, orientation.symmetric)
        shape = gk.metrics.posture_error(skeleton, found, drawn, frame)
        errors.append(ORIENTATION_WEIGHT * turn + POSTURE_WEIGHT * shape)
    return np.array(errors)


def random_problems(skeleton: Skeleton, count: int, seed: int) -> list[object]:
    """Postures inside the limits and orientations other postures have, so that all can be reached."""
    rng = np.random.default_rng(seed)
    drawn, facing = rng.uniform(skeleton.lower, skeleton.upper, (2, count, skeleton.dof_count))
    targets = np.array([skeleton.forward(angles).of("end").rotation for angles in facing])
    return [gk.Orientation("end", targets), gk.Posture(drawn)]


@pytest.mark.parametrize("letter", LETTERS)
def test_limits_hold_and_the_cost_is_the_papers(letter: str) -> None:
    """The cost a batch reports is eq. 19 of its angles, and no angle is outside."""
    skeleton, goals = problems(letter)
    prepared = gk.prepare(skeleton, goals, method="erik")
    filled = prepared.solve_rows(prepared.pack_rows(), prepared.pack_start(None))
    assert (filled.angles >= skeleton.lower).all()
    assert (filled.angles <= skeleton.upper).all()
    np.testing.assert_allclose(filled.cost, combined(skeleton, filled.angles, goals, "tip"), atol=1e-9)


@pytest.mark.parametrize("letter", "CG")
def test_answers_are_good(letter: str) -> None:
    """Two thirds of the problems end within the paper's threshold; its figure for C is 72 %."""
    skeleton, goals = problems(letter, 200)
    errors = combined(skeleton, gk.solve_batch(skeleton, goals, method="erik", threads=1).angles, goals, "tip")
    assert np.mean(errors <= 0.04) > 0.66


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("zero_lengths", [False, True])
def test_chains_unlike_the_papers_are_aimed(seed: int, zero_lengths: bool) -> None:
    """Oblique axes, no twisters, turned rests, bones of no length, asymmetric limits: kept, and mostly aimed."""
    skeleton = odd_chain(seed, 6, zero_lengths)
    goals = random_problems(skeleton, COUNT, seed)
    prepared = gk.prepare(skeleton, goals, method="erik")
    filled = prepared.solve_rows(prepared.pack_rows(), prepared.pack_start(None))
    assert (filled.angles >= skeleton.lower).all()
    assert (filled.angles <= skeleton.upper).all()
    np.testing.assert_allclose(filled.cost, combined(skeleton, filled.angles, goals, "end"), atol=1e-9)
    assert np.mean(np.sqrt(2.0) * np.sin(filled.errors[:, 0] / 4.0) < 0.04) > 0.75


@pytest.mark.parametrize(("axes", "share"), [("yxxzy", 0.9), ("yxzxyxzy", 0.99)])
def test_swings_that_reach_farther_to_one_side_are_aimed(axes: str, share: float) -> None:
    """From -30 to 100 degrees: half turns of twisters and clamped ones are both tried."""
    skeleton = one_sided_chain(axes, np.radians(-30.0), np.radians(100.0))
    drawn = gk.evaluation.random_set(skeleton, 300, 5)
    goals = [gk.Orientation("end", drawn.orientations, symmetric=True), gk.Posture(drawn.postures)]
    found = gk.solve_batch(skeleton, goals, method="erik", threads=1)
    assert (found.angles >= skeleton.lower).all()
    assert (found.angles <= skeleton.upper).all()
    assert np.mean(np.sqrt(2.0) * np.sin(found.errors[:, 0] / 4.0) <= 0.04) > share


def test_a_tip_that_hardly_twists_does_not_have_to_roll_the_end() -> None:
    """With 1 degree of twist the other joints turn towards the whole orientation."""
    skeleton = one_sided_chain("yxzyxzy", -1.5, 1.5, tip=np.radians(1.0))
    found = gk.solve_batch(skeleton, random_problems(skeleton, 200, 4), method="erik", threads=1)
    assert np.mean(np.sqrt(2.0) * np.sin(found.errors[:, 0] / 4.0) <= 0.04) > 0.9


def turn_in_steps(tie: float) -> int:
    """How often C jumps by more than 20 degrees while its target goes round in steps of 1 degree."""
    skeleton, drawn = gk.evaluation.skeleton("C"), gk.evaluation.random_set("C", 4, 5).postures
    prepared = gk.prepare(
        skeleton, [gk.Orientation("tip", (1, 0, 0, 0), symmetric=True), gk.Posture(drawn[0])], method="erik", tie=tie
    )
    jumps = 0
    for posture in drawn:
        previous = None
        for yaw in np.radians(np.arange(-180.0, 180.0)) / 2.0:
            facing = (np.cos(yaw) * np.cos(0.5), np.cos(yaw) * np.sin(0.5), np.sin(yaw) * np.cos(0.5),
                      -np.sin(yaw) * np.sin(0.5))  # fmt: skip
            angles = prepared.solve(facing, posture, start=previous).angles
            jumps += previous is not None and np.abs(angles - previous).max() > np.radians(20.0)
            previous = angles
    return int(jumps)


def test_the_previous_solution_keeps_a_moving_body_from_jumping() -> None:
    """A tie of 0.0005 leaves fewer than half of the jumps."""
    assert turn_in_steps(5e-4) < 0.5 * turn_in_steps(0.0)


@pytest.mark.parametrize("letter", LETTERS)
def test_postures_by_points_are_held_as_those_by_angles(letter: str) -> None:
    """The bends drawn are the same, so the errors are."""
    skeleton, goals = problems(letter)
    drawn = goals[1].angles
    points = [[*skeleton.forward(angles).positions, skeleton.forward(angles).of("end").position] for angles in drawn]
    by_angles = gk.solve_batch(skeleton, goals, method="erik", threads=1)
    by_points = gk.solve_batch(skeleton, [goals[0], gk.Posture(positions=np.array(points))], method="erik", threads=1)
    errors = [combined(skeleton, found.angles, goals, "tip").mean() for found in (by_angles, by_points)]
    assert errors[1] == pytest.approx(errors[0], abs=2e-3)


@pytest.mark.parametrize("seed", range(3))
def test_points_of_odd_chains_are_decoded(seed: int) -> None:
    """A posture by points is laid out so that its bones come out as drawn, and held no worse."""
    skeleton = odd_chain(seed, 6, False)
    goals = random_problems(skeleton, COUNT, seed)
    drawn = goals[1].angles
    points = [[*skeleton.forward(angles).positions, skeleton.forward(angles).of("end").position] for angles in drawn]
    found = gk.solve_batch(skeleton, [goals[0], gk.Posture(positions=np.array(points))], method="erik", threads=1)
    by_angles = gk.solve_batch(skeleton, goals, method="erik", threads=1)
    errors = [combined(skeleton, each.angles, goals, "end").mean() for each in (by_angles, found)]
    assert errors[1] < errors[0] + 0.02


@pytest.mark.parametrize("letter", "CEG")
def test_a_posture_that_faces_the_target_is_kept(letter: str) -> None:
    """Nothing needs to change, so nothing does."""
    skeleton, goals = problems(letter, 20)
    for drawn in goals[1].angles:
        drawn = 0.9 * drawn
        target = skeleton.forward(drawn).of("tip").rotation
        found = gk.solve(skeleton, [gk.Orientation("tip", target, symmetric=True), gk.Posture(drawn)], method="erik")
        assert found.errors[0] < 1e-2
        np.testing.assert_allclose(found.angles[1:-1], drawn[1:-1], atol=1e-2)


def test_a_batch_gives_the_bits_of_single_solves_and_threads_change_nothing() -> None:
    """And the same question asked twice has one answer."""
    skeleton, goals = problems("E", 200)
    batch = gk.solve_batch(skeleton, goals, method="erik", threads=1)
    threaded = gk.solve_batch(skeleton, goals, method="erik", threads=3)
    prepared = gk.prepare(skeleton, goals, method="erik")
    np.testing.assert_array_equal(batch.angles, threaded.angles)
    for row in range(20):
        single = prepared.solve(goals[0].target[row], goals[1].angles[row])
        np.testing.assert_array_equal(single.angles, batch.angles[row])


@pytest.mark.parametrize(
    "options",
    [
        {"latitude_step": 0.0175},
        {"offset_trick": "on"},
        {"offset_trick": "on", "offset_seed": 7},
        {"avoid_edges": "off"},
        {"refresh": "off"},
        {"ccd_trick": "off"},
        {"twist_parent": "on"},
        {"tie": 0.01},
        {"aggravation": 2.0},
        {"max_iterations": 1},
    ],
)
def test_every_option_leaves_answers_inside_limits(options: dict[str, float | str]) -> None:
    """And does something without spoiling what it does."""
    skeleton, goals = problems("F", 100)
    found = gk.solve_batch(skeleton, goals, method="erik", threads=1, **options)
    assert (found.angles >= skeleton.lower).all()
    assert (found.angles <= skeleton.upper).all()
    assert combined(skeleton, found.angles, goals, "tip").mean() < 0.06


def test_the_offset_is_drawn_by_its_seed() -> None:
    """The same seed aims the same way, another one another way."""
    skeleton, goals = problems("E", 100)
    options = {"offset_trick": "on", "threshold": 0.0, "disturbance": 0.05}
    first, again, other = (
        gk.solve_batch(skeleton, goals, method="erik", offset_seed=seed, **options).angles for seed in (3, 3, 4)
    )
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 1e-6


def test_the_start_breaks_ties() -> None:
    """Of answers as good within the tie, the one nearer to the start is taken."""
    skeleton, goals = problems("E", 40)
    plain = gk.solve_batch(skeleton, goals, method="erik")
    starts = np.clip(plain.angles + 0.05, skeleton.lower, skeleton.upper)
    near = gk.solve_batch(skeleton, goals, method="erik", start=starts, tie=0.01)
    assert np.abs(near.angles - starts).sum() < np.abs(plain.angles - starts).sum()
    worse = combined(skeleton, near.angles, goals, "tip") - combined(skeleton, plain.angles, goals, "tip")
    assert worse.max() <= 0.01 + 1e-9


def test_without_a_posture_the_start_is_held_loosely() -> None:
    """The end faces its target; there is no posture error to report."""
    skeleton = gk.evaluation.skeleton("C")
    found = gk.solve(skeleton, gk.Orientation("tip", (0.9, 0.1, 0.3, 0.3), symmetric=True), method="erik")
    assert len(found.errors) == 1
    assert found.errors[0] < 0.1


@pytest.mark.parametrize("letter", LETTERS)
def test_hostile_targets_give_finite_answers(letter: str) -> None:
    """Poles, the posture's own facing turned half round, and every joint at a limit."""
    skeleton = gk.evaluation.skeleton(letter)
    targets = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0.5, 0.5, 0.5, 0.5))
    for drawn in (np.zeros(skeleton.dof_count), skeleton.lower, skeleton.upper, np.full(skeleton.dof_count, 9.0)):
        for target in targets:
            found = gk.solve(skeleton, [gk.Orientation("tip", target), gk.Posture(drawn)], method="erik")
            assert np.isfinite(found.angles).all()
            assert np.isfinite(found.errors).all()
            assert (found.angles >= skeleton.lower).all()
            assert (found.angles <= skeleton.upper).all()


def hinge(kind: str = "revolute", **more: object) -> Skeleton:
    """Two joints, the second of some kind."""
    builder = SkeletonBuilder("two")
    builder.joint("a", kind="revolute", axis="x", lower=-1, upper=1, segment=(0, 0, 1))
    builder.joint("b", parent="a", kind=kind, axis="z", position=(0, 0, 1), segment=(0, 0, 1), **more)
    builder.joint("c", parent="b", kind="revolute", axis="x", position=(0, 0, 1), lower=-1, upper=1, segment=(0, 0, 1))
    return builder.build()


def test_what_it_cannot_do_is_refused() -> None:
    """Goals other than one orientation, joints that slide or mimic, options that do not exist."""
    skeleton, facing = gk.evaluation.skeleton("C"), gk.Orientation("tip", (1, 0, 0, 0))
    with pytest.raises(CapabilityError, match="position"):
        gk.solve(skeleton, gk.Position("tip", (1, 1, 1)), method="erik")
    with pytest.raises(CapabilityError, match="several goals"):
        gk.solve(skeleton, [facing, gk.Orientation("x2", (1, 0, 0, 0))], method="erik")
    with pytest.raises(CapabilityError, match="one Orientation"):
        gk.solve(skeleton, gk.Posture(np.zeros(5)), method="erik")
    with pytest.raises(CapabilityError, match="slides"):
        gk.solve(hinge("prismatic", lower=0, upper=1), gk.Orientation("c", (1, 0, 0, 0)), method="erik")
    with pytest.raises(CapabilityError, match="mimic"):
        gk.solve(hinge(lower=-1, upper=1, mimic=Mimic("a")), gk.Orientation("c", (1, 0, 0, 0)), method="erik")
    with pytest.raises(InputError, match="paper"):
        gk.solve(skeleton, facing, method="erik", measure="shape")


def test_joints_off_the_chain_take_the_posture() -> None:
    """An end in the middle of the arm leaves the rest as drawn."""
    skeleton = gk.evaluation.skeleton("G")
    drawn = np.full(8, 0.3)
    found = gk.solve(skeleton, [gk.Orientation("y5", (0.8, 0.6, 0, 0)), gk.Posture(drawn)], method="erik")
    np.testing.assert_array_equal(found.angles[5:], drawn[5:])


def test_the_papers_layouts_are_all_tried() -> None:
    """So that a new skeleton is not forgotten here."""
    assert tuple(LETTERS) == tuple(LAYOUTS)
