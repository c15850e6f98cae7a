"""``gestik solvers``: every method with what it can do and its options."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gestik.solvers.spec import Option, SolverSpec


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("solvers", help="list the methods and their options", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """List the methods."""
    from gestik.solvers.methods import list_solvers

    methods = list_solvers()
    if options.json:
        sys.stdout.write(json.dumps([_described(method) for method in methods], indent=2) + "\n")
    else:
        for method in methods:
            _show(method)
    return 0


def _described(method: SolverSpec) -> dict[str, object]:
    """Return what a method declares, ready for JSON."""
    return {
        "name": method.name,
        "summary": method.summary,
        "citation": method.citation,
        "capabilities": _capabilities(method),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "unit": option.unit,
                "range": None if option.choices else [option.lowest, option.highest],
                "choices": list(option.choices),
                "help": option.help,
            }
            for option in method.options
        ],
    }


def _show(method: SolverSpec) -> None:
    """Print one method for people."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    console.print(f"[bold]{method.name}[/bold]  {escape(method.summary)}")
    console.print(f"  can: {', '.join(_capabilities(method))}")
    console.print(f"  see: {escape(method.citation)}")
    if method.options:
        table = Table("option", "default", "range", "meaning", box=None, pad_edge=True, padding=(0, 2))
        for option in method.options:
            table.add_row(option.name, _default(option), escape(_range(option)), escape(option.help))
        console.print(table)
    console.print()


def _capabilities(method: SolverSpec) -> list[str]:
    """Return what a method can do, in words."""
    return [str(capability.name).lower().replace("_", " ") for capability in method.capabilities]


def _default(option: Option) -> str:
    """Return what an option is when nobody says."""
    return f"{option.default:.4g}" if isinstance(option.default, float) else str(option.default)


def _range(option: Option) -> str:
    """Return which values an option may take."""
    if option.choices:
        return " | ".join(option.choices)
    return f"{option.lowest:g} to {option.highest:g} {option.unit}".rstrip()
