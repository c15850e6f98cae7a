"""Limits one can see: they are where the joint would be at its limit, whatever it does now."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.pictures.solids import rotation_matrix
from gestik.viewer.limit_marks import ARC, CONE, marks_of, unmoved


@pytest.mark.parametrize("name", ["lamp", "puppet"])
def test_an_arc_ends_where_the_joint_would(name: str) -> None:
    """Its first and last point are its spoke turned to the lower and the upper limit."""
    skeleton = gk.load(name)
    random = np.random.default_rng(3)
    bounded = np.isfinite(skeleton.lower)
    low, high = np.where(bounded, skeleton.lower, -1.0), np.where(bounded, skeleton.upper, 1.0)
    angles = random.uniform(low, high)
    marks = [mark for mark in marks_of(skeleton) if mark.colour == ARC]
    assert len(marks) == bounded.sum()
    pose = skeleton.forward(angles)
    for mark in marks:
        position, rotation = unmoved(skeleton, mark, angles, pose.row_positions, pose.row_rotations)
        for bound, tip in ((skeleton.lower, mark.segments[0, 0]), (skeleton.upper, mark.segments[-3, 1])):
            moved = angles.copy()
            moved[mark.dof] = bound[mark.dof]
            there = skeleton.forward(moved)
            begin = rotation_matrix(_about(skeleton.arrays.axis[mark.row], -bound[mark.dof])) @ tip
            expected = there.row_positions[mark.row] + rotation_matrix(there.row_rotations[mark.row]) @ begin
            np.testing.assert_allclose(position + rotation_matrix(rotation) @ tip, expected, atol=1e-12)


def test_a_cone_is_as_wide_as_the_swing() -> None:
    """Every rib leans by it from the twist axis."""
    builder = gk.SkeletonBuilder("arm")
    builder.joint("hip", kind="ball", swing=0.7, twist=(-0.5, 0.5), segment=(0.0, 0.0, 0.3))
    (mark,) = (mark for mark in marks_of(builder.build()) if mark.colour == CONE)
    ribs = mark.segments[-8:, 1]
    np.testing.assert_allclose(ribs[:, 2] / np.linalg.norm(ribs, axis=1), np.cos(0.7), atol=1e-12)


def _about(axis: np.ndarray, angle: float) -> tuple[float, float, float, float]:
    from gestik.model.transforms import from_axis_angle

    return from_axis_angle(tuple(axis.tolist()), float(angle))
