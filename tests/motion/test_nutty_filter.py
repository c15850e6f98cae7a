"""The motion filter: the author's numbers in classic mode, hard limits and the quickest way in exact mode."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gestik as gk
from gestik.motion.nutty_filter import NuttyFilter
from tests.motion.streams import KINDS, largest_excess, random_limits, set_point_streams
from tests.reference.filter_twin import author_filter, quickest_time

LIMITS = {"velocity": 2.0, "acceleration": 10.0, "jerk": 200.0}

# After 1, 2, 3, 10, 30 and 60 frames of a step from 0 to 1, from the author's own demonstration.
GOLDEN = {1: 0.000446438649, 2: 0.00168900046, 3: 0.00391740078, 10: 0.0434685192, 30: 0.183129505, 60: 0.390938363}


def run(motion_filter: NuttyFilter, set_points: list[float] | np.ndarray) -> np.ndarray:
    """Every output of a filter."""
    return np.array([motion_filter.step(set_point) for set_point in set_points])


def settling(outputs: np.ndarray, rate: float = 60.0) -> float:
    """From when on the outputs of a step from 0 to 1 stay within 2 % [s]."""
    return float(np.flatnonzero(np.abs(outputs - 1.0) > 0.02)[-1] + 1) / rate


def test_a_step_comes_out_as_in_the_authors_demonstration() -> None:
    """The golden values to all their digits; 2 % settling in 2.42 s, overshoot 0.6 %."""
    outputs = run(gk.NuttyFilter(0.0, 60.0, **LIMITS, smoothness=0.5, responsiveness=0.9), [1.0] * 600)
    for frame, value in GOLDEN.items():
        assert outputs[frame - 1] == pytest.approx(value, abs=1e-9)
    assert settling(outputs) == pytest.approx(2.42, abs=0.005)
    assert outputs.max() - 1.0 == pytest.approx(0.006, abs=0.0005)


@pytest.mark.parametrize(
    ("name", "seconds", "overshoot"),
    [
        ("fast_smooth", 2.23, 0.0),
        ("fast", 1.22, 0.0),
        ("loose", 0.78, 0.64),
        ("paper_b", 0.73, 0.20),
        ("paper_c", 0.48, 0.37),
        ("paper_e", 3.72, 0.0),
    ],
)
def test_presets_behave_as_their_author_shows_them(name: str, seconds: float, overshoot: float) -> None:
    """With the numbers of their limits taken as radians, as his viewer does, presets settle when his do."""
    preset = NuttyFilter.PRESETS[name]._asdict()
    for limit in LIMITS:
        preset[limit] = math.degrees(preset[limit])
    outputs = run(NuttyFilter(0.0, 60.0, **preset), [1.0] * 600)
    assert settling(outputs) == pytest.approx(seconds, abs=0.02)
    assert max(0.0, outputs.max() - 1.0) == pytest.approx(overshoot, abs=0.005)


def test_a_preset_is_in_radians_and_may_be_changed() -> None:
    """The author's 65 degrees a second are 1.134 rad/s, softly half of that; a change wins over the preset."""
    fast = run(NuttyFilter.preset("fast_smooth", 0.0), [100.0] * 300)
    assert np.max(np.diff(fast)) * 60.0 <= 0.5 * math.radians(65.0)
    slower = run(NuttyFilter.preset("fast_smooth", 0.0, velocity=0.1, limiter="clamp"), [100.0] * 300)
    assert np.max(np.diff(slower)) * 60.0 == pytest.approx(0.1, rel=1e-9)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("bounds", [None, (-1.0, 0.7)])
@pytest.mark.parametrize(("smoothness", "responsiveness"), [(0.93, 0.92), (0.0, 0.0), (0.5, 0.9), (1.0, 0.3)])
def test_classic_steps_are_those_of_the_slow_twin(
    order: int, bounds: tuple[float, float] | None, smoothness: float, responsiveness: float
) -> None:
    """The kernel and the equations written line by line agree to 1e-9 on steps and noise."""
    rng = np.random.default_rng(4)
    points = np.concatenate((np.repeat([0.9, -2.0, 0.3], 40), rng.normal(0.0, 1.0, 60))).tolist()
    character = {"smoothness": smoothness, "responsiveness": responsiveness}
    low, high = bounds or (None, None)
    ours = run(NuttyFilter(0.1, 60.0, **LIMITS, **character, order=order, lower=low, upper=high), points)
    slow = author_filter(0.1, points, 60.0, smoothness, responsiveness, (2.0, 10.0, 200.0), bounds=bounds, order=order)
    np.testing.assert_allclose(ours[-40:], slow[-40:], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("limits", [(-0.5 * math.pi, 0.5 * math.pi), (-math.pi, 0.0), (1.0, 3.0)])
def test_the_position_limiter_slows_before_either_end_wherever_the_range_lies(limits: tuple[float, float]) -> None:
    """A fast classic filter sent beyond either end stays inside, and both sides mirror each other."""
    low, high = limits
    quick = {"velocity": 20.0, "acceleration": 100.0, "jerk": 1e4, "smoothness": 0.1, "responsiveness": 0.9}
    middle = 0.5 * (low + high)
    up = run(NuttyFilter(middle, 60.0, **quick, lower=low, upper=high), [high + 5.0] * 120)
    down = run(NuttyFilter(middle, 60.0, **quick, lower=low, upper=high), [low - 5.0] * 120)
    assert up.max() <= high
    assert down.min() >= low
    np.testing.assert_allclose(up - middle, middle - down, atol=1e-12)


def test_many_joints_move_as_each_would_alone() -> None:
    """One filter for three joints with settings of their own equals three filters."""
    settings = {"velocity": [2.0, 1.0, 0.5], "acceleration": [10.0, 30.0, 5.0], "smoothness": [0.2, 0.9, 0.0]}
    points = np.random.default_rng(8).normal(0.0, 1.0, (50, 3))
    for mode in ("classic", "exact"):
        together = run(NuttyFilter([0.0, 0.1, -0.2], 60.0, **settings, jerk=200.0, mode=mode), points)
        for joint, start in enumerate((0.0, 0.1, -0.2)):
            own = {name: values[joint] for name, values in settings.items()}
            alone = run(NuttyFilter(start, 60.0, **own, jerk=200.0, mode=mode), points[:, joint])
            np.testing.assert_array_equal(together[:, joint], alone)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("smoothness", [0.0, 0.7])
def test_an_exact_filter_never_exceeds_a_limit(kind: str, smoothness: float) -> None:
    """Position, velocity, acceleration and jerk within 1e-9 of their limits, at every sample of every stream."""
    limits = random_limits(300, seed=5)
    motion_filter = NuttyFilter(np.zeros(300), 60.0, **limits, smoothness=smoothness, responsiveness=0.2, mode="exact")
    assert largest_excess(motion_filter, set_point_streams(kind, 300, 150, seed=5), limits) <= 1e-9


def test_even_differences_of_exact_outputs_keep_the_limits() -> None:
    """Whoever measures velocity, acceleration and jerk from the outputs alone finds the limits kept too."""
    points = set_point_streams("reversals", 100, 200, seed=6)
    outputs = run(NuttyFilter(np.zeros(100), 60.0, **LIMITS, smoothness=0.0, mode="exact"), points)
    for times, limit in enumerate(LIMITS.values(), start=1):
        rounding = 60.0**times * 1e-14
        assert np.abs(np.diff(outputs, n=times, axis=0)).max() * 60.0**times <= limit + rounding


def test_an_exact_filter_with_smoothness_zero_is_as_quick_as_can_be() -> None:
    """It is at the set-point, to a thousandth, when brute force over all moments to brake arrives."""
    rng = np.random.default_rng(9)
    for _ in range(12):
        top, most, jerk = rng.uniform((0.3, 1.0, 5.0), (3.0, 10.0, 100.0)).tolist()
        limits = {"velocity": top, "acceleration": most, "jerk": jerk}
        motion_filter = NuttyFilter(0.0, 1000.0, **limits, smoothness=0.0, mode="exact")
        run(motion_filter, [rng.uniform(-3.0, 3.0)] * int(rng.integers(0, 900)))
        start = (motion_filter.positions, motion_filter.velocities, motion_filter.accelerations)
        target = float(rng.uniform(-2.0, 2.0))
        quickest = quickest_time(start, target, (top, most, jerk))
        outputs = run(motion_filter, [target] * int(1000.0 * quickest + 3000.0))
        assert outputs[-1] == pytest.approx(target, abs=1e-9)
        arrived = (np.flatnonzero(np.abs(outputs - target) > 1e-3)[-1] + 1) / 1000.0
        assert arrived <= quickest + 0.01


def test_an_exact_filter_moves_the_same_at_any_rate() -> None:
    """At 30, 60 and 120 Hz the outputs at common instants agree to 1e-9, for set-points that change at such."""
    points = set_point_streams("steps", 50, 120, seed=2)
    moved = {
        rate: run(
            NuttyFilter(np.zeros(50), rate, **LIMITS, mode="exact", lower=-1.2, upper=1.3),
            np.repeat(points, rate // 30, axis=0),
        )[rate // 30 - 1 :: rate // 30]
        for rate in (30, 60, 120)
    }
    np.testing.assert_allclose(moved[60], moved[30], atol=1e-9)
    np.testing.assert_allclose(moved[120], moved[30], atol=1e-9)


@pytest.mark.parametrize("mode", ["classic", "exact"])
def test_a_start_outside_its_limits_comes_back_without_a_leap(mode: str) -> None:
    """From half a radian outside the filter returns inside, never going farther out, at most at its speed."""
    motion_filter = NuttyFilter(1.5, 60.0, **LIMITS, lower=-1.0, upper=1.0, mode=mode)
    outputs = run(motion_filter, [3.0] * 30 + [0.5] * 600)
    steps = np.abs(np.diff(outputs, prepend=1.5)) * 60.0
    assert outputs.max() <= 1.5
    assert steps.max() <= 2.0 + 1e-9
    assert outputs[-1] == pytest.approx(0.5, abs=0.02)


def test_smoothness_slows_an_exact_filter_and_responsiveness_gives_the_speed_back() -> None:
    """At responsiveness 0 more smoothness settles later; at 1 smoothness changes nothing."""

    def seconds(smoothness: float, responsiveness: float) -> float:
        character = {"smoothness": smoothness, "responsiveness": responsiveness}
        return settling(run(NuttyFilter(0.0, 60.0, **LIMITS, **character, mode="exact"), [1.0] * 900))

    assert seconds(0.0, 0.0) < seconds(0.5, 0.0) < seconds(1.0, 0.0)
    assert seconds(1.0, 0.0) > seconds(1.0, 0.5) > seconds(1.0, 1.0) == seconds(0.0, 0.0)


def test_a_reset_stands_still_elsewhere() -> None:
    """After a reset in full motion both modes start again from rest."""
    for mode in ("classic", "exact"):
        motion_filter, fresh = (NuttyFilter(0.0, 60.0, **LIMITS, mode=mode) for _ in range(2))
        run(motion_filter, [1.0] * 20)
        motion_filter.reset(0.0)
        assert motion_filter.velocities == motion_filter.accelerations == motion_filter.jerks == 0.0
        np.testing.assert_array_equal(run(motion_filter, [1.0] * 20), run(fresh, [1.0] * 20))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mode": "soft"}, "choose from classic, exact"),
        ({"limiter": "hard"}, "choose from tanh, clamp"),
        ({"order": 4}, "1, 2 or 3"),
        ({"mode": "exact", "order": 2}, "exact filter limits jerk"),
        ({"rate": 0.0}, "rate"),
        ({"rate": 0.001}, "10 s"),
        ({"rate": math.nan}, "rate"),
        ({"velocity": 0.0}, "velocity of a filter is 0.0; it lies above 0"),
        ({"velocity": [1.0, 2.0]}, "give one number or 1"),
        ({"jerk": math.inf}, "not finite"),
        ({"acceleration": "quick"}, "not numbers"),
        ({"smoothness": 1.1}, "from 0 to 1"),
        ({"responsiveness": -0.1}, "from 0 to 1"),
        ({"beta": 0.0}, "above 0"),
        ({"lower": 1.0, "upper": 0.0}, "above its upper"),
        ({"lower": math.inf}, "none"),
        ({"upper": math.nan}, "none"),
        ({"initial": math.nan}, "initial position"),
        ({"initial": [[0.0]]}, "shape"),
    ],
)
def test_a_wrong_setting_is_told(changes: dict[str, object], message: str) -> None:
    """Each mistake raises InputError that names it."""
    settings = {"initial": 0.0, **LIMITS, **changes}
    with pytest.raises(gk.InputError, match=message):
        NuttyFilter(**settings)


@pytest.mark.parametrize("mode", ["classic", "exact"])
@pytest.mark.parametrize("set_point", [math.nan, math.inf, "up", [1.0, 2.0, 3.0], [[0.0, 0.0]], 0.0])
def test_a_wrong_set_point_is_told_and_changes_nothing(mode: str, set_point: object) -> None:
    """A set-point that does not fit two joints raises InputError, and the filter goes on as if it had not been."""
    motion_filter, other = (NuttyFilter([0.0, 1.0], 60.0, **LIMITS, mode=mode) for _ in range(2))
    with pytest.raises(gk.InputError, match=r"set-point"):
        motion_filter.step(set_point)
    np.testing.assert_array_equal(motion_filter.step([1.0, 1.0]), other.step([1.0, 1.0]))


def test_an_unknown_preset_is_told_with_the_nearest() -> None:
    """A misspelt preset raises NameNotFoundError with the one that was meant."""
    with pytest.raises(gk.NameNotFoundError, match="fast_smooth"):
        NuttyFilter.preset("fast_smoth", 0.0)
