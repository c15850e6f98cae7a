"""``gestik planar``: a flat chain of points in the browser, dragged by its red end, straightened out by FABRIK."""

from __future__ import annotations

import argparse
import sys

from gestik.cli.values import port


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "planar", help="a flat chain of points in the browser, to drag about", description=__doc__
    )
    parser.add_argument("--port", type=port, default=8081, help="where the page is served on 127.0.0.1 (%(default)s)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    from gestik.viewer.planar import CHAINS, WAYS
    from gestik.viewer.planar_server import PlanarServer

    first = next(iter(CHAINS.values())).points
    for _, way in WAYS.values():  # compiled before anybody waits for it
        way(first, first[-1])
    with PlanarServer(options.port) as server:
        if server.port != options.port:
            sys.stdout.write(f"port {options.port} is taken, {server.port} is free\n")
        sys.stdout.write(f"open {server.address} in a browser; only this machine can; Ctrl-C stops\n")
        sys.stdout.flush()
        server.serve_forever()
    return 0
