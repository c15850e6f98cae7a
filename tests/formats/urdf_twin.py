"""A slow twin of loading and moving a URDF: matrices straight from its text, nothing taken from the package."""

from __future__ import annotations

import numpy as np
from defusedxml.ElementTree import fromstring


def numbers(element: object, attribute: str, default: str) -> np.ndarray:
    """The numbers of an attribute of an element that may be missing."""
    text = default if element is None else element.get(attribute, default)
    return np.array([float(word) for word in text.split()])


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """The 4x4 matrix of a turn, after Rodrigues."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    matrix = np.eye(4)
    matrix[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return matrix


def shift(offset: np.ndarray) -> np.ndarray:
    """The 4x4 matrix of a shift."""
    matrix = np.eye(4)
    matrix[:3, 3] = offset
    return matrix


def link_frames(text: str, values: dict[str, float]) -> dict[str, np.ndarray]:
    """The world frame [4, 4] of every link, for the values [rad, m] of the joints that move by themselves."""
    robot = fromstring(text)
    joints = {joint.get("name"): joint for joint in robot.findall("joint")}

    def value_of(name: str) -> float:
        mimic = joints[name].find("mimic")
        if mimic is None:
            return values[name]
        return float(mimic.get("multiplier", "1")) * value_of(mimic.get("joint")) + float(mimic.get("offset", "0"))

    def frame_of(link: str) -> np.ndarray:
        name, joint = next((pair for pair in joints.items() if pair[1].find("child").get("link") == link), ("", None))
        if joint is None:
            return np.eye(4)
        roll, pitch, yaw = numbers(joint.find("origin"), "rpy", "0 0 0")
        offset = numbers(joint.find("origin"), "xyz", "0 0 0")
        frame = frame_of(joint.find("parent").get("link")) @ shift(offset)
        frame = frame @ turn(np.eye(3)[2], yaw) @ turn(np.eye(3)[1], pitch) @ turn(np.eye(3)[0], roll)
        axis = numbers(joint.find("axis"), "xyz", "1 0 0")
        if joint.get("type") in {"revolute", "continuous"}:
            return frame @ turn(axis, value_of(name))
        if joint.get("type") == "prismatic":
            return frame @ shift(axis / np.linalg.norm(axis) * value_of(name))
        return frame

    return {link.get("name"): frame_of(link.get("name")) for link in robot.findall("link")}
