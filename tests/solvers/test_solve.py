"""The front door: what is asked is checked and named, and however it is asked the answer is the same."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import gestik as gk
from gestik.errors import CapabilityError, InputError, NameNotFoundError

POINT = (0.5, 0.2, 0.4)


@pytest.fixture(scope="module")
def lamp() -> gk.Skeleton:
    """The bundled lamp, limits and all."""
    return gk.load("lamp")


@pytest.fixture(scope="module")
def drawn(lamp: gk.Skeleton) -> NDArray[np.float64]:
    """Two hundred postures inside the limits: enough for two threads."""
    return np.random.default_rng(2).uniform(lamp.lower, lamp.upper, size=(200, lamp.dof_count))


@pytest.fixture(scope="module")
def points() -> NDArray[np.float64]:
    """As many points to look at."""
    return np.random.default_rng(3).normal(size=(200, 3)) + np.array([0.0, 0.0, 0.3])


def test_goals_may_come_in_any_order_and_errors_come_in_theirs(lamp: gk.Skeleton) -> None:
    """The posture before or behind the aim: the same angles, each error at its goal's place."""
    aim, held = gk.Aim("eye", at=POINT), gk.Posture(lamp.rest)
    first, second = gk.solve(lamp, [aim, held]), gk.solve(lamp, [held, aim])
    np.testing.assert_array_equal(first.angles, second.angles)
    np.testing.assert_array_equal(first.errors, second.errors[::-1])


def test_the_same_question_has_the_same_answer(lamp: gk.Skeleton) -> None:
    """To the last bit, from `solve`, from a prepared problem, and again."""
    goals = [gk.Aim("eye", at=POINT), gk.Posture(lamp.rest)]
    once = gk.solve(lamp, goals).angles
    prepared = gk.prepare(lamp, goals)
    np.testing.assert_array_equal(prepared.solve().angles, once)
    prepared.solve((0.0, 1.0, 0.0))  # another question between leaves no trace
    np.testing.assert_array_equal(prepared.solve(POINT, lamp.rest).angles, once)


def test_a_batch_is_a_loop_whatever_the_threads(
    lamp: gk.Skeleton, drawn: NDArray[np.float64], points: NDArray[np.float64]
) -> None:
    """Angles, errors and effort equal to the last bit, with one thread, with two, one by one."""
    goals = [gk.Aim("eye", at=points), gk.Posture(drawn)]
    one, two = gk.solve_batch(lamp, goals, threads=1), gk.solve_batch(lamp, goals, threads=2)
    prepared = gk.prepare(lamp, [gk.Aim("eye", at=POINT), gk.Posture(lamp.rest)])
    each = [prepared.solve(point, posture) for point, posture in zip(points, drawn, strict=True)]
    for batch in (one, two):
        np.testing.assert_array_equal(batch.angles, [solution.angles for solution in each])
        np.testing.assert_array_equal(batch.errors, [solution.errors for solution in each])
        np.testing.assert_array_equal(batch.iterations, [solution.iterations for solution in each])
        np.testing.assert_array_equal(batch.reached, [solution.reached for solution in each])
    assert len(two) == 200
    assert two[-1].explain() == each[-1].explain()


def test_shared_targets_are_repeated_and_starts_may_be_shared_too(
    lamp: gk.Skeleton, points: NDArray[np.float64]
) -> None:
    """One posture for all points; a start for each problem equal to the one shared."""
    goals = [gk.Aim("eye", at=points[:5]), gk.Posture(lamp.rest)]
    shared = gk.solve_batch(lamp, goals, start=lamp.rest)
    own = gk.solve_batch(lamp, goals, start=np.tile(lamp.rest, (5, 1)))
    np.testing.assert_array_equal(shared.angles, own.angles)
    assert shared.angles.shape == (5, lamp.dof_count)


def test_what_the_caller_gave_is_left_alone(lamp: gk.Skeleton) -> None:
    """Targets and starts are read, never written."""
    point, posture, start = np.array(POINT), np.array(lamp.rest), np.array(lamp.rest)
    copies = point.copy(), posture.copy(), start.copy()
    gk.solve(lamp, [gk.Aim("eye", at=point), gk.Posture(posture)], start=start)
    for given, copy in zip((point, posture, start), copies, strict=True):
        np.testing.assert_array_equal(given, copy)


def test_a_posture_may_be_given_by_the_places_of_the_joints(lamp: gk.Skeleton) -> None:
    """The bones say all that the shape measure reads: both ways of giving a posture lead to the same shape."""
    posture = gk.load_character("lamp").posture("curious").angles_for(lamp)
    aim = gk.Aim("eye", at=POINT)
    by_places = gk.solve(lamp, [aim, gk.Posture(positions=lamp.forward(posture).positions)])
    by_angles = gk.solve(lamp, [aim, gk.Posture(posture)])
    assert by_places.reached
    assert gk.metrics.shape_error(lamp, by_places.angles, posture, "eye") == pytest.approx(
        gk.metrics.shape_error(lamp, by_angles.angles, posture, "eye"), abs=0.5
    )


@pytest.mark.parametrize(
    ("goals", "options", "fault", "message"),
    [
        ([], {}, CapabilityError, "at least one goal"),
        ([gk.Posture([0.0] * 5)], {}, CapabilityError, "at least one goal"),
        ([gk.Aim("eye", at=POINT), gk.Posture([0.0] * 5), gk.Posture([0.0] * 5)], {}, InputError, "2 postures"),
        (["eye"], {}, InputError, "'eye' is no goal"),
        ([gk.Aim("eye", at=POINT)], {"method": "pose"}, NameNotFoundError, "poise"),
        ([gk.Aim("eye", at=POINT)], {"method": "poise", "stars": 9}, NameNotFoundError, "starts"),
        ([gk.Aim("eye", at=POINT)], {"method": "poise", "starts": 5000}, InputError, "from 6 to 1000"),
        ([gk.Aim("eye", at=POINT)], {"method": "poise", "starts": 7.5}, InputError, "whole number"),
        ([gk.Aim("eye", at=POINT)], {"method": "poise", "measure": "looks"}, InputError, "shape, paper"),
        ([gk.Aim("eye", at=POINT)], {"start": [0.0, 0.0]}, InputError, "5"),
        ([gk.Aim("eye", at=POINT)], {"start": [np.nan] * 5}, InputError, "nan"),
        ([gk.Posture([0.0] * 4), gk.Aim("eye", at=POINT)], {}, InputError, "4"),
        ([gk.Aim("ear", at=POINT)], {}, NameNotFoundError, "'ear'; did you mean"),
    ],
)
def test_a_mistake_raises_and_names_what_would_be_right(
    lamp: gk.Skeleton, goals: list[object], options: dict[str, object], fault: type[Exception], message: str
) -> None:
    """One exception family; the value and the choices stand in the message."""
    with pytest.raises(fault, match=message) as caught:
        gk.solve(lamp, goals, **options)
    assert isinstance(caught.value, gk.GestikError)


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        (((1.0, np.nan, 0.0),), r"Aim\('eye'\).*nan"),
        (((1.0, 0.0),), "takes 3 numbers"),
        (("left",), "takes 3 numbers"),
        ((None,), "takes 3 numbers"),
        ((POINT, [0.0] * 5, POINT), "3 targets are given for 2 goals"),
        ((POINT, [np.inf] * 5), "the posture"),
    ],
)
def test_a_bad_target_is_named(lamp: gk.Skeleton, targets: tuple[object, ...], message: str) -> None:
    """Also in the fast path, before any kernel runs."""
    prepared = gk.prepare(lamp, [gk.Aim("eye", at=POINT), gk.Posture(lamp.rest)])
    with pytest.raises(InputError, match=message):
        prepared.solve(*targets)


def test_batches_that_do_not_fit_are_refused(lamp: gk.Skeleton, points: NDArray[np.float64]) -> None:
    """Of different lengths, or with starts that fit neither all nor each; and threads there cannot be."""
    with pytest.raises(InputError, match="different lengths: 3, 4"):
        gk.solve_batch(lamp, [gk.Aim("eye", at=points[:3]), gk.Posture(np.zeros((4, 5)))])
    with pytest.raises(InputError, match="start has shape"):
        gk.solve_batch(lamp, gk.Aim("eye", at=points[:3]), start=np.zeros((2, 5)))
    with pytest.raises(InputError, match="threads is 0"):
        gk.solve_batch(lamp, gk.Aim("eye", at=points[:3]), threads=0)


def test_what_cannot_move_cannot_be_asked_to() -> None:
    """A skeleton without a moving joint is refused, and so is what is no skeleton."""
    builder = gk.SkeletonBuilder("post")
    builder.joint("plate", kind="fixed")
    with pytest.raises(CapabilityError, match="no joint that moves"):
        gk.solve(builder.build(), gk.Position("plate", (0, 0, 1)))
    with pytest.raises(InputError, match=r"gestik\.load"):
        gk.solve("lamp", gk.Position("plate", (0, 0, 1)))  # type: ignore[arg-type]
