"""Aim the tip of a robot of your own, described by a URDF.

    python examples/02_own_robot.py [robot.urdf FRAME]

Without arguments a small arm is written to a temporary file first.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

import gestik as gk

ARM = """
<robot name="arm">
  <link name="base"/> <link name="turntable"/> <link name="upper_arm"/> <link name="forearm"/> <link name="camera"/>
  <joint name="yaw" type="revolute">
    <parent link="base"/> <child link="turntable"/> <axis xyz="0 0 1"/>
    <limit lower="-2.8" upper="2.8" velocity="2.0" effort="1"/>
  </joint>
  <joint name="shoulder" type="revolute">
    <parent link="turntable"/> <child link="upper_arm"/> <origin xyz="0 0 0.12"/> <axis xyz="0 1 0"/>
    <limit lower="-1.9" upper="1.9" velocity="2.0" effort="1"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper_arm"/> <child link="forearm"/> <origin xyz="0 0 0.25"/> <axis xyz="0 1 0"/>
    <limit lower="-2.2" upper="2.2" velocity="2.5" effort="1"/>
  </joint>
  <joint name="wrist" type="revolute">
    <parent link="forearm"/> <child link="camera"/> <origin xyz="0 0 0.22"/> <axis xyz="0 1 0"/>
    <limit lower="-2.0" upper="2.0" velocity="3.0" effort="1"/>
  </joint>
</robot>
"""
TARGET = (0.7, 0.5, 0.3)  # m


def main(file: Path, frame: str) -> None:
    """Look at the target along the frame's z axis, from a lens 4 cm in front of it."""
    robot = gk.load(file)
    print(f"{robot.name}: {', '.join(robot.dof_names)}")
    bent = gk.Posture(0.5 * np.ones(robot.dof_count))  # rad, a posture to hold on to
    solution = gk.solve(robot, [gk.Aim(frame, at=TARGET, axis="z", eye=(0, 0, 0.04)), bent])
    for joint, angle in solution.named().items():
        print(f"{joint:10}{np.degrees(angle):8.1f} degrees")
    print(solution.explain())


if __name__ == "__main__":
    try:
        if len(sys.argv) > 1:
            main(Path(sys.argv[1]), *sys.argv[2:])
        else:
            with tempfile.TemporaryDirectory() as folder:
                written = Path(folder) / "arm.urdf"
                written.write_text(ARM, encoding="utf-8")
                main(written, "camera")
    except gk.GestikError as mistake:
        sys.exit(f"{type(mistake).__name__}: {mistake}")
