"""The lamp performs: it breathes, changes its mood, looks at a face that walks past, nods, and lets it go.

python examples/06_perform.py
"""

from __future__ import annotations

import numpy as np

import gestik as gk

lamp = gk.load_character("lamp")
performer = gk.Performer(lamp)  # sixty ticks a second, as the lamp's file says
performer.layer("breathing")

fastest = np.zeros(lamp.skeleton.dof_count)
before = None
for frame in range(8 * 60):
    time = frame / 60
    if frame == 60:
        performer.posture("curious", seconds=0.8)
    if 2.0 <= time < 6.0:  # a camera sees the face and says when
        performer.look_at((0.7, 0.8 - 0.3 * time, 0.35), time=time)
    if frame == 4 * 60:
        performer.layer("nod")
    sent = performer.tick(time)  # what a robot would be sent now
    if before is not None:
        fastest = np.maximum(fastest, np.abs(sent.angles - before) * 60)
    before = sent.angles
    if frame % 60 == 59:
        print(f"{time:4.1f} s   gaze {sent.weight:4.2f}   {sent.explain()}")

for joint, speed, most in zip(lamp.skeleton.dof_names, fastest, lamp.skeleton.speed, strict=True):
    print(f"{joint:9} fastest {np.degrees(speed):5.0f}, allowed {np.degrees(most):5.0f} degrees/s")
