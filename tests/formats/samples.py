"""Files the tests of formats share."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
CHARACTER_PAGE = ROOT / "docs" / "character-files.md"

# Every kind of joint the reader knows, links that share names with joints, and joints before the links they join.
GRIPPER_URDF = """<?xml version="1.0"?>
<robot name="gripper">
  <material name="rubber"><color rgba="0.1 0.2 0.3 0.5"/></material>
  <joint name="left" type="prismatic">
    <origin xyz="0.02 0 0.1" rpy="0 0 0.5"/>
    <parent link="palm"/><child link="left"/>
    <axis xyz="0 2 0"/>
    <limit lower="0" upper="0.04" velocity="0.2" effort="10"/>
  </joint>
  <joint name="right" type="prismatic">
    <origin xyz="-0.02 0 0.1"/>
    <parent link="palm"/><child link="right_pad"/>
    <axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" velocity="0.2" effort="10"/>
    <mimic joint="left" multiplier="-0.5" offset="0.01"/>
  </joint>
  <joint name="spin" type="continuous">
    <origin rpy="0.3 -0.2 0.1" xyz="0 0 0.3"/>
    <parent link="arm"/><child link="wrist"/>
    <limit velocity="3" effort="1"/>
  </joint>
  <joint name="mount" type="fixed">
    <origin xyz="0 0 0.05" rpy="1.2 0 -0.7"/>
    <parent link="wrist"/><child link="palm"/>
    <axis xyz="0 0 0"/>
  </joint>
  <joint name="wrist" type="revolute">
    <parent link="base"/><child link="arm"/>
    <axis xyz="0 0.6 0.8"/>
    <limit lower="-1" upper="2" velocity="0" effort="1"/>
  </joint>
  <link name="base"/>
  <link name="arm">
    <visual>
      <origin xyz="0 0 0.15" rpy="0 1.5707963267948966 0"/>
      <geometry><cylinder radius="0.03" length="0.3"/></geometry>
      <material name="rubber"/>
    </visual>
    <visual name="cover">
      <geometry><mesh filename="package://gripper_description/meshes/cover.stl" scale="0.001 -0.001 0.001"/></geometry>
    </visual>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <link name="wrist"><visual><geometry><sphere radius="0.04"/></geometry></visual></link>
  <link name="palm"><visual><geometry><box size="0.1 0.05 0.02"/></geometry></visual></link>
  <link name="left"/>
  <link name="right_pad"/>
  <transmission name="t"><joint name="left"/></transmission>
  <gazebo reference="palm"><material>Gazebo/Red</material></gazebo>
</robot>
"""

# Of the crane in tests/model/samples.py.
RECORDING = """# the crane's morning
time [ms],turn.pos,lift_rad,reach [mm],left claw [deg]
0,0,-0.5,100,0
33.4,12.5,-0.25,250,-1e1
66.7,359.5,0.125,4.5e2,45
100.1,-90,0.5,800,51.5
"""

# Free, ball and fixed joints, hinges in a row, a slide before a ball, and two end sites on one joint.
DANCER_BVH = """HIERARCHY
ROOT hips
{
	OFFSET 0 0 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Left Leg
	{
		OFFSET 10 -5 0
		CHANNELS 3 Xrotation Yrotation Zrotation
		JOINT knee
		{
			OFFSET 0 -40 0
			CHANNELS 1 Xrotation
			JOINT foot
			{
				OFFSET 0 -42.5 1e0
				CHANNELS 2 Xrotation Zrotation
				End Site
				{
					OFFSET 0 -3 15
				}
			}
		}
	}
	JOINT chest
	{
		OFFSET 0 30 0
		CHANNELS 0
		JOINT neck
		{
			OFFSET 0 25 2
			CHANNELS 4 Yposition Zrotation Xrotation Yrotation
			End Site
			{
				OFFSET 0 12 0
			}
			End Site
			{
				OFFSET 0 0 9
			}
		}
	}
}
MOTION
Frames: 3
Frame Time: 0.05
0 90 0 12 -3 170 5 6 7 20 1 -1 0.5 3 2 8
1 91.5 0.25 14 -4 -179 5.5 6 6.5 35 2 -2 0.25 4 1 9
2.5 90.125 -1e-1 15 -5 -165 6 6 6 50 3 -3 0 5 -89 10
"""


def example_character() -> str:
    """The example in the documentation of character files."""
    found = re.search(r"```toml\n(.*?)```", CHARACTER_PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


def write(folder: Path, name: str, content: str | bytes) -> Path:
    """A file in a folder of the test's own."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def rotation_matrix(quaternion: np.ndarray) -> np.ndarray:
    """The matrix of a quaternion, w first."""
    w, x, y, z = quaternion
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross
