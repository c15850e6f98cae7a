"""EAIK: all solutions in closed form; of seven joints one is locked at places of a grid, the start's first."""

from __future__ import annotations

import numpy as np
from eaik.IK_URDF import UrdfRobot
from timed import run

GRID, LOCKED = 64, (2, 4, 0, 6)


def make(arm):
    """The nearest solution inside the limits of the first locked place that has one."""
    count = len(arm.joints)
    # EAIK leaves out the tool, and at zero angles its frames are turned as the world.
    undo, turned = np.linalg.inv(arm.seat), arm.zero[:3, :3].T
    if count == 6:
        robots = [(None, UrdfRobot(arm.urdf))]
    else:
        for joint in LOCKED:
            robots = [
                (at, UrdfRobot(arm.urdf, [(joint, at)])) for at in np.linspace(arm.lower[joint], arm.upper[joint], GRID)
            ]
            if robots[0][1].hasKnownDecomposition():
                break
    locked = np.array([0.0 if at is None else at for at, _ in robots])
    axis = joint if count > 6 else 0

    def solve(place, start):
        wanted = place @ undo
        wanted[:3, :3] = wanted[:3, :3] @ turned
        for number in np.argsort(np.abs(locked - start[axis])):
            found = robots[number][1].IK(wanted).Q
            if len(found) == 0:
                continue
            found = np.asarray(found)
            found = found + 2 * np.pi * np.round((start - found) / (2 * np.pi))
            found = np.where(
                found > arm.upper, found - 2 * np.pi, np.where(found < arm.lower, found + 2 * np.pi, found)
            )
            inside = ((found >= arm.lower) & (found <= arm.upper)).all(axis=1)
            seen = [np.abs(robots[number][1].fwdKin(q) - wanted).max() < 1e-6 for q in found[inside]]
            found = found[inside][seen] if seen else found[inside]
            if len(found):
                return found[np.argmin(np.abs(found - start).max(axis=1))]
        return None

    return np.asarray, solve


run(make)
