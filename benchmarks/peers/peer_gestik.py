"""gestik: method `newton` through `prepare`."""

from __future__ import annotations

import warnings

from peer_gestik_targets import as_place_and_turn
from timed import run

import gestik as gk


def make(arm):
    """A place and a rotation for the tip."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        skeleton = gk.load(arm.urdf)
    assert list(skeleton.dof_names) == arm.joints
    tip = f"link:{arm.tip}"
    prepared = gk.prepare(skeleton, [gk.Position(tip, (0, 0, 0)), gk.Orientation(tip, (1, 0, 0, 0))], "newton")

    def solve(place, start):
        return prepared.solve(*place, start=start).angles

    def flag(place, start):
        return not prepared.solve(*place, start=start).reached

    return as_place_and_turn, solve, flag


run(make)
