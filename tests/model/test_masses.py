"""What weighs: declared, read from files, carried along when a body is held elsewhere or has another size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gestik as gk

URDF = """<robot name="r"><link name="base"><inertial><mass value="2"/></inertial></link>
<link name="bar"><inertial><origin xyz="0 0 0.5"/><mass value="1"/></inertial></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="bar"/><axis xyz="1 0 0"/></joint></robot>"""
MJCF = """<mujoco><worldbody><body name="base"><inertial pos="0 0 0" mass="2"/>
<body name="bar"><joint name="turn" axis="1 0 0"/><inertial pos="0 0 0.5" mass="1"/></body>
</body></worldbody></mujoco>"""


def bar() -> gk.Skeleton:
    """Two kilograms on the base, one kilogram half a metre up a bar that turns."""
    builder = gk.SkeletonBuilder("bar", up="z")
    builder.joint("turn", kind="continuous", axis="x")
    builder.frame("plate", parent="turn", position=(0, 0, 0.2))
    builder.mass(2.0)
    builder.mass(1.0, parent="plate", position=(0, 0, 0.3))
    return builder.build()


@pytest.mark.parametrize("kind", ["built", "urdf", "xml"])
def test_the_centre_is_where_the_masses_balance(kind: str, tmp_path: Path) -> None:
    """A third of the way to the one kilogram, whoever told of it."""
    body = bar()
    if kind != "built":
        path = tmp_path / f"bar.{kind}"
        path.write_text(URDF if kind == "urdf" else MJCF, encoding="utf-8")
        body = gk.load(path)
    np.testing.assert_allclose(body.center_of_mass([0.0]), (0, 0, 0.5 / 3.0), atol=1e-12)
    np.testing.assert_allclose(body.center_of_mass([np.pi / 2]), (0, -0.5 / 3.0, 0), atol=1e-12)


def test_masses_stay_where_they_are_when_a_body_is_held_elsewhere() -> None:
    """Seen from the plate, the centre is where it was."""
    body, held = bar(), bar().rerooted("plate")
    angles = [0.7]
    seen = body.forward(angles).of("plate")
    from tests.reference.measures_twin import rotation_matrix

    there = rotation_matrix(seen.rotation).T @ (body.center_of_mass(angles) - seen.position)
    np.testing.assert_allclose(held.center_of_mass(angles), there, atol=1e-12)


def test_a_body_of_another_size_balances_at_the_same_place_of_it() -> None:
    """Lengths are scaled, kilograms are not."""
    from gestik.model.scaling import scaled_skeleton

    twice = scaled_skeleton(bar(), 2.0)
    np.testing.assert_allclose(twice.center_of_mass([0.4]), 2.0 * bar().center_of_mass([0.4]), atol=1e-12)
    assert sum(mass.mass for mass in twice.masses) == 3.0


def test_what_weighs_nothing_is_said() -> None:
    """A goal for the centre of mass of a body without masses, and a mass below zero."""
    with pytest.raises(gk.InputError, match="knows nothing that weighs"):
        gk.solve(gk.load("lamp"), gk.CenterOfMass((0, 0, 0)))
    builder = gk.SkeletonBuilder("bar", up="z")
    builder.joint("turn", kind="continuous", axis="x")
    builder.mass(-1.0)
    builder.mass(1.0, parent="nobody")
    with pytest.raises(gk.ModelError, match=r"mass.*-1[\s\S]*nobody"):
        builder.build()


def test_a_body_leans_to_keep_its_balance() -> None:
    """One hand reaches far; the hips move so that the centre of mass stays over the foot."""
    builder = gk.SkeletonBuilder("figure", up="y")
    for name, parent, y, mass in (("ankle", None, 0.1, 1.0), ("hip", "ankle", 0.8, 5.0), ("shoulder", "hip", 0.5, 3.0)):
        builder.joint(name, kind="revolute", axis="z", parent=parent, position=(0, y, 0), lower=-1.5, upper=1.5)
        builder.mass(mass, parent=name, position=(0, 0.3, 0))
    builder.joint("elbow", kind="revolute", axis="z", parent="shoulder", position=(0.4, 0, 0), lower=-2.5, upper=2.5)
    builder.mass(1.0, parent="elbow", position=(0.2, 0, 0))
    builder.frame("hand", parent="elbow", position=(0.3, 0, 0))
    body = builder.build()
    goals = [gk.Position("hand", (0.75, 1.2, 0.0)), gk.CenterOfMass((0.0, 0.0, 0.0), axes="x", priority=1)]
    solution = gk.solve(body, goals, start=[0.1, -0.1, 0.1, 0.2])
    assert solution.reached, solution.explain()
    assert abs(body.center_of_mass(solution.angles)[0]) < 1e-3
