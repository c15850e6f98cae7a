"""Draw the figures of the pages on motion: ``uv run python tools/motion_figures.py docs/motion``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import gestik as gk
from gestik.pictures.curves import Panel, curves_svg

FloatArray = NDArray[np.float64]

LIMITS = {"velocity": 2.0, "acceleration": 10.0, "jerk": 200.0}
TRACES = ("rad", "rad/s", "rad/s²", "rad/s³")


def traces(motion_filter: gk.NuttyFilter, set_points: Sequence[float] | FloatArray) -> FloatArray:
    """Position, velocity, acceleration and jerk [4, frame]."""
    kept = []
    for point in set_points:
        motion_filter.step(point)
        kept.append([getattr(motion_filter, what) for what in ("positions", "velocities", "accelerations", "jerks")])
    return np.array(kept).T


def step_responses() -> str:
    """The author's presets, with their limits as radians, on a step from 0 to 1."""
    times, curves = np.arange(240) / 60.0, {}
    for name in ("fast_smooth", "fast", "loose", "paper_b"):
        preset = gk.NuttyFilter.PRESETS[name]._asdict()
        preset.update({limit: np.degrees(preset[limit]) for limit in LIMITS})
        curves[name] = traces(gk.NuttyFilter(0.0, 60.0, **preset), [1.0] * 240)[0]
    return curves_svg(times, [Panel(TRACES[0], curves, bounds=(1.0,))])


def both_modes() -> str:
    """Classic and exact on the same set-points: a step up, one down beyond the limit, and noise."""
    noise = np.random.default_rng(2).normal(0.4, 0.1, 120)
    points = np.concatenate((np.full(100, 0.9), np.full(110, -2.0), noise))
    shared = {**LIMITS, "lower": -1.0, "upper": 1.0}
    runs = {
        "classic": traces(gk.NuttyFilter(0.0, 60.0, **shared, smoothness=0.5, responsiveness=0.9), points),
        "exact": traces(gk.NuttyFilter(0.0, 60.0, **shared, smoothness=0.0, mode="exact"), points),
    }
    bounds = [(-1.0, 1.0), *((-limit, limit) for limit in LIMITS.values())]
    panels = [
        Panel(TRACES[k], {name: run[k] for name, run in runs.items()}, bounds=bounds[k]) for k in range(len(TRACES))
    ]
    return curves_svg(np.arange(len(points)) / 60.0, panels)


def performance() -> str:
    """The lamp's base and head while it takes a posture and looks at a target that jumps twice."""
    lamp = gk.load_character("lamp")
    performer = gk.Performer(lamp)
    performer.layer("breathing")
    sent = []
    for frame in range(360):
        if frame == 30:
            performer.posture("curious", seconds=0.8)
        if frame in {90, 210}:
            performer.look_at((0.6, 0.4 if frame == 90 else -0.5, 0.3))
        sent.append(performer.tick(frame / 60.0))
    times = np.arange(len(sent)) / 60.0
    angles, velocities = (np.array([getattr(record, what) for record in sent]) for what in ("angles", "velocities"))
    joints = {name: lamp.skeleton.dof_names.index(name) for name in ("base", "elbow", "head")}
    errors = [np.degrees(record.errors[0]) if len(record.errors) else 0.0 for record in sent]
    moved = [velocities, np.gradient(velocities, times, axis=0)]
    panels = [
        Panel("eye off, degrees", {"aim error": errors}),
        Panel(TRACES[0], {name: angles[:, joint] for name, joint in joints.items()}),
        *(
            Panel(label, {name: values[:, joint] for name, joint in joints.items()})
            for label, values in zip(TRACES[1:], moved, strict=False)
        ),
    ]
    return curves_svg(times, panels)


def warped() -> str:
    """The lamp's waking up as drawn and towards a cup: how far its eye is off, and where its joints are."""
    lamp, cup = gk.load_character("lamp"), (0.6, 0.35, 0.1)
    drawn = lamp.clip("wake").sampled(60.0)
    aimed = gk.warp(drawn, gk.Aim("eye", at=cup))
    panels = []
    errors = {
        name: np.degrees([gk.metrics.aim_error(lamp.skeleton, angles, "eye", at=cup) for angles in clip.angles])
        for name, clip in (("as drawn", drawn), ("warped", aimed))
    }
    panels.append(Panel("eye off, degrees", errors))
    for name in ("base", "elbow", "head"):
        joint = lamp.skeleton.dof_names.index(name)
        panels.append(Panel(f"{name}, rad", {"as drawn": drawn.angles[:, joint], "warped": aimed.angles[:, joint]}))
    return curves_svg(drawn.times - drawn.start, panels)


def vetted() -> str:
    """The head of that warp before and after the motion filter: position, speed, acceleration and jerk."""
    lamp = gk.load_character("lamp")
    aimed = gk.warp(lamp.clip("wake").sampled(60.0), gk.Aim("eye", at=(0.6, 0.35, 0.1)))
    limits = {"speed": 4.0, "acceleration": 40.0, "jerk": 1000.0}
    mended = gk.vet(aimed, gk.Limits(**limits)).filtered()
    head = lamp.skeleton.dof_names.index("head")
    moved = {"warped": aimed.angles[:, head], "filtered": mended.angles[:, head]}
    bounds = [(), *((-limit, limit) for limit in limits.values())]
    panels = []
    for label, bound in zip(TRACES, bounds, strict=True):
        panels.append(Panel(label, moved, bounds=bound))
        moved = {name: np.diff(values, prepend=values[0]) * 60.0 for name, values in moved.items()}
    return curves_svg(aimed.times - aimed.start, panels)


FIGURES = {
    "filter-steps.svg": step_responses,
    "filter-modes.svg": both_modes,
    "performer.svg": performance,
    "warp.svg": warped,
    "vetting.svg": vetted,
}


def main(folder: Path) -> None:
    """Draw every figure into a folder."""
    for name, draw in FIGURES.items():
        (folder / name).write_text(draw(), encoding="utf-8")
        print(folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
