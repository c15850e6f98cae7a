"""Talos from feet to hands, in an environment of its own: Pinocchio makes the problems and judges the answers.

python body_problems.py make FOLDER
python body_problems.py mark FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pinocchio
from defusedxml import ElementTree
from robots import published

SEED, COUNT = 11, 500
SWAY = 0.3  # rad, how far each joint is from the posture, at most
TIPS = ("leg_left_6_link", "leg_right_6_link", "arm_left_7_link", "arm_right_7_link")
BENT = {"leg_{}_3_joint": -0.4, "leg_{}_4_joint": 0.8, "leg_{}_5_joint": -0.4, "arm_{}_4_joint": -1.2}
TIGHT = 1e-4, 1e-3  # m, rad


def make(folder: Path) -> None:
    """Where four links are when every joint is near a standing posture."""
    robot = ElementTree.parse(published("talos_data/robots/talos_reduced.urdf"))
    for link in robot.getroot().findall("link"):
        for part in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(part)
    path = folder / "talos.urdf"
    robot.write(path)
    model, data, joints = opened(path)
    lower, upper = model.lowerPositionLimit[joints], model.upperPositionLimit[joints]
    names = [model.names[j] for j in range(1, model.njoints) if model.idx_qs[j] in joints]
    posture = np.zeros(len(joints))
    for name, angle in BENT.items():
        for side in ("left", "right"):
            posture[names.index(name.format(side))] = angle
    posture = np.clip(posture, lower, upper)
    sway = np.random.default_rng(SEED).uniform(-SWAY, SWAY, (COUNT, len(joints)))
    places = [frames(model, data, joints, q) for q in np.clip(posture + sway, lower, upper)]
    np.savez(folder / "talos.npz", places=places, posture=posture)
    told = {"urdf": str(path), "joints": names, "tips": TIPS}
    (folder / "talos.json").write_text(json.dumps(told), encoding="utf-8")


def opened(path: Path) -> tuple[pinocchio.Model, pinocchio.Data, list[int]]:
    """The robot, and where the 28 joints on the ways to the four links are among its coordinates."""
    model = pinocchio.buildModelFromUrdf(str(path))
    above = set()
    for tip in TIPS:
        above.update(model.supports[model.frames[model.getFrameId(tip)].parentJoint])
    return model, model.createData(), [model.idx_qs[j] for j in sorted(above) if j > 0]


def frames(model: pinocchio.Model, data: pinocchio.Data, joints: list[int], angles: np.ndarray) -> np.ndarray:
    """Where the four links are, [4, 4, 4]."""
    q = pinocchio.neutral(model)
    q[joints] = angles
    pinocchio.framesForwardKinematics(model, data, q)
    return np.array([data.oMf[model.getFrameId(tip)].homogeneous for tip in TIPS])


def mark(folder: Path) -> None:
    """How many answers have all four links in place, inside the limits, and how long they took."""
    model, data, joints = opened(folder / "talos.urdf")
    lower, upper = model.lowerPositionLimit[joints], model.upperPositionLimit[joints]
    places, marks = np.load(folder / "talos.npz")["places"], {}
    for file in sorted(folder.glob("body_*.npz")):
        answers, good, off = np.load(file), 0, []
        for wanted, q in zip(places, answers["angles"], strict=True):
            inside = (q >= lower - 1e-6).all() and (q <= upper + 1e-6).all()
            found = frames(model, data, joints, q)
            ways = np.linalg.norm(found[:, :3, 3] - wanted[:, :3, 3], axis=1)
            turns = [
                np.linalg.norm(pinocchio.log3(a[:3, :3].T @ b[:3, :3])) for a, b in zip(found, wanted, strict=True)
            ]
            good += bool(inside and ways.max() <= TIGHT[0] and max(turns) <= TIGHT[1])
            off.append(float(np.sqrt(np.mean((q - np.load(folder / "talos.npz")["posture"]) ** 2))))
        took = answers["us"]
        told = {"tight": good / len(places), "median": float(np.median(took)), "p95": float(np.percentile(took, 95))}
        marks[file.stem.removeprefix("body_")] = {**told, "off": float(np.mean(off)), "joints": len(joints)}
    (folder / "body_marks.json").write_text(json.dumps(marks), encoding="utf-8")


if __name__ == "__main__":
    {"make": make, "mark": mark}[sys.argv[1]](Path(sys.argv[2]))
