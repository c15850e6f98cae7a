"""Random problems over random skeletons, by every method: no exception, no NaN, no broken limit.

    python -m benchmarks.random_problems --count 1000000 --processes 2 --report docs/reports/random-problems.md

Bodies of one to ten joints of every kind, bones of no length, limits with next to no room, mimics, cones, couplings;
goals of every kind with every term a method knows; targets from poses, from anywhere, on the root and far away; starts
inside and outside the limits; options at random.  A fault names the method and the seed that shows it again.  Exits
with 1 when there is one.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from rich.table import Table

from benchmarks.verdict import Verdict, report_console
from gestik.solvers.methods import SOLVERS
from tests.solvers.random_problems import ROWS, solve_and_judge

SEEDS_PER_TASK = 200
SHOWN = 10  # faults that are printed
SPARE = 1.02


class Task(NamedTuple):
    """Some seeds for one method."""

    method: str
    first: int
    count: int


class Outcome(NamedTuple):
    """What came of a task."""

    method: str
    solved: int
    faults: list[str]


def run(task: Task) -> Outcome:
    """Solve the problems of a task; whatever is raised is a fault."""
    found, solved = [], 0
    for seed in range(task.first, task.first + task.count):
        again = f"python -m benchmarks.random_problems --method {task.method} --seed {seed} --count {ROWS}"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                rows, wrong = solve_and_judge(task.method, seed)
        except Exception as fault:  # noqa: BLE001  # this is what it looks for
            rows, wrong = ROWS, [f"{type(fault).__name__}: {fault}"]
        found += [f"{what}; again: {again}" for what in wrong]
        solved += rows
    return Outcome(task.method, solved, found)


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.random_problems", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="problems, shared among the methods")
    parser.add_argument("--seed", type=int, default=0, help="the first of the seeds")
    parser.add_argument("--method", choices=tuple(SOLVERS), help="only this one")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--report", type=Path, help="write what was found to this file")
    options = parser.parse_args()

    methods = [options.method] if options.method else list(SOLVERS)
    # Some seeds give a method nothing it can take.
    each = -(-int(SPARE * options.count) // (ROWS * len(methods)))
    tasks = [
        Task(method, options.seed + first, min(SEEDS_PER_TASK, each - first))
        for first in range(0, each, SEEDS_PER_TASK)
        for method in methods
    ]
    begun = time.perf_counter()
    if options.processes > 1:
        with ProcessPoolExecutor(options.processes) as pool:
            outcomes = list(pool.map(run, tasks))
    else:
        outcomes = [run(task) for task in tasks]
    took = time.perf_counter() - begun

    console, verdict = report_console(), Verdict()
    lines = ["| method | problems | faults |", "|--|--:|--:|"]
    table = Table("method", "problems", "faults", title=f"random problems, seeds from {options.seed}, {took:.0f} s")
    for method in methods:
        solved = sum(outcome.solved for outcome in outcomes if outcome.method == method)
        wrong = sum(len(outcome.faults) for outcome in outcomes if outcome.method == method)
        table.add_row(method, f"{solved}", f"{wrong}")
        lines.append(f"| `{method}` | {solved} | {wrong} |")
    console.print(table)
    found = [fault for outcome in outcomes for fault in outcome.faults]
    for fault in found[:SHOWN]:
        console.print(fault, markup=False, soft_wrap=True)
    if options.report:
        options.report.write_text(_page(sys.argv[1:], lines, found), encoding="utf-8")
    verdict.at_most("faults", len(found), 0)
    verdict.at_least("problems", sum(outcome.solved for outcome in outcomes), options.count)
    return verdict.tell(console)


def _page(arguments: list[str], lines: list[str], found: list[str]) -> str:
    """The report as a page."""
    command = " ".join(["python -m benchmarks.random_problems", *arguments])
    told = "\n".join(f"- {fault}" for fault in found[:SHOWN]) if found else "None was found."
    return f"""# Random problems

Random skeletons, goals, targets, starts and options, by every method. A fault is an exception, a NaN, a broken limit of
a method that claims limits, or another answer the second time. Printed by

```text
{command}
```

{chr(10).join(lines)}

{told}
"""


if __name__ == "__main__":
    sys.exit(main())
