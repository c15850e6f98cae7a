"""poise: as good as heavy search, inside all limits, on every kind of chain it takes."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from benchmarks.oracle.paper import Y, best_answers, combined_error, pose
from benchmarks.oracle.sighted import best_looks, shape_errors
from gestik.evaluation.skeletons import LAYOUTS
from gestik.solvers.poise import entry
from tests.reference import measures_twin
from tests.reference.forward_twin import chain_segments, looking_error, named_frame

POINT = (0.5, 0.2, 0.4)
ROOMY = 5  # times the bar of the benchmark's thousand samples: a few samples scatter more


@pytest.fixture(scope="module")
def lamp() -> gk.Skeleton:
    """The bundled lamp."""
    return gk.load("lamp")


@pytest.mark.parametrize(("letter", "bar"), [("A", 1e-3), ("C", 5e-3), ("D", 1e-2), ("F", 5e-3)])
def test_on_the_papers_problem_it_is_as_good_as_heavy_search(letter: str, bar: float) -> None:
    """Two dozen samples: hardly above the best answers on average, never below them."""
    problems = gk.evaluation.random_set(letter, 24, seed=77)
    axes, limit = LAYOUTS[letter]
    goals = [gk.Orientation("tip", problems.orientations, symmetric=True), gk.Posture(problems.postures)]
    found = gk.solve_batch(gk.evaluation.skeleton(letter), goals, measure="paper")
    errors = combined_error(axes, found.angles, *problems)
    best = best_answers(axes, limit, *problems, starts=16).errors
    assert (errors - best).mean() <= ROOMY * bar * best.mean()
    assert (errors - best).min() >= -1e-4


def test_on_the_lamp_it_is_as_good_as_heavy_search(lamp: gk.Skeleton) -> None:
    """Two dozen looks: on target wherever heavy search is, with a shape hardly farther from the posture."""
    generator = np.random.default_rng(11)
    postures = generator.uniform(lamp.lower, lamp.upper, size=(24, lamp.dof_count))
    points = generator.normal(size=(24, 3)) + np.array([0.0, 0.0, 0.3])
    angles = gk.solve_batch(lamp, [gk.Aim("eye", at=points), gk.Posture(postures)]).angles
    best = best_looks(lamp, "eye", postures, points, starts=24).errors
    for q, point, reachable in zip(angles, points, np.isfinite(best), strict=True):
        assert not reachable or np.degrees(looking_error(lamp, q, "eye", point)) <= 0.5
    shapes = shape_errors(lamp, "eye", angles, postures)
    assert shapes[np.isfinite(best)].mean() <= 1.15 * best[np.isfinite(best)].mean()


@pytest.mark.parametrize("letter", "BCDEFG")
def test_the_errors_it_reports_are_those_of_the_twin(letter: str) -> None:
    """Orientation in radians, the posture by the paper's measure, from matrices."""
    body, problems = gk.evaluation.skeleton(letter), gk.evaluation.random_set(letter, 12, seed=5)
    goals = [gk.Orientation("tip", problems.orientations, symmetric=True), gk.Posture(problems.postures)]
    found = gk.solve_batch(body, goals, measure="paper")
    end = pose(LAYOUTS[letter][0], found.angles).end
    turns = measures_twin.orientation_angle(end, measures_twin.rotation_matrix(problems.orientations), Y)
    np.testing.assert_allclose(found.errors[:, 0], turns, atol=1e-7)
    for q, posture, error in zip(found.angles, problems.postures, found.errors[:, 1], strict=True):
        ours, theirs = (chain_segments(body, angles, "end") for angles in (q, posture))
        held = measures_twin.posture_measure(ours.directions[ours.bends], theirs.directions[theirs.bends], ours.base)
        assert error == pytest.approx(float(held), abs=1e-9)
    assert ((found.angles >= body.lower) & (found.angles <= body.upper)).all()


def test_a_posture_that_already_looks_there_is_left_alone(lamp: gk.Skeleton) -> None:
    """Nothing to do is nothing done: angles come back to a hundredth of a degree."""
    for posture in gk.load_character("lamp").postures.values():
        angles = posture.angles_for(lamp)
        eye = lamp.frame("eye")
        place = named_frame(lamp, angles, "eye")
        ahead = place[:3, 3] + 0.8 * place[:3, :3] @ np.asarray(eye.axis)
        found = gk.solve(lamp, [gk.Aim("eye", at=ahead), posture])
        assert found.reached
        np.testing.assert_allclose(found.angles, angles, atol=np.radians(0.01))


def test_a_posture_outside_the_limits_is_held_as_nearly_as_they_allow(lamp: gk.Skeleton) -> None:
    """What an animator drew may break limits; the answer does not."""
    drawn = np.array([3.5, 2.5, -3.0, 2.5, 3.0])
    found = gk.solve(lamp, [gk.Aim("eye", at=POINT), gk.Posture(drawn)])
    assert found.reached
    assert ((found.angles >= lamp.lower) & (found.angles <= lamp.upper)).all()


@pytest.mark.parametrize("point", [(0, 0, 5.0), (0, 0, -5.0), (0, 0, 0.03), (1e-9, 0, 0.4), (1e3, 0, 0)])
def test_targets_on_the_axis_and_in_the_body_are_survived(lamp: gk.Skeleton, point: tuple[float, ...]) -> None:
    """Straight above, straight below, in the foot, in the neck, far away: finite angles inside the limits."""
    found = gk.solve(lamp, [gk.Aim("eye", at=point), gk.Posture(lamp.rest)])
    assert np.isfinite(found.angles).all()
    assert ((found.angles >= lamp.lower) & (found.angles <= lamp.upper)).all()
    assert np.isfinite(found.errors).all()


@pytest.mark.parametrize("wanted", [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)])
@pytest.mark.parametrize("letter", "CG")
def test_straight_postures_and_polar_targets_are_no_trap(letter: str, wanted: tuple[float, ...]) -> None:
    """All angles zero is a saddle of the measures; straight up and down have no azimuth."""
    body = gk.evaluation.skeleton(letter)
    for measure in ("shape", "paper"):
        goals = [gk.Orientation("tip", wanted, symmetric=True), gk.Posture(np.zeros(body.dof_count))]
        found = gk.solve(body, goals, measure=measure)
        assert found.reached, f"{measure}: {found.explain()}"


def test_a_start_breaks_ties_and_nothing_else(lamp: gk.Skeleton) -> None:
    """From wherever it starts, the cost is the same."""
    goals = [gk.Aim("eye", at=POINT), gk.Posture(lamp.rest)]
    prepared = gk.prepare(lamp, goals)
    rows = prepared.pack_rows()
    costs = [
        float(prepared.solve_rows(rows, prepared.pack_start(start)).cost[0])
        for start in np.random.default_rng(1).uniform(lamp.lower, lamp.upper, size=(10, 5))
    ]
    assert np.ptp(costs) <= 1e-9


def test_a_prismatic_neck_and_a_position_are_taken() -> None:
    """The neck slides out as far as the place needs, and no farther than it may."""
    builder = gk.SkeletonBuilder("periscope", up="z")
    builder.joint("turn", kind="continuous", axis="z")
    builder.joint("lift", parent="turn", kind="prismatic", axis="z", position=(0, 0, 0.5), lower=0.0, upper=0.5)
    builder.joint("nod", parent="lift", kind="revolute", axis="y", position=(0, 0, 0.1), lower=-1.0, upper=1.0)
    builder.frame("tip", parent="nod", position=(0.4, 0, 0))
    body = builder.build()
    wanted = body.forward([0.4, 0.3, 0.5]).of("tip").position
    found = gk.solve(body, [gk.Position("tip", wanted), gk.Posture([0.0, 0.0, 0.0])])
    assert found.reached
    np.testing.assert_allclose(body.forward(found.angles).of("tip").position, wanted, atol=1e-4)
    high = gk.solve(body, [gk.Position("tip", wanted + np.array([0, 0, 0.8])), gk.Posture([0.0, 0.0, 0.0])])
    assert not high.reached
    assert "lift" in high.at_limit


def test_its_entry_was_compiled_for_one_kind_of_arguments(lamp: gk.Skeleton) -> None:
    """Solving, batches and tracking share one compiled function: a second one would be compiled while a user waits."""
    prepared = gk.prepare(lamp, [gk.Aim("eye", at=POINT), gk.Posture(lamp.rest)])
    prepared.solve()
    gk.solve_batch(lamp, [gk.Aim("eye", at=np.tile(POINT, (200, 1))), gk.Posture(lamp.rest)], threads=2)
    tracker = gk.Tracker(prepared)
    for point in (POINT, (0.0, 0.5, 0.1), (-0.5, 0.0, 0.3)):
        tracker.step(point)
    assert len(entry.solve_rows.signatures) == 1  # type: ignore[attr-defined]
