"""The joint model of ERIK answers where a joint must turn: closed form, table and matrices agree."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import gestik as gk
from gestik.model.chain import cut_chain
from gestik.solvers.erik import latitude as lt
from gestik.solvers.erik.joint_model import JointModel, joint_models, latitude_tables, model_table
from tests.kernels.trees import unit
from tests.reference.measures_twin import turn_matrix
from tests.solvers.erik.bodies import odd_chain

UP, X, Z = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0)
NO_TABLES = np.zeros((0, 0, 2))


def joint(axis: tuple[float, ...], lower: float = -math.pi, upper: float = math.pi) -> JointModel:
    """A joint of the paper's kind: parent and segment along +Y."""
    return JointModel(IDENTITY, axis, UP, UP, lower, upper)  # type: ignore[arg-type]


def oblique(seed: int) -> JointModel:
    """Any axis, segment and parent, and limits that are not symmetric."""
    rng = np.random.default_rng(seed)
    axis, segment, parent = (tuple(unit(rng.normal(size=3)).tolist()) for _ in range(3))
    return JointModel(IDENTITY, axis, segment, parent, rng.uniform(-2.5, -1.0), rng.uniform(0.2, 2.5))


def table_of(model: JointModel) -> np.ndarray:
    """One joint as kernels read it."""
    return model_table([model], np.ones(1))


def test_poles_and_hemispheres_have_the_latitudes_of_figure_6() -> None:
    """South 0, equator 1/2, north 1; the side of axis x parent is positive, and so is the plane between."""
    model = joint(X)
    assert model.parent_orthogonal == pytest.approx(Z)
    assert model.latitude((0.0, -1.0, 0.0)) == 0.0
    assert model.latitude(UP) == 1.0
    assert model.latitude(Z) == 0.5
    assert model.latitude((0.0, 0.0, -1.0)) == -0.5
    assert model.latitude(X) == 0.5


def test_a_twister_along_z_has_an_orthogonal_axis() -> None:
    """The printed R x Z is the zero vector there."""
    model = JointModel(IDENTITY, Z, Z, Z, -1.0, 1.0)
    assert model.is_twister
    assert np.linalg.norm(model.orthogonal) == pytest.approx(1.0)
    assert np.dot(model.orthogonal, Z) == pytest.approx(0.0)


@pytest.mark.parametrize("seed", range(8))
def test_the_kernel_computes_the_latitude_of_the_model(seed: int) -> None:
    """For directions all around, sign included."""
    model, rng = oblique(seed), np.random.default_rng(seed + 100)
    for direction in rng.normal(size=(20, 3)):
        here = tuple(unit(direction).tolist())
        assert lt.target_latitude(table_of(model), 0, here) == pytest.approx(model.latitude(here), abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_the_closed_form_undoes_the_latitude(seed: int) -> None:
    """Of every angle in the joint's range, as the angle itself: of its two equals the hemisphere tells."""
    model = oblique(seed)
    for angle in np.linspace(model.lower, model.upper, 41).tolist():
        turned = turn_matrix(model.axis, angle) @ model.segment
        found = lt.swing_of_latitude(table_of(model), NO_TABLES, 0, model.latitude(turned.tolist()))
        assert math.remainder(found - angle, math.tau) == pytest.approx(0.0, abs=1e-6)


def test_the_table_errs_by_less_than_a_quarter_degree() -> None:
    """One degree a step, as the paper suggests: worst beside the poles, where latitude hardly moves."""
    model = joint(X)
    tables = latitude_tables([model], math.radians(1.0))
    misses = []
    for angle in np.linspace(-3.1, 3.1, 997).tolist():
        turned = turn_matrix(model.axis, angle) @ model.segment
        found = lt.swing_of_latitude(table_of(model), tables, 0, model.latitude(turned.tolist()))
        misses.append(abs(math.remainder(found - angle, math.tau)))
    assert 0.01 < math.degrees(max(misses)) < 0.25


def test_a_table_without_a_hemisphere_answers_from_the_other() -> None:
    """A joint that bends one way only keeps the size of a bend that is asked to the other side."""
    model = joint(X, 0.2, 1.4)
    tables = latitude_tables([model], math.radians(1.0))
    assert lt.swing_of_latitude(table_of(model), tables, 0, -0.9) == pytest.approx(math.acos(0.8), abs=0.01)


def test_an_angle_outside_goes_to_the_nearer_limit() -> None:
    """-30 degrees stay -30, which the printed floor would send to +90; whole turns are taken off."""
    table = table_of(joint(X, -math.pi / 2, math.pi / 2))
    assert lt.safe_angle(table, 0, -math.pi / 6) == pytest.approx(-math.pi / 6)
    assert lt.safe_angle(table, 0, 2.0) == pytest.approx(math.pi / 2)
    assert lt.safe_angle(table, 0, math.tau + 0.3) == pytest.approx(0.3)
    assert lt.safe_angle(table_of(joint(X, 3.0, 5.0)), 0, 4.0 - math.tau) == pytest.approx(4.0)
    assert lt.safe_angle(table_of(joint(X, -math.inf, math.inf)), 0, 4.0) == pytest.approx(4.0 - math.tau)


def test_a_twist_outside_takes_half_a_turn_where_that_is_inside() -> None:
    """Limits +-90 degrees: always; +-60: 150 becomes -30, and 100 is clamped because -80 is outside too."""
    right, narrow = table_of(joint(UP, -math.pi / 2, math.pi / 2)), table_of(joint(UP, -math.pi / 3, math.pi / 3))
    assert lt.safe_twist(right, 0, math.radians(100), True) == pytest.approx(math.radians(-80))
    assert lt.safe_twist(right, 0, math.radians(100), False) == pytest.approx(math.radians(90))
    assert lt.safe_twist(narrow, 0, math.radians(150), True) == pytest.approx(math.radians(-30))
    assert lt.safe_twist(narrow, 0, math.radians(100), True) == pytest.approx(math.radians(60))


def test_a_joint_that_turns_about_its_parents_bone_faces_the_direction() -> None:
    """All its latitudes are one; the printed table would know a single angle."""
    model = JointModel(IDENTITY, UP, X, UP, -2.0, 2.0)
    wanted = turn_matrix(UP, 0.7) @ np.array(X)
    assert lt.local_swing(table_of(model), NO_TABLES, 0, tuple(wanted.tolist()), 1.0) == pytest.approx(0.7)


def test_the_papers_skeletons_are_read_as_it_means_them() -> None:
    """Skeleton C: twist, two swings about x, one about z, twist; parents along +Y."""
    skeleton = gk.evaluation.skeleton("C")
    models = joint_models(cut_chain(skeleton, skeleton.frame("end")), UP)
    assert [model.is_twister for model in models] == [True, False, False, False, True]
    assert all(model.parent == UP and model.segment == UP and model.is_plain for model in models)
    assert [model.axis for model in models] == [UP, X, X, Z, UP]


@pytest.mark.parametrize("seed", range(4))
def test_bones_without_length_lend_the_next_direction(seed: int) -> None:
    """So that every joint has a segment and every segment is the parent of the next."""
    skeleton = odd_chain(seed)
    models = joint_models(cut_chain(skeleton, skeleton.frame("end")), (0.0, 0.0, 0.0))
    assert all(abs(np.linalg.norm(model.segment) - 1.0) < 1e-12 for model in models)
    for below, above in pairwise(models):
        w, x, y, z = above.rest
        angle, axis = 2.0 * math.atan2(np.linalg.norm((x, y, z)), w), unit(np.array((x, y, z)))
        np.testing.assert_allclose(turn_matrix(axis, angle) @ above.parent, below.segment, atol=1e-12)
