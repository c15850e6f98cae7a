"""``gestik solve``: one problem, answered in words or JSON.  Exits with 0 when every goal is reached, else with 1."""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import TYPE_CHECKING, Any

from gestik.cli.values import positive, setting, written

if TYPE_CHECKING:
    from gestik.model.skeleton import Skeleton
    from gestik.solvers.solution import Solution

MISSED = 1  # exit status
EPILOG = """examples:
  gestik solve lamp --look eye 0.6 0.2 0.4 --posture curious
  gestik solve robot.urdf --place tool 0.4 0.1 0.3 --turn tool 1 0 0 0 --method dls --option max_iterations=500
  gestik solve puppet --place left_hand 0.1 0.12 0.35 --posture neutral --joints left_shoulder left_elbow --json
Exit status: 0 every goal is reached, 1 one is not (the best angles found are printed all the same), 2 wrong use."""


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "solve",
        help="find the angles that meet some goals and hold a posture",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", help="a skeleton or character file, or the name of a bundled character")
    goals = parser.add_argument_group("goals, each as often as you like; metres, quaternions w first")
    goals.add_argument("--look", nargs=4, action="append", default=[], metavar=("EYE", "X", "Y", "Z"))
    goals.add_argument("--place", nargs=4, action="append", default=[], metavar=("FRAME", "X", "Y", "Z"))
    goals.add_argument("--turn", nargs=5, action="append", default=[], metavar=("FRAME", "W", "X", "Y", "Z"))
    goals.add_argument("--posture", help="hold a posture of the character")
    parser.add_argument("--weight", type=positive, default=None, help="of the posture beside the goals (0.2)")
    parser.add_argument("--method", help="one of those gestik solvers lists; without it, chosen by the goals")
    parser.add_argument(
        "--option", type=setting, action="append", default=[], metavar="NAME=VALUE", help="an option of the method"
    )
    parser.add_argument("--start", metavar="POSTURE", help="a posture of the character to begin at; else its rest")
    parser.add_argument("--joints", nargs="+", metavar="JOINT", help="the only joints that may move")
    parser.add_argument("--scale", type=positive, default=1.0, help="multiplies every length of the file (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON, in radians and metres, instead of words")
    parser.add_argument("--picture", type=written(".png"), metavar="FILE.png", help="also save a picture of the answer")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Solve it, and print what came out."""
    from gestik.errors import InputError
    from gestik.formats.load import load, load_character
    from gestik.model.posture import Posture
    from gestik.solvers.solve import solve

    wants_character = options.posture or options.start
    character = load_character(options.file, scale=options.scale) if wants_character else None
    skeleton = character.skeleton if character else load(options.file, scale=options.scale)
    goals = _goals(options)
    if not goals:
        raise InputError("nothing is asked; give --look, --place or --turn")
    if character and options.posture:
        held = character.posture(options.posture)
        goals.append(held if options.weight is None else Posture(held.angles_for(skeleton), weight=options.weight))
    start = character.posture(options.start).angles_for(skeleton) if character and options.start else None
    chosen: dict[str, Any] = dict(options.option)
    solution = solve(skeleton, goals, options.method, start, joints=options.joints, **chosen)
    sys.stdout.write((_as_json(solution) if options.json else _in_words(skeleton, solution)) + "\n")
    if options.picture:
        from gestik.pictures.png import write_png
        from gestik.pictures.still import still

        target = next((_numbers(words) for words in [*options.look, *options.place]), None)
        write_png(options.picture, still(skeleton, solution.angles, target=target))
    return 0 if solution.reached else MISSED


def _goals(options: argparse.Namespace) -> list[Any]:
    """The goals in the order of their kinds."""
    from gestik.goals.aim import Aim
    from gestik.goals.orientation import Orientation
    from gestik.goals.position import Position

    looks = [Aim(words[0], at=_numbers(words)) for words in options.look]
    places = [Position(words[0], _numbers(words)) for words in options.place]
    turns = [Orientation(words[0], _numbers(words)) for words in options.turn]
    return [*looks, *places, *turns]


def _numbers(words: list[str]) -> list[float]:
    """Read what follows the name of a frame."""
    from gestik.errors import InputError

    try:
        return [float(word) for word in words[1:]]
    except ValueError as fault:
        raise InputError(
            f"the goal of {words[0]!r} is {' '.join(words[1:])!r}, not {len(words) - 1} numbers"
        ) from fault


def _as_json(solution: Solution) -> str:
    return json.dumps(
        {
            "reached": solution.reached,
            "status": str(solution.status),
            "explanation": solution.explain(),
            "angles": solution.named(),
            "errors": solution.errors.tolist(),
            "iterations": solution.iterations,
            "at_limit": list(solution.at_limit),
        },
        indent=2,
    )


def _in_words(skeleton: Skeleton, solution: Solution) -> str:
    """The angles in degrees and millimetres, and what there is to say about them."""
    width = max(map(len, skeleton.dof_names))
    lines = []
    for (name, angle), slides in zip(solution.named().items(), skeleton.dof_slides.tolist(), strict=True):
        value = f"{1000.0 * angle:9.2f} mm" if slides else f"{math.degrees(angle):9.2f}°"
        lines.append(f"{name:{width}} {value}{'  at its limit' if name in solution.at_limit else ''}")
    return "\n".join([*lines, f"{solution.status}: {solution.explain()}"])
