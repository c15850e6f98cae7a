"""gestik: four places and rotations and a light posture, method `newton` through `prepare`."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from peer_gestik_targets import as_place_and_turn
from timed import time_all

import gestik as gk

HOLD = 1e-3  # its square weighs a squared angle beside a squared metre


def main() -> None:
    """Solve all problems of the folder."""
    folder = Path(sys.argv[1])
    told = json.loads((folder / "talos.json").read_text(encoding="utf-8"))
    problems = np.load(folder / "talos.npz")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        talos = gk.load(told["urdf"])
    ours = [talos.dof_names.index(name) for name in told["joints"]]
    posture = talos.rest.copy()
    posture[ours] = problems["posture"]
    goals = []
    for tip in told["tips"]:
        goals += [gk.Position(f"link:{tip}", (0, 0, 0)), gk.Orientation(f"link:{tip}", (1, 0, 0, 0))]
    prepared = gk.prepare(talos, [*goals, gk.Posture(posture, weight=HOLD)], "newton")

    def solve(targets: list[np.ndarray], start: np.ndarray) -> np.ndarray:
        return prepared.solve(*targets, start=start).angles

    targets = [[part for place in places for part in as_place_and_turn(place)] for places in problems["places"]]
    angles, took = time_all(solve, targets, np.tile(posture, (len(targets), 1)))
    np.savez(sys.argv[2], angles=angles[:, ours], us=took)


main()
