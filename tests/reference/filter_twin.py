"""Slow twins of the motion filter: the author's equations line by line, and quickest motion by brute force."""

from __future__ import annotations

import math

import numpy as np


def soft(value: float, span: float) -> float:
    """Limit softly to half of the span."""
    return span / 2 * math.tanh(value / (span / 2))


def author_filter(
    initial: float,
    set_points: list[float],
    rate: float,
    smoothness: float,
    responsiveness: float,
    limits: tuple[float, float, float],
    *,
    bounds: tuple[float, float] | None = None,
    beta: float = 1.0,
    order: int = 3,
) -> list[float]:
    """Every output of the corrected equation 23, from the list of all outputs before."""
    top_speed, top_acceleration, top_jerk = limits
    dt = 1.0 / rate
    x = [initial, initial, initial]
    for s in set_points:
        v1, v2 = (x[-1] - x[-2]) / dt, (x[-2] - x[-3]) / dt
        a1 = (v1 - v2) / dt
        u = (s - x[-1]) / dt
        if bounds is not None:
            half, middle = (bounds[1] - bounds[0]) / 2, (bounds[0] + bounds[1]) / 2
            if (x[-1] > middle and u > 0) or (x[-1] < middle and u < 0):
                u *= 1 - min(1.0, abs(x[-1] - middle) / half) ** (2 * beta)
        gain = math.tanh((abs(u) / (1 - responsiveness)) ** (1 - smoothness) - math.pi)
        vd = 0.0 if abs(u) <= 1e-11 else u / 2 * (gain + 1)
        a = (vd - v1) / dt
        if order == 3:
            a = a1 + soft((a - a1) / dt, top_jerk) * dt
        v = vd if order == 1 else v1 + soft(a, top_acceleration) * dt
        now = x[-1] + soft(v, top_speed) * dt
        if bounds is not None and not bounds[0] <= now <= bounds[1]:
            now = min(max(now, bounds[0]), bounds[1])
            x = [now, now]
        x.append(now)
    return x[3:] if bounds is None else x


def greedy_path(
    start: tuple[float, float, float], wanted_velocity: float, most: float, jerk: float, dt: float
) -> np.ndarray:
    """States [step, position velocity acceleration] on the quickest way to a velocity held without acceleration."""
    p, v, a = start
    path = [(p, v, a)]
    for _ in range(200_000):
        ahead = v + a * abs(a) / (2 * jerk) - wanted_velocity  # where the velocity would end if a were let go now
        if abs(v - wanted_velocity) < 2 * jerk * dt**2 and abs(a) < 2 * jerk * dt:
            break
        push = -math.copysign(most, ahead)
        j = min(max((push - a) / dt, -jerk), jerk)
        p, v, a = p + v * dt + a * dt**2 / 2 + j * dt**3 / 6, v + a * dt + j * dt**2 / 2, a + j * dt
        path.append((p, v, a))
    return np.array(path)


def quickest_time(
    start: tuple[float, float, float], target: float, limits: tuple[float, float, float], dt: float = 1e-3
) -> float:
    """How long the quickest motion to rest at the target takes [s], as near as steps of `dt` can tell.

    Tries every moment to turn from speeding up to braking.
    """
    top, most, jerk = limits
    brake = greedy_path(start, 0.0, most, jerk, dt)
    side = math.copysign(1.0, target - brake[-1, 0])
    speeding = greedy_path(start, side * top, most, jerk, dt)
    low, high = 0, len(speeding) - 1
    gap = side * (target - greedy_path(tuple(speeding[high]), 0.0, most, jerk, dt)[-1, 0])
    if gap >= 0.0:
        return (len(speeding) + len(greedy_path(tuple(speeding[high]), 0.0, most, jerk, dt))) * dt + gap / top
    while high - low > 1:
        middle = (low + high) // 2
        end = greedy_path(tuple(speeding[middle]), 0.0, most, jerk, dt)[-1, 0]
        low, high = (middle, high) if side * end < side * target else (low, middle)
    return (low + len(greedy_path(tuple(speeding[low]), 0.0, most, jerk, dt))) * dt
