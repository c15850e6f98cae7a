"""The planar FABRIK demonstration: a chain of seven points whose end is dragged about, two passes for each event.

After the notebook "Planar Inverse Kinematics": an event measures the links of the chain as it is, makes one pass from
the end to the base and one back, and that is all. There is no tolerance, no loop and no test of reach: a chain that
cannot reach points at the target. It is plain Python because it runs once per event of a pointer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Point = tuple[float, float]

POINT_COUNT = 7
STEP = math.pi / 7.0
ORIGIN: Point = (-1.0, 0.0)
X_RANGE = (-1.0, 0.2)
Y_RANGE = (0.0, 0.4)


def initial_chain() -> tuple[Point, ...]:
    """The chain as it starts: exp(-phi) (-cos phi, sin phi) for phi = 0, pi / 7, ... 6 pi / 7."""
    angles = [STEP * number for number in range(POINT_COUNT)]
    return tuple((-math.exp(-phi) * math.cos(phi), math.exp(-phi) * math.sin(phi)) for phi in angles)


def drag(chain: Sequence[Point], target: Point, origin: Point = ORIGIN) -> tuple[Point, ...]:
    """One event: the chain after its end was dragged to the target, by one pass to the base and one to the end."""
    lengths = [math.dist(chain[i], chain[i + 1]) for i in range(len(chain) - 1)]
    drawn = _drawn(tuple(reversed(chain)), target, lengths[::-1])
    return _drawn(tuple(reversed(drawn)), origin, lengths)


def _drawn(chain: tuple[Point, ...], first: Point, lengths: Sequence[float]) -> tuple[Point, ...]:
    """The chain drawn after its first point: each next one stays in its direction, at its link's length."""
    drawn = [first]
    for point, length in zip(chain[1:], lengths, strict=True):
        drawn.append(_towards(drawn[-1], point, length))
    return tuple(drawn)


def _towards(here: Point, there: Point, length: float) -> Point:
    """The point at `length` from `here` towards `there`; `here` itself where the two coincide, as in the notebook."""
    distance = math.dist(here, there)
    share = length / distance if distance > 0.0 else 0.0
    return here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])
