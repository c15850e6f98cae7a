"""The planar demonstration does exactly what its notebook does, event by event."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from gestik.solvers.fabrik.planar import drag, initial_chain

LENGTHS = (0.507149, 0.323761, 0.206687, 0.131948, 0.084235, 0.053775)
AFTER_ONE_EVENT = [
    (-1, 0),
    (-0.569917, 0.268754),
    (-0.248649, 0.308862),
    (-0.050243, 0.250942),
    (0.075778, 0.21184),
    (0.02156, 0.147373),
    (0.001174, 0.197134),
]


def test_the_chain_starts_as_drawn() -> None:
    """Seven points on a spiral; the last one to all the digits the notebook shows, links 1.307556 in all."""
    chain = initial_chain()
    assert len(chain) == 7
    assert chain[0] == (-1.0, 0.0)
    np.testing.assert_allclose(chain[-1], (0.060987992534901246, 0.02937026925683148), rtol=1e-14)
    np.testing.assert_allclose([math.dist(*pair) for pair in pairwise(chain)], LENGTHS, atol=5e-7)


def test_one_event_makes_one_pass_each_way() -> None:
    """Dragged to (0, 0.2): the recorded points, 0.0031 from the target, and 0.00008 after a second event."""
    once = drag(initial_chain(), (0.0, 0.2))
    np.testing.assert_allclose(once, AFTER_ONE_EVENT, atol=5e-7)
    assert math.dist(once[-1], (0.0, 0.2)) == pytest.approx(0.0031, abs=5e-5)
    assert math.dist(drag(once, (0.0, 0.2))[-1], (0.0, 0.2)) == pytest.approx(0.00008, abs=5e-6)


def test_a_chain_that_cannot_reach_points_at_the_target() -> None:
    """(3, 0) is 2.692 beyond the reach, the least possible, after two events."""
    chain = drag(drag(initial_chain(), (3.0, 0.0)), (3.0, 0.0))
    assert math.dist(chain[-1], (3.0, 0.0)) == pytest.approx(2.692, abs=5e-4)


def test_coinciding_points_collapse_a_link_instead_of_giving_nan() -> None:
    """Dragged onto the point before the last, the last link has no direction: it collapses for that pass."""
    chain = initial_chain()
    dragged = drag(chain, chain[-2])
    assert np.isfinite(dragged).all()
