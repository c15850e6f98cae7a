"""MuJoCo judges the MJCF reader: every body, site and camera stands where MuJoCo says, and every limit is its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gestik.formats.load import load
from tests.formats.mjcf_samples import MODELS, mjcf
from tests.formats.mujoco_judge import NEAR, assert_stands_as_in_mujoco, mujoco
from tests.formats.samples import rotation_matrix, write
from tests.model.samples import assert_sound


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
