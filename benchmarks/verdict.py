"""What every benchmark says at the end: each bar, whether it was met, and an exit code that tells."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

PAGE = 160  # columns, where no terminal says how wide it is


def report_console() -> Console:
    """The console a report is printed on, wide enough for its tables in a file or a pipe."""
    return Console() if sys.stdout.isatty() else Console(width=PAGE)


class Verdict:
    """Bars checked so far."""

    def __init__(self) -> None:
        self._rows: list[tuple[bool, str, str, str]] = []

    def at_most(self, what: str, value: float, bar: float, unit: str = "") -> bool:
        """Note a value that must not exceed its bar; NaN is a miss.  Returns whether it is met."""
        met = value <= bar
        self._rows.append((met, what, f"{value:.6g} {unit}", f"<= {bar:.6g} {unit}"))
        return met

    def at_least(self, what: str, value: float, bar: float, unit: str = "") -> bool:
        """Note a value that must reach its bar; NaN is a miss.  Returns whether it is met."""
        met = value >= bar
        self._rows.append((met, what, f"{value:.6g} {unit}", f">= {bar:.6g} {unit}"))
        return met

    def tell(self, console: Console) -> int:
        """Print the misses, or that there are none; return the exit code."""
        missed = [row for row in self._rows if not row[0]]
        if not missed:
            console.print(f"[green]all {len(self._rows)} bars met[/green]")
            return 0
        table = Table(title=f"{len(missed)} of {len(self._rows)} bars missed", title_style="red")
        for heading in ("what", "measured", "bar"):
            table.add_column(heading)
        for _, what, value, bar in missed:
            table.add_row(what, value, bar)
        console.print(table)
        return 1
