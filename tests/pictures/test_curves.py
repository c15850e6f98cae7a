"""Drawings of curves: well-formed, inside their frame, with round numbers on the axes."""

from __future__ import annotations

import re

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring

from gestik.pictures.curves import Panel, curves_svg, round_ticks


def test_a_drawing_is_well_formed_and_holds_every_curve() -> None:
    """Two panels with three curves, a bound and a name that needs escaping give three lines that stay inside."""
    times = np.linspace(0.0, 2.0, 5000)
    panels = [
        Panel("rad", {"a < b": np.sin(times), "other": np.cos(times)}, bounds=(-1.2,)),
        Panel("rad/s", {"other": 0.0 * times}),
    ]
    drawing = curves_svg(times, panels)
    root = fromstring(drawing)
    assert drawing.count("<polyline") == 3
    assert "nan" not in drawing
    width, height = (float(number) for number in root.attrib["viewBox"].split()[2:])
    for points in re.findall(r'points="([^"]*)"', drawing):
        places = np.array([point.split(",") for point in points.split()], dtype=float)
        assert len(places) <= 1000
        assert (places >= 0.0).all()
        assert (places <= (width, height)).all()


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.3, 4.1), (1e-6, 7e-6), (-1200.0, 30.0)])
def test_ticks_are_few_and_round(low: float, high: float) -> None:
    """There are two to six ticks, all inside."""
    ticks = round_ticks(low, high)
    assert 2 <= len(ticks) <= 6
    assert low <= ticks[0] < ticks[-1] <= high
