"""Layers: the same words mean the same on every body, and the same seed the same motion."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.motion.layers import GENERATORS, breathing, effects_on_eye, nod, pack_layers, sway
from gestik.motion.stages import add_layers, eased
from gestik.motion.wishes import Mailbox

LAMP = gk.load_character("lamp")


def offsets(layer: gk.Layer, times: np.ndarray, begin: float = 0.0, end: float = np.inf) -> np.ndarray:
    """What a layer adds at some times [time, dof + 2]."""
    spans, waves = pack_layers(LAMP.skeleton, [(layer, begin, end)])
    found = np.zeros((len(times), LAMP.skeleton.dof_count + 2))
    for row, time in zip(found, times, strict=True):
        add_layers(spans, waves, float(time), row)
    return found


def test_a_layer_is_the_sum_of_its_waves_under_its_envelope() -> None:
    """The kernel equals sines and smoothsteps written in NumPy, to 1e-12."""
    layer = gk.Layer(
        [gk.Wave("neck", 0.3, 0.7, 0.1), gk.Wave("neck", -0.1, 2.0), gk.Wave("gaze yaw", 0.2, 1.0, 0.25)], fade=0.5
    )
    times = np.linspace(0.5, 5.5, 101)
    found, passed = offsets(layer, times, begin=1.0, end=5.0), times - 1.0

    def smooth(share: np.ndarray) -> np.ndarray:
        clipped = np.clip(share, 0.0, 1.0)
        return 3.0 * clipped**2 - 2.0 * clipped**3

    envelope = smooth(passed / 0.5) * smooth((5.0 - times) / 0.5)
    neck = 0.3 * np.sin(2 * np.pi * (0.7 * passed + 0.1)) - 0.1 * np.sin(4 * np.pi * passed)
    np.testing.assert_allclose(found[:, 3], envelope * neck, atol=1e-12)
    np.testing.assert_allclose(found[:, 6], envelope * 0.2 * np.cos(2 * np.pi * passed), atol=1e-12)
    assert not found[:, [0, 1, 2, 4, 5]].any()


def test_easing_starts_and_ends_softly() -> None:
    """0 and 1 at the ends and beyond, one half in the middle, without a slope at either end."""
    assert [eased(x) for x in (-1.0, 0.0, 0.5, 1.0, 2.0)] == [0.0, 0.0, 0.5, 1.0, 1.0]
    assert eased(1e-4) < 1e-7
    assert 1.0 - eased(1.0 - 1e-4) < 1e-7


@pytest.mark.parametrize("name", GENERATORS)
def test_a_seed_makes_a_layer_and_another_seed_another(name: str) -> None:
    """The same seed gives the same waves, another one others; twice the amplitude moves twice as far."""
    make, times = GENERATORS[name], np.linspace(0.0, 1.2, 50)
    first = offsets(make(LAMP, seed=1), times)
    assert first.any()
    np.testing.assert_array_equal(offsets(make(LAMP, seed=1), times), first)
    assert np.abs(offsets(make(LAMP, seed=2), times) - first).max() > 1e-4
    np.testing.assert_allclose(
        offsets(make(LAMP, amplitude=0.2, seed=1), times),
        2.0 * offsets(make(LAMP, amplitude=0.1, seed=1), times),
        atol=1e-12,
    )


def test_breathing_lifts_and_lowers_the_eye() -> None:
    """In the posture the lamp begins with, the eye goes up and down by more than it goes sideways."""
    start = LAMP.posture("neutral").angles_for(LAMP.skeleton)
    moved = [
        LAMP.skeleton.forward(start + row[:5]).of("eye").position
        for row in offsets(breathing(LAMP), np.linspace(1.0, 9.0, 80))
    ]
    spread = np.ptp(moved, axis=0)
    assert spread[2] > 0.002
    assert spread[2] > spread[1]


def test_a_nod_dips_the_gaze_twice_and_ends_where_it_began() -> None:
    """Two dips of about the amplitude, the second smaller, starting and ending at rest."""
    layer = nod(LAMP, amplitude=0.3, tempo=2.0)
    times = np.linspace(1e-6, 1.0 - 1e-6, 401)
    pitch = offsets(layer, times, end=layer.duration)[:, 5]
    assert layer.duration == 1.0
    assert pitch.max() < 0.002
    assert pitch[:200].min() == pytest.approx(-0.3, rel=0.2)
    assert pitch[:200].min() < pitch[200:].min() < 0.5 * pitch[:200].min()
    assert np.abs(pitch[[0, 200, 400]]).max() < 0.02
    assert np.abs(np.diff(pitch)[[0, -1]]).max() < 1e-4


def test_sway_never_exceeds_its_amplitude() -> None:
    """Three waves of a joint add up to the amplitude at most."""
    found = offsets(sway(LAMP, amplitude=0.1), np.linspace(1.0, 60.0, 3000))
    assert 0.05 < np.abs(found).max() <= 0.1 + 1e-12


def test_a_body_without_an_eye_has_layers_too() -> None:
    """The last joint stands in for the eye, and a body on which nothing pitches or turns gets no waves, and no NaN."""
    arm = gk.Character("arm", gk.evaluation.skeleton("C"))
    assert breathing(arm).waves
    builder = gk.SkeletonBuilder("rail")
    builder.joint("slide", kind="prismatic", axis="z", lower=0.0, upper=1.0)
    rail = gk.Character("rail", builder.build())
    assert not sway(rail).waves
    assert not breathing(rail).waves
    assert np.isfinite(effects_on_eye(rail).pitch).all()


def test_a_mailbox_keeps_the_latest_wish_and_one_for_later() -> None:
    """Older stamps lose, a wish for later waits, a clock that goes back forgets what it knew."""
    box: Mailbox[str] = Mailbox()
    assert box.take(0.0) is None
    box.put("first", 0.0)
    box.put("second", None)
    assert box.take(1.0) == "second"
    box.put("new", 1.0)
    box.put("old", 0.5)
    assert box.take(1.1) == "new"
    box.put("later", 3.0)
    assert box.take(2.0) is None
    assert box.take(3.0) == "later"
    box.put("too old", 2.5)
    assert box.take(3.1) is None
    assert box.take(1.0) is None
    box.put("again", 0.9)
    assert box.take(1.1) == "again"
