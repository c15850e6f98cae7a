"""What a sweep came to: everything a report shows, gathered part by part so that hundreds of millions fit."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gestik.errors import InputError
from gestik.evaluation.parts import Results, finished_tasks, read_parts
from gestik.evaluation.plan import Plan, has_plan, read_plan
from gestik.evaluation.published import POSTURE_WEIGHT, THRESHOLD
from gestik.evaluation.timing import read_timing
from gestik.kernels.arrays import FloatArray

BINS = 400
MEASURES = {"combined": 1.2, "orientation": 1.0, "posture": 0.2, "shape": 180.0}  # and the largest each can be
WORST = 6  # samples kept, the worst

Keep = Callable[[Results], NDArray[np.bool_]]


@dataclass
class Measure:
    """The distribution of one measure."""

    largest: float
    count: int = 0
    total: float = 0.0
    squares: float = 0.0
    least: float = math.inf
    most: float = -math.inf
    histogram: NDArray[np.int64] = field(default_factory=lambda: np.zeros(BINS, dtype=np.int64))

    def add(self, values: FloatArray) -> None:
        """Count values in."""
        if len(values):
            self.count += len(values)
            self.total += float(values.sum())
            self.squares += float((values * values).sum())
            self.least, self.most = min(self.least, float(values.min())), max(self.most, float(values.max()))
            places = np.minimum((values / self.largest * BINS).astype(np.int64), BINS - 1)
            self.histogram += np.bincount(places, minlength=BINS)

    @property
    def mean(self) -> float:
        """Of all values; NaN of none."""
        return self.total / self.count if self.count else math.nan

    @property
    def deviation(self) -> float:
        """Standard deviation."""
        return math.sqrt(max(0.0, self.squares / self.count - self.mean**2)) if self.count else math.nan

    @property
    def confidence(self) -> float:
        """Half the width of the mean's 95 % confidence interval."""
        return 1.96 * self.deviation / math.sqrt(self.count) if self.count else math.nan

    @property
    def edges(self) -> FloatArray:
        """Of the histogram's bins [BINS + 1]."""
        return np.linspace(0.0, self.largest, BINS + 1)


@dataclass
class Summary:
    """One sweep, or the kept samples of one."""

    plan: Plan
    timing: dict[str, float]
    finished: bool
    measures: dict[str, Measure]
    iterations: Measure
    solved: int  # samples whose combined error is within the threshold
    limits_broken: int
    by_orientation: FloatArray  # [orientation], mean orientation error; NaN where none was solved
    by_posture: FloatArray  # [posture], mean of the weighted posture error
    worst: list[tuple[float, int]]  # combined error and number

    @property
    def name(self) -> str:
        """Of the method and its options, or the one that was given."""
        return self.plan.name or self.plan.label.partition("_")[2]

    @property
    def count(self) -> int:
        """Samples."""
        return self.measures["combined"].count


def find_sweeps(folder: Path) -> list[Path]:
    """Folders of sweeps, in or below a folder."""
    found = sorted(path.parent for path in folder.glob("**/plan.json")) if folder.is_dir() else []
    if not found:
        raise InputError(f"there is no sweep in {folder}; gestik sweep --out {folder} makes one")
    return found


def summarise(folder: Path, keep: Keep | None = None) -> Summary:
    """Read a sweep's results; count all samples, or those that `keep` says."""
    if not has_plan(folder):
        raise InputError(f"there is no sweep in {folder}")
    plan = read_plan(folder)
    parts = read_parts(folder, plan.task_count)
    complete = len(finished_tasks(folder, plan.task_count)) == plan.task_count
    return _tally(plan, read_timing(folder), complete, parts if keep is None else _kept(parts, keep))


def combined_error(results: Results) -> FloatArray:
    """The paper's combined error (eq. 19), in its weights."""
    return results.orientation.astype(np.float64) + POSTURE_WEIGHT * results.posture.astype(np.float64)


def _kept(parts: Iterable[Results], keep: Keep) -> Iterator[Results]:
    """The samples that are kept."""
    for part in parts:
        chosen = keep(part)
        yield Results(*(column[chosen] for column in part))


def _tally(plan: Plan, timing: dict[str, float], finished: bool, parts: Iterable[Results]) -> Summary:
    """Count parts together."""
    grid = plan.grid
    measures = {name: Measure(largest) for name, largest in MEASURES.items()}
    iterations = Measure(float(np.iinfo(np.uint16).max))
    turned, drawn = _Means(grid.orientation_count), _Means(grid.posture_count)
    worst: list[tuple[float, int]] = []
    solved = broken = 0
    for part in parts:
        combined = combined_error(part)
        posture, orientation = POSTURE_WEIGHT * part.posture.astype(np.float64), part.orientation.astype(np.float64)
        values = {"combined": combined, "orientation": orientation, "posture": posture, "shape": part.shape}
        for name, measure in measures.items():
            measure.add(np.asarray(values[name], dtype=np.float64))
        iterations.add(part.iterations.astype(np.float64))
        solved += int(np.count_nonzero(combined <= THRESHOLD))
        broken += int(np.count_nonzero(part.limit_excess > 0.0))
        place, turn = np.divmod(part.number.astype(np.int64), grid.orientation_count)
        turned.add(turn, orientation)
        drawn.add(place, posture)
        leaders = np.argsort(combined)[-WORST:].tolist()
        found = [(float(combined[row]), int(part.number[row])) for row in leaders]
        worst = heapq.nlargest(WORST, worst + found)
    return Summary(plan, timing, finished, measures, iterations, solved, broken, turned.means(), drawn.means(), worst)


class _Means:
    """Running means of groups."""

    def __init__(self, groups: int) -> None:
        self._totals, self._counts = np.zeros(groups), np.zeros(groups)

    def add(self, groups: NDArray[np.int64], values: FloatArray) -> None:
        """Count values into their groups."""
        self._totals += np.bincount(groups, weights=values, minlength=len(self._totals))
        self._counts += np.bincount(groups, minlength=len(self._counts))

    def means(self) -> FloatArray:
        """Of each group; NaN of an empty one."""
        return np.where(self._counts > 0.0, self._totals / np.maximum(self._counts, 1.0), np.nan)
