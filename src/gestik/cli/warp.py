"""``gestik warp``: aim a whole clip at a point and keep its expression."""

from __future__ import annotations

import argparse
import math
import sys

from gestik.cli.clip_words import add_clip_words, read_clip
from gestik.cli.values import written


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("warp", help="aim a whole clip at a point", description=__doc__)
    add_clip_words(parser)
    parser.add_argument("--at", type=float, nargs=3, metavar=("X", "Y", "Z"), required=True, help="what to look at, m")
    parser.add_argument("--eye", metavar="FRAME", default="eye", help="what looks: an eye of the skeleton")
    parser.add_argument("--joints", nargs="+", metavar="JOINT", help="which may leave the clip; else all on the way")
    parser.add_argument(
        "--out", type=written(".csv", ".bvh"), metavar="FILE", required=True, help="where it is written"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Warp the clip and write it."""
    from gestik.formats.save import save_clip
    from gestik.goals.aim import Aim
    from gestik.goals.metrics import aim_error
    from gestik.motion.warp import warp

    clip = read_clip(options)
    warped = warp(clip, Aim(options.eye, at=options.at), joints=options.joints)
    save_clip(warped, options.out)
    errors = [aim_error(clip.skeleton, angles, options.eye, at=options.at) for angles in warped.angles]
    off = math.degrees(sum(errors) / len(errors))
    sys.stdout.write(f"{options.out}: {len(warped)} postures, the eye {off:.2f} degrees off on average\n")
    return 0
