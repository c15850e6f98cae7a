"""Read thousands of broken files of every format, in processes that are watched.

    python -m benchmarks.hostile_files --count 10000

Each file is a good one of tests/formats/specimens.py that was broken by tests/formats/mutations.py; the same number
breaks it in the same way everywhere. Allowed are our own exceptions, and a reading that keeps its promises, in less
than a second of processor time and a gigabyte of address space. Writes a report and exits with 1 when anything else
happens. Needs Linux.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from rich.console import Console

from benchmarks.verdict import Verdict
from gestik.errors import GestikError
from tests.formats.mutations import mutant
from tests.formats.specimens import SPECIMENS

SECONDS = 1.0  # of processor time, for one file
MEGABYTES = 1000.0  # of address space above what a process that has read good files holds
PATIENCE = 30.0  # s, for a process that neither works nor answers
READ = "read"
ALLOWED = {READ, *(error.__name__ for error in GestikError.__subclasses__())}
REPORT = Path(__file__).resolve().parents[1] / "docs" / "reports" / "hostile-files.md"


@dataclass
class Tally:
    """What became of the broken files of one format."""

    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0  # s of processor time
    grown: float = 0.0  # MB of memory, beyond what reading the good file took
    culprits: dict[str, int] = field(default_factory=dict)  # the first number that led to each outcome not allowed

    def note(self, outcome: str, seed: int) -> None:
        """Count one file."""
        self.outcomes[outcome] += 1
        if outcome not in ALLOWED:
            self.culprits.setdefault(outcome, seed)


class Reader:
    """A process that reads the broken files of one format, and is replaced when it does not survive one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        self._process = context.Process(target=_read_forever, args=(self._name, there), daemon=True)
        self._process.start()
        there.close()
        self._here.recv()  # it is ready

    def read(self, seed: int, tally: Tally) -> None:
        """Have one file read, and note what became of it."""
        self._here.send(seed)
        try:
            if not self._here.poll(PATIENCE):
                self._process.kill()
            outcome, seconds, grown = self._here.recv()
        except EOFError:
            self._process.join()
            died_of = signal.Signals(-(self._process.exitcode or 0)).name
            tally.note(f"over {SECONDS:g} s" if died_of == "SIGPROF" else died_of, seed)
            self._start()
            return
        tally.note(outcome, seed)
        tally.slowest, tally.grown = max(tally.slowest, seconds), max(tally.grown, grown)

    def close(self) -> None:
        """Let the process end."""
        self._process.kill()
        self._process.join()


def _read_forever(name: str, there: Connection) -> None:
    """What the process does: read a good file first, so that everything is loaded and compiled, then broken ones."""
    specimen = SPECIMENS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file{specimen.ending}"
        path.write_bytes(specimen.content)
        specimen.examine(path)
        before = _most_memory()
        in_use = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (in_use + int(MEGABYTES * 1e6),) * 2)
        there.send(None)
        while True:
            path.write_bytes(mutant(specimen.content, there.recv()))
            began = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, SECONDS)  # its signal ends the process, whatever runs
            try:
                specimen.examine(path)
                outcome = READ
            except Exception as error:  # noqa: BLE001 what may come out of a reader is the question
                outcome = type(error).__name__
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            there.send((outcome, time.process_time() - began, _most_memory() - before))


def _most_memory() -> float:
    """The most memory this process ever held [MB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000.0


def read_all(name: str, count: int) -> Tally:
    """Read the broken files 0 to `count` of one format."""
    tally, reader = Tally(), Reader(name)
    for seed in range(count):
        reader.read(seed, tally)
    reader.close()
    return tally


def report(tallies: dict[str, Tally], count: int) -> str:
    """The report, as a page of the documentation."""
    errors = sorted({outcome for tally in tallies.values() for outcome in tally.outcomes} - {READ})
    heads = ["format", "files", READ, *errors, "slowest [ms]", "memory grew by [MB]"]
    lines = [
        "# Hostile files",
        "",
        f"Written by `python -m benchmarks.hostile_files --count {count}`: good files of every format, broken byte by",
        "byte, word by word, number by number and line by line, cut short and spliced, each read in a watched process.",
        "Allowed are gestik's own exceptions, and a reading that keeps every promise of a skeleton, within",
        f"{SECONDS:g} s of processor time and {MEGABYTES:g} MB. What could be read was a valid file nevertheless.",
        "",
        "| " + " | ".join(heads) + " |",
        "|--" * len(heads) + "|",
    ]
    for name, tally in tallies.items():
        counts = [tally.outcomes[outcome] for outcome in (READ, *errors)]
        cells = [name, tally.outcomes.total(), *counts, f"{tally.slowest * 1e3:.0f}", f"{tally.grown:.0f}"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile_files", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="broken files of each format")
    parser.add_argument("--format", choices=SPECIMENS, help="only this one; no report is written")
    parser.add_argument("--processes", type=int, default=2, help="formats read at a time")
    options = parser.parse_args()

    names = [options.format] if options.format else list(SPECIMENS)
    with ThreadPoolExecutor(options.processes) as pool:
        tallies = dict(zip(names, pool.map(lambda name: read_all(name, options.count), names), strict=True))

    console, verdict = Console(), Verdict()
    for name, tally in tallies.items():
        for outcome, seed in tally.culprits.items():
            console.print(f"{name}: {outcome}, first for mutant(SPECIMENS[{name!r}].content, {seed})")
        verdict.at_most(
            f"{name}: neither read nor refused in our words",
            tally.outcomes.total() - sum(tally.outcomes[outcome] for outcome in ALLOWED),
            0,
        )
        verdict.at_most(f"{name}: slowest", tally.slowest, SECONDS, "s")
        verdict.at_most(f"{name}: memory", tally.grown, MEGABYTES, "MB")
    text = report(tallies, options.count)
    print(text)
    if not options.format:
        REPORT.parent.mkdir(exist_ok=True)
        REPORT.write_text(text, encoding="utf-8")
    return verdict.tell(console)


if __name__ == "__main__":
    sys.exit(main())
