"""Bodies for tests of motion: a doll of balls and hinges, and a robot of hinges with limits, both 1.7 m tall."""

from __future__ import annotations

from pathlib import Path

from gestik.formats.load import load
from gestik.model.builder import SkeletonBuilder
from gestik.model.skeleton import Skeleton

# Upper and lower bones [m], as people have them.
THIGH, SHIN, ANKLE = 0.43, 0.41, 0.08
UPPER_ARM, FOREARM = 0.29, 0.26


def doll() -> Skeleton:
    """Free pelvis, balls in hips, spine, neck, shoulders, wrists and ankles, hinges in knees and elbows; y up."""
    builder = SkeletonBuilder("doll", up="y")
    builder.joint("pelvis", kind="free", position=(0, THIGH + SHIN + ANKLE, 0))
    builder.joint("spine", kind="ball", parent="pelvis", position=(0, 0.12, 0))
    builder.joint("chest", kind="ball", parent="spine", position=(0, 0.2, 0))
    builder.joint("neck", kind="ball", parent="chest", position=(0, 0.23, 0))
    builder.joint("head", kind="ball", parent="neck", position=(0, 0.1, 0))
    builder.frame("crown", parent="head", position=(0, 0.2, 0))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        builder.joint(f"{side} thigh", kind="ball", parent="pelvis", position=(0.1 * sign, 0, 0), convention="XZY")
        builder.joint(
            f"{side} shin",
            kind="revolute",
            axis="x",
            parent=f"{side} thigh",
            position=(0, -THIGH, 0),
            lower=0,
            upper=2.6,
        )
        builder.joint(f"{side} foot", kind="ball", parent=f"{side} shin", position=(0, -SHIN, 0))
        builder.joint(
            f"{side} toe",
            kind="revolute",
            axis="x",
            parent=f"{side} foot",
            position=(0, -ANKLE + 0.02, 0.13),
            lower=-0.9,
            upper=0.5,
        )
        builder.frame(f"{side} sole", parent=f"{side} foot", position=(0, -ANKLE, -0.05))
        builder.frame(f"{side} tip", parent=f"{side} toe", position=(0, -0.02, 0.07))
        builder.joint(
            f"{side} upper arm", kind="ball", parent="chest", position=(0.19 * sign, 0.18, 0), convention="ZYX"
        )
        builder.joint(
            f"{side} forearm",
            kind="revolute",
            axis=(0, -sign, 0),
            parent=f"{side} upper arm",
            position=(UPPER_ARM * sign, 0, 0),
            lower=-0.1,
            upper=2.6,
        )
        builder.joint(f"{side} hand", kind="ball", parent=f"{side} forearm", position=(FOREARM * sign, 0, 0))
    return builder.build()


def _hinge(name: str, parent: str, place: str, axis: str, lower: float, upper: float) -> str:
    """One joint of the robot with the link it carries."""
    return (
        f'<link name="{name}_link"/><joint name="{name}" type="revolute"><parent link="{parent}"/>'
        f'<child link="{name}_link"/><origin xyz="{place}"/><axis xyz="{axis}"/>'
        f'<limit lower="{lower}" upper="{upper}" effort="1" velocity="20"/></joint>'
    )


def robot_urdf() -> str:
    """A humanoid as robots are built: z up, x ahead, three hinges in hips and shoulders, two in ankles."""
    parts = [
        '<robot name="humanoid"><link name="world"/><link name="pelvis"/><joint name="floating_base" type="floating">'
        f'<parent link="world"/><child link="pelvis"/><origin xyz="0 0 {THIGH + SHIN + ANKLE}"/></joint>',
        _hinge("waist_yaw", "pelvis", "0 0 0.1", "0 0 1", -2.6, 2.6),
        _hinge("waist_roll", "waist_yaw_link", "0 0 0.02", "1 0 0", -0.6, 0.6),
        _hinge("waist_pitch", "waist_roll_link", "0 0 0", "0 1 0", -0.6, 1.2),
        _hinge("neck_yaw", "waist_pitch_link", "0 0 0.43", "0 0 1", -1.5, 1.5),
        _hinge("head_pitch", "neck_yaw_link", "0 0 0.1", "0 1 0", -0.8, 0.9),
    ]
    for side, sign in (("left", 1), ("right", -1)):
        out, lifted = sorted((-0.5 * sign, 0.8 * sign)), sorted((-0.5 * sign, 3.0 * sign))
        parts += [
            _hinge(f"{side}_hip_yaw", "pelvis", f"0 {0.1 * sign} 0", "0 0 1", -1.5, 1.5),
            _hinge(f"{side}_hip_roll", f"{side}_hip_yaw_link", "0 0 0", "1 0 0", *out),
            _hinge(f"{side}_hip_pitch", f"{side}_hip_roll_link", "0 0 0", "0 1 0", -2.4, 1.2),
            _hinge(f"{side}_knee", f"{side}_hip_pitch_link", f"0 0 {-THIGH}", "0 1 0", 0.0, 2.6),
            _hinge(f"{side}_ankle_pitch", f"{side}_knee_link", f"0 0 {-SHIN}", "0 1 0", -1.0, 0.9),
            _hinge(f"{side}_ankle_roll", f"{side}_ankle_pitch_link", "0 0 0", "1 0 0", -0.5, 0.5),
            f'<link name="{side}_sole"/><joint name="{side}_sole_mount" type="fixed">'
            f'<parent link="{side}_ankle_roll_link"/><child link="{side}_sole"/>'
            f'<origin xyz="0 0 {-ANKLE}"/></joint>',
            _hinge(f"{side}_shoulder_pitch", "waist_pitch_link", f"0 {0.19 * sign} 0.38", "0 1 0", -3.1, 3.1),
            _hinge(f"{side}_shoulder_roll", f"{side}_shoulder_pitch_link", "0 0 0", "1 0 0", *lifted),
            _hinge(f"{side}_shoulder_yaw", f"{side}_shoulder_roll_link", "0 0 0", "0 0 1", -2.8, 2.8),
            _hinge(f"{side}_elbow", f"{side}_shoulder_yaw_link", f"0 0 {-UPPER_ARM}", "0 1 0", -2.6, 0.1),
            _hinge(f"{side}_wrist_roll", f"{side}_elbow_link", f"0 0 {-FOREARM}", "0 0 1", -1.5, 1.5),
        ]
    return "".join([*parts, "</robot>"])


def robot(folder: Path) -> Skeleton:
    """The robot, read from a file."""
    path = folder / "humanoid.urdf"
    path.write_text(robot_urdf(), encoding="utf-8")
    return load(path)
