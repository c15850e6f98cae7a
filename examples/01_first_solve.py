"""A lamp looks at a cup and stays curious.

python examples/01_first_solve.py
"""

from __future__ import annotations

import numpy as np

import gestik as gk

CUP = (0.6, 0.2, 0.4)  # m, in the world of the lamp: it stands on z = 0 and looks along x

lamp = gk.load_character("lamp")
curious = lamp.posture("curious")
solution = gk.solve(lamp.skeleton, [gk.Aim(lamp.eye, at=CUP), curious])

drawn = lamp.skeleton.named(curious.angles_for(lamp.skeleton))
print(f"{'joint':10}{'drawn':>8}{'solved':>8}   degrees")
for joint, angle in solution.named().items():
    print(f"{joint:10}{np.degrees(drawn[joint]):8.1f}{np.degrees(angle):8.1f}")

print(f"status: {solution.status}, {solution.explain()}")
print(f"aim error: {np.degrees(solution.errors[0]):.4f} degrees")
print(f"shape error: {gk.metrics.shape_error(lamp.skeleton, solution.angles, curious, lamp.eye):.1f} degrees")
