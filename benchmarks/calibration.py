"""The yardstick: what one forward kinematics of a 7-joint chain costs on this machine, right now, in C at -O3.

A time in microseconds says as much about the machine as about the code; its multiple of this loop, timed in the same
run, is what can be compared.
"""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
import tempfile
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
EVALUATIONS = 200_000
DEVELOPMENT_MACHINE = 0.12  # us, this loop on the idle machine for which time budgets are written


def compile_library(source: Path) -> ctypes.CDLL:
    """Compile a C file at -O3 and load it."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise RuntimeError(f"{source.name} needs a C compiler: cc, gcc or clang")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / source.with_suffix(".so").name
        subprocess.run([compiler, "-O3", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"], check=True)
        return ctypes.CDLL(str(library))  # once it is loaded its file may go


def calibrate(repeats: int = 7) -> float:
    """Compile and time the loop; return the best microseconds per evaluation of several runs."""
    timed = compile_library(SOURCE).time_forward
    timed.argtypes, timed.restype = [ctypes.c_long, ctypes.POINTER(ctypes.c_double)], ctypes.c_double
    checksum = ctypes.c_double()
    best = min(timed(EVALUATIONS, ctypes.byref(checksum)) for _ in range(repeats))
    if not math.isfinite(checksum.value):
        raise RuntimeError("the calibration loop computed nonsense")
    return best / EVALUATIONS * 1e6


def budget_here(microseconds: float, calibration: float) -> float:
    """Turn a budget written for the development machine into microseconds on this one."""
    return microseconds * calibration / DEVELOPMENT_MACHINE


if __name__ == "__main__":
    print(f"{calibrate():.4f} us per forward kinematics of 7 joints")
