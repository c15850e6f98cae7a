"""The paper's skeletons are what the paper's Table 5 says."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.errors import NameNotFoundError
from gestik.evaluation import skeleton
from tests.reference.forward_twin import chain_segments, named_frame

SEQUENCES = {"A": "YXY", "B": "YXZY", "C": "YXXZY", "D": "YXZXY", "E": "YXZXY", "F": "YXXZXY", "G": "YXZXYXZY"}


@pytest.mark.parametrize("letter", SEQUENCES)
def test_joints_turn_about_the_axes_of_the_table(letter: str) -> None:
    """The axes from the root to the tip are the sequence in the paper."""
    axes = skeleton(letter).arrays.axis
    assert "".join("XYZ"[np.argmax(axis)] for axis in axes) == SEQUENCES[letter]
    np.testing.assert_array_equal(np.sort(axes, axis=1), np.tile((0.0, 0.0, 1.0), (len(axes), 1)))


@pytest.mark.parametrize("letter", SEQUENCES)
def test_every_joint_turns_a_right_angle_to_both_sides_and_half_round_on_b_and_d(letter: str) -> None:
    """Limits are +-pi / 2, on B and D +-pi."""
    body, limit = skeleton(letter), np.pi if letter in "BD" else np.pi / 2
    np.testing.assert_allclose(body.upper, limit)
    np.testing.assert_allclose(body.lower, -limit)


@pytest.mark.parametrize("letter", SEQUENCES)
def test_the_straight_arm_stands_as_high_as_it_has_joints(letter: str) -> None:
    """Every bone is 1 m long and points up, so the end is n metres above the root, and twists are told from bends."""
    body = skeleton(letter)
    end = named_frame(body, np.zeros(body.dof_count), "end")
    np.testing.assert_allclose(end[:3, 3], (0.0, len(SEQUENCES[letter]), 0.0), atol=1e-12)
    chain = chain_segments(body, np.zeros(body.dof_count), "tip")
    assert chain.bends.tolist() == [axis != "Y" for axis in SEQUENCES[letter]]


def test_names_run_from_root_to_tip() -> None:
    """Inner joints are called by axis and place."""
    body = skeleton("C")
    assert body.joint_names == ("root", "x2", "x3", "z4", "tip")
    assert "end" in body.frame_names


def test_an_unknown_letter_is_told_the_right_ones() -> None:
    """Asking for H lists A to G."""
    with pytest.raises(NameNotFoundError, match=r"'H'.*'A'.*'G'"):
        skeleton("H")
