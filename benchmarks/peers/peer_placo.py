"""placo: a frame task, iterated."""

from __future__ import annotations

import numpy as np
import placo
from timed import run

STEPS, PLACE, TURN = 100, 5e-5, 5e-4


def make(arm):
    """One soft task for place and rotation; joints keep their limits."""
    robot = placo.RobotWrapper(arm.urdf, placo.Flags.ignore_collisions)
    solver = placo.KinematicsSolver(robot)
    solver.mask_fbase(True)
    task = solver.add_frame_task(arm.tip, robot.get_T_world_frame(arm.tip))
    task.configure("tip", "soft", 1.0, 1.0)
    solver.enable_joint_limits(True)
    solver.enable_velocity_limits(False)
    begin = 7

    def solve(place, start):
        q = robot.state.q.copy()
        q[begin:] = start
        robot.state.q = q
        robot.update_kinematics()
        task.T_world_frame = place
        for _ in range(STEPS):
            solver.solve(True)
            robot.update_kinematics()
            if task.position().error_norm() < PLACE and task.orientation().error_norm() < TURN:
                break
        return robot.state.q[begin:].copy()

    return np.asarray, solve


run(make)
