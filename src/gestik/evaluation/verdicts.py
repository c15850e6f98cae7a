"""The paper's findings (ERIK, 4.0.7 to 4.0.13), each held against the numbers of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gestik.evaluation.published import THRESHOLD
from gestik.evaluation.statistics import Summary
from gestik.kernels.arrays import FloatArray


class Verdict(NamedTuple):
    """A claim, whether it holds, and on what grounds."""

    claim: str
    holds: bool
    grounds: str


def verdicts(swept: Mapping[str, Summary], comparators: Mapping[str, Summary]) -> list[Verdict]:
    """Judge each claim the sweeps of ERIK by letter, and those of DLS on C by name, have something to say about."""
    found = []
    if "A" in swept:
        found.append(_horizon(swept["A"]))
    if "B" in swept:
        found.append(_posture_lost(swept["B"], swept))
    if {"C", "D", "E"} <= swept.keys():
        found.append(_order(swept))
    if {"D", "F"} <= swept.keys():
        found.append(_better_posture(swept["F"], swept["D"]))
    if "G" in swept and len(swept) > 1:
        found.append(_best(swept))
    if "C" in swept:
        found.extend(_over(swept["C"], name, other) for name, other in comparators.items())
    return found


def downward(summary: Summary) -> FloatArray:
    """How far below the horizon each orientation of the grid points, the sine of the angle [orientation]."""
    grid = summary.plan.grid
    orientations = grid.problems(np.arange(grid.orientation_count)).orientations
    return np.asarray(2.0 * (orientations[:, 1] ** 2 + orientations[:, 3] ** 2) - 1.0)


def _horizon(a: Summary) -> Verdict:
    """A has no joint to look down with."""
    down = downward(a)
    heard = ~np.isnan(a.by_orientation)
    below = float(a.by_orientation[heard & (down > 0.05)].mean())
    above = float(a.by_orientation[heard & (down < -0.05)].mean())
    claim = "A fails below the horizon, where its only bend cannot lead"
    return Verdict(
        claim, below > THRESHOLD > above, f"orientation error {below:.3f} below the horizon, {above:.3f} above it"
    )


def _posture_lost(b: Summary, swept: Mapping[str, Summary]) -> Verdict:
    """B orients, at its posture's cost."""
    orientation, posture = b.measures["orientation"].mean, b.measures["posture"].mean
    others = [s.measures["posture"].mean for letter, s in swept.items() if letter > "B"]
    holds = orientation <= THRESHOLD and all(posture > other for other in others)
    return Verdict(
        "B orients well but loses its posture more than any with more joints",
        holds,
        f"orientation error {orientation:.4f}, weighted posture error {posture:.4f}, of the others at most "
        f"{max(others, default=float('nan')):.4f}",
    )


def _order(swept: Mapping[str, Summary]) -> Verdict:
    """D turns farthest, E has its axes mixed, C does not."""
    means = {letter: swept[letter].measures["combined"].mean for letter in "DEC"}
    told = ", ".join(f"{letter} {mean:.4f}" for letter, mean in means.items())
    return Verdict("D does better than E, and E better than C", means["D"] < means["E"] < means["C"], told)


def _better_posture(f: Summary, d: Summary) -> Verdict:
    """One joint more."""
    ours, theirs = f.measures["posture"].mean, d.measures["posture"].mean
    return Verdict(
        "F holds its posture better than D", ours < theirs, f"weighted posture error {ours:.4f}, {theirs:.4f}"
    )


def _best(swept: Mapping[str, Summary]) -> Verdict:
    """The most joints."""
    means = {letter: summary.measures["combined"].mean for letter, summary in swept.items()}
    told = ", ".join(f"{letter} {mean:.4f}" for letter, mean in means.items())
    return Verdict("G does best of all", min(means, key=means.__getitem__) == "G", told)


def _over(erik: Summary, name: str, other: Summary) -> Verdict:
    """Both errors, and time."""
    pairs = [(erik.measures[key].mean, other.measures[key].mean) for key in ("orientation", "posture")]
    times = [summary.timing.get("mean", float("nan")) for summary in (erik, other)]
    holds = all(ours < theirs for ours, theirs in [*pairs, (times[0], times[1])])
    return Verdict(
        f"ERIK does better than {name} in both errors and in time",
        holds,
        f"orientation {pairs[0][0]:.4f}, {pairs[0][1]:.4f}; weighted posture {pairs[1][0]:.4f}, {pairs[1][1]:.4f}; "
        f"{times[0]:.1f} and {times[1]:.1f} us a solve",
    )
