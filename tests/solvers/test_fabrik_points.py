"""FABRIK on bare points: the printed algorithm, its golden numbers, and what was missing from it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import gestik as gk
from tests.reference.fabrik_twin import fabrik as fabrik_twin

FloatArray = NDArray[np.float64]


def random_chain(rng: np.random.Generator, count: int, width: int) -> FloatArray:
    """A chain of points somewhere, links of many lengths."""
    return np.cumsum(rng.normal(size=(count, width)), axis=0)


def lengths(points: FloatArray) -> FloatArray:
    """The lengths of the links [m]."""
    return np.linalg.norm(np.diff(points, axis=0), axis=1)


@pytest.mark.parametrize("width", [2, 3])
@pytest.mark.parametrize("count", [3, 5, 11])
def test_points_and_iterations_are_those_of_the_printed_algorithm(count: int, width: int) -> None:
    """Chains in the plane and in space, iteration for iteration."""
    rng = np.random.default_rng(count * width)
    for _ in range(30):
        chain = random_chain(rng, count, width)
        target = chain[0] + rng.normal(size=width) * 0.4 * lengths(chain).sum() / math.sqrt(width)
        solved, expected = gk.fabrik(chain, target), fabrik_twin(chain, target, 1000, 1e-4)
        if solved is None or expected is None:
            assert solved is None
            continue
        assert solved.iterations == expected[1]
        np.testing.assert_allclose(solved.points, expected[0], atol=1e-9)
        assert solved.reached == (solved.missing <= 1e-4)
        assert solved.missing == pytest.approx(np.linalg.norm(expected[0][-1] - target), abs=1e-12)
        np.testing.assert_allclose(lengths(solved.points), lengths(chain), atol=1e-12)
        np.testing.assert_array_equal(solved.points[0], chain[0])


def test_iterations_grow_towards_full_reach() -> None:
    """Five unit links in a bow: tens of iterations at 0.9 of the reach, thousands at its very end, and all arrive."""
    solved = [gk.fabrik(five_links(), (5.0 * share, 0.0), iterations=100_000) for share in (0.9, 0.99, 0.9999, 1.0)]
    assert all(answer is not None and answer.reached for answer in solved)
    counts = [answer.iterations for answer in solved if answer]
    assert counts[0] < 100 < counts[1] < 1000 < counts[2] < counts[3]


def five_links() -> FloatArray:
    """Five unit links in the plane, bent a little to one side."""
    angles = np.cumsum(np.full(5, -0.3)) + 0.9
    return np.vstack(([0.0, 0.0], np.cumsum(np.column_stack((np.cos(angles), np.sin(angles))), axis=0)))


def test_a_chain_that_is_there_stays_as_it_is() -> None:
    """The tolerance is looked at first: no iteration, the same points."""
    chain = five_links()
    solved = gk.fabrik(chain, chain[-1] + 5e-5)
    assert solved is not None
    assert solved.iterations == 0
    np.testing.assert_array_equal(solved.points, chain)


def test_a_straight_chain_leaves_the_line_its_target_is_on() -> None:
    """(0,0) ... (3,0) with the target at (1.5,0): printed, it is 0.5 away for ever."""
    chain = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]
    stuck = fabrik_twin(chain, (1.5, 0.0), 500, 1e-4)
    assert stuck is not None
    assert np.linalg.norm(stuck[0][-1] - (1.5, 0.0)) == pytest.approx(0.5)
    for points, target in ((chain, (1.5, 0.0)), ([(*p, 0.0) for p in chain], (1.5, 0.0, 0.0))):
        solved = gk.fabrik(points, target)
        assert solved is not None
        assert solved.reached


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0), (1.0, 2.0, -0.5)])
def test_straight_chains_are_freed_in_every_direction(direction: tuple[float, float, float]) -> None:
    """Also with the target behind the base."""
    chain = np.outer(np.arange(5.0), direction)
    for share in (0.3, -0.4, 0.0):
        solved = gk.fabrik(chain, share * chain[-1])
        assert solved is not None
        assert solved.reached


def test_a_target_too_close_is_out_of_reach() -> None:
    """Lengths 3, 1, 1 cannot end nearer to their base than 1: None, or folded to exactly there when told to stretch."""
    chain = [(0, 0, 0), (3, 0, 0), (3, 1, 0), (3, 1, 1)]
    assert gk.fabrik(chain, (0.5, 0.0, 0.0)) is None
    folded = gk.fabrik(chain, (0.0, 0.5, 0.0), stretch=True)
    assert folded is not None
    assert folded.missing == pytest.approx(0.5)
    assert not folded.reached
    np.testing.assert_allclose(lengths(folded.points), (3, 1, 1), atol=1e-12)
    on_base = gk.fabrik(chain, (0.0, 0.0, 0.0), stretch=True)
    assert on_base is not None
    assert on_base.missing == pytest.approx(1.0)


def test_a_target_too_far_is_out_of_reach() -> None:
    """None, or the chain laid out straight towards it when told to stretch."""
    chain = five_links()
    assert gk.fabrik(chain, (6.0, 0.0)) is None
    stretched = gk.fabrik(chain, (0.0, 6.0), stretch=True)
    assert stretched is not None
    np.testing.assert_allclose(stretched.points, np.column_stack((np.zeros(6), np.arange(6.0))), atol=1e-12)
    assert stretched.missing == pytest.approx(1.0)
    assert not stretched.reached


def test_exactly_full_reach_is_attempted() -> None:
    """A target at the sum of the lengths is not out of reach."""
    assert gk.fabrik(five_links(), (3.0, 4.0), iterations=5) is not None


def test_what_is_not_reached_in_time_is_returned_and_said() -> None:
    """Two iterations are not enough; the chain is whole all the same."""
    chain = five_links()
    solved = gk.fabrik(chain, (4.9, 0.0), iterations=2)
    assert solved is not None
    assert solved.iterations == 2
    assert not solved.reached
    np.testing.assert_allclose(lengths(solved.points), 1.0, atol=1e-12)


@pytest.mark.parametrize(
    ("points", "target"),
    [
        ([(0, 0), (0, 0), (1, 0), (1, 1)], (0.5, 0.5)),
        ([(0, 0), (1, 0), (0, 0), (1, 0)], (0.0, 0.7)),
        ([(0, 0, 0), (0, 0, 0)], (0, 0, 0)),
        ([(0, 0, 0), (1, 0, 0)], (0, 0, 1)),
        ([(0, 0), (1, 0), (2, 0)], (0, 0)),
    ],
)
def test_coinciding_points_give_finite_chains(points: object, target: object) -> None:
    """Links without length, points on each other, a target on the base: lengths are kept, nothing is NaN."""
    solved = gk.fabrik(points, target, stretch=True)
    assert solved is not None
    np.testing.assert_allclose(lengths(solved.points), lengths(np.asarray(points, dtype=float)), atol=1e-12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"points": [(0, 0, 0)]}, "two points or more"),
        ({"points": [(0, 0, 0, 0), (1, 0, 0, 0)]}, r"\(2, 4\)"),
        ({"points": "chain"}, "places"),
        ({"points": [(0, 0), (math.inf, 0)]}, "not finite"),
        ({"target": (1.0, 2.0, 3.0)}, r"\(3,\)"),
        ({"tolerance": -1.0}, "below 0"),
        ({"iterations": 2.5}, "whole number"),
        ({"iterations": -1}, "whole number"),
    ],
)
def test_wrong_values_are_refused_by_name(changes: dict[str, object], message: str) -> None:
    """InputError says which value is wrong and why."""
    asked = {"points": [(0, 0), (1, 0), (1, 1)], "target": (0.5, 0.5)} | changes
    with pytest.raises(gk.InputError, match=message):
        gk.fabrik(**asked)
