"""Letters: all there, all different."""

from __future__ import annotations

from itertools import combinations
from string import ascii_lowercase

import numpy as np

from gestik.pictures.lettering import write


def test_every_letter_leaves_ink_and_no_two_look_alike() -> None:
    """A label one cannot read is none."""
    drawn = {letter: write(letter, 24) for letter in ascii_lowercase}
    assert all(ink.max() == 1.0 and ink.min() == 0.0 for ink in drawn.values())
    for one, other in combinations(ascii_lowercase, 2):
        width = max(drawn[one].shape[1], drawn[other].shape[1])
        a, b = (np.pad(drawn[letter], ((0, 0), (0, width - drawn[letter].shape[1]))) for letter in (one, other))
        assert np.abs(a - b).sum() > 8.0, (one, other)


def test_a_word_is_as_long_as_its_letters() -> None:
    """Letters stand side by side, and what has no strokes leaves room."""
    assert write("lamp", 24).shape[1] > write("lam", 24).shape[1]
    assert write(" ", 24).max() == 0.0
    assert write("", 24).shape[0] == 24
