"""Solids: closed, facing outwards, of the volume geometry says."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from gestik.model.joints import Shape
from gestik.pictures.solids import Mesh, capsule, solid_of

R, T, H = 0.3, 0.2, 0.8
SHAPES = {
    "box": (Shape("box", size=(0.2, 0.3, 0.5)), 0.2 * 0.3 * 0.5),
    "sphere": (Shape("sphere", radius=R), 4 / 3 * math.pi * R**3),
    "capsule": (Shape("capsule", radius=R, height=H), math.pi * R**2 * H + 4 / 3 * math.pi * R**3),
    "cylinder": (Shape("cylinder", radius=R, height=H), math.pi * R**2 * H),
    "cone": (Shape("cone", radius=R, height=H), math.pi * R**2 * H / 3),
    "frustum": (Shape("frustum", radius=R, top_radius=T, height=H), math.pi * H / 3 * (R * R + R * T + T * T)),
}


def volume(mesh: Mesh) -> float:
    """Enclosed volume [m^3] by the divergence theorem; only right when every face looks outwards."""
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return float(np.einsum("nd,nd->n", a, np.cross(b, c)).sum() / 6.0)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_solid_has_the_volume_of_its_shape(kind: str) -> None:
    """Polygons stand in for circles, which costs under one percent."""
    shape, expected = SHAPES[kind]
    assert volume(solid_of(shape)) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_solid_is_closed(kind: str) -> None:
    """Every edge is walked once in each direction."""
    mesh = solid_of(SHAPES[kind][0])
    _, merged = np.unique(np.round(mesh.vertices, 9), axis=0, return_inverse=True)
    faces = merged.reshape(-1)[mesh.faces]
    edges = Counter((int(face[k]), int(face[(k + 1) % 3])) for face in faces for k in range(3))
    assert all(count == 1 and edges[end, begin] == 1 for (begin, end), count in edges.items())


@pytest.mark.parametrize("kind", SHAPES)
def test_normals_are_unit_and_on_the_side_of_their_faces(kind: str) -> None:
    """A normal that leans the wrong way would light the inside."""
    mesh = solid_of(SHAPES[kind][0])
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-12)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    assert (np.einsum("nd,nkd->nk", flat, mesh.normals[mesh.faces]) > 0.5).all()


def test_an_open_cup_is_hollow_and_its_mouth_is_free() -> None:
    """One can look into a shade: nothing closes it at the top, and only its wall has volume."""
    _, full = SHAPES["frustum"]
    cup = solid_of(Shape("frustum", radius=R, top_radius=T, height=H, open=True))
    assert 0.0 < volume(cup) < 0.2 * full
    top = cup.vertices[cup.faces][:, :, 2].min(axis=1) > H / 2 - 1e-9
    assert np.hypot(*np.moveaxis(cup.vertices[cup.faces][top][:, :, :2], -1, 0)).min() > 0.9 * T


def test_a_tapered_rod_is_smooth_where_its_sides_meet_its_ends() -> None:
    """No edge is split: every place on the rod has one normal."""
    rod = capsule(0.2, 0.1, 1.0)
    places = np.round(rod.vertices, 9)
    rim = np.abs(rod.vertices[:, :2]).max(axis=1) > 1e-6
    distinct = np.unique(places[rim], axis=0)
    both = np.unique(np.column_stack([places, np.round(rod.normals, 6)])[rim], axis=0)
    assert len(both) == len(distinct)


def test_a_mesh_file_is_left_to_those_who_can_read_it() -> None:
    """There is no solid to model."""
    assert solid_of(Shape("mesh", file="head.stl")) is None
