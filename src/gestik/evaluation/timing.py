"""What a solve costs, measured apart from the sweep: one thread, nothing else counted, kept beside the results."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np

from gestik.evaluation.plan import Plan
from gestik.evaluation.sets import RandomSet
from gestik.evaluation.task import solve_problems

TIMING_FILE = "timing.json"
BLOCK = 100  # samples timed together


def keep_timing(plan: Plan, folder: Path, count: int) -> dict[str, float]:
    """Time `count` seeded samples, or read what was measured before."""
    file = folder / TIMING_FILE
    if not file.exists() or (kept := read_timing(folder))["samples"] < min(count, len(plan.grid)):
        kept = measure_time(plan, count)
        file.write_text(json.dumps(kept, indent=2))
    return kept


def read_timing(folder: Path) -> dict[str, float]:
    """What was measured, or nothing."""
    file = folder / TIMING_FILE
    kept: dict[str, float] = json.loads(file.read_text()) if file.exists() else {}
    return kept


def measure_time(plan: Plan, count: int) -> dict[str, float]:
    """Microseconds per solve, over blocks of a seeded subset: mean, deviation, least, median, 95 %, most.

    The processor's time of this thread: what else the machine does at the moment is not counted.
    """
    problems = plan.grid.problems(plan.drawn(np.arange(min(count, len(plan.grid)))))
    blocks = [
        RandomSet(problems.postures[at : at + BLOCK], problems.orientations[at : at + BLOCK])
        for at in range(0, len(problems.postures), BLOCK)
    ]
    solve_problems(plan, blocks[0])  # compiles
    times = []
    for block in blocks:
        began = time.thread_time()
        solve_problems(plan, block)
        times.append((time.thread_time() - began) / len(block.postures) * 1e6)
    spread = np.percentile(times, [0, 50, 95, 100]).tolist()
    return {
        "samples": float(len(problems.postures)),
        "mean": float(np.mean(times)),
        "deviation": float(np.std(times)),
        **dict(zip(("least", "median", "p95", "most"), spread, strict=True)),
    }
