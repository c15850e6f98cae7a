"""A face walks past and circles; the lamp keeps looking at it, sixty times a second.

python examples/04_follow_a_face.py
"""

from __future__ import annotations

import math

import numpy as np

import gestik as gk

RATE = 60  # Hz
SECONDS = 6


def face_at(time: float) -> tuple[float, float, float]:
    """Where the face is [m]: it walks past for two seconds, then circles in front of the lamp."""
    if time < 2.0:
        return 0.7, 0.6 - 0.6 * time, 0.35
    turn = math.pi * (time - 2.0)
    return 0.7, -0.6 * math.cos(turn), 0.35 + 0.2 * math.sin(turn)


lamp = gk.load_character("lamp")
prepared = gk.prepare(lamp.skeleton, [gk.Aim("eye", at=face_at(0.0)), lamp.posture("alert")])
tracker = gk.Tracker(prepared)  # no joint moves faster than the lamp's file allows

before = None
fastest = np.zeros(lamp.skeleton.dof_count)
for frame in range(SECONDS * RATE):
    time = frame / RATE
    shown = tracker.step(face_at(time), time=time)
    if before is not None:
        fastest = np.maximum(fastest, np.abs(shown.angles - before) * RATE)
    before = shown.angles
    if frame % (RATE // 2) == 0:
        print(f"{time:4.1f} s   aim error {np.degrees(shown.errors[0]):6.2f} degrees")

for joint, speed, most in zip(lamp.skeleton.dof_names, fastest, lamp.skeleton.speed, strict=True):
    print(f"{joint:9} fastest {np.degrees(speed):5.0f}, allowed {np.degrees(most):5.0f} degrees/s")
