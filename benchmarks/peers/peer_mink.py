"""mink: a frame task and configuration limits on MuJoCo, iterated with daqp."""

from __future__ import annotations

import mink
import mujoco
import numpy as np
from timed import run

STEPS, PLACE, TURN = 100, 5e-5, 5e-4


def make(arm):
    """Damping proportional to the error, as in mink's examples."""
    model = mujoco.MjModel.from_xml_path(arm.urdf)
    configuration = mink.Configuration(model)
    task = mink.FrameTask(arm.tip, "body", position_cost=1.0, orientation_cost=1.0, lm_damping=1e-3)
    limits = [mink.ConfigurationLimit(model)]

    def solve(place, start):
        configuration.update(start.copy())
        task.set_target(place)
        for _ in range(STEPS):
            error = task.compute_error(configuration)
            if np.linalg.norm(error[:3]) < PLACE and np.linalg.norm(error[3:]) < TURN:
                break
            velocity = mink.solve_ik(configuration, [task], 1.0, "daqp", damping=1e-12, limits=limits)
            configuration.integrate_inplace(velocity, 1.0)
        return configuration.q.copy()

    return mink.SE3.from_matrix, solve


run(make)
