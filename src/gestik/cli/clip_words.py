"""The words with which commands are told of a clip: the file, which clip of it, whose joints, how often a second."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gestik.cli.values import positive

if TYPE_CHECKING:
    from gestik.model.clip import Clip


def add_clip_words(parser: argparse.ArgumentParser) -> None:
    """Declare them."""
    parser.add_argument("file", help="a file with clips (.toml .bvh .glb .gltf .csv), or a bundled character")
    parser.add_argument("--clip", metavar="NAME", help="which of its clips; needed where there are several")
    parser.add_argument("--skeleton", metavar="FILE", help="whose joints a recording (.csv) names")
    parser.add_argument("--rate", type=positive, metavar="HZ", help="sample the clip this often a second")


def read_clip(options: argparse.Namespace) -> Clip:
    """Return the clip that was meant."""
    from gestik.errors import InputError, unknown_name
    from gestik.formats.load import load, load_clips

    skeleton = None if options.skeleton is None else load(options.skeleton)
    clips = load_clips(options.file, skeleton=skeleton)
    if options.clip is None and len(clips) != 1:
        raise InputError(f"{options.file!r} has {len(clips)} clips; choose with --clip: {', '.join(clips) or 'none'}")
    name = next(iter(clips)) if options.clip is None else options.clip
    if name not in clips:
        raise unknown_name(f"clip of {options.file!r}", name, clips)
    return clips[name] if options.rate is None else clips[name].sampled(options.rate)
