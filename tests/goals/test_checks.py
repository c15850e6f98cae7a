"""What goals refuse, and that they say what would be right."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import gestik as gk
from gestik.errors import InputError, NameNotFoundError
from gestik.goals.goal import Goal
from gestik.model.builder import SkeletonBuilder
from gestik.model.skeleton import Skeleton


@pytest.fixture(scope="module")
def arm() -> Skeleton:
    """Two joints, an eye, a plain frame, a joint without a bone and a place on the ground."""
    builder = SkeletonBuilder("arm")
    builder.joint("shoulder", kind="continuous", axis="z", position=(0, 0, 1))
    builder.joint("elbow", parent="shoulder", kind="revolute", axis="y", position=(1, 0, 0), lower=-2, upper=2)
    builder.joint("stub", parent="shoulder", kind="revolute", axis="y", lower=-2, upper=2)
    builder.frame("tool", parent="elbow", position=(0.5, 0, 0))
    builder.frame("eye", parent="elbow", kind="eye", position=(0, 0, 0.2), axis="x")
    builder.frame("ground", position=(1, 1, 0))
    return builder.build()


MADE: dict[str, tuple[Callable[..., Goal], int]] = {
    "Position": (lambda values: gk.Position("tool", values), 3),
    "Orientation": (lambda values: gk.Orientation("tool", values), 4),
    "Aim at": (lambda values: gk.Aim("eye", at=values), 3),
    "Aim along": (lambda values: gk.Aim("eye", along=values), 3),
}


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e300])
def test_a_target_that_is_not_finite_is_refused_by_the_name_of_its_frame(name: str, bad: float) -> None:
    """Alone or anywhere in a batch."""
    make, width = MADE[name]
    for shape in ((width,), (3, width)):
        values = np.ones(shape)
        values[..., -1] = bad
        with pytest.raises(InputError, match=r"'(tool|eye)'.*finite"):
            make(values)


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("extra", [-1, 1])
def test_a_target_of_the_wrong_shape_is_refused_with_the_right_one(name: str, extra: int) -> None:
    """Too short, too long, too many axes, no numbers at all."""
    make, width = MADE[name]
    for values in (np.ones(width + extra), np.ones((2, width + extra)), np.ones((2, 2, width)), 1.0):
        with pytest.raises(InputError, match=rf"shape .*not \({width},\) or \(n, {width}\)"):
            make(values)
    for values in ("north", [None] * width, [[1.0], [1.0, 2.0]]):
        with pytest.raises(InputError, match=f"{width} numbers"):
            make(values)


@pytest.mark.parametrize("name", MADE)
def test_a_target_is_the_goals_own_and_read_only(name: str) -> None:
    """What the caller does to the array later changes nothing."""
    make, width = MADE[name]
    values = np.eye(width)[0]
    goal = make(values)
    values[:] = 9.0
    np.testing.assert_array_equal(goal.target, np.eye(width)[0])
    with pytest.raises(ValueError, match="read-only"):
        goal.target[0] = 2.0


def test_directions_and_rotations_come_to_length_one() -> None:
    """Users need not normalise; what has no length at all is refused."""
    np.testing.assert_allclose(gk.Aim("eye", along=(0, 3, 4)).target, (0, 0.6, 0.8), rtol=1e-15)
    np.testing.assert_allclose(gk.Orientation("tool", (2, 0, 0, 0)).target, (1, 0, 0, 0), rtol=1e-15)
    with pytest.raises(InputError, match="without length"):
        gk.Aim("eye", along=(0, 0, 0))
    with pytest.raises(InputError, match=r"without length; no rotation is \(1, 0, 0, 0\)"):
        gk.Orientation("tool", (0, 0, 0, 0))
    with pytest.raises(InputError, match="without length"):
        gk.Orientation("tool", [(1, 0, 0, 0), (0, 0, 0, 0)])


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf, "heavy", None])
@pytest.mark.parametrize("what", ["weight", "tolerance"])
def test_weights_and_tolerances_are_finite_and_not_negative(what: str, value: float) -> None:
    """For every goal, and the message says which of the two it is."""
    for make in (
        lambda **amounts: gk.Position("tool", (1, 0, 0), **amounts),
        lambda **amounts: gk.Orientation("tool", (1, 0, 0, 0), **amounts),
        lambda **amounts: gk.Aim("eye", at=(1, 0, 0), **amounts),
    ):
        with pytest.raises(InputError, match=f"{what} of an? (position|orientation|aim)"):
            make(**{what: value})
    if what == "weight":
        with pytest.raises(InputError, match="weight of a posture"):
            gk.Posture([0.0], weight=value)


def test_an_aim_takes_a_point_or_a_direction_and_one_of_them() -> None:
    """Not both, not neither."""
    with pytest.raises(InputError, match="at=point or along=direction, one of the two"):
        gk.Aim("eye", at=(1, 0, 0), along=(1, 0, 0))
    with pytest.raises(InputError, match="at=point or along=direction, one of the two"):
        gk.Aim("eye")


@pytest.mark.parametrize("given", [{}, {"axis": "x"}, {"eye": (0, 0, 0)}])
def test_whoever_is_no_eye_is_told_to_say_where_it_looks(arm: Skeleton, given: dict[str, object]) -> None:
    """Both its axis and its place are needed: a place left out would look past the target."""
    with pytest.raises(InputError, match=r"'tool' is not an eye: give axis=.*eye="):
        gk.Aim("tool", at=(1, 0, 0), **given).bind(arm)


def test_an_eye_brings_its_axis_and_place_and_both_can_be_changed(arm: Skeleton) -> None:
    """What is given is expressed in the frame's own coordinates."""
    own = gk.Aim("eye", at=(1, 0, 0)).bind(arm)
    assert (own.axis, own.frame.position) == ((1.0, 0.0, 0.0), (0.0, 0.0, 0.2))
    changed = gk.Aim("eye", at=(1, 0, 0), axis="-y", eye=(0.1, 0, 0)).bind(arm)
    assert changed.axis == (0.0, -1.0, 0.0)
    np.testing.assert_allclose(changed.frame.position, (0.1, 0, 0.2), rtol=1e-15)
    plain = gk.Aim("tool", at=(1, 0, 0), axis=(0, 0, 5), eye=(0, 0, 0)).bind(arm)
    assert (plain.axis, plain.frame.position) == ((0.0, 0.0, 1.0), (0.5, 0.0, 0.0))


@pytest.mark.parametrize("axis", ["w", (0, 0, 0), (1, 0), (np.nan, 0, 1), 3])
def test_an_axis_is_a_letter_or_a_vector_with_a_length(axis: object) -> None:
    """For a looking direction as for a symmetry."""
    with pytest.raises(InputError, match="axis of an aim"):
        gk.Aim("eye", at=(1, 0, 0), axis=axis)
    with pytest.raises(InputError, match="symmetric"):
        gk.Orientation("tool", (1, 0, 0, 0), symmetric=axis)


@pytest.mark.parametrize(
    "goal", [gk.Position("tol", (1, 0, 0)), gk.Orientation("tol", (1, 0, 0, 0)), gk.Aim("tol", at=(1, 0, 0))]
)
def test_an_unknown_frame_is_refused_with_the_names_that_come_near(arm: Skeleton, goal: Goal) -> None:
    """Names are looked up when a skeleton is at hand, not before."""
    with pytest.raises(NameNotFoundError, match=r"'tol'.*did you mean.*'tool'"):
        goal.bind(arm)


def test_a_joint_without_a_bone_has_no_symmetry_of_its_own(arm: Skeleton) -> None:
    """symmetric=True means the bone; without one an axis must be named."""
    assert gk.Orientation("shoulder", (1, 0, 0, 0), symmetric=True).bind(arm).axis == (1.0, 0.0, 0.0)
    with pytest.raises(InputError, match=r"'stub' has none; name an axis instead"):
        gk.Orientation("stub", (1, 0, 0, 0), symmetric=True).bind(arm)
    assert gk.Orientation("stub", (1, 0, 0, 0), symmetric="z").bind(arm).axis == (0.0, 0.0, 1.0)
    assert not gk.Orientation("stub", (1, 0, 0, 0), symmetric=False).bind(arm).symmetric
