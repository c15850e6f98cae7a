"""The report's figures, each a PNG picture: distributions, where errors lie, and the worst samples."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gestik.errors import MissingExtraError
from gestik.evaluation.published import THRESHOLD
from gestik.evaluation.statistics import Measure, Summary
from gestik.evaluation.task import one_sample

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#1d8a8c", "#c8553d", "#588157", "#8f5fa8", "#d8a13c", "#3d5a99", "#7a7a7a")
MEASURE_NAMES = {"combined": "combined error", "orientation": "orientation error", "posture": "weighted posture error"}
DIRECTIONS = 600  # points of a cloud at most


def histograms(summaries: Sequence[Summary]) -> bytes:
    """A row for each sweep and a column for each measure, as the paper's Figure 12."""
    figure = _figure(9.0, 1.5 * len(summaries) + 0.6)
    axes = figure.subplots(len(summaries), 3, squeeze=False)
    for row, summary in enumerate(summaries):
        for column, (name, title) in enumerate(MEASURE_NAMES.items()):
            axis, measure = axes[row, column], summary.measures[name]
            axis.stairs(measure.histogram, measure.edges, fill=True, color=COLOURS[column])
            axis.axvline(measure.most, color="#444444", linewidth=0.8)
            axis.axvline(THRESHOLD, color="#444444", linewidth=0.8, linestyle="--")
            axis.set_xlim(0.0, max(3.0 * THRESHOLD, 1.05 * min(measure.most, measure.mean + 6.0 * measure.deviation)))
            axis.set_yticks([])
            if row == 0:
                axis.set_title(title, fontsize=9)
        axes[row, 0].set_ylabel(_short(summary), fontsize=8)
    return _png(figure)


def normals(summaries: Mapping[str, Summary]) -> bytes:
    """Normal distributions of the same mean and deviation, as the paper's Figure 11; A would hide the others."""
    figure = _figure(9.0, 2.8)
    for axis, (name, title) in zip(figure.subplots(1, 3), MEASURE_NAMES.items(), strict=True):
        for colour, (letter, summary) in zip(COLOURS, summaries.items(), strict=False):
            measure = summary.measures[name]
            if letter == "A" or measure.deviation <= 0.0:
                continue
            x = np.linspace(0.0, 0.1, 400)
            axis.plot(x, _bell(x, measure), color=colour, label=letter, linewidth=1.3)
        axis.set_title(title, fontsize=9)
        axis.set_yticks([])
    figure.axes[0].legend(fontsize=7, frameon=False)
    return _png(figure)


def clouds(summary: Summary) -> bytes:
    """Where errors lie, as the paper's Figures 7 to 9: orientations on a sphere, postures by where they end."""
    grid = summary.plan.grid
    figure = _figure(8.0, 3.8)
    turns = np.unique(np.linspace(0, grid.orientation_count - 1, 4 * DIRECTIONS).astype(np.int64))
    w, x, y, z = grid.problems(turns).orientations.T
    ends = np.stack((2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)))
    _cloud(figure, 121, ends, summary.by_orientation[turns], "orientations, by mean orientation error")
    places = np.unique(np.linspace(0, grid.posture_count - 1, DIRECTIONS).astype(np.int64))
    postures = grid.problems(places * grid.orientation_count).postures
    tips = np.array([grid.skeleton.forward(posture).of(grid.frame).position for posture in postures]).T
    _cloud(figure, 122, tips, summary.by_posture[places], "postures, by mean weighted posture error")
    return _png(figure)


def sample_picture(summary: Summary, number: int) -> bytes:
    """One sample: the posture in grey, the result in colour, and where the end should point."""
    grid, told = summary.plan.grid, one_sample(summary.plan, number)
    figure = _figure(2.6, 2.6)
    axis = figure.add_subplot(projection="3d")
    drawn, points = (
        _bones(summary, np.radians(np.asarray(told[key], dtype=np.float64)))
        for key in ("posture_degrees", "angles_degrees")
    )
    for shown, colour, width in ((drawn, "#b0b0b0", 4.0), (points, COLOURS[0], 2.5)):
        axis.plot(shown[:, 0], shown[:, 2], shown[:, 1], color=colour, linewidth=width, solid_capstyle="round")
    w, x, y, z = np.asarray(told["orientation"], dtype=np.float64)
    wanted = np.array([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)])
    arrow = np.stack((points[-1], points[-1] + wanted))
    axis.plot(arrow[:, 0], arrow[:, 2], arrow[:, 1], color=COLOURS[1], linewidth=1.5, linestyle=":")
    reach = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    axis.set(xlim=(-reach, reach), ylim=(-reach, reach), zlim=(-0.5 * reach, 1.1 * reach))
    axis.set_box_aspect((2.0, 2.0, 1.6), zoom=1.35)
    axis.set_axis_off()
    axis.set_title(f"{grid.skeleton.name} {number}", fontsize=8)
    return _png(figure)


def _bones(summary: Summary, angles: Any) -> Any:
    """Where the joints and the end of the chain are [joint + 1, 3]."""
    grid = summary.plan.grid
    pose = grid.skeleton.forward(angles)
    last = pose.of(grid.frame)
    w, x, y, z = last.rotation
    bone = grid.skeleton.segments[-1]
    across = np.cross(last.rotation[1:], bone)
    end = bone + 2.0 * w * across + 2.0 * np.cross((x, y, z), across)
    return np.vstack((pose.positions, last.position + end))


def _cloud(figure: Figure, place: int, points: Any, values: Any, title: str) -> None:
    """Points in space, coloured by a value."""
    axis: Any = figure.add_subplot(place, projection="3d")
    heard = ~np.isnan(values)
    x, y, z = points[:, heard]
    drawn = axis.scatter(x, z, y, c=values[heard], s=6, cmap="viridis", linewidths=0)
    axis.set_title(title, fontsize=9)
    axis.set_box_aspect((1, 1, 1))
    axis.tick_params(labelsize=6)
    figure.colorbar(drawn, ax=axis, shrink=0.6, pad=0.12).ax.tick_params(labelsize=6)


def _bell(x: Any, measure: Measure) -> Any:
    """A normal density."""
    spread = measure.deviation
    return np.exp(-0.5 * ((x - measure.mean) / spread) ** 2) / (spread * np.sqrt(2.0 * np.pi))


def _short(summary: Summary) -> str:
    """A label that fits beside a small graph."""
    return f"{summary.plan.skeleton} {summary.plan.method}"


def _figure(width: float, height: float) -> Figure:
    """An empty figure, in inches; no window is ever opened."""
    try:
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise MissingExtraError('a report has figures: pip install "gestik[plots]"') from missing
    return Figure(figsize=(width, height), layout="constrained")


def _png(figure: Figure) -> bytes:
    """The figure as a file."""
    picture = io.BytesIO()
    for axis in figure.axes:
        axis.tick_params(labelsize=6)
    figure.savefig(picture, format="png", dpi=130, metadata={"Software": None})
    return picture.getvalue()
