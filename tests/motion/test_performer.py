"""The live loop: it looks, keeps its posture, and does what it is wished in the time it is given."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gestik as gk
from gestik.motion.performer import Performer
from tests.motion.stage import FACE, LAMP, angles_of, assert_no_leap, run, swinging


def test_a_performer_looks_at_its_target_and_keeps_its_posture() -> None:
    """After two seconds the eye is on the target, the shape within ten degrees of the posture; the record says so."""
    performer = Performer(LAMP)
    performer.posture("curious")
    performer.look_at(FACE)
    record = run(performer, 2.0)[-1]
    assert record.reached
    assert record.errors[0] < 1e-3
    assert gk.metrics.aim_error(LAMP.skeleton, record.angles, "eye", at=FACE) == pytest.approx(
        record.errors[0], abs=1e-9
    )
    assert gk.metrics.shape_error(LAMP.skeleton, record.angles, LAMP.posture("curious"), "eye") < 10.0
    assert record.named().keys() == set(LAMP.skeleton.dof_names)
    assert record.explain() == "the eye is on its target"
    assert (record.weight, record.held, record.limits) == (1.0, False, ())


def test_accelerations_and_jerks_keep_their_limits_too() -> None:
    """Differences of what is sent, with limits given, while targets and postures jump."""
    performer = Performer(LAMP, acceleration=30.0, jerk=500.0)
    sent = []
    for posture, point in (("alert", FACE), ("shy", (0.1, -0.8, 0.2)), ("proud", (-0.4, 0.3, 0.6))):
        performer.posture(posture, seconds=0.0)
        performer.look_at(point)
        sent += run(performer, 0.7)
    angles = angles_of(sent)
    assert np.abs(np.diff(angles, n=2, axis=0)).max() * 60.0**2 <= 30.0 + 1e-6
    assert np.abs(np.diff(angles, n=3, axis=0)).max() * 60.0**3 <= 500.0 + 1e-5


@pytest.mark.parametrize("rate", [30.0, 120.0])
def test_the_motion_is_the_same_at_other_rates(rate: float) -> None:
    """At 30 and at 120 Hz a performance stays within 0.1 rad of that at 60 Hz, and ends in the same pose."""
    moved = {}
    for own in (60.0, rate):
        performer = Performer(LAMP, own)
        performer.posture("curious", seconds=0.8)
        performer.look_at(FACE)
        performer.layer("breathing")
        moved[own] = angles_of(run(performer, 3.0))
    slow, fast = sorted(moved)
    ratio = round(fast / slow)
    away = np.abs(moved[fast][ratio - 1 :: ratio] - moved[slow]).max(axis=1)
    assert away.max() < 0.1
    assert away[-1] < 0.005


def test_the_weight_of_the_gaze_is_its_share_of_the_turn() -> None:
    """At weight 0 the posture is untouched, at 1 the eye is on the target, and in between the error falls with it."""
    errors = []
    for weight in (0.0, 0.25, 0.5, 0.75, 1.0):
        performer = Performer(LAMP)
        performer.posture("alert", seconds=0.0)
        performer.look_at(FACE, weight=weight)
        record = run(performer, 2.0)[-1]
        errors.append(float(record.errors[0]))
        if weight == 0.0:
            np.testing.assert_allclose(record.angles, LAMP.posture("alert").angles_for(LAMP.skeleton), atol=1e-6)
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-3 < errors[-2]


def test_the_gaze_fades_in_and_out() -> None:
    """With a fade of one second half of the weight is there after half of it, and gone a second after looking away."""
    performer = Performer(LAMP)
    performer.look_at(FACE, fade=1.0)
    weights = [record.weight for record in run(performer, 1.5)]
    assert weights[29] == pytest.approx(0.5, abs=0.01)
    assert weights[-1] == 1.0
    performer.look_away(fade=1.0)
    records = run(performer, 2.5)
    assert records[29].weight == pytest.approx(0.5, abs=0.01)
    assert not len(records[-1].errors)
    assert records[-1].explain() == "there is no target"
    np.testing.assert_allclose(records[-1].angles, LAMP.posture("neutral").angles_for(LAMP.skeleton), atol=1e-3)


def test_a_stamped_target_gets_stale_and_one_without_a_stamp_stays() -> None:
    """A second after the last measurement the gaze lets go; a wish without a stamp is kept for good."""
    for stamped in (True, False):
        performer = Performer(LAMP, patience=1.0)
        for frame in range(300):
            if frame < 60:
                performer.look_at(FACE, time=frame / 60.0 if stamped else None)
            record = performer.tick(frame / 60.0)
        assert record.weight == (0.0 if stamped else 1.0)
        assert len(record.errors) == 1


def test_the_latest_wish_wins_and_one_for_later_waits() -> None:
    """Measurements that arrive out of order are dropped; a posture stamped a second ahead begins then."""
    performer = Performer(LAMP)
    performer.tick(0.0)
    performer.look_at(FACE, time=0.01)
    performer.tick(1 / 60)
    performer.look_at((0.0, -1.0, 0.2), time=0.005)  # older than what is known
    performer.posture("alert", seconds=0.0, time=1.0)
    sent = [performer.tick(frame / 60.0) for frame in range(2, 120)]
    assert gk.metrics.aim_error(LAMP.skeleton, sent[50].angles, "eye", at=FACE) < 0.02
    drawn = LAMP.posture("alert").angles_for(LAMP.skeleton)
    away = [float(np.abs(record.angles - drawn).max()) for record in sent]
    assert min(away[:58]) > 0.3
    performer.look_away(time=2.0)
    assert np.abs(run(performer, 2.5)[-1].angles - drawn).max() < 1e-3


def test_postures_blend_in_the_time_given_and_may_be_interrupted() -> None:
    """A blend of 0.8 s is under way at half time and done soon after; another in between makes no leap."""
    performer = Performer(LAMP, smoothness=0.0)
    start = LAMP.posture("neutral").angles_for(LAMP.skeleton)
    curious, sad = (LAMP.posture(name).angles_for(LAMP.skeleton) for name in ("curious", "sad"))
    performer.posture("curious", seconds=0.8)
    first = angles_of(run(performer, 0.4))
    assert 0.2 < np.abs(first[-1] - start).max() < 0.8 * np.abs(curious - start).max()
    performer.posture("sad", seconds=0.8)
    both = np.concatenate((first, angles_of(run(performer, 1.2))))
    assert_no_leap(both, 60.0)
    np.testing.assert_allclose(both[-1], sad, atol=1e-3)


def test_a_clip_plays_in_time_loops_when_told_and_ends_in_its_last_posture() -> None:
    """The filter follows the swing; a clip that does not loop stays; a clip of another body is refused."""
    clip = swinging(4.0)
    performer = Performer(LAMP, smoothness=0.0)
    performer.posture(clip.angles[0], seconds=0.0)
    run(performer, 1.0)
    performer.play(clip, seconds=0.0)
    sent = angles_of(run(performer, 4.0))
    late = np.abs(sent[30:] - clip.at(np.arange(30, 240) / 60.0)).max()
    assert late < 0.05
    np.testing.assert_allclose(run(performer, 1.0)[-1].angles, clip.angles[-1], atol=1e-6)
    performer.play(clip, loop=True, seconds=0.0)
    run(performer, 4.0)
    again = angles_of(run(performer, 4.0))
    np.testing.assert_allclose(again, sent, atol=0.02)
    with pytest.raises(gk.InputError, match="is of"):
        performer.play(gk.Clip("other", gk.evaluation.skeleton("C"), [0.0], [[0.0] * 5]))


def test_the_head_goes_first_and_the_body_follows_with_its_share() -> None:
    """A group with a delay begins to turn later, one with a share of a half turns half as far, and the eye arrives."""
    late = gk.JointGroup(["base"], share=0.5, delay=0.3)
    moved = {}
    for groups in ((), (late,)):
        performer = Performer(LAMP, groups=groups)
        performer.posture("alert", seconds=0.0)
        run(performer, 1.5)
        before = performer.filter.positions
        performer.look_at((0.6, 0.4, 0.3), fade=0.0)
        sent = run(performer, 3.0)
        assert sent[-1].reached, sent[-1].explain()
        moved[len(groups)] = angles_of(sent) - before
    base = LAMP.skeleton.dof_names.index("base")
    begins = [int(np.argmax(np.abs(turned[:, base]) > 0.02)) for turned in (moved[0], moved[1])]
    assert 0.2 < (begins[1] - begins[0]) / 60.0 < 0.4
    assert 0.0 < abs(moved[1][-1, base]) < abs(moved[0][-1, base])


def test_a_target_may_be_told_in_a_frame_of_the_body() -> None:
    """A point straight ahead of the eye, told in the eye's frame, is looked at already."""
    performer = Performer(LAMP)
    performer.posture("proud", seconds=0.0)
    before = run(performer, 2.0)[-1].angles
    performer.look_at((0.0, 0.0, 0.5), frame="eye")
    after = run(performer, 1.0)[-1]
    assert after.reached
    np.testing.assert_allclose(after.angles, before, atol=0.02)


def test_a_body_with_balls_cones_and_couplings_and_no_eye_performs_its_postures() -> None:
    """Set-points are inside every limit; what has no eye refuses to look and plays all the same."""
    builder = gk.SkeletonBuilder("puppet")
    builder.joint("hip", kind="ball", swing=0.6, twist=(-0.5, 0.5), segment=(0, 0, 0.3))
    builder.joint("knee", kind="revolute", axis="y", parent="hip", position=(0, 0, 0.3), lower=-2.0, upper=2.0)
    builder.joint("ankle", kind="revolute", axis="y", parent="knee", position=(0, 0, 0.3), lower=-2.0, upper=2.0)
    builder.coupling(-0.5, {"knee": 1.0, "ankle": 1.0}, 0.5)
    puppet = gk.Character("puppet", builder.build())
    performer = Performer(puppet, rate=60.0)
    performer.posture([1.0, 1.0, 1.0, 1.5, 1.5], seconds=0.5)
    performer.layer("sway", amplitude=0.5)
    run(performer, 1.0)
    assert not puppet.skeleton.limit_excess(performer._set_point)
    performer.remove_layer("sway")
    assert not puppet.skeleton.limit_excess(run(performer, 4.0)[-1].angles)
    with pytest.raises(gk.InputError, match="no eye"):
        performer.look_at(FACE)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rate": 0.0}, "rate"),
        ({"rate": math.nan}, "rate"),
        ({"solver": "process"}, "choose from inline, thread"),
        ({"solver_rate": -1.0}, "solver_rate"),
        ({"patience": -1.0}, "patience"),
        ({"mode": "soft"}, "choose from classic, exact"),
        ({"start": [0.0]}, "shape"),
        ({"groups": [gk.JointGroup(["base"]), gk.JointGroup(["base", "head"])]}, "in two groups"),
    ],
)
def test_a_wrong_setting_is_told(settings: dict[str, object], message: str) -> None:
    """Each mistake raises InputError that names it."""
    with pytest.raises(gk.InputError, match=message):
        Performer(LAMP, **settings)


def test_wrong_wishes_are_told_where_they_are_made() -> None:
    """Names that are not there, numbers that are none, goals that are two."""
    performer = Performer(LAMP)
    for wish in (
        lambda: performer.posture("curous"),
        lambda: performer.play("dance"),
        lambda: performer.layer("breathng"),
        lambda: performer.layer("breathing", volume=3.0),
        lambda: performer.look_at(FACE, frame="nose"),
        lambda: performer.layer("mine", gk.Layer([gk.Wave("wing", 0.1, 1.0)])),
    ):
        with pytest.raises(gk.NameNotFoundError):
            wish()
    for wish in (
        lambda: performer.posture([math.nan] * 5),
        lambda: performer.posture("sad", seconds=-1.0),
        lambda: performer.play(3),
        lambda: performer.look_at(FACE, along=FACE),
        lambda: performer.look_at(along=(0.0, 0.0, 0.0)),
        lambda: performer.look_at(FACE, weight=1.5),
        lambda: performer.look_at(FACE, time=math.nan),
        lambda: performer.look_at([FACE, FACE]),
        lambda: performer.layer("nod", tempo=0.0),
        lambda: performer.tick(math.inf),
        lambda: gk.JointGroup(["base"], share=2.0),
        lambda: gk.Layer([gk.Wave("head", math.nan, 1.0)]),
        lambda: Performer(LAMP.skeleton),
    ):
        with pytest.raises(gk.InputError):
            wish()
    performer.remove_layer("never")
    assert np.isfinite(run(performer, 0.1)[-1].angles).all()
