"""What a sweep's bookkeeping costs: its samples a second beside those of plain processes that only solve and judge.

    python -m benchmarks.sweep_scaling --samples 4000000

Both use two warm processes and the same samples, in turns; the sweep also talks to its scheduler and keeps every result
on disk.  Exits with 1 when it falls below 93 % of the plain processes, or a process takes more than a gigabyte.
"""

from __future__ import annotations

import argparse
import dataclasses
import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path

import distributed

from benchmarks.verdict import Verdict, report_console
from gestik.evaluation.plan import Plan
from gestik.evaluation.sweep import sweep
from gestik.evaluation.task import solve_numbers

PROCESSES = 2
SHARE_BAR = 0.93
MEMORY_BAR = 1.0  # GB
WARMING = 20_000  # samples
TASK = 400_000  # samples, some seconds
ROUNDS = 3


def solve_task(plan: Plan, task: int) -> int:
    """Solve and judge, keep nothing; return the most memory this process ever had [kB]."""
    solve_numbers(plan, plan.numbers(task))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def time_plain(pool: multiprocessing.pool.Pool, plan: Plan) -> tuple[float, float]:
    """Seconds of plain processes, and the most memory of one [GB]."""
    began = time.perf_counter()
    memory = pool.starmap(solve_task, [(plan, task) for task in range(plan.task_count)], chunksize=1)
    return time.perf_counter() - began, max(memory) / 1e6


def time_sweep(address: str, plan: Plan) -> float:
    """Seconds of a sweep on a running cluster."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        sweep(plan, Path(folder), scheduler=address)
        return time.perf_counter() - began


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sweep_scaling", description=__doc__)
    parser.add_argument("--samples", type=int, default=4_000_000, help="of skeleton C, by ERIK")
    options = parser.parse_args()

    console, verdict = report_console(), Verdict()
    plan = Plan("C", "erik", samples=options.samples, task_size=TASK)
    warming = dataclasses.replace(plan, samples=WARMING, task_size=WARMING // 10)
    plain, swept, memory = [], [], []
    with (
        multiprocessing.get_context("spawn").Pool(PROCESSES) as pool,
        distributed.LocalCluster(n_workers=PROCESSES, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
    ):
        time_plain(pool, warming)
        time_sweep(cluster.scheduler_address, warming)
        for _ in range(ROUNDS):
            seconds, gigabytes = time_plain(pool, plan)
            plain.append(seconds)
            memory.append(gigabytes)
            swept.append(time_sweep(cluster.scheduler_address, plan))
        with distributed.Client(cluster) as client:
            peaks = client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
    share = min(plain) / min(swept)
    console.print(
        f"{options.samples:,} samples, {PROCESSES} processes, best of {ROUNDS}: plain {min(plain):.2f} s "
        f"({options.samples / min(plain):,.0f} a second), sweep {min(swept):.2f} s, {share:.3f} of plain; "
        f"at most {max(memory):.2f} GB plain, {max(peaks.values()):.2f} GB in a sweep"
    )
    verdict.at_least("a sweep's samples a second, of plain processes'", share, SHARE_BAR)
    verdict.at_most("memory of a process", max(*memory, *peaks.values()), MEMORY_BAR, "GB")
    return verdict.tell(console)


if __name__ == "__main__":
    sys.exit(main())
