"""The numbered problems of the experiment: as many as stated, each where it should be."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.errors import InputError
from gestik.evaluation.grids import grid_for
from tests.reference.measures_twin import rotation_matrix, turn_matrix

PAPER = {"A": 33, "B": 377, "C": 3789, "D": 3789, "E": 3789, "F": 8305, "G": 19657}
X, Y, _ = np.eye(3)


@pytest.mark.parametrize("letter", PAPER)
def test_no_grid_is_smaller_than_the_papers(letter: str) -> None:
    """In postures and in orientations; the root's and the tip's twist stay at zero, limits and zero are hit."""
    body = gk.evaluation.skeleton(letter)
    grid = grid_for(body)
    assert grid.posture_count >= PAPER[letter]
    assert grid.orientation_count >= 7609
    assert len(grid) == grid.posture_count * grid.orientation_count
    assert [len(angles) for angles in (grid.postures[0], grid.postures[-1])] == [1, 1]
    for angles in grid.turns:  # all critical angles are among them
        assert np.abs(angles[:, None] - np.pi * np.linspace(-1.0, 1.0, 5)).min(axis=0).max() < 1e-12
    for dof in range(1, body.dof_count - 1):
        assert (grid.postures[dof][[0, -1]] == (body.lower[dof], body.upper[dof])).all()
        assert np.abs(grid.postures[dof]).min() < 1e-12


def test_numbers_count_orientations_first_and_then_postures() -> None:
    """Against loops over every angle, on a small grid; orientations are Ry Rx Ry."""
    grid = grid_for(gk.evaluation.skeleton("B"), posture_steps=3, turn_steps=(3, 2, 5))
    postures, orientations = grid.problems(np.arange(len(grid)))
    number = 0
    for second in grid.postures[1]:
        for third in grid.postures[2]:
            for yaw in grid.turns[0]:
                for pitch in grid.turns[1]:
                    for roll in grid.turns[2]:
                        np.testing.assert_array_equal(postures[number], [0.0, second, third, 0.0])
                        wanted = turn_matrix(Y, yaw) @ turn_matrix(X, pitch) @ turn_matrix(Y, roll)
                        np.testing.assert_allclose(rotation_matrix(orientations[number]), wanted, atol=1e-12)
                        number += 1
    assert number == len(grid)


def test_any_chain_has_a_grid_and_a_tree_has_none() -> None:
    """The lamp is swept but for its root; a body with several limbs is refused by name."""
    lamp = gk.load("lamp")
    grid = grid_for(lamp, posture_steps=3, turn_steps=(5, 5, 5))
    assert grid.posture_count == 3 ** sum(len(angles) > 1 for angles in grid.postures)
    assert len(grid.postures[0]) == 1
    builder = gk.SkeletonBuilder("fork")
    for name in ("left", "right"):
        builder.joint(name, kind="continuous", axis="x")
    with pytest.raises(InputError, match="'left'"):
        grid_for(builder.build())
    with pytest.raises(InputError, match=r"turn_steps \(0, 5, 5\)"):
        grid_for(lamp, turn_steps=(0, 5, 5))
