"""``gestik convert``: clips from one kind of file to another."""

from __future__ import annotations

import argparse
import sys

from gestik.cli.values import positive, written

EPILOG = """examples:
  gestik convert walk.bvh walk.csv                         what animators write into what hobby robots play
  gestik convert lamp nod.csv --clip nod --rate 30         a clip of a bundled character, thirty postures a second
  gestik convert dance.csv dance.bvh --skeleton lamp       a recording needs to be told whose joints it names"""


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "convert",
        help="a clip from one kind of file to another",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", help="a file with clips (.bvh .glb .gltf .csv .toml), or a bundled character")
    parser.add_argument("target", type=written(".csv", ".bvh"), help="the file to write (.csv .bvh)")
    parser.add_argument("--clip", help="which one, when the file holds several")
    parser.add_argument("--skeleton", metavar="FILE", help="whose joints a recording (.csv) names")
    parser.add_argument("--rate", type=positive, help="postures a second; without it, as they are")
    parser.add_argument("--scale", type=positive, default=1.0, help="multiplies every length (%(default)s)")
    parser.add_argument("--read", choices=("degrees", "radians"), help="the unit of a recording that does not say it")
    parser.add_argument(
        "--write", choices=("degrees", "radians"), default="degrees", help="the unit of a .csv (%(default)s)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read, choose, write, and say what was written."""
    from gestik.errors import InputError, unknown_name
    from gestik.formats.load import load, load_clips
    from gestik.formats.save import save_clip

    skeleton = load(options.skeleton, scale=options.scale) if options.skeleton else None
    clips = load_clips(options.source, skeleton=skeleton, angles=options.read, scale=options.scale)
    names = ", ".join(clips) or "none"
    if options.clip is None and len(clips) != 1:
        raise InputError(f"{options.source!r} holds {len(clips)} clips ({names}); choose one with --clip")
    if options.clip is not None and options.clip not in clips:
        raise unknown_name(f"clip of {options.source!r}", options.clip, clips)
    clip = clips[options.clip or next(iter(clips))]
    if options.rate is not None:
        clip = clip.sampled(options.rate)
    save_clip(clip, options.target, angles=options.write)
    sys.stdout.write(f"{options.target}: {len(clip)} postures of {clip.skeleton.name!r}, {clip.duration:g} s\n")
    return 0
