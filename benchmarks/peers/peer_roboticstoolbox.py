"""roboticstoolbox: `ik_LM`, its Levenberg-Marquardt in C++, restarts on."""

from __future__ import annotations

import numpy as np
import roboticstoolbox as rtb
from timed import run


def make(arm):
    """The arm as a sequence of elementary transforms: a constant one, then a turn about z, for each joint."""
    parts = []
    for before, lower, upper in zip(arm.before, arm.lower, arm.upper, strict=True):
        parts += [rtb.ET.SE3(before), rtb.ET.Rz(qlim=[lower, upper])]
    ets = rtb.ETS([*parts, rtb.ET.SE3(arm.tool)])

    def solve(place, start):
        answer = ets.ik_LM(place, q0=start, tol=1e-10, joint_limits=True)
        return answer.q if answer.success else None

    return np.asarray, solve


run(make)
