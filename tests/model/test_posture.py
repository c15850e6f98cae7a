"""Postures: what may be one, and how it meets a skeleton."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from gestik.errors import InputError, NameNotFoundError
from gestik.model.posture import Posture
from tests.model.samples import crane


def test_a_posture_keeps_its_own_copy_of_the_angles() -> None:
    """Changing the array afterwards changes no posture, and the posture's own array cannot be changed."""
    angles = np.zeros(4)
    posture = Posture(angles)
    angles[0] = 5.0
    assert posture.angles[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        posture.angles[0] = 1.0


def test_a_posture_may_break_limits() -> None:
    """What the animator drew is kept as drawn."""
    skeleton = crane()
    drawn = np.array([0.0, 3.0, -2.0, 5.0])
    np.testing.assert_array_equal(Posture(drawn).angles_for(skeleton), drawn)


def test_a_posture_by_names_is_settled_by_the_skeleton_it_meets() -> None:
    """Names find their place, and joints left out stand at their rest."""
    np.testing.assert_array_equal(Posture({"lift": 0.5}).angles_for(crane()), [0.0, 0.5, 0.1, 0.0])


def test_many_postures_come_as_one_array() -> None:
    """A leading axis makes a batch of angles or of positions."""
    assert Posture(np.zeros((7, 4))).angles_for(crane()).shape == (7, 4)
    assert Posture(positions=np.zeros((7, 5, 3))).positions.shape == (7, 5, 3)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "by angles or by positions, one of the two"),
        ({"angles": [0.0], "positions": [[0.0, 0.0, 0.0]]}, "one of the two"),
        ({"angles": [0.0, np.nan]}, "angles of a posture hold NaN or infinity"),
        ({"angles": [np.inf]}, "hold NaN or infinity"),
        ({"angles": 0.5}, r"have shape \(\); 1 or, for many, 2 axes"),
        ({"angles": np.zeros((1, 1, 1))}, "2 axes"),
        ({"angles": "bent"}, "are 'bent', not numbers"),
        ({"angles": {"lift": np.nan}}, "angle of 'lift' in a posture is NaN"),
        ({"angles": {"lift": "up"}}, "is 'up', not a number"),
        ({"positions": [0.0, 0.0, 0.0]}, r"have shape \(3,\); 2 or, for many, 3 axes"),
        ({"positions": [[0.0, 0.0]]}, r"have shape \(1, 2\), not \(points, 3\)"),
        ({"positions": [[0.0, 0.0, np.nan]]}, "hold NaN or infinity"),
        ({"angles": [0.0], "weight": -1}, "weight of a posture is -1, below 0"),
        ({"angles": [0.0], "weight": np.inf}, "weight of a posture is infinite"),
        ({"angles": [0.0], "weight": None}, "weight of a posture is None, not a number"),
    ],
)
def test_what_is_no_posture_is_refused(arguments: dict[str, object], reason: str) -> None:
    """Neither, both, the wrong number of axes, NaN, and weights below zero raise InputError."""
    with pytest.raises(InputError, match=reason):
        Posture(**arguments)


def test_a_posture_that_does_not_fit_the_skeleton_says_so() -> None:
    """The message counts both and names the joints."""
    with pytest.raises(InputError, match="of 3 angles does not fit 'crane', which has 4: turn, lift"):
        Posture(np.zeros(3)).angles_for(crane())
    with pytest.raises(InputError, match="given by positions; it has no angles"):
        Posture(positions=np.zeros((2, 3))).angles_for(crane())
    with pytest.raises(NameNotFoundError, match="did you mean 'lift'"):
        Posture({"lifd": 1.0}).angles_for(crane())


@pytest.mark.parametrize("posture", [Posture([1.0, 2.0]), Posture({"a": 1.0}), Posture(positions=[[1.0, 2.0, 3.0]])])
def test_postures_can_be_sent_to_another_process(posture: Posture) -> None:
    """Angles, names and positions all survive pickling."""
    twin = pickle.loads(pickle.dumps(posture))
    if isinstance(posture.angles, dict):
        assert twin.angles == posture.angles
    else:
        np.testing.assert_array_equal(twin.angles, posture.angles)
    np.testing.assert_array_equal(twin.positions, posture.positions)
    assert twin.weight == posture.weight
