"""The command line: one file per command, each of them thin."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from gestik.cli import convert, demo, planar, report, solve, solvers, sweep, vet, view, warp
from gestik.errors import GestikError

WRONG_USE = 2  # exit status, as for an option argparse does not know
INTERRUPTED = 130  # likewise, as shells expect it after Ctrl-C


COMMANDS = (demo, view, planar, solve, convert, warp, vet, solvers, sweep, report)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Args:
        arguments: words after ``gestik``; None: those the program was started with.
    """
    parser = argparse.ArgumentParser(
        prog="gestik", description="Inverse kinematics with expression: look at something and keep the posture."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(subparsers)
    chosen = parser.parse_args(arguments)
    try:
        return int(chosen.run(chosen))
    except GestikError as mistake:
        sys.stderr.write(f"gestik: {mistake}\n")
        return WRONG_USE
    except KeyboardInterrupt:
        return INTERRUPTED


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        sys.stdout.write(f"gestik {version('gestik')}\n")
        parser.exit()
