"""A lamp on a stage: what the tests of the performer share."""

from __future__ import annotations

import numpy as np

import gestik as gk
from gestik.motion.performer import Performer

LAMP = gk.load_character("lamp")
SPEED = LAMP.skeleton.speed
FACE = (0.7, 0.3, 0.35)


def run(performer: Performer, seconds: float) -> list[gk.Record]:
    """Tick by its own clock."""
    return [performer.tick() for _ in range(round(seconds * performer.rate))]


def angles_of(records: list[gk.Record]) -> np.ndarray:
    """[tick, dof]."""
    return np.array([record.angles for record in records])


def assert_no_leap(angles: np.ndarray, rate: float) -> None:
    """No joint is faster than its speed, and no angle is anything but a number."""
    assert np.isfinite(angles).all()
    assert (np.abs(np.diff(angles, axis=0)) * rate <= SPEED + 1e-9).all()


def swinging(seconds: float = 2.0) -> gk.Clip:
    """A clip of the lamp that ends where it begins."""
    phase = np.linspace(0.0, 2.0 * np.pi, 61)
    middle = LAMP.posture("curious").angles_for(LAMP.skeleton)
    return gk.Clip("swing", LAMP.skeleton, phase / (2.0 * np.pi) * seconds, middle + 0.15 * np.sin(phase)[:, None])
