"""``gestik sweep``: the paper's experiment with any method, on this machine or a cluster; stop it and go on at will."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gestik.evaluation.plan import Plan

LETTERS = "ABCDEFG"
EPILOG = """examples:
  gestik sweep --skeleton C --method erik --samples 100000 --out results
  gestik sweep --skeleton ABCDEFG --method erik --out results       every sample of the whole experiment
  gestik sweep --skeleton C --method poise --option measure=paper --scheduler tcp://head:8786 --out /shared/results
The same command goes on where an earlier run was stopped. gestik report makes a page of what is there."""


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "sweep",
        help="solve a grid of postures and orientations, resumably",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--skeleton",
        required=True,
        help="letters of the paper's skeletons, such as C or ABCDEFG; a bundled name; a file",
    )
    parser.add_argument("--method", required=True, help="one of those gestik solvers lists")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the method")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where results go, a folder each")
    parser.add_argument("--samples", type=int, metavar="N", help="only so many, drawn at random; else the whole grid")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (default 0)")
    parser.add_argument("--frame", help="whose orientation is asked (default: the last joint)")
    parser.add_argument("--posture-steps", type=int, metavar="N", help="angles per swept joint")
    parser.add_argument(
        "--turn-steps", type=int, nargs=3, metavar="N", help="angles of yaw, pitch and twist (default 25 25 13)"
    )
    parser.add_argument(
        "--one-sided", action="store_true", help="do not tell the method that the end has two good sides"
    )
    parser.add_argument(
        "--half-turn", action="store_true", help="turn orientations as the paper did for its comparison with DLS"
    )
    parser.add_argument("--name", default="", help="what to call the sweep (default: the method and its options)")
    parser.add_argument("--number", type=int, metavar="N", help="solve only sample N of the grid and print it as JSON")
    parser.add_argument("--timing", type=int, default=100_000, metavar="N", help="samples timed apart (default 100000)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a dask.distributed cluster; else one starts here")
    parser.add_argument("--workers", type=int, metavar="N", help="processes to start here (default: one per processor)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Sweep one skeleton after another."""
    from gestik.errors import InputError
    from gestik.evaluation.sweep import sweep
    from gestik.evaluation.task import one_sample
    from gestik.evaluation.timing import keep_timing

    for name in ("samples", "workers", "posture_steps"):
        if (value := getattr(options, name)) is not None and value < 1:
            raise InputError(f"--{name.replace('_', '-')} is {value}; it is at least 1")
    if options.name != Path(options.name).name:
        raise InputError(f"--name is {options.name!r}; it names a folder, without slashes")
    plans = _plans(options)
    if options.number is not None:
        for plan in plans:
            sys.stdout.write(json.dumps(one_sample(plan, options.number), indent=2) + "\n")
        return 0
    if options.out is None:
        raise InputError("--out is missing: the folder results go to")
    for plan in plans:
        folder = options.out / plan.label
        with _Progress(plan) as report:
            kept = sweep(plan, folder, scheduler=options.scheduler, workers=options.workers, report=report)
        if options.timing > 0:
            timing = keep_timing(kept, folder, options.timing)
            sys.stdout.write(f"{plan.label}: {kept.total} samples, {timing['mean']:.2f} us each in one thread\n")
        else:
            sys.stdout.write(f"{plan.label}: {kept.total} samples\n")
    return 0


def _plans(options: argparse.Namespace) -> list[Plan]:
    """One plan for each skeleton, checked before the first begins."""
    from gestik.evaluation.grids import TURN_STEPS
    from gestik.evaluation.plan import Plan
    from gestik.evaluation.task import bench_for

    sources = list(options.skeleton) if set(options.skeleton) <= set(LETTERS) else [options.skeleton]
    plans = [
        Plan(
            skeleton=source,
            method=options.method,
            options=_read_options(options.method, options.option),
            samples=options.samples,
            seed=options.seed,
            frame=options.frame,
            posture_steps=options.posture_steps,
            turn_steps=tuple(options.turn_steps or TURN_STEPS),
            one_sided=options.one_sided,
            half_turn=options.half_turn,
            name=options.name,
        )
        for source in sources
    ]
    for plan in plans:
        bench_for(plan)  # a wrong name, option or frame raises here
    return plans


def _read_options(method: str, given: list[str]) -> dict[str, object]:
    """Options NAME=VALUE in the types the method declares."""
    from gestik.errors import InputError, unknown_name
    from gestik.solvers.methods import find_method

    declared = {option.name: option for option in find_method(method).options}
    read: dict[str, object] = {}
    for pair in given:
        name, equals, text = pair.partition("=")
        if not equals:
            raise InputError(f"--option {pair!r} is not NAME=VALUE")
        if name not in declared:
            raise unknown_name(f"option of {method!r}", name, declared)
        try:
            read[name] = declared[name].read(text if declared[name].choices else float(text))
        except ValueError as fault:
            raise InputError(f"--option {pair!r}: {fault}") from fault
    return read


class _Progress:
    """A bar on stderr with rate and time left; in a file or pipe, what it came to."""

    def __init__(self, plan: Plan) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=Console(stderr=True))
        self._task = self._bar.add_task(plan.label, total=None, rate="")

    def __enter__(self) -> _Progress:
        self._bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.__exit__(None, None, None)

    def __call__(self, done: int, total: int) -> None:
        speed = self._bar.tasks[0].speed
        self._bar.update(self._task, completed=done, total=total, rate=f"{speed:,.0f}/s" if speed else "")
