"""``gestik vet``: look a clip over before a body plays it, and write a version that passes."""

from __future__ import annotations

import argparse
import sys

from gestik.cli.clip_words import add_clip_words, read_clip
from gestik.cli.values import positive, written

BROKEN = 1  # exit status of a clip that breaks something


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("vet", help="look a clip over before a body plays it", description=__doc__)
    add_clip_words(parser)
    parser.add_argument("--speed", type=positive, help="of every joint, rad/s or m/s; else the skeleton's own")
    parser.add_argument("--acceleration", type=positive, help="of every joint, rad/s^2 or m/s^2; else not asked")
    parser.add_argument("--jerk", type=positive, help="of every joint, rad/s^3 or m/s^3; else not asked")
    parser.add_argument("--mend", choices=("stretch", "filter"), default="stretch", help="how --out is made to pass")
    parser.add_argument("--out", type=written(".csv", ".bvh"), metavar="FILE", help="write the mended clip")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Vet the clip; print the report and return whether it passes."""
    from gestik.formats.save import save_clip
    from gestik.motion.vetting import Limits, vet

    vetting = vet(read_clip(options), Limits(options.speed, options.acceleration, options.jerk))
    sys.stdout.write(f"{vetting}\n")
    if options.out is not None:
        mended = vetting.stretched() if options.mend == "stretch" else vetting.filtered()
        save_clip(mended, options.out)
        vetting = vet(mended, vetting.limits)
        sys.stdout.write(f"{options.out}: {vetting}\n")
    return 0 if vetting.passes else BROKEN
