"""``gestik solvers``: every method with what it can do and its options."""

from __future__ import annotations

import argparse


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("solvers", help="list the methods and their options", description=__doc__)
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """List the methods."""
    return 0
