"""``gestik demo``: a character that looks at a moving ball and stays in its mood."""

from __future__ import annotations

import argparse
import math
import sys
from collections import deque
from typing import TYPE_CHECKING

from gestik.cli.values import port, positive, seed, written

if TYPE_CHECKING:
    from gestik.viewer.act import Act, Reading
    from gestik.viewer.recording import Recording
    from gestik.viewer.target import WanderingTarget

SHOT_AFTER = 2.5  # [s], into the play, unless --seconds says otherwise
SUMMED_UP = 100_000  # steps the summary looks back on


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "demo", help="a lamp in the browser that looks at a ball and stays in its mood", description=__doc__
    )
    parser.add_argument("--headless", action="store_true", help="play without a browser and print readings")
    parser.add_argument(
        "--shot", metavar="FILE.png", type=written(".png"), help="play without a browser and save a picture"
    )
    parser.add_argument("--seconds", type=positive, help="how long to play; without it, until Ctrl-C")
    parser.add_argument("--character", default="lamp", help="a bundled name or a .toml file (%(default)s)")
    parser.add_argument("--posture", help="the posture to begin with; without it, the character's first")
    parser.add_argument("--port", type=port, default=8080, help="where the page is served on 127.0.0.1 (%(default)s)")
    parser.add_argument("--seed", type=seed, default=0, help="another number, another way of the ball (%(default)s)")
    parser.add_argument("--rate", type=positive, default=60.0, help="steps per second (%(default)s)")
    parser.add_argument(
        "--record", type=written(".csv", ".bvh"), metavar="FILE", help="keep what was played as a clip (.csv .bvh)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play the demo as asked."""
    from gestik.formats.load import load_character
    from gestik.viewer.act import Act
    from gestik.viewer.recording import Recording
    from gestik.viewer.target import WanderingTarget

    act = Act(load_character(options.character), options.posture)
    act.warm_up()
    target = WanderingTarget(act.skeleton, options.seed)
    recording = Recording(act.skeleton)
    try:
        if options.headless or options.shot:
            _play_headless(act, target, recording, options)
        else:
            _play_in_browser(act, target, recording, options)
    finally:  # also after Ctrl-C, which is how most plays end
        if options.record:
            _say(f"recorded {recording.save(options.record).duration:.1f} s in {options.record}")
    return 0


def _play_headless(act: Act, target: WanderingTarget, recording: Recording, options: argparse.Namespace) -> None:
    """Print a line a second and a summary, or save a picture, or both."""
    from gestik.viewer.demo import play, save_shot, summary, told

    seconds = options.seconds or (SHOT_AFTER if options.shot else math.inf)
    readings: deque[Reading] = deque(maxlen=SUMMED_UP)
    next_line = 0.0
    try:
        for reading in play(act, target, rate=options.rate, seconds=seconds, paced=options.headless):
            readings.append(reading)
            recording.add(reading)
            if options.headless and reading.time >= next_line:
                _say(told(reading))
                next_line += 1.0
    finally:
        if options.headless and readings:
            _say(summary(readings, options.rate))
    if options.shot:
        save_shot(options.shot, act, readings[-1])
        _say(f"saved {options.shot}")


def _play_in_browser(act: Act, target: WanderingTarget, recording: Recording, options: argparse.Namespace) -> None:
    """Serve the page until Ctrl-C."""
    from threading import Event

    from gestik.viewer.page import DemoPage

    page = DemoPage(act, target, port=options.port, rate=options.rate, witness=recording.add)
    try:
        if page.port != options.port:
            _say(f"port {options.port} is taken, {page.port} is free")
        _say(f"open {page.address} in a browser; Ctrl-C stops")
        page.run(Event(), options.seconds or math.inf)
    finally:
        page.close()


def _say(line: str) -> None:
    """Write a line to stdout at once, also into a pipe."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
