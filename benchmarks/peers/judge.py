"""The judge, in an environment of its own: Pinocchio on the robots as published makes the problems and marks answers.

python judge.py make FOLDER      the problems of every arm
python judge.py mark FOLDER      what each file of answers is worth, into marks.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pinocchio
from numpy.typing import NDArray
from robots import arms, describe, write_bare

FloatArray = NDArray[np.float64]

SEED = 20_26
TARGETS, FAR = 1000, 100
SHAKEN = 0.1  # rad, how far a warm start is from an answer
TIGHT = 1e-4, 1e-3  # m, rad
SLACK = 1e-6  # rad: how far an answer may stand outside a limit
JUMP = 0.5  # rad
STARTS, STEPS = 25, 60  # of the search for the best answer to a target out of reach


class Judged:
    """An arm as published."""

    def __init__(self, told: dict[str, object]) -> None:
        self.model = pinocchio.buildModelFromUrdf(told["published"])
        self.data = self.model.createData()
        self.places = [self.model.joints[self.model.getJointId(name)].idx_q for name in told["joints"]]
        self.frame = self.model.getFrameId(told["tip"])
        self.base = self.model.getFrameId(told["base"])
        self.lower, self.upper = np.array(told["lower"]), np.array(told["upper"])

    def forward(self, angles: FloatArray) -> FloatArray:
        """The tip [4, 4] as seen from the base."""
        q = pinocchio.neutral(self.model)
        q[self.places] = angles
        pinocchio.framesForwardKinematics(self.model, self.data, q)
        return (self.data.oMf[self.base].inverse() * self.data.oMf[self.frame]).homogeneous

    def errors(self, angles: FloatArray, target: FloatArray) -> tuple[float, float]:
        """How far the tip is from its target [m, rad]."""
        found = self.forward(angles)
        turn = pinocchio.log3(found[:3, :3].T @ target[:3, :3])
        return float(np.linalg.norm(found[:3, 3] - target[:3, 3])), float(np.linalg.norm(turn))

    def best(self, target: FloatArray, rng: np.random.Generator) -> tuple[float, float]:
        """Least cost found for a target, 1/2 (m^2 + rad^2), and how far the tip is from its place there [m]."""
        found = (np.inf, np.inf)
        for _ in range(STARTS):
            angles, damping = rng.uniform(self.lower, self.upper), 0.1
            cost, slope, normal = self.model_of(angles, target)
            for _ in range(STEPS):
                free = ~(((angles <= self.lower) & (slope > 0)) | ((angles >= self.upper) & (slope < 0)))
                step = np.zeros(len(angles))
                square = normal[np.ix_(free, free)] + damping * np.eye(int(free.sum()))
                step[free] = -np.linalg.solve(square, slope[free])
                trial = np.clip(angles + step, self.lower, self.upper)
                there, *ahead = self.model_of(trial, target)
                if there < cost:
                    done = cost - there < 1e-10
                    angles, cost, (slope, normal), damping = trial, there, ahead, 0.3 * damping
                    if done:
                        break
                else:
                    damping *= 4.0
            found = min(found, (cost, self.errors(angles, target)[0]))
        return found

    def model_of(self, angles: FloatArray, target: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Cost, gradient and J^T J."""
        q = pinocchio.neutral(self.model)
        q[self.places] = angles
        jacobian = pinocchio.computeFrameJacobian(self.model, self.data, q, self.frame, pinocchio.LOCAL_WORLD_ALIGNED)
        pinocchio.updateFramePlacements(self.model, self.data)
        base = self.data.oMf[self.base]
        wanted, found = base * pinocchio.SE3(target), self.data.oMf[self.frame]
        missing = np.concatenate(
            (wanted.translation - found.translation, pinocchio.log3(wanted.rotation @ found.rotation.T))
        )
        jacobian = jacobian[:, [self.model.idx_vs[self.model.getJointId(self.model.names[j])] for j in self.joints()]]
        return 0.5 * float(missing @ missing), -jacobian.T @ missing, jacobian.T @ jacobian

    def joints(self) -> list[int]:
        """Which joints of the model are the arm's."""
        return [j for j in range(1, self.model.njoints) if self.model.idx_qs[j] in self.places]


def make(folder: Path) -> None:
    """Targets from configurations uniform inside the limits, starts, and targets that are too far away."""
    told = []
    for number, arm in enumerate(arms(folder)):
        write_bare(arm, folder / f"{arm.name}.urdf")
        told.append(describe(arm))
        judged, rng = Judged(told[-1]), np.random.default_rng(SEED + number)
        angles = rng.uniform(judged.lower, judged.upper, (TARGETS, len(judged.lower)))
        places = np.array([judged.forward(q) for q in angles])
        shaken = np.clip(angles + rng.uniform(-SHAKEN, SHAKEN, angles.shape), judged.lower, judged.upper)
        far = places[:FAR].copy()
        reach = np.linalg.norm(places[:, :3, 3], axis=1).max()
        far[:, :3, 3] *= (reach * rng.uniform(1.2, 1.8, FAR) / np.linalg.norm(far[:, :3, 3], axis=1))[:, None]
        best = np.array([judged.best(place, rng) for place in far])
        cold = np.clip(np.zeros(len(judged.lower)), judged.lower, judged.upper)
        np.savez(folder / f"{arm.name}.npz", places=places, cold=cold, warm=shaken, far=far, best=best)
    (folder / "arms.json").write_text(json.dumps(told), encoding="utf-8")


def mark(folder: Path) -> None:
    """For each peer and arm: how many answers are tight, how long they took, which jumped, how far from the best."""
    marks: dict[str, dict[str, dict[str, float]]] = {}
    for file in sorted(folder.glob("answers_*.npz")):
        answers = np.load(file)
        peer = marks.setdefault(file.stem.removeprefix("answers_"), {})
        for told in json.loads((folder / "arms.json").read_text(encoding="utf-8")):
            judged, problems = Judged(told), np.load(folder / f"{told['name']}.npz")
            peer[told["name"]] = mark_arm(judged, problems, answers, told["name"])
    (folder / "marks.json").write_text(json.dumps(marks), encoding="utf-8")


def mark_arm(
    judged: Judged, problems: dict[str, FloatArray], answers: dict[str, FloatArray], arm: str
) -> dict[str, float]:
    """The marks of one peer on one arm."""
    marks = {}
    for name in ("cold", "warm"):
        found, took = answers[f"{arm} {name}"], answers[f"{arm} {name} us"]
        good = np.array([is_tight(judged, q, place) for q, place in zip(found, problems["places"], strict=True)])
        marks[f"{name} tight"] = float(good.mean())
        marks[f"{name} median"], marks[f"{name} p95"] = float(np.median(took)), float(np.percentile(took, 95))
        if name == "warm":
            moved = np.abs(found - problems["warm"]).max(axis=1)
            marks["jumps"] = int((good & (moved > JUMP)).sum())
    found, took = answers[f"{arm} far"], answers[f"{arm} far us"]
    beyond = [
        judged.errors(q, place)[0] - best if np.isfinite(q).all() else np.inf
        for q, place, (_, best) in zip(found, problems["far"], problems["best"], strict=True)
    ]
    marks["far worst"], marks["far median"], marks["far us"] = max(beyond), float(np.median(beyond)), float(took.max())
    if f"{arm} flags" in answers:
        marks["far flagged"] = float(answers[f"{arm} flags"].mean())
    return marks


def is_tight(judged: Judged, angles: FloatArray, place: FloatArray) -> bool:
    """Whether an answer is inside the limits and at its target."""
    if not np.isfinite(angles).all():
        return False
    if (angles < judged.lower - SLACK).any() or (angles > judged.upper + SLACK).any():
        return False
    way, turn = judged.errors(angles, place)
    return way <= TIGHT[0] and turn <= TIGHT[1]


if __name__ == "__main__":
    {"make": make, "mark": mark}[sys.argv[1]](Path(sys.argv[2]))
