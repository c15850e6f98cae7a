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


def joint_values(text: str, values: dict[str, float]) -> dict[str, float]:
    """The value [rad, m] of every joint that moves: those that move by themselves, and with them the mimics."""
    joints = {joint.get("name"): joint for joint in fromstring(text).findall("joint")}

    def value_of(name: str) -> float:
        mimic = joints[name].find("mimic")
        if mimic is None:
            return values[name]
        return float(mimic.get("multiplier", "1")) * value_of(mimic.get("joint")) + float(mimic.get("offset", "0"))

    return {name: value_of(name) for name, joint in joints.items() if joint.get("type") != "fixed"}


def link_frames(text: str, values: dict[str, float]) -> dict[str, np.ndarray]:
    """The world frame [4, 4] of every link, for the values [rad, m] of the joints that move by themselves."""
    robot = fromstring(text)
    carriers = {joint.find("child").get("link"): joint for joint in robot.findall("joint")}
    value_of = joint_values(text, values)

    def frame_of(link: str) -> np.ndarray:
        joint = carriers.get(link)
        if joint is None:
            return np.eye(4)
        roll, pitch, yaw = numbers(joint.find("origin"), "rpy", "0 0 0")
        offset = numbers(joint.find("origin"), "xyz", "0 0 0")
        frame = frame_of(joint.find("parent").get("link")) @ shift(offset)
        frame = frame @ turn(np.eye(3)[2], yaw) @ turn(np.eye(3)[1], pitch) @ turn(np.eye(3)[0], roll)
        axis = numbers(joint.find("axis"), "xyz", "1 0 0")
        if joint.get("type") in {"revolute", "continuous"}:
            return frame @ turn(axis, value_of[joint.get("name")])
        if joint.get("type") == "prismatic":
            return frame @ shift(axis / np.linalg.norm(axis) * value_of[joint.get("name")])
        return frame

    return {link.get("name"): frame_of(link.get("name")) for link in robot.findall("link")}
