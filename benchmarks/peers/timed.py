"""What every peer runs inside its own environment: the same problems, timed one by one, answers kept for the judge.

A peer is a function that takes an arm and returns two more: one turns a target [4, 4] into what the peer takes, and is
not timed; the other solves for that and a start [dof], and returns angles [dof], or None where it gives up.  A third
may say whether an answer is flagged as missing its target.  Only NumPy is needed here.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Convert = Callable[[FloatArray], object]
Solve = Callable[[Any, FloatArray], FloatArray | None]

ROUNDS = 3  # of which the quickest counts, for every problem


def run(make: Callable[[SimpleNamespace], tuple[Any, ...]]) -> None:
    """Solve all problems of the folder named on the command line; the answers go into the file named next."""
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    answers: dict[str, FloatArray] = {}
    for arm in json.loads((folder / "arms.json").read_text(encoding="utf-8")):
        problems = np.load(folder / f"{arm['name']}.npz")
        told = SimpleNamespace(
            **{key: np.array(value) if isinstance(value, list) else value for key, value in arm.items()}
        )
        told.joints = [str(name) for name in arm["joints"]]
        told.urdf = str(folder / f"{told.name}.urdf")
        convert, solve, *rest = make(told)
        flag = rest[0] if rest else None
        cold = np.tile(problems["cold"], (len(problems["places"]), 1))
        sets = {
            "cold": (problems["places"], cold),
            "warm": (problems["places"], problems["warm"]),
            "far": (problems["far"], cold),
        }
        for name, (places, starts) in sets.items():
            found, took = time_all(solve, [convert(place) for place in places], starts)
            answers[f"{told.name} {name}"], answers[f"{told.name} {name} us"] = found, took
        if flag is not None:
            answers[f"{told.name} flags"] = np.array(
                [flag(convert(place), problems["cold"]) for place in problems["far"]]
            )
    np.savez(out, **answers)


def time_all(solve: Solve, places: list[Any], starts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The first round's answers [n, dof], NaN where there is none, and the least time of each [us]."""
    found, took = np.full((len(places), starts.shape[1]), np.nan), np.full(len(places), np.inf)
    starts = np.ascontiguousarray(starts)
    for warming in range(3):
        solve(places[warming], starts[warming])
    for number in range(ROUNDS):
        for row, (place, start) in enumerate(zip(places, starts, strict=False)):
            began = time.perf_counter()
            answer = solve(place, start)
            took[row] = min(took[row], 1e6 * (time.perf_counter() - began))
            if number == 0 and answer is not None:
                found[row] = answer
    return found, took
