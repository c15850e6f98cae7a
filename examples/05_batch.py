"""A thousand targets in one call, on all processors.

python examples/05_batch.py
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

import gestik as gk

COUNT = 1000
SEED = 7

lamp = gk.load_character("lamp")
generator = np.random.default_rng(SEED)
points = generator.uniform((-1.0, -1.0, 0.0), (1.0, 1.0, 1.0), size=(COUNT, 3))  # m

# What has one more axis comes in many; the posture is shared by all.
goals = [gk.Aim("eye", at=points), lamp.posture("neutral")]
gk.solve_batch(lamp.skeleton, goals)  # the first call compiles
began = perf_counter()
solutions = gk.solve_batch(lamp.skeleton, goals)
seconds = perf_counter() - began

print(f"{np.mean(solutions.reached):.1%} of {len(solutions)} targets reached, {1e6 * seconds / COUNT:.0f} us each")
print(f"angles: {solutions.angles.shape}, errors: {solutions.errors.shape}")
for number in np.flatnonzero(~solutions.reached)[:3].tolist():
    print(f"target {number} at {np.round(points[number], 2).tolist()}: {solutions[number].explain()}")
