"""Pinocchio judges forward kinematics on robots as their makers publish them.

    uv run --with pin --with example-robot-data --with gymnasium pytest tests/judges

Without these packages the tests are skipped.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gestik.formats.load import load
from tests.formats.samples import rotation_matrix
from tests.formats.urdf_twin import joint_values
from tests.model.samples import assert_sound, random_angles

pinocchio = pytest.importorskip("pinocchio")
try:
    ROBOTS = Path(distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots"))
except PackageNotFoundError:
    pytest.skip("the robots' files are not installed", allow_module_level=True)

SEED = 3
CONFIGURATIONS = 100
NEAR = 1e-12  # times the size of the robot
FILES = {
    "panda": "panda_description/urdf/panda.urdf",
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "talos": "talos_data/robots/talos_full_v2.urdf",
    "romeo": "romeo_description/urdf/romeo.urdf",
    "so101": "so_arm_description/urdf/so101.urdf",
}


def configuration(model: Any, values: dict[str, float]) -> np.ndarray:
    """Pinocchio's own coordinates for joints' values; one that turns without end has a cosine and a sine there."""
    q = pinocchio.neutral(model)
    for name, value in values.items():
        joint = model.joints[model.getJointId(name)]
        q[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
    return q


@pytest.mark.parametrize("robot", FILES)
def test_every_link_of_a_published_robot_stands_where_pinocchio_says(robot: str) -> None:
    """All links at 100 random configurations, to 1e-12 of the robot's size; mimics are worked out by the twin."""
    path = ROBOTS / FILES[robot]
    text = path.read_text(encoding="utf-8")
    skeleton = load(path)
    assert_sound(skeleton)
    model = pinocchio.buildModelFromUrdf(str(path))
    data = model.createData()
    links = [frame for frame in model.frames if frame.type == pinocchio.FrameType.BODY and frame.name != "universe"]
    rng = np.random.default_rng(SEED)
    for _ in range(CONFIGURATIONS):
        angles = random_angles(skeleton, rng)
        pinocchio.framesForwardKinematics(model, data, configuration(model, joint_values(text, skeleton.named(angles))))
        expected = [data.oMf[model.getFrameId(link.name, link.type)] for link in links]
        size = max(1.0, *(float(np.abs(place.translation).max()) for place in expected))
        pose = skeleton.forward(angles)
        for link, place in zip(links, expected, strict=True):
            found = pose.of(f"link:{link.name}")
            np.testing.assert_allclose(found.position, place.translation, rtol=0, atol=NEAR * size, err_msg=link.name)
            np.testing.assert_allclose(
                rotation_matrix(found.rotation), place.rotation, rtol=0, atol=NEAR, err_msg=link.name
            )
