"""The lamp's waking up, played towards a cup, looked over, and slowed down until it may be played.

python examples/07_warp_a_clip.py
"""

from __future__ import annotations

import numpy as np

import gestik as gk

CUP = (0.6, 0.35, 0.1)

lamp = gk.load_character("lamp")
wake = lamp.clip("wake").sampled(60.0)
to_the_cup = gk.warp(wake, gk.Aim("eye", at=CUP))

for name, clip in (("as drawn", wake), ("warped", to_the_cup)):
    off = [gk.metrics.aim_error(lamp.skeleton, angles, "eye", at=CUP) for angles in clip.angles]
    pairs = zip(clip.angles, wake.angles, strict=True)
    shape = [gk.metrics.shape_error(lamp.skeleton, angles, drawn, "eye") for angles, drawn in pairs]
    print(f"{name:9} eye off by {np.degrees(np.mean(off)):6.2f} degrees, shape by {np.mean(shape):5.2f}, on average")

strict = gk.Limits(acceleration=40.0, jerk=1000.0, clearance=-0.01)
vetting = gk.vet(to_the_cup, strict)
print(vetting)
playable = vetting.stretched()
print(gk.vet(playable, strict))
