"""The shuffled order holds every number once, belongs to its seed, and looks random."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.evaluation.shuffle import shuffled


@pytest.mark.parametrize("count", [1, 2, 3, 17, 1000, 4096, 4097])
def test_every_number_comes_once(count: int) -> None:
    """Whatever the size of the range."""
    np.testing.assert_array_equal(np.sort(shuffled(np.arange(count), count, seed=3)), np.arange(count))


def test_a_seed_has_its_own_order_wherever_it_is_read() -> None:
    """Pieces equal the whole; another seed shuffles otherwise."""
    whole = shuffled(np.arange(1000), 403_622_163, seed=5)
    np.testing.assert_array_equal(shuffled(np.arange(400, 600), 403_622_163, seed=5), whole[400:600])
    assert not np.array_equal(shuffled(np.arange(1000), 403_622_163, seed=6), whole)
    assert len(np.unique(whole)) == 1000


def test_a_subset_is_spread_evenly() -> None:
    """Ten thousand of many millions, counted in twenty bins: no bin is far from its share (chi squared, p = 1e-4)."""
    count = 50_000_017
    bins = np.bincount(shuffled(np.arange(10_000), count, seed=1) * 20 // count, minlength=20)
    assert ((bins - 500.0) ** 2 / 500.0).sum() < 50.8
