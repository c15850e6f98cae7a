"""optik: its own mix of random restarts and SLSQP."""

from __future__ import annotations

import numpy as np
from optik import Robot, SolverConfig
from timed import run


def make(arm):
    """Speed mode, on one thread."""
    robot = Robot.from_urdf_file(arm.urdf, arm.base, arm.tip)
    robot.set_parallelism(1)
    config = SolverConfig(tol_f=1e-10)

    def solve(place, start):
        found = robot.ik(config, place, start.tolist())
        return None if found is None else found[0]

    return np.ndarray.tolist, solve


run(make)
