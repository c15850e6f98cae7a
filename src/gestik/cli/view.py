"""``gestik view``: any skeleton, character or clip in the browser, with sliders, goals to drag and every method."""

from __future__ import annotations

import argparse
import math
import sys

from gestik.cli.values import port, positive

EPILOG = """examples:
  gestik view puppet                              a bundled character
  gestik view robot.urdf                          a robot: add a goal to its tool and drag
  gestik view my_lamp.toml                        a character file: pose it and save the posture in it
  gestik view walk.bvh                            a clip with its skeleton
  gestik view dance.csv --skeleton my_lamp.toml   a recording of somebody's joints"""


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "view",
        help="any skeleton, character or clip in the browser: pose it, drag goals, compare methods",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", help="a file (.urdf .xml .bvh .toml .csv), or the name of a bundled character")
    parser.add_argument("--skeleton", metavar="FILE", help="whose joints a recording (.csv) names")
    parser.add_argument("--scale", type=positive, default=1.0, help="multiplies every length (%(default)s)")
    parser.add_argument("--port", type=port, default=8080, help="where the page is served on 127.0.0.1 (%(default)s)")
    parser.add_argument("--seconds", type=positive, help="how long to serve; without it, until Ctrl-C")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    from threading import Event

    from gestik.viewer.studio import Studio
    from gestik.viewer.view_page import ViewPage

    studio = Studio(options.file, skeleton=options.skeleton, scale=options.scale)
    page = ViewPage(studio, port=options.port)
    try:
        if page.port != options.port:
            sys.stdout.write(f"port {options.port} is taken, {page.port} is free\n")
        sys.stdout.write(f"open {page.address} in a browser; only this machine can; Ctrl-C stops\n")
        sys.stdout.flush()
        page.run(Event(), options.seconds or math.inf)
    finally:
        page.close()
    return 0
