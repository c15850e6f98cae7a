"""Rows of numbers at the border: the first that is unsound is found, and directions come to length one."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.kernels.rows import NO_LENGTH, SOUND, settle_rows

NO_SPANS = np.empty((0, 2), dtype=np.int32)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 1e13, -1e13])
def test_the_first_number_that_is_too_large_or_none_is_found(wrong: float) -> None:
    """By its place in the flattened rows; without one the answer is -1."""
    rows = np.ones((3, 4))
    assert settle_rows(rows, 1e12, NO_SPANS) == SOUND
    rows[1, 2] = rows[2, 0] = wrong
    assert settle_rows(rows, 1e12, NO_SPANS) == 6


def test_spans_of_columns_come_to_length_one_and_others_stay() -> None:
    """As NumPy divides them."""
    rows = np.random.default_rng(2).normal(size=(5, 8))
    spans, before = np.array([(1, 4), (4, 8)], dtype=np.int32), rows.copy()
    assert settle_rows(rows, 1e12, spans) == SOUND
    for begin, end in spans:
        part = before[:, begin:end]
        expected = part / np.linalg.norm(part, axis=1, keepdims=True)
        np.testing.assert_allclose(rows[:, begin:end], expected, rtol=1e-15)
    assert (rows[:, 0] == before[:, 0]).all()


def test_a_span_without_length_is_named() -> None:
    """Nothing can be said about where it points."""
    rows = np.ones((2, 7))
    rows[1, 3:] = 0.0
    assert settle_rows(rows, 1e12, np.array([(0, 3), (3, 7)], dtype=np.int32)) == NO_LENGTH - 1
