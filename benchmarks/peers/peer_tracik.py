"""TRAC-IK by its Python packing `pytracik`: five milliseconds, the first answer found."""

from __future__ import annotations

from timed import run
from trac_ik import TracIK


def as_place_and_turn(place):
    """A target as TRAC-IK takes it."""
    return place[:3, 3].copy(), place[:3, :3].copy()


def make(arm):
    """Its own default of speed."""
    solver = TracIK(
        base_link_name=arm.base,
        tip_link_name=arm.tip,
        urdf_path=arm.urdf,
        timeout=0.005,
        epsilon=1e-5,
        solver_type="Speed",
    )

    def solve(place, start):
        return solver.ik(*place, seed_jnt_values=start)

    return as_place_and_turn, solve


run(make)
