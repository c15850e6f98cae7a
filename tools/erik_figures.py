"""Draw the figures of the page on ERIK: ``uv run python tools/erik_figures.py docs/methods``.

Our own drawings of what the paper shows in Figures 4 (pipeline), 5 (joint model), 6 (latitude) and 14 (map).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gestik.solvers.erik.joint_model import JointModel

FloatArray = NDArray[np.float64]

INK, PALE, RED, TEAL, AMBER, BLUE = "#30363b", "#c6cbd0", "#d8442f", "#1d8a8c", "#b98b2d", "#5a5fb8"
RADIUS, CENTRE = 170.0, (230.0, 225.0)  # of a sphere on its page [pixels]
VIEW_TURN, VIEW_TILT = math.radians(-32.0), math.radians(16.0)  # of the onlooker
UP = np.array((0.0, 1.0, 0.0))


def page(width: float, height: float, parts: Iterable[str]) -> str:
    """An SVG with a white ground and an arrow head for every ink."""
    heads = "".join(
        f'<marker id="{ink[1:]}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{ink}"/></marker>'
        for ink in (INK, PALE, RED, TEAL, AMBER, BLUE)
    )
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" '
        f'font-size="13"><defs>{heads}</defs><rect width="{width:g}" height="{height:g}" fill="#ffffff"/>'
    )
    return "\n".join([start, *parts, "</svg>\n"])


def text(x: float, y: float, words: str, ink: str = INK, anchor: str = "middle", size: float = 13) -> str:
    """Words at a place."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{ink}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'
    )


def line(
    points: Sequence[tuple[float, float]], ink: str, arrow: bool = False, width: float = 1.6, more: str = ""
) -> str:
    """A line through points, with a head at its end or not."""
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    head = f' marker-end="url(#{ink[1:]})"' if arrow else ""
    return f'<polyline points="{way}" fill="none" stroke="{ink}" stroke-width="{width}"{head} {more}/>'


# Boxes and arrows


class Box(NamedTuple):
    """A stage of the pipeline or an algorithm of the map."""

    x: float
    y: float
    title: str
    note: str
    ink: str = INK
    width: float = 176.0
    height: float = 46.0

    def drawn(self) -> str:
        """Its frame, its title and under it what it is here."""
        frame = (
            f'<rect x="{self.x}" y="{self.y}" width="{self.width}" height="{self.height}" rx="7" fill="#fbfbfa" '
            f'stroke="{self.ink}" stroke-width="1.4"/>'
        )
        middle = self.x + 0.5 * self.width
        return frame + text(middle, self.y + 19, self.title) + text(middle, self.y + 36, self.note, "#6a7076", size=11)

    def edge(self, dx: float, dy: float) -> tuple[float, float]:
        """A point on its edge, from its middle in halves of its width and height."""
        return self.x + 0.5 * self.width * (1 + dx), self.y + 0.5 * self.height * (1 + dy)


def pipeline() -> str:
    """Figure 4: from a posture and an orientation to a solution."""
    boxes = {
        "posture": Box(20, 20, "target posture", "angles or points", TEAL),
        "target": Box(20, 90, "target orientation", "of the end", TEAL),
        "previous": Box(20, 160, "previous solution", "breaks ties", TEAL),
        "warp": Box(250, 55, "warp posture", "BWCD, no limits", AMBER),
        "forward": Box(480, 20, "forward phase", "tip to root", RED),
        "backward": Box(480, 90, "backward phase", "root to tip", RED),
        "bwcd": Box(480, 160, "aim solution", "BWCD, limits", RED),
        "tricks": Box(480, 230, "non-convergence tricks", "offset, CCD, CCD from zero", RED),
        "next": Box(250, 160, "next posture", "bends asked, sides found", AMBER),
        "model": Box(250, 246, "joint model", "latitudes, limits", BLUE),
        "best": Box(710, 90, "best so far", "orientation + posture error"),
        "filter": Box(710, 200, "motion filter", "nutty motion filter"),
    }
    arrows = (
        [boxes["posture"].edge(1, 0), boxes["warp"].edge(-1, -0.4)],
        [boxes["target"].edge(1, 0), boxes["warp"].edge(-1, 0.4)],
        [boxes["warp"].edge(1, 0), boxes["forward"].edge(-1, 0)],
        [boxes["forward"].edge(0, 1), boxes["backward"].edge(0, -1)],
        [boxes["backward"].edge(0, 1), boxes["bwcd"].edge(0, -1)],
        [boxes["bwcd"].edge(0, 1), boxes["tricks"].edge(0, -1)],
        [boxes["bwcd"].edge(-1, 0), boxes["next"].edge(1, 0)],
        [boxes["next"].edge(0, -1), boxes["warp"].edge(0, 1)],
        [boxes["backward"].edge(1, 0), boxes["best"].edge(-1, 0)],
        [boxes["bwcd"].edge(1, 0), boxes["best"].edge(-1, 0.6)],
        [boxes["tricks"].edge(1, 0), boxes["best"].edge(-0.7, 1)],
        [boxes["best"].edge(0, 1), boxes["filter"].edge(0, -1)],
        [boxes["previous"].edge(0, 1), (108, 320), (902, 320), (902, 124), boxes["best"].edge(1, 0.5)],
    )
    dashed = 'stroke-dasharray="4 3"'
    serving = [
        line([boxes["model"].edge(1, 0), (456, 269), (456, end[1]), end], BLUE, True, 1.2, dashed)
        for end in (boxes["forward"].edge(-1, 0.5), boxes["backward"].edge(-1, 0))
    ]
    return page(
        920, 345, [*(line(way, INK, True) for way in arrows), *serving, *(box.drawn() for box in boxes.values())]
    )


# What the paper calls it: its number, the function that is it here, and where its box stands.
ALGORITHMS = {
    "CalculateERIK": (3, "solve.calculate_erik", 235, 20),
    "InitializeSolution": (2, "entry.read_posture", 20, 20),
    "SolutionOK": (7, "solve.solution_ok", 450, 20),
    "CalculateSolutionError": (4, "extensions.combined_error", 665, 20),
    "OrientationError": (5, "errors.orientation_error", 880, 20),
    "PostureError": (6, "errors.posture_error", 880, 82),
    "BWCD_Posture": (19, "warp.warp_posture", 20, 130),
    "ForwardPhase": (8, "forward.forward_phase", 235, 130),
    "BackwardPhase": (15, "backward.backward_phase", 450, 130),
    "BWCD_Solution": (21, "orient.bwcd_solution", 665, 130),
    "CCD": (22, "orient.ccd_solution", 880, 160),
    "PropagateRollDown": (9, "decode.twist_for_next_bend", 235, 196),
    "PropagateRollUp": (10, "forward.turn_half_round", 235, 258),
    "YPR": (11, "quaternion.twist_angle", 235, 320),
    "SafeTwist": (12, "latitude.safe_twist", 235, 382),
    "LocalSwing": (13, "latitude.local_swing", 235, 444),
    "FinishForward": (14, "forward.off_edge", 235, 506),
    "BackwardChildRoll": (16, "backward.backward_phase", 450, 196),
    "BWTwist": (17, "best_turn.pull_on_rotation", 450, 258),
    "FinishBackward": (18, "backward.follow_with_parent", 450, 320),
    "CCDTest": (20, "orient.miss", 665, 258),
}
CALLS = {
    "CalculateERIK": ("InitializeSolution", "SolutionOK", "BWCD_Posture", "ForwardPhase", "BackwardPhase",
                      "BWCD_Solution", "CCD"),
    "SolutionOK": ("CalculateSolutionError",),
    "CalculateSolutionError": ("OrientationError", "PostureError"),
    "BWCD_Solution": ("CCDTest", "BWTwist"),
    "CCD": ("CCDTest", "BWTwist"),
}  # fmt: skip
STAGES = {  # called from one place only: hung on a rail under their caller
    "ForwardPhase": ("PropagateRollDown", "PropagateRollUp", "YPR", "SafeTwist", "LocalSwing", "FinishForward"),
    "BackwardPhase": ("BackwardChildRoll", "BWTwist", "FinishBackward"),
}


def algorithm_map() -> str:
    """Figure 14: every algorithm with its number, and the function that is it here."""
    boxes = {
        name: Box(x, y, f"{number} {name}", function, RED if "Phase" in name or "CD" in name else INK)
        for name, (number, function, x, y) in ALGORITHMS.items()
    }
    arrows = []
    for caller, called in CALLS.items():
        for name in called:
            a, b = boxes[caller], boxes[name]
            towards = 1 if b.x > a.x else -1
            ends = [a.edge(towards, 0), b.edge(-towards, 0)] if a.y == b.y else [a.edge(0, 1), b.edge(0, -1)]
            arrows.append(line(ends, PALE, True))
    for caller, called in STAGES.items():
        x, y = boxes[caller].edge(-1, 0.6)
        for name in called:
            end = boxes[name].edge(-1, 0)
            arrows.append(line([(x, y), (x - 12, y), (x - 12, end[1]), end], RED, True, 1.2))
    return page(1076, 572, [*arrows, *(box.drawn() for box in boxes.values())])


# Spheres


def seen(point: ArrayLike) -> tuple[float, float, float]:
    """Where a point of the unit sphere lands on the page, and how near it is."""
    x, y, z = np.asarray(point, dtype=np.float64)
    right, ahead = (
        x * math.cos(VIEW_TURN) + z * math.sin(VIEW_TURN),
        z * math.cos(VIEW_TURN) - x * math.sin(VIEW_TURN),
    )
    up, near = (
        y * math.cos(VIEW_TILT) - ahead * math.sin(VIEW_TILT),
        ahead * math.cos(VIEW_TILT) + y * math.sin(VIEW_TILT),
    )
    return CENTRE[0] + RADIUS * right, CENTRE[1] - RADIUS * up, near


def arc(points: Sequence[ArrayLike], ink: str, width: float = 1.4, arrow: bool = False) -> list[str]:
    """A line on the sphere, faint where it runs behind."""
    parts, run = [], []
    places = [seen(point) for point in points]
    for number, (x, y, near) in enumerate(places):
        run.append((x, y))
        last = number == len(places) - 1
        if last or (places[number + 1][2] >= 0.0) != (near >= 0.0):
            more = "" if near >= 0.0 else 'stroke-dasharray="3 4" opacity="0.55"'
            parts.append(line(run, ink, arrow and last, width, more))
            run = [(x, y)]
    return parts


def spoke(direction: ArrayLike, ink: str, words: str, width: float = 2.6, reach: float = 1.0) -> list[str]:
    """An arrow from the middle of the sphere, with its name at its head."""
    d = reach * np.asarray(direction, dtype=np.float64)
    x, y, _ = seen(d)
    lx, ly, _ = seen(1.13 * d)
    return [line([CENTRE, (x, y)], ink, True, width), text(lx, ly + 4, words, ink)]


def outline() -> str:
    """The edge of the sphere."""
    return f'<circle cx="{CENTRE[0]}" cy="{CENTRE[1]}" r="{RADIUS}" fill="#fbfbfa" stroke="{PALE}"/>'


def parallel(height: float, count: int = 97) -> FloatArray:
    """The circle of one latitude, on which parent . direction is `height`."""
    across = math.sqrt(max(0.0, 1.0 - height * height))
    around = np.linspace(0.0, 2.0 * math.pi, count)
    return np.stack((across * np.cos(around), np.full(count, height), across * np.sin(around)), axis=1)


def joint_model() -> str:
    """Figure 5: the swing that has the target's latitude, then the parent's twist that brings it there."""
    model = JointModel((1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0), -1.9, 0.5)
    target = np.array((-0.55, 0.35, 0.76))
    target = target / np.linalg.norm(target)
    away = math.acos(float(target @ UP))
    swing = -away  # the positive side is beyond the upper limit
    turned = np.array(model.turned(swing))
    twist = math.atan2(target[0], target[2]) - math.atan2(turned[0], turned[2])
    swept = [model.turned(angle) for angle in np.linspace(model.lower, model.upper, 60).tolist()]
    swinging = [model.turned(angle) for angle in np.linspace(0.0, swing, 40).tolist()]
    around = [
        (
            math.cos(t) * turned[0] + math.sin(t) * turned[2],
            turned[1],
            math.cos(t) * turned[2] - math.sin(t) * turned[0],
        )
        for t in np.linspace(0.0, twist, 40).tolist()
    ]
    parts = [outline(), *arc(parallel(float(target @ UP)), PALE), *arc(swept, BLUE, 2.0)]
    parts += [*arc(0.72 * np.array(swinging), AMBER, 2.2, True), *arc(np.array(around), TEAL, 2.2, True)]
    x, y, _ = seen(-1.12 * UP)
    parts.append(line([(x, y), CENTRE], INK, True, 4.0))
    parts.append(text(x + 10, y + 4, "parent", anchor="start"))
    parts += spoke(model.axis, "#30363b", "rotation axis", 1.8)
    parts += spoke(UP, PALE, "segment", 2.6)
    parts += spoke(target, RED, "target t")
    parts += spoke(turned, AMBER, "S'")
    parts += [
        text(470, 90, "limits of the swing", BLUE, "start"),
        text(470, 120, "alpha: the swing to the target's latitude,", AMBER, "start"),
        text(470, 138, "on the side the limits allow", AMBER, "start"),
        text(470, 168, "beta: the parent's twist that brings S' to t", TEAL, "start"),
        text(470, 198, "all directions of that latitude", "#8a9096", "start"),
    ]
    return page(770, 450, parts)


def latitude_sphere() -> str:
    """Figure 6: latitude 0 at the south pole, 1 at the north pole, signed by hemisphere."""
    model = JointModel((1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0), -math.pi, math.pi)
    parts = [outline()]
    for latitude in (0.1, 0.25, 0.5, 0.75, 0.9):
        circle = parallel(2.0 * latitude - 1.0, 193)
        sides = circle @ np.array(model.parent_orthogonal)
        parts += [*arc(circle[sides >= -1e-9], TEAL, 1.1), *arc(circle[sides <= 1e-9][1:], RED, 1.1)]
    edge = [model.axis, (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0), model.axis]
    great = [np.array(a) * math.cos(t) + np.array(b) * math.sin(t) for a, b in pairwise(edge)
             for t in np.linspace(0.0, 0.5 * math.pi, 25).tolist()]  # fmt: skip
    parts += arc(great, AMBER, 1.6)
    for direction in ((0.3, 0.5, 0.8), (-0.45, -0.35, 0.82), (0.2, 0.75, -0.62), (0.75, -0.3, -0.6)):
        unit = np.array(direction) / np.linalg.norm(direction)
        value = model.latitude(unit.tolist())
        parts += spoke(unit, TEAL if value > 0.0 else RED, f"{value:+.2f}")
    parts += [*spoke(model.axis, INK, "rotation axis", 1.8), *spoke(UP, INK, "parent, latitude 1", 1.8)]
    parts += [*spoke(-UP, INK, "latitude 0", 1.8)]
    parts += [
        text(470, 90, "positive hemisphere: axis x parent", TEAL, "start"),
        text(470, 116, "negative hemisphere", RED, "start"),
        text(470, 142, "the plane of axis and parent counts as positive", AMBER, "start"),
        text(470, 182, "circles at 0.10, 0.25, 0.50, 0.75, 0.90", "#8a9096", "start"),
    ]
    return page(800, 450, parts)


def main(folder: Path) -> None:
    """Write the figures."""
    for name, drawing in (
        ("erik-pipeline", pipeline()),
        ("erik-joint-model", joint_model()),
        ("erik-latitude", latitude_sphere()),
        ("erik-map", algorithm_map()),
    ):
        (folder / f"{name}.svg").write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
