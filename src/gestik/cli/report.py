"""``gestik report``: a page of what sweeps came to, from their stored results alone."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "report",
        help="make a page of what sweeps came to",
        description=__doc__,
        epilog="gestik sweep makes the results.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="what was --out of gestik sweep")
    parser.add_argument("--out", type=Path, default=Path("report.html"), metavar="FILE.html", help="the page")
    parser.add_argument("--figures", type=Path, metavar="DIR", help="also keep the figures as PNG files there")
    parser.add_argument(
        "--gap-samples",
        type=int,
        default=2000,
        metavar="N",
        help="solved again to find the gap (default 2000; 0: none)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the page."""
    from gestik.evaluation.report import write_report

    write_report(options.folder, options.out, gap_samples=options.gap_samples, pictures=options.figures)
    sys.stdout.write(f"wrote {options.out}\n")
    return 0
