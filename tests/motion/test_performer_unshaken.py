"""What a performer sends never leaps and never stops, whatever it is told and whoever fails it."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest

import gestik as gk
from gestik.motion.gaze import Answer, Question
from gestik.motion.performer import Performer
from tests.motion.stage import FACE, LAMP, SPEED, angles_of, assert_no_leap, run, swinging


@pytest.mark.parametrize("mode", ["exact", "classic"])
def test_what_is_sent_never_leaps_whatever_is_wished(mode: str) -> None:
    """Random postures, clips, layers, targets and clocks: within limits and speeds at every tick."""
    rng = np.random.default_rng(3)
    performer = Performer(LAMP, mode=mode)
    skeleton, clock, sent = LAMP.skeleton, 0.0, []
    for _ in range(900):
        wish = int(rng.integers(40))
        if wish == 0:
            performer.posture(str(rng.choice(list(LAMP.postures))), seconds=float(rng.choice((0.0, 0.5))))
        elif wish == 1:
            performer.play(swinging(), loop=True, seconds=0.0)
        elif wish == 2:
            performer.look_at(rng.normal(0.0, 0.5, 3), weight=float(rng.uniform()), fade=float(rng.choice((0.0, 0.3))))
        elif wish == 3:
            performer.look_at(along=rng.normal(size=3), time=clock)
        elif wish == 4:
            performer.look_away()
        elif wish == 5:
            performer.layer(str(rng.choice(("breathing", "sway", "nod"))), amplitude=float(rng.uniform(0.0, 3.0)))
        elif wish == 6:
            performer.look_at((0.0, 0.0, 0.0))
        clock += float(
            rng.choice((1 / 60, 1 / 60, 1 / 60, 0.0, -0.3, 0.013, 10.0), p=(0.3, 0.3, 0.3, 0.03, 0.02, 0.04, 0.01))
        )
        sent.append((clock, performer.tick(clock)))
    angles = angles_of([record for _, record in sent])
    passed = np.clip(np.diff([clock for clock, _ in sent]), 0.0, 0.1)
    # A tick moves on by whole frames, so a clock that stutters may owe it up to one.
    assert (np.abs(np.diff(angles, axis=0)) <= SPEED * (passed + 1.0 / 60.0)[:, None] + 1e-9).all()
    assert (angles >= skeleton.lower - 1e-9).all()
    assert (angles <= skeleton.upper + 1e-9).all()


def test_a_start_outside_its_limits_comes_back_without_a_leap() -> None:
    """A body found beyond its limits returns inside at its own pace, never farther out, and then looks."""
    skeleton = LAMP.skeleton
    start = skeleton.upper + np.array([0.05, 0.2, 0.0, 0.4, 0.0])
    performer = Performer(LAMP, start=start)
    performer.look_at(FACE)
    sent = angles_of(run(performer, 3.0))
    assert_no_leap(np.concatenate((start[None, :], sent)), 60.0)
    assert (sent <= np.maximum(start, skeleton.upper) + 1e-12).all()
    assert (sent[-1] <= skeleton.upper + 1e-12).all()
    assert gk.metrics.aim_error(skeleton, sent[-1], "eye", at=FACE) < 0.01


def test_a_sum_of_layers_beyond_the_limits_is_brought_inside() -> None:
    """Layers a hundred times too large drive every joint against its stops, and not beyond."""
    performer = Performer(LAMP)
    performer.layer("breathing", amplitude=30.0, tempo=1.0)
    performer.layer("sway", amplitude=30.0, tempo=1.0)
    performer.layer("mine", gk.Layer([gk.Wave("head", 1e9, 0.3)]))
    sent = angles_of(run(performer, 4.0))
    assert_no_leap(sent, 60.0)
    assert (sent >= LAMP.skeleton.lower - 1e-12).all()
    assert (sent <= LAMP.skeleton.upper + 1e-12).all()


@pytest.mark.parametrize("jump", [10.0, -10.0, 0.0, 1e6])
def test_a_clock_that_jumps_moves_nothing_far_and_the_show_goes_on(jump: float) -> None:
    """After a gap, a step back or a standstill the clip goes on from where it was, and the gaze is soon back."""
    performer = Performer(LAMP)
    performer.play(swinging(), loop=True)
    performer.look_at(FACE)
    sent = [performer.tick(frame / 60.0) for frame in range(120)]
    sent += [performer.tick(119 / 60.0 + jump + frame / 60.0) for frame in range(120)]
    moved = np.abs(np.diff(angles_of(sent), axis=0))
    assert (moved[118] <= 0.1 * SPEED + 1e-9).all()  # a gap counts for a tenth of a second
    assert_no_leap(angles_of(sent[:120]), 60.0)
    assert_no_leap(angles_of(sent[120:]), 60.0)
    assert np.mean([record.errors[0] for record in sent[180:]]) < 0.05


@pytest.mark.parametrize(
    "point", [(math.nan, 0.0, 0.0), (math.inf, 0.0, 0.0), (1e300, 0.0, 0.0), "face", None, (1.0, 2.0)]
)
def test_a_target_that_is_none_is_refused_where_it_is_told_and_the_loop_goes_on(point: object) -> None:
    """NaN, infinity and nonsense raise InputError in look_at; the ticks keep the target they had."""
    performer = Performer(LAMP)
    performer.look_at(FACE)
    run(performer, 1.5)
    with pytest.raises(gk.InputError):
        performer.look_at(point)
    assert run(performer, 0.1)[-1].errors[0] < 0.01


def test_a_target_inside_the_head_is_let_go_without_a_leap() -> None:
    """What flies right through the eye is not chased: the gaze fades while it is inside and comes back after it."""
    performer = Performer(LAMP)
    performer.posture("alert", seconds=0.0)
    run(performer, 1.0)
    eye = performer.skeleton.forward(performer.filter.positions).of("eye").position
    sent = []
    for frame in range(240):
        performer.look_at(eye + (1.0 - frame / 120.0) * np.array((0.5, 0.1, 0.05)))
        sent.append(performer.tick())
    assert_no_leap(angles_of(sent), 60.0)
    held = []
    for _ in range(120):
        performer.look_at(performer.skeleton.forward(performer.filter.positions).of("eye").position)
        held.append(performer.tick())
    assert_no_leap(angles_of(held), 60.0)
    assert held[-1].weight == 0.0
    assert np.abs(held[-1].velocities).max() < 1e-6


class LateDesk:
    """A solver that needs its time: 14 answers a second, and once nothing for 0.8 s; the clock is simulated."""

    def __init__(self, inner: object, stall: tuple[float, float]) -> None:
        self.inner, self.stall = inner, stall
        self.under_way: tuple[float, Answer] | None = None
        self.newest: Answer | None = None

    def ask(self, question: Question) -> Answer | None:
        """Take a question only when the last one is answered."""
        if self.under_way is not None and question.time >= self.under_way[0]:
            self.newest, self.under_way = self.under_way[1], None
        if self.under_way is None:
            begin, end = self.stall
            done = end if begin <= question.time < end else question.time + 1.0 / 14.0
            self.under_way = (done, self.inner.answer(question))
        return self.newest

    def forget(self) -> None:
        """Begin anew."""
        self.under_way = self.newest = None


def test_a_solver_at_14_hz_that_stalls_leaves_the_output_smooth_and_on_time() -> None:
    """Every tick sends a command within all limits; 0.5 s into a stall of 0.8 s the body rests, and then goes on."""
    performer = Performer(LAMP)
    performer._desk = LateDesk(performer._desk._gaze, stall=(2.0, 2.8))
    performer.layer("breathing")
    sent = []
    for frame in range(300):
        performer.look_at((0.7, 0.4 * math.sin(frame / 60.0), 0.35))
        sent.append(performer.tick())
    angles = angles_of(sent)
    assert_no_leap(angles, 60.0)
    assert np.abs(np.diff(angles, n=3, axis=0)).max() * 60.0**3 <= float(SPEED.max()) / 0.12 / 0.06
    held = [frame for frame, record in enumerate(sent) if record.held]
    assert held
    assert 2.4 < held[0] / 60.0 < 2.6
    assert 2.7 < held[-1] / 60.0 < 2.9
    assert "does not answer" in sent[held[0]].explain()
    assert np.mean([record.errors[0] for record in sent[60:110]]) < 0.15
    assert np.mean([record.errors[0] for record in sent[240:]]) < 0.15


def test_a_thread_that_never_answers_stops_no_tick() -> None:
    """With the solver blocked in its thread ticks return, and when it comes back the gaze does."""
    performer = Performer(LAMP, solver="thread")
    release, gaze = threading.Event(), performer._desk._gaze
    answer = gaze.answer
    gaze.answer = lambda question: (release.wait(60.0), answer(question))[1]
    performer.look_at(FACE)
    blocked = run(performer, 2.0)
    assert_no_leap(angles_of(blocked), 60.0)
    release.set()
    for _ in range(2000):
        record = performer.tick()
        if record.reached:
            break
        threading.Event().wait(0.005)
    assert record.reached
    performer.close()
    performer._desk._thread.join(10.0)
    assert not performer._desk._thread.is_alive()


def test_wishes_may_come_from_many_threads_at_once() -> None:
    """Four threads that wish as fast as they can neither stop nor shake the loop."""
    performer = Performer(LAMP, solver="thread")
    stop = threading.Event()
    faults: list[Exception] = []

    def pester(seed: int) -> None:
        rng = np.random.default_rng(seed)
        try:
            while not stop.is_set():
                performer.look_at(rng.normal(0.0, 0.6, 3), time=float(rng.uniform(0.0, 3.0)))
                performer.posture(str(rng.choice(list(LAMP.postures))))
                performer.layer("sway", amplitude=float(rng.uniform(0.0, 0.1)))
                performer.remove_layer("sway")
                stop.wait(0.001)
        except gk.GestikError as fault:
            faults.append(fault)

    threads = [threading.Thread(target=pester, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    sent = angles_of(run(performer, 3.0))
    stop.set()
    for thread in threads:
        thread.join()
    performer.close()
    assert not faults
    assert_no_leap(sent, 60.0)
