"""Run a plan on a cluster, by default one of this machine's processors, and keep every task's results.

Whatever is killed, a worker, the scheduler or the command itself, the finished tasks stand; the same command goes on
with the others.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gestik.errors import GestikError, MissingExtraError
from gestik.evaluation.parts import finished_tasks, need_arrow, remove_drafts
from gestik.evaluation.plan import Plan, completed, has_plan, keep_plan
from gestik.evaluation.task import run_task, solve_numbers

if TYPE_CHECKING:
    from distributed import Client

TASK_SECONDS = 4.0  # what a task should take
TRIAL = 200  # samples, to find out what they cost
LEAST_TASK, LARGEST_TASK = 1000, 1_000_000  # samples
IN_FLIGHT = 3  # tasks per worker: enough that none waits, few enough that stopping is quick
RETRIES = 2  # of a task whose worker died

Report = Callable[[int, int], None]  # samples done, of all


class SweepError(GestikError, RuntimeError):
    """A sweep stopped before its end; what it finished is kept."""


def sweep(
    plan: Plan,
    folder: Path,
    *,
    scheduler: str | None = None,
    workers: int | None = None,
    report: Report = lambda done, total: None,
) -> Plan:
    """Solve every sample of a plan, or those that an earlier run left; return the plan as it was kept.

    Args:
        plan: What to solve.
        folder: Where results go; every worker must see it under this path.
        scheduler: Address of a running cluster, such as tcp://host:8786; None starts one here.
        workers: Processes of the one started here; None: one for each processor.
        report: Told how many samples are done, now and then.
    """
    need_arrow()
    plan = completed(plan)
    plan = keep_plan(folder, plan if plan.task_size or has_plan(folder) else with_task_size(plan))
    remove_drafts(folder)
    finished = finished_tasks(folder, plan.task_count)
    waiting = [task for task in range(plan.task_count) if task not in finished]
    done = sum(_size(plan, task) for task in finished)
    report(done, plan.total)
    if waiting:
        with connected(scheduler, workers) as client:
            for count in _run(client, plan, folder, waiting):
                done += count
                report(done, plan.total)
    return plan


def with_task_size(plan: Plan) -> Plan:
    """The plan with tasks of some seconds, from what a few samples cost here."""
    numbers = plan.drawn(np.arange(min(TRIAL, len(plan.grid))))
    solve_numbers(plan, numbers)  # compiles
    began = time.perf_counter()
    solve_numbers(plan, numbers)
    each = (time.perf_counter() - began) / len(numbers)
    size = int(np.clip(TASK_SECONDS / each, LEAST_TASK, LARGEST_TASK))
    return dataclasses.replace(plan, task_size=max(LEAST_TASK, size // LEAST_TASK * LEAST_TASK))


@contextmanager
def connected(scheduler: str | None, workers: int | None) -> Iterator[Client]:
    """A client of the cluster at an address, or of one that lives as long as the client."""
    try:
        import distributed
    except ImportError as missing:
        raise MissingExtraError('a sweep runs on dask.distributed: pip install "gestik[sweep]"') from missing
    if scheduler is not None:
        try:
            with distributed.Client(scheduler, timeout=10) as client:
                yield client
        except OSError as fault:
            raise SweepError(f"no scheduler answers at {scheduler}: {fault}") from fault
        return
    with (
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            silence_logs=logging.ERROR,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def _run(client: Client, plan: Plan, folder: Path, waiting: list[int]) -> Iterator[int]:
    """Keep every worker busy until no task waits; yield how many samples each finished task was."""
    import distributed

    text, place = plan.to_json(), str(folder.resolve())
    width = IN_FLIGHT * max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
    queue = iter(waiting)

    def submit(task: int) -> Any:
        return client.submit(run_task, text, place, task, key=f"{plan.label}-{plan.digest}-{task}", retries=RETRIES)

    flying = distributed.as_completed([submit(task) for task in islice(queue, width)])
    try:
        for future in flying:
            yield _result(future)
            task = next(queue, None)
            if task is not None:
                flying.add(submit(task))
    finally:
        client.cancel(list(flying.futures))


def _result(future: Any) -> int:
    """How many samples a task was; why it failed, in our words."""
    from distributed.client import FutureCancelledError

    try:
        return int(future.result())
    except GestikError:
        raise
    except FutureCancelledError as fault:
        raise SweepError("the scheduler is gone; run the same command again to go on") from fault
    except OSError as fault:
        raise SweepError(f"results cannot be kept: {fault}; make room and run the same command again") from fault
    except Exception as fault:
        raise SweepError(f"a task failed: {fault!r}; finished ones are kept") from fault


def _size(plan: Plan, task: int) -> int:
    """Samples of a task."""
    return min(plan.total, (task + 1) * plan.task_size) - task * plan.task_size
