"""pink: a frame task on Pinocchio, iterated with daqp."""

from __future__ import annotations

import numpy as np
import pink
import pinocchio
from timed import run

STEPS, PLACE, TURN = 100, 5e-5, 5e-4


def make(arm):
    """Damping proportional to the error, as in pink's examples."""
    model = pinocchio.buildModelFromUrdf(arm.urdf)
    model.velocityLimit[:] = 1e3
    data = model.createData()
    task = pink.FrameTask(arm.tip, position_cost=1.0, orientation_cost=1.0, lm_damping=1e-3)
    limits = [pink.limits.ConfigurationLimit(model)]

    def solve(place, start):
        configuration = pink.Configuration(
            model, data, np.clip(start, model.lowerPositionLimit, model.upperPositionLimit)
        )
        task.set_target(place)
        for _ in range(STEPS):
            error = task.compute_error(configuration)
            if np.linalg.norm(error[:3]) < PLACE and np.linalg.norm(error[3:]) < TURN:
                break
            velocity = pink.solve_ik(
                configuration, [task], 1.0, solver="daqp", damping=1e-12, limits=limits, safety_break=False
            )
            configuration.integrate_inplace(velocity, 1.0)
        return configuration.q.copy()

    return pinocchio.SE3, solve


run(make)
