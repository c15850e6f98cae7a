"""placo: four frame tasks and a light posture, iterated until all four are in place."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import placo
from timed import time_all

STEPS, PLACE, TURN = 50, 5e-5, 5e-4
HOLD = 1e-6  # weight of a squared angle beside a squared metre


def main() -> None:
    """Solve all problems of the folder."""
    folder = Path(sys.argv[1])
    told = json.loads((folder / "talos.json").read_text(encoding="utf-8"))
    problems = np.load(folder / "talos.npz")
    robot = placo.RobotWrapper(told["urdf"], placo.Flags.ignore_collisions)
    solver = placo.KinematicsSolver(robot)
    solver.mask_fbase(True)
    solver.enable_joint_limits(True)
    solver.enable_velocity_limits(False)
    for name in robot.joint_names():
        if name not in told["joints"]:
            solver.mask_dof(name)
    tasks = [solver.add_frame_task(tip, np.eye(4)) for tip in told["tips"]]
    for tip, task in zip(told["tips"], tasks, strict=True):
        task.configure(tip, "soft", 1.0, 1.0)
    posture = solver.add_joints_task()
    posture.set_joints(dict(zip(told["joints"], problems["posture"].tolist(), strict=True)))
    posture.configure("posture", "soft", HOLD)
    own = robot.state.q.copy()
    offsets = [robot.get_joint_offset(name) for name in told["joints"]]

    def solve(places: list[np.ndarray], start: np.ndarray) -> np.ndarray:
        q = own.copy()
        q[offsets] = start
        robot.state.q = q
        robot.update_kinematics()
        for task, place in zip(tasks, places, strict=True):
            task.T_world_frame = place
        for _ in range(STEPS):
            solver.solve(True)
            robot.update_kinematics()
            if all(t.position().error_norm() < PLACE and t.orientation().error_norm() < TURN for t in tasks):
                break
        return robot.state.q[offsets].copy()

    places = [list(place) for place in problems["places"]]
    angles, took = time_all(solve, places, np.tile(problems["posture"], (len(places), 1)))
    np.savez(sys.argv[2], angles=angles, us=took)


main()
