"""The yardstick: what one forward kinematics of a 7-joint chain costs on this machine, right now, in C at -O3.

A time in microseconds says as much about the machine as about the code, and about who else is using it; its multiple of
this loop, timed in the same moments, is what can be compared.
"""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_suffix(".c")
EVALUATIONS = 3_000  # a third of a millisecond: short enough to fall between two busy moments
DEVELOPMENT_MACHINE = 0.12  # us, this loop on the idle machine for which time budgets are written


class Timing(NamedTuple):
    """What something costs."""

    microseconds: float  # on this machine, in its quietest moments
    multiples: float  # of the loop

    def __str__(self) -> str:
        return f"{self.microseconds:.2f} us, {self.multiples:.0f} multiples"


def compile_library(source: Path) -> ctypes.CDLL:
    """Compile a C file at -O3 and load it."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise RuntimeError(f"{source.name} needs a C compiler: cc, gcc or clang")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / source.with_suffix(".so").name
        subprocess.run([compiler, "-O3", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"], check=True)
        return ctypes.CDLL(str(library))  # once it is loaded its file may go


@cache
def _loop() -> Callable[[], float]:
    """Compile the loop; the function returned runs it and says how many microseconds one evaluation took."""
    timed = compile_library(SOURCE).time_forward
    timed.argtypes, timed.restype = [ctypes.c_long, ctypes.POINTER(ctypes.c_double)], ctypes.c_double

    def run() -> float:
        checksum = ctypes.c_double()
        seconds = float(timed(EVALUATIONS, ctypes.byref(checksum)))
        if not math.isfinite(checksum.value):
            raise RuntimeError("the calibration loop computed nonsense")
        return seconds / EVALUATIONS * 1e6

    return run


def calibrate(repeats: int = 500) -> float:
    """Return the least microseconds per evaluation of many short runs."""
    loop = _loop()
    return min(loop() for _ in range(repeats))


def time_beside(parts: Sequence[Callable[[], object]], count: int, rounds: int = 8) -> Timing:
    """Time work that comes in parts, each of a few milliseconds; between them the loop is timed.

    Each part counts with its quickest run, and so does the loop: what else the machine does in between spoils neither.
    The clock is that of this thread, which stands still while others have the processor.

    Args:
        parts: the work; each is called once before and then `rounds` times.
        count: problems in all parts together; the result is per problem.
        rounds: how often each part runs.
    """
    loop = _loop()
    for part in parts:
        part()
    yardstick, best = math.inf, [math.inf] * len(parts)
    for _ in range(rounds):
        for number, part in enumerate(parts):
            yardstick = min(yardstick, loop())
            began = time.thread_time()
            part()
            best[number] = min(best[number], time.thread_time() - began)
    microseconds = sum(best) / count * 1e6
    return Timing(microseconds, microseconds / yardstick)


def budget(microseconds: float) -> float:
    """Turn a budget written for the development machine into multiples."""
    return microseconds / DEVELOPMENT_MACHINE


if __name__ == "__main__":
    print(f"{calibrate():.4f} us per forward kinematics of 7 joints")
