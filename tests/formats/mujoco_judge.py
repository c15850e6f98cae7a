"""What a model that MuJoCo has read too must agree in.  Whoever imports this is skipped where there is no MuJoCo."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, Quaternion, compose, from_axis_angle, multiply
from tests.formats.samples import rotation_matrix
from tests.model.samples import random_angles

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
        fixed = np.flatnonzero(model.cam_mode == mujoco.mjtCamLight.mjCAMLIGHT_FIXED).tolist()
        places += [(f"eye:{model.camera(i).name}", data.cam_xpos[i], data.cam_xmat[i]) for i in fixed]
        size = max(1.0, float(np.abs(data.xpos).max()))
        pose = skeleton.forward(angles)
        for name, position, matrix in places:
            if name.endswith(":"):
                continue
            found = pose.of(name)
            np.testing.assert_allclose(found.position, position, rtol=0, atol=NEAR * size, err_msg=name)
            np.testing.assert_allclose(rotation_matrix(found.rotation).ravel(), matrix, rtol=0, atol=NEAR, err_msg=name)
