"""Denavit-Hartenberg tables: products of the four matrices, the tables of papers, and what is wrong with a table."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gestik as gk
from gestik.errors import InputError, ModelError
from tests.formats.samples import rotation_matrix
from tests.formats.urdf_twin import shift, turn
from tests.model.samples import assert_sound, random_angles

SEED = 5
X, _, Z = np.eye(3)
QUARTER = math.pi / 2

# Ribeiro & Paiva, Table 6: skeleton C for the comparison with damped least squares; lengths in its own unit.
SKELETON_C = [
    (0, 10, 0, QUARTER),
    (QUARTER, 0, 30, 0),
    (0, 0, 30, QUARTER),
    (QUARTER, 0, 0, QUARTER),
    (QUARTER, 40, 0, 0),
]

# KUKA KR6 as Lloyd, Irani & Ahmadi use it, in millimetres.
KR6 = [
    (0, 183, 25, -QUARTER),
    (0, 0, -315, 0),
    (0, 0, -35, QUARTER),
    (0, 365, 0, -QUARTER),
    (0, 0, 0, QUARTER),
    (0, 80, 0, 0),
]


def end_frame(rows: list[tuple[float, ...]], kinds: list[str], values: np.ndarray) -> np.ndarray:
    """The frame [4, 4] behind the last row: a product of four matrices for each."""
    frame = np.eye(4)
    for (theta, d, a, alpha), kind, value in zip(rows, kinds, values, strict=True):
        theta, d = (theta + value, d) if kind == "revolute" else (theta, d + value)
        frame = frame @ turn(Z, theta) @ shift(d * Z) @ shift(a * X) @ turn(X, alpha)
    return frame


def test_table_6_of_the_paper_is_a_straight_vertical_arm() -> None:
    """Its joints stand at 0, 10, 40, 70 and 70 on the vertical, its tip at 110."""
    skeleton = gk.from_dh(SKELETON_C, limits=[(-QUARTER, QUARTER)] * 5, name="C")
    assert_sound(skeleton)
    pose = skeleton.forward(np.zeros(5))
    heights = np.array([0, 10, 40, 70, 70])
    np.testing.assert_allclose(pose.positions, heights[:, None] * Z, atol=1e-13)
    np.testing.assert_allclose(pose.of("end").position, 110 * Z, atol=1e-13)


@pytest.mark.parametrize(
    ("rows", "kinds"),
    [
        (SKELETON_C, ["revolute"] * 5),
        (KR6, ["revolute"] * 6),
        ([(0.3, 0.1, 0.2, -0.4), (-1, 0.5, 0, 2), (0.7, -0.2, 0.3, 1)], ["revolute", "prismatic", "prismatic"]),
    ],
)
def test_the_end_is_where_the_product_of_the_matrices_is(rows: list[tuple[float, ...]], kinds: list[str]) -> None:
    """At 50 random configurations, to 1e-12 of the arm's size, turning and sliding joints alike."""
    skeleton = gk.from_dh(rows, kinds=kinds)
    rng = np.random.default_rng(SEED)
    size = float(np.abs(np.array(rows)[:, 1:3]).sum())
    for _ in range(50):
        angles = random_angles(skeleton, rng)
        end, expected = skeleton.forward(angles).of("end"), end_frame(rows, kinds, angles)
        np.testing.assert_allclose(end.position, expected[:3, 3], rtol=0, atol=1e-12 * size)
        np.testing.assert_allclose(rotation_matrix(end.rotation), expected[:3, :3], rtol=0, atol=1e-12)


def test_scale_brings_a_table_to_metres() -> None:
    """A table in millimetres and the same in metres are the same arm, slides and their limits included."""
    options = {"kinds": ["revolute"] * 5 + ["prismatic"]}
    arm = gk.from_dh(np.array(KR6), scale=0.001, limits=[None] * 5 + [(-20, 50)], **options)
    metres = np.array(KR6) * [1, 0.001, 0.001, 1]
    same = gk.from_dh(metres, limits=[None] * 5 + [(-0.02, 0.05)], **options)
    np.testing.assert_allclose(arm.arrays.rest_position, same.arrays.rest_position, atol=1e-15)
    np.testing.assert_allclose((arm.lower, arm.upper), (same.lower, same.upper), rtol=1e-15)


def test_names_limits_and_up_are_taken_over() -> None:
    """One word serves for all kinds; a turn without limits goes on without end, a slide without limits too."""
    skeleton = gk.from_dh(
        [(0, 1, 0, 0)] * 3,
        kinds=("revolute", "prismatic", "revolute"),
        limits=[(-1, 2), None, None],
        names=["turn", "slide", "spin"],
        up="y",
        name="post",
    )
    assert (skeleton.name, skeleton.dof_names, skeleton.up.tolist()) == ("post", ("turn", "slide", "spin"), [0, 1, 0])
    np.testing.assert_array_equal(skeleton.lower, [-1, -np.inf, -np.inf])
    np.testing.assert_array_equal(skeleton.upper, [2, np.inf, np.inf])
    assert gk.from_dh([(0, 1, 0, 0)] * 2).dof_names == ("joint1", "joint2")


FAULTS: dict[str, tuple[dict[str, object], str]] = {
    "no rows": ({"rows": []}, "rows: there are none"),
    "a short row": ({"rows": [(0, 1, 0, 0), (0, 1, 0)]}, "joint 'joint2': row is (0, 1, 0), not 4 numbers"),
    "a long row": ({"rows": [(0, 1, 0, 0, "revolute")]}, "joint 'joint1': row is (0, 1, 0, 0, 'revolute'), not 4"),
    "NaN": ({"rows": [(0, math.nan, 0, 0)]}, "joint 'joint1': row is NaN"),
    "words": ({"rows": [(0, "one", 0, 0)]}, "joint 'joint1': row is 'one', not a number"),
    "a number": ({"rows": [7]}, "joint 'joint1': row is 7, not 4 numbers"),
    "other kinds": ({"kinds": "ball"}, "joint 'joint1': kind is 'ball', not one of revolute, prismatic"),
    "a kind that is no word": ({"kinds": [["revolute"]]}, "kind is ['revolute'], not one of"),
    "too many kinds": ({"kinds": ["revolute"] * 2}, "kinds: there are 2, where there are 1 rows"),
    "too few limits": ({"limits": []}, "limits: there are 0, where there are 1 rows"),
    "inverted limits": ({"limits": [(1, -1)]}, "joint 'joint1': lower limit 1 rad (57.2958 deg) is above upper limit"),
    "half a limit": ({"limits": [1]}, "joint 'joint1': limits is 1, not 2 numbers"),
    "NaN limits": ({"limits": np.array([[math.nan, 1]])}, "joint 'joint1': limits is NaN"),
    "one name twice": ({"rows": [(0, 1, 0, 0)] * 2, "names": ["a", "a"]}, "joint 'a': there are 2 joints of that name"),
    "a nameless joint": ({"names": [""]}, "joint '': name is empty"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_with_a_table_is_told_with_its_joint(fault: str) -> None:
    """One ModelError names the joint, the value and the valid choices."""
    changed, expected = FAULTS[fault]
    with pytest.raises(ModelError) as caught:
        gk.from_dh(**{"rows": [(0, 1, 0, 0)], **changed})
    assert any(expected in told for told in caught.value.faults), caught.value.faults


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"rows": 5}, "rows are 5, not one for each joint"),
        ({"rows": None}, "rows are None"),
        ({"names": "ab"}, "names are 'ab', not one for each joint"),
        ({"limits": 3.0}, "limits are 3.0"),
        ({"kinds": 1}, "kinds are 1"),
        ({"scale": 0}, "scale is"),
    ],
)
def test_what_is_no_table_at_all_is_refused(changed: dict[str, object], reason: str) -> None:
    """Numbers and texts where rows or columns are expected raise InputError."""
    with pytest.raises(InputError, match=reason):
        gk.from_dh(**{"rows": [(0, 1, 0, 0)], **changed})
