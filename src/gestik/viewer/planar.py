"""The planar demo without its page: chains to choose from, and what one event of the pointer does to them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from gestik.errors import GestikError, InputError
from gestik.model.checks import number
from gestik.model.faults import shown
from gestik.solvers.fabrik import planar
from gestik.solvers.fabrik.planar import Point
from gestik.solvers.fabrik.points import fabrik

LONGEST = 64  # points of a chain
FARTHEST = 1e6  # of any coordinate
TOLERANCE = 1e-9  # of the full solver, in the lengths of the picture


class Chain(NamedTuple):
    """A chain of points to drag about, and the part of the plane that shows it."""

    label: str
    points: tuple[Point, ...]
    x_range: Point
    y_range: Point


def _bent(count: int, length: float, turn: float, first: float) -> tuple[Point, ...]:
    """A chain of links of one length; the first points at angle `first`, each next one is turned by `turn` [rad]."""
    points = [(0.0, 0.0)]
    for link in range(count):
        x, y = points[-1]
        angle = first + turn * link
        points.append((x + length * math.cos(angle), y + length * math.sin(angle)))
    return tuple(points)


CHAINS: dict[str, Chain] = {
    "spiral": Chain("seven points on a spiral", planar.initial_chain(), planar.X_RANGE, planar.Y_RANGE),
    "arm": Chain("an arm of two bones", ((0.0, 0.0), (0.25, 0.32), (0.62, 0.4)), (-0.9, 0.9), (-0.1, 0.8)),
    "tail": Chain("a tail of twenty links", _bent(20, 0.06, 0.16, 0.15), (-0.9, 1.3), (-0.2, 0.9)),
    "straight": Chain("a straight line", _bent(6, 0.15, 0.0, math.pi / 2.0), (-0.9, 0.9), (-0.1, 0.95)),
}


def one_event(points: tuple[Point, ...], target: Point) -> tuple[Point, ...]:
    """One pass from the end to the base and one back, as the notebook does; the chain is not there yet."""
    return planar.drag(points, target, points[0])


def until_there(points: tuple[Point, ...], target: Point) -> tuple[Point, ...]:
    """Passes until the end is at the target, or as near as the chain can be."""
    reach = fabrik(points, target, tolerance=TOLERANCE, stretch=True)
    assert reach is not None  # a chain that stretches always has an answer
    return tuple((x, y) for x, y in reach.points.tolist())


WAYS: dict[str, tuple[str, Callable[[tuple[Point, ...], Point], tuple[Point, ...]]]] = {
    "event": ("one pass there and back", one_event),
    "full": ("passes until it is there", until_there),
}


def setting() -> dict[str, object]:
    """Everything the page has to know before the first event."""
    return {
        "chains": {
            name: {"label": chain.label, "points": chain.points, "x": chain.x_range, "y": chain.y_range}
            for name, chain in CHAINS.items()
        },
        "ways": {name: label for name, (label, _) in WAYS.items()},
    }


def answer(event: object) -> dict[str, object]:
    """Return the chain after an event of the page, or raise InputError about what is wrong with it.

    The page sends the chain along, so that nothing is remembered here: any number of pages may drag their own.
    """
    if not isinstance(event, Mapping):
        raise InputError(f"an event is {shown(event)}, not an object with a way, points and a target")
    way, points, target = (event.get(key) for key in ("way", "points", "target"))
    if not isinstance(way, str) or way not in WAYS:
        raise InputError(f"way is {shown(way)}; choose from {', '.join(WAYS)}")
    if not isinstance(points, list) or not 2 <= len(points) <= LONGEST:
        raise InputError(f"points are {shown(points)}, not a list of 2 to {LONGEST}")
    chain = tuple(_point("a point", each) for each in points)
    moved = WAYS[way][1](chain, _point("target", target))
    return {"points": moved, "missing": math.dist(moved[-1], _point("target", target))}


def _point(what: str, value: object) -> Point:
    """Read two finite numbers."""
    if not isinstance(value, list) or len(value) != len(("x", "y")):
        raise InputError(f"{what} is {shown(value)}, not a list of two numbers")
    try:
        x, y = (number(each) for each in value)
    except (ValueError, GestikError) as fault:
        raise InputError(f"{what} is {shown(value)}, not two numbers") from fault
    if not max(abs(x), abs(y)) <= FARTHEST:
        raise InputError(f"{what} is {shown(value)}, farther out than {FARTHEST:g}")
    return x, y
