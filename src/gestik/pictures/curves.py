"""Curves over time as a drawing of lines (SVG), for pages and reports: panels under each other with one time axis."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import ArrayLike

from gestik.kernels.arrays import FloatArray

WIDTH = 760  # all lengths in pixels
PANEL_HEIGHT = 150
LEFT, RIGHT, TOP, BOTTOM = 74, 16, 34, 40
GUTTER = 14  # between panels
INKS = ("#d8442f", "#1d8a8c", "#b98b2d", "#5a5fb8", "#30363b")
TICKS = 5  # at most, along an axis
POINTS = 900  # at most, of a curve


class Panel(NamedTuple):
    """Curves that share one axis."""

    label: str  # of the axis, with its unit
    curves: Mapping[str, ArrayLike]  # [moment] each
    bounds: Sequence[float] = ()  # drawn as dashed lines


def curves_svg(times: ArrayLike, panels: Sequence[Panel], time_label: str = "s") -> str:
    """Return the drawing: every panel's curves over the same `times` [moment]."""
    moments = np.asarray(times, dtype=np.float64)
    height = TOP + len(panels) * (PANEL_HEIGHT + GUTTER) - GUTTER + BOTTOM
    names = list(dict.fromkeys(name for panel in panels for name in panel.curves))
    inks = {name: INKS[number % len(INKS)] for number, name in enumerate(names)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
        f'font-size="12"><rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    ]
    at = LEFT
    for name in names:
        parts.append(f'<rect x="{at}" y="12" width="14" height="4" fill="{inks[name]}"/>')
        parts.append(f'<text x="{at + 19}" y="19" fill="#30363b">{escape(name)}</text>')
        at += 34 + 7 * len(name)
    top = TOP
    for number, panel in enumerate(panels):
        parts += _panel(moments, panel, top, inks, time_label if number == len(panels) - 1 else None)
        top += PANEL_HEIGHT + GUTTER
    return "\n".join([*parts, "</svg>\n"])


def _panel(moments: FloatArray, panel: Panel, top: float, inks: Mapping[str, str], time_label: str | None) -> list[str]:
    """The lines of one panel, whose upper edge is at `top`."""
    curves = {name: np.asarray(values, dtype=np.float64) for name, values in panel.curves.items()}
    everything = np.concatenate([*curves.values(), np.asarray(panel.bounds, dtype=np.float64)])
    low, high = float(everything.min()), float(everything.max())
    margin = 0.06 * (high - low) or 1.0
    low, high = low - margin, high + margin
    first, last = float(moments[0]), float(moments[-1])

    def across(time: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (time - first) / (last - first)

    def down(value: float) -> float:
        return top + PANEL_HEIGHT * (high - value) / (high - low)

    right, bottom = WIDTH - RIGHT, top + PANEL_HEIGHT
    parts = []
    for tick in round_ticks(low, high):
        y = down(tick)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="#e4e6e8"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#6a7076">{tick:g}</text>')
    for tick in round_ticks(first, last):
        x = across(tick)
        parts.append(f'<path d="M{x:.1f} {top}V{bottom}" stroke="#f0f1f2"/>')
        if time_label is not None:
            text = f"{tick:g} {time_label}"
            parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle" fill="#6a7076">{text}</text>')
    parts += [
        f'<path d="M{LEFT} {down(bound):.1f}H{right}" stroke="#9aa0a6" stroke-dasharray="5 4"/>'
        for bound in panel.bounds
    ]
    stride = max(1, math.ceil(len(moments) / POINTS))
    for name, values in curves.items():
        pairs = zip(moments[::stride].tolist(), values[::stride].tolist(), strict=True)
        points = " ".join(f"{across(time):.1f},{down(value):.1f}" for time, value in pairs)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{inks[name]}" stroke-width="1.6"/>')
    middle = top + 0.5 * PANEL_HEIGHT
    parts.append(
        f'<text transform="translate(16 {middle:.0f}) rotate(-90)" text-anchor="middle" fill="#30363b">'
        f"{escape(panel.label)}</text>"
    )
    return parts


def round_ticks(low: float, high: float) -> list[float]:
    """Round numbers from `low` to `high`, a few of them."""
    rough = (high - low) / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * size for size in (1.0, 2.0, 5.0, 10.0) if power * size >= rough)
    return [round(number * step, 12) + 0.0 for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
