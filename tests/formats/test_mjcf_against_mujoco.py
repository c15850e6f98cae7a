"""MuJoCo judges the MJCF reader: every body, site and camera stands where MuJoCo says, and every limit is its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gestik.formats.load import load
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, Quaternion, compose, from_axis_angle, multiply
from tests.formats.mjcf_samples import MODELS, mjcf
from tests.formats.samples import rotation_matrix, write
from tests.model.samples import assert_sound, random_angles

mujoco = pytest.importorskip("mujoco")

SEED = 11
POSES = 25
NEAR = 1e-12  # times the size of the model
UNIT = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def turned(named: dict[str, float], joint: str) -> Quaternion:
    """The turn of a ball or free joint, by its angles about z, the new y and the new x."""
    rotation = IDENTITY
    for letter in "zyx":
        rotation = multiply(rotation, from_axis_angle(UNIT[letter], named[f"{joint}.{letter}"]))
    return rotation


def coordinates(model: Any, named: dict[str, float]) -> np.ndarray:
    """What MuJoCo calls qpos, for the values of our degrees of freedom by name."""
    qpos = model.qpos0.copy()
    for index in range(model.njnt):
        joint = model.joint(index)
        name = joint.name or model.body(joint.bodyid[0]).name
        first = joint.qposadr[0]
        if joint.type[0] == mujoco.mjtJoint.mjJNT_FREE:
            slides = tuple(named[f"{name}.t{letter}"] for letter in "xyz")
            place = qpos[first : first + 7].tolist()
            position, rotation = compose(tuple(place[:3]), tuple(place[3:]), slides, turned(named, name))
            qpos[first : first + 7] = *position, *rotation
        elif joint.type[0] == mujoco.mjtJoint.mjJNT_BALL:
            qpos[first : first + 4] = turned(named, name)
        elif name in named:
            qpos[first] = named[name]
    return qpos


def assert_stands_as_in_mujoco(skeleton: Skeleton, model: Any) -> None:
    """Compare everything that has a name, at rest and at random angles."""
    data = mujoco.MjData(model)
    rng = np.random.default_rng(SEED)
    for angles in [skeleton.rest, *(random_angles(skeleton, rng) for _ in range(POSES))]:
        data.qpos = coordinates(model, skeleton.named(angles))
        mujoco.mj_kinematics(model, data)
        mujoco.mj_camlight(model, data)
        places = [(f"link:{model.body(i).name}", data.xpos[i], data.xmat[i]) for i in range(model.nbody)]
        places += [(f"frame:{model.site(i).name}", data.site_xpos[i], data.site_xmat[i]) for i in range(model.nsite)]
        places += [(f"eye:{model.camera(i).name}", data.cam_xpos[i], data.cam_xmat[i]) for i in range(model.ncam)]
        size = max(1.0, float(np.abs(data.xpos).max()))
        pose = skeleton.forward(angles)
        for name, position, matrix in places:
            if name.endswith(":"):
                continue
            found = pose.of(name)
            np.testing.assert_allclose(found.position, position, rtol=0, atol=NEAR * size, err_msg=name)
            np.testing.assert_allclose(rotation_matrix(found.rotation).ravel(), matrix, rtol=0, atol=NEAR, err_msg=name)


@pytest.mark.parametrize("name", MODELS)
def test_a_model_stands_where_mujoco_says(tmp_path: Path, name: str) -> None:
    """Every link, frame and eye of each sample, at rest and at 25 random poses, to 1e-12 of the model's size."""
    skeleton = load(write(tmp_path, "model.xml", MODELS[name]))
    assert_sound(skeleton)
    assert_stands_as_in_mujoco(skeleton, mujoco.MjModel.from_xml_string(MODELS[name]))


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_the_limits_mujoco_says(tmp_path: Path, name: str) -> None:
    """Hinges and slides have MuJoCo's own range, none where it has none, and rest at its reference."""
    skeleton = load(write(tmp_path, "model.xml", MODELS[name]))
    model = mujoco.MjModel.from_xml_string(MODELS[name])
    for index in range(model.njnt):
        joint = model.joint(index)
        if joint.name not in skeleton.dof_names:
            continue
        dof = skeleton.dof_names.index(joint.name)
        expected = joint.range if model.jnt_limited[index] else (-np.inf, np.inf)
        np.testing.assert_allclose((skeleton.lower[dof], skeleton.upper[dof]), expected, rtol=1e-15)
        np.testing.assert_allclose(skeleton.rest[dof], np.clip(joint.qpos0, *expected)[0], rtol=1e-15)


def test_an_equality_that_is_a_line_holds_in_mujoco(tmp_path: Path) -> None:
    """The follower stands where MuJoCo's polynomial is met, references taken into account."""
    hinges = "".join(
        f'<body name="{name}"><joint name="{name}" ref="{ref}"/><geom size="0.1"/></body>'
        for name, ref in {"a": 10, "b": -20, "c": 5}.items()
    )
    text = mjcf(
        hinges,
        after="""<equality><joint joint1="a" joint2="b" polycoef="0.1 2"/><joint joint1="c" polycoef="0.3 9"/>
        <joint joint1="b" joint2="a" active="false"/></equality>""",
    )
    skeleton = load(write(tmp_path, "model.xml", text))
    assert skeleton.dof_names == ("b", "c")
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    for leader in (-1.0, 0.0, 0.7):
        angles = skeleton.angles_from({"b": leader})
        a, c = model.qpos0[0] + 0.1 + 2.0 * (leader - model.qpos0[1]), skeleton.named(angles)["c"]
        data.qpos = a, leader, c
        mujoco.mj_forward(model, data)
        assert np.abs(data.efc_pos[: data.ne]).max() < NEAR
        pose = skeleton.forward(angles)
        for name in "abc":
            matrix = rotation_matrix(pose.of(f"link:{name}").rotation)
            np.testing.assert_allclose(matrix.ravel(), data.body(name).xmat, rtol=0, atol=NEAR)
