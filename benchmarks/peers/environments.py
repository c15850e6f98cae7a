"""Running a script with packages of its own, in an environment that uv makes for it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PYTHON = "3.11"  # for which every peer has been built
LONGEST = 900  # s, for one script

# What each needs installed.
NEEDS = {
    "gestik": ("-e", str(ROOT)),
    "roboticstoolbox": ("roboticstoolbox-python",),
    "placo": ("placo==0.10.0",),  # what it links to is not told by later ones, and they do not load
    "mink": ("mink", "daqp"),
    "pink": ("pin-pink", "daqp"),
    "tracik": ("pytracik",),
    "eaik": ("EAIK",),
    "optik": ("optik-py",),
    "judge": ("pin", "example-robot-data", "defusedxml"),
}


def run_script(who: str, *command: str) -> str:
    """Run a script of this folder with what `who` needs; returns why it failed, nothing when it did not."""
    uv = shutil.which("uv")
    if uv is None:
        return "uv, which makes the environments, is not installed"
    packages = NEEDS[who]
    wanted = ["--with-editable", packages[1]] if packages[0] == "-e" else [f"--with={package}" for package in packages]
    call = [uv, "run", "-q", "--no-project", "--python", PYTHON, "--with=numpy", *wanted, "python", *command]
    try:
        done = subprocess.run(call, cwd=HERE, capture_output=True, text=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return f"took longer than {LONGEST} s"
    return (done.stderr.strip().splitlines() or ["it said nothing"])[-1] if done.returncode else ""


def must_run(who: str, *command: str) -> None:
    """Run a script without which there is no benchmark."""
    why = run_script(who, *command)
    if why:
        raise RuntimeError(f"{' '.join(command)}: {why}")
