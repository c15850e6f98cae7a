"""A sweep loses nothing and counts nothing twice, whatever is killed in its middle."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from gestik.errors import FormatError, InputError
from gestik.evaluation.parts import Results, part_file, read_parts
from gestik.evaluation.plan import Plan, read_plan
from gestik.evaluation.task import solve_numbers

distributed = pytest.importorskip("distributed")
pytest.importorskip("pyarrow")
from gestik.evaluation.sweep import SweepError, sweep  # noqa: E402

pytestmark = pytest.mark.slow

SMALL = Plan("B", "poise", {"measure": "paper"}, samples=2_000, seed=4, task_size=300)
LONG = Plan("B", "poise", {"measure": "paper"}, samples=240_000, seed=4, task_size=2_000)
COMMAND = ["sweep", "--skeleton", "B", "--method", "poise", "--option", "measure=paper", "--timing", "0"]


@pytest.fixture(scope="module")
def undisturbed() -> Results:
    """What the long plan gives when nothing happens, without any cluster."""
    return solve_numbers(LONG, LONG.drawn(np.arange(LONG.total)))


def gathered(folder: Path) -> Results:
    """All parts of a sweep in one."""
    parts = list(read_parts(folder, read_plan(folder).task_count))
    return Results(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def assert_same(found: Results, expected: Results) -> None:
    """Row for row, bit for bit."""
    for name, ours, theirs in zip(Results._fields, found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs, err_msg=name)


@contextmanager
def running(*words: str, **options: object) -> Iterator[subprocess.Popen[str]]:
    """A Python module as a process of its own, gone at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for_parts(folder: Path, count: int) -> None:
    """Wait until so many tasks are finished."""
    for _ in range(600):
        if len(list(folder.glob("part-*"))) >= count:
            return
        time.sleep(0.1)
    pytest.fail(f"fewer than {count} parts in {folder} after a minute")


def test_a_sweep_solves_every_sample_once_and_is_not_repeated(tmp_path: Path) -> None:
    """In the seeded order; run again it has nothing to do; what is missing is done, half a file is not kept."""
    said: list[tuple[int, int]] = []
    plan = sweep(SMALL, tmp_path, workers=1, report=lambda *amounts: said.append(amounts))
    assert said[0] == (0, 2_000)
    assert said[-1] == (2_000, 2_000)
    found = gathered(tmp_path)
    assert_same(found, solve_numbers(plan, plan.drawn(np.arange(2_000))))
    assert found.limit_excess.max() == 0.0
    times = {path: path.stat().st_mtime_ns for path in tmp_path.glob("part-*")}
    part_file(tmp_path, 3).unlink()
    (tmp_path / ".draft-left-behind").write_bytes(b"half a file")
    sweep(SMALL, tmp_path, workers=1)
    assert_same(gathered(tmp_path), found)
    assert not list(tmp_path.glob(".draft-*"))
    for path, written in times.items():
        assert path == part_file(tmp_path, 3) or path.stat().st_mtime_ns == written


def test_another_sweep_does_not_go_into_the_same_folder(tmp_path: Path) -> None:
    """The difference is named; a plan that is none is refused, and a part that is none."""
    plan = sweep(Plan("B", "poise", samples=10, task_size=10), tmp_path, workers=1)
    with pytest.raises(InputError, match="samples is 10, not 20"):
        sweep(Plan("B", "poise", samples=20, task_size=10), tmp_path)
    part_file(tmp_path, 0).write_bytes(b"PAR1 no more")
    with pytest.raises(FormatError, match="no part of a sweep"):
        list(read_parts(tmp_path, plan.task_count))
    (tmp_path / "plan.json").write_text('{"skeleton": "B"')
    with pytest.raises(FormatError, match="no plan"):
        sweep(plan, tmp_path)


def test_a_killed_worker_costs_nothing(tmp_path: Path, undisturbed: Results) -> None:
    """One of two is killed after the first results; the other, and the one that takes its place, do the rest."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as cluster:
        victims = [nanny.pid for nanny in cluster.workers.values()]

        def kill_one(done: int, _total: int) -> None:
            if done and victims:
                os.kill(victims.pop(), signal.SIGKILL)
                victims.clear()

        sweep(LONG, tmp_path, scheduler=cluster.scheduler_address, report=kill_one)
        assert not victims
    assert_same(gathered(tmp_path), undisturbed)


def test_a_killed_scheduler_is_told_and_the_sweep_goes_on_later(tmp_path: Path, undisturbed: Results) -> None:
    """Finished tasks stand; the next run, on another cluster, does the others."""
    address_file = tmp_path / "scheduler.json"
    folder = tmp_path / "results"
    scheduling = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    with running(*scheduling, "--scheduler-file", str(address_file)) as scheduler:
        while not address_file.exists():
            time.sleep(0.1)
        with running("distributed.cli.dask_worker", "--scheduler-file", str(address_file), "--nthreads", "1"):
            address = json.loads(address_file.read_text())["address"]

            def kill(done: int, _total: int) -> None:
                if done >= 10_000:
                    scheduler.kill()

            with pytest.raises(SweepError, match="run the same command again"):
                sweep(LONG, folder, scheduler=address, report=kill)
    left = len(list(folder.glob("part-*")))
    assert 0 < left < LONG.task_count
    sweep(LONG, folder, workers=2)
    assert_same(gathered(folder), undisturbed)


def test_a_killed_command_goes_on_when_it_is_run_again(tmp_path: Path, undisturbed: Results) -> None:
    """Killed with no chance to say good-bye, and run again to its end."""
    folder = tmp_path / LONG.label
    arguments = [*COMMAND, "--samples", "240000", "--seed", "4", "--out", str(tmp_path), "--workers", "1"]
    with pytest.raises(StoppedError):
        sweep(LONG, folder, workers=1, report=_stop_after(8_000))
    with running("gestik", *arguments) as command:
        begun = len(list(folder.glob("part-*")))
        wait_for_parts(folder, begun + 3)
        command.kill()
    assert len(list(folder.glob("part-*"))) < LONG.task_count
    done = subprocess.run([sys.executable, "-m", "gestik", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert_same(gathered(folder), undisturbed)


def test_a_full_disk_is_told_and_the_sweep_goes_on_when_there_is_room(tmp_path: Path) -> None:
    """Files may not grow beyond a few kilobytes: no part appears, the message says what to do, the next run ends."""
    sweep(SMALL, tmp_path / "expected", workers=1)
    folder = tmp_path / SMALL.label
    arguments = [*COMMAND, "--samples", "20000", "--seed", "4", "--out", str(tmp_path), "--workers", "1"]

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, 4_096))

    command = [sys.executable, "-m", "gestik", *arguments]
    full = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=little_room)
    assert full.returncode != 0
    assert "make room and run the same command again" in full.stderr
    assert not list(folder.glob("part-*"))
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert len(gathered(folder).number) == 20_000
    assert not list(folder.glob(".draft-*"))


def test_a_scheduler_that_is_not_there_is_told(tmp_path: Path) -> None:
    """With its address."""
    with pytest.raises(SweepError, match=r"tcp://127\.0\.0\.1:1"):
        sweep(SMALL, tmp_path, scheduler="tcp://127.0.0.1:1")


class StoppedError(Exception):
    """Raised in the middle of a sweep."""


def _stop_after(count: int) -> Callable[[int, int], None]:
    """A report that stops the sweep."""

    def report(done: int, _total: int) -> None:
        if done >= count:
            raise StoppedError

    return report
