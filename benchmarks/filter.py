"""The motion filter: the author's values in classic mode, hard limits and quickest motion in exact mode, and its cost.

    python -m benchmarks.filter --streams 100000 --seed 1

Set-point streams are steps, noise, ramps and reversals at the limits, a quarter each, with velocity, acceleration and
jerk limits over several decades and position ranges around 0.  The quickest motion from rest is known in closed form;
with the library ruckig at hand (``uv run --with ruckig``) motions from any state are compared with its answers too.
Exits with 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import sys

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

import gestik as gk
from benchmarks.calibration import calibrate, time_beside
from benchmarks.verdict import Verdict, report_console
from tests.motion.streams import KINDS, largest_excess, random_limits, set_point_streams

FloatArray = NDArray[np.float64]

GOLDEN = {1: 0.000446438649, 2: 0.00168900046, 3: 0.00391740078, 10: 0.0434685192, 30: 0.183129505, 60: 0.390938363}
AT_ONCE = 1000  # streams that run as the joints of one filter
FRAMES = 240
SETTLED = 1e-3  # of the way
FINE = 1000.0  # Hz, at which settling is watched


def golden_error() -> float:
    """How far the classic filter is from the author's demonstration, at worst."""
    settings = {"velocity": 2.0, "acceleration": 10.0, "jerk": 200.0, "smoothness": 0.5, "responsiveness": 0.9}
    classic = gk.NuttyFilter(0.0, 60.0, **settings)
    outputs = [classic.step(1.0) for _ in range(max(GOLDEN))]
    return max(abs(outputs[frame - 1] - value) for frame, value in GOLDEN.items())


def worst_excess(streams: int, seed: int, smoothness: float) -> float:
    """By how much any sample of any stream exceeds any limit in exact mode."""
    worst = 0.0
    for chunk in range(max(1, streams // AT_ONCE)):
        own_seed = seed * 1_000_003 + chunk
        limits = random_limits(AT_ONCE, own_seed)
        exact = gk.NuttyFilter(np.zeros(AT_ONCE), 60.0, **limits, smoothness=smoothness, mode="exact")
        points = set_point_streams(KINDS[chunk % len(KINDS)], AT_ONCE, FRAMES, own_seed)
        worst = max(worst, largest_excess(exact, points, limits))
    return worst


def quickest_from_rest(way: float, velocity: float, most: float, jerk: float) -> float:
    """The least time from rest to rest over `way` under limits of velocity, acceleration and jerk [s]."""
    ramp = min(most / jerk, math.sqrt(velocity / jerk))  # how long the jerk lasts where the speed is what limits
    if way < 2.0 * velocity * (0.5 * (ramp + velocity / (jerk * ramp))):  # there is no time to reach the full speed
        ramp = min(most / jerk, (0.5 * way / jerk) ** (1.0 / 3.0))
        push = jerk * ramp  # speeding up lasts t, its ramps included: way = push * (t - ramp) * t
        return 2.0 * (0.5 * ramp + math.sqrt(0.25 * ramp * ramp + way / push))
    speeding = ramp + velocity / (jerk * ramp)
    return 2.0 * speeding + (way - velocity * speeding) / velocity


def settling_ratio(count: int, seed: int) -> float:
    """Settling time from rest over the quickest motion, at worst; smoothness 0."""
    rng, worst = np.random.default_rng(seed), 0.0
    for _ in range(count):
        velocity, most, jerk = (10.0 ** rng.uniform((-0.5, 0.0, 1.0), (1.0, 2.0, 3.0))).tolist()
        way = float(10.0 ** rng.uniform(-2.0, 0.5))
        exact = gk.NuttyFilter(0.0, FINE, velocity=velocity, acceleration=most, jerk=jerk, smoothness=0.0, mode="exact")
        quickest, frames = quickest_from_rest(way, velocity, most, jerk), 1
        while abs(exact.step(way) - way) > SETTLED * way and frames < 10 * FINE * quickest:
            frames += 1
        worst = max(worst, frames / FINE / (quickest + 1.0 / FINE))
    return worst


def ratio_to_ruckig(count: int, seed: int) -> tuple[float, float, int]:
    """How long motions from random states last over ruckig's: at worst, in the middle, and how many are quicker."""
    from ruckig import InputParameter, Ruckig, Trajectory

    from gestik.motion.exact_filter import follow_plan, make_plan
    from gestik.motion.filter_table import EXACT_WIDTH, PLAN

    rng, judge, ratios = np.random.default_rng(seed), Ruckig(1), []
    for _ in range(count):
        velocity, most, jerk = (10.0 ** rng.uniform((-1.0, -1.0, -1.0), (1.0, 1.5, 3.0))).tolist()
        now = np.zeros(EXACT_WIDTH)
        targets = rng.normal(size=4) * 10.0 ** rng.uniform(-2.0, 1.0, 4)
        for target in targets[1:]:
            make_plan(now, target, velocity, most, jerk)
            follow_plan(now, float(now[PLAN::2].sum() * rng.uniform()))
        asked, answer = InputParameter(1), Trajectory(1)
        asked.current_position, asked.current_velocity, asked.current_acceleration = [[x] for x in now[:3].tolist()]
        asked.target_position, asked.target_velocity, asked.target_acceleration = [targets[0]], [0.0], [0.0]
        asked.max_velocity, asked.max_acceleration, asked.max_jerk = [velocity], [most], [jerk]
        judge.calculate(asked, answer)
        make_plan(now, targets[0], velocity, most, jerk)
        ratios.append(now[PLAN::2].sum() / answer.duration if answer.duration > 1e-9 else 1.0)
    return max(ratios), float(np.median(ratios)), int(np.count_nonzero(np.array(ratios) < 0.999))


def rate_difference(seed: int) -> float:
    """How much exact outputs at 30, 60 and 120 Hz differ at common instants, at worst."""
    points = set_point_streams("steps", AT_ONCE, FRAMES, seed)
    limits, moved = random_limits(AT_ONCE, seed), []
    for more in (1, 2, 4):
        exact = gk.NuttyFilter(np.zeros(AT_ONCE), 30.0 * more, **limits, mode="exact")
        moved.append(np.array([exact.step(point) for point in np.repeat(points, more, axis=0)])[more - 1 :: more])
    return float(max(np.abs(moved[1] - moved[0]).max(), np.abs(moved[2] - moved[0]).max()))


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.filter", description=__doc__)
    parser.add_argument("--streams", type=int, default=100_000, help="set-point streams in exact mode")
    parser.add_argument("--seed", type=int, default=1, help="of the streams")
    options = parser.parse_args()
    console, verdict = report_console(), Verdict()

    golden, excess = golden_error(), worst_excess(options.streams, options.seed, 0.0)
    smooth_excess = worst_excess(max(AT_ONCE, options.streams // 10), options.seed + 1, 0.7)
    settling, rates = settling_ratio(200, options.seed), rate_difference(options.seed)
    points = np.random.default_rng(options.seed).normal(size=(1000, 5))
    costs = {}
    for mode in ("classic", "exact"):
        five = gk.NuttyFilter(np.zeros(5), velocity=2.0, acceleration=10.0, jerk=200.0, mode=mode)
        costs[mode] = time_beside([lambda five=five: [five.step(point) for point in points]], len(points))

    table = Table(title=f"motion filter, {options.streams} streams of {FRAMES} frames", show_header=False)
    rows = {
        "classic: farthest from the author's values": f"{golden:.1e}",
        "exact, smoothness 0: largest excess over any limit": f"{excess:.1e}",
        "exact, smoothness 0.7: the same": f"{smooth_excess:.1e}",
        "exact: settling over the quickest motion, at worst": f"{settling:.3f}",
        "exact: 30, 60, 120 Hz differ at common instants by": f"{rates:.1e}",
        "classic: one frame of 5 joints": str(costs["classic"]),
        "exact: one frame of 5 joints, all planned anew": str(costs["exact"]),
        "one multiple": f"{calibrate():.4f} us, forward kinematics of 7 joints in C",
    }
    verdict.at_most("classic: distance from the author's values", golden, 1e-9)
    verdict.at_most("exact: excess over limits", max(excess, smooth_excess), 1e-9)
    verdict.at_most("exact: settling over the quickest motion", settling, 1.5)
    verdict.at_most("exact: difference between rates", rates, 1e-9)
    if importlib.util.find_spec("ruckig"):
        worst, middle, quicker = ratio_to_ruckig(20_000, options.seed)
        rows["exact: duration over ruckig's, worst and median of 20000"] = f"{worst:.9f}, {middle:.9f}"
        rows["  of them quicker than ruckig by over 0.1 %"] = f"{quicker}"
        verdict.at_most("exact: duration over ruckig's", worst, 1.5)
    for what, value in rows.items():
        table.add_row(what, value)
    console.print(table)
    return verdict.tell(console)


if __name__ == "__main__":
    sys.exit(main())
