"""The demo's page: the figure, a ball to take, a menu of moods, and what the solver has to say."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from statistics import median
from threading import Event
from typing import TYPE_CHECKING

import numpy as np

from gestik.kernels.arrays import FloatArray
from gestik.pictures.figure import figure_size
from gestik.pictures.still import BALL
from gestik.viewer.act import Act, Reading
from gestik.viewer.scene import EyeLight, SkeletonView, add_ball, add_room
from gestik.viewer.serving import address, close_server, open_server, place_camera, table
from gestik.viewer.target import WanderingTarget

if TYPE_CHECKING:
    import viser

READINGS_EVERY = 0.2  # [s]
CALM = 0.05  # [s], how slowly the ball follows the hand: the mouse reports only twenty times a second
WINDOW = 60  # steps whose solve times are summed up


class DemoPage:
    """A page in the browser.  Made, it is served; `run` brings it to life."""

    def __init__(
        self,
        act: Act,
        target: WanderingTarget,
        *,
        port: int = 8080,
        rate: float = 60.0,
        witness: Callable[[Reading], None] | None = None,
    ) -> None:
        """Serve the page.

        Args:
            act: who plays.
            target: what it looks at.
            port: to be served on, or the next free one.
            rate: steps per second.
            witness: is told of every step.
        """
        self._witness = witness
        self._server = open_server(port, "without it, try: gestik demo --headless")
        self.act = act
        self.target = target
        self.rate = rate
        self.reading: Reading | None = None
        self._solve_times: deque[float] = deque(maxlen=WINDOW)
        self._begin = time.perf_counter()
        self._size = figure_size(act.skeleton)
        self._furnish()
        self._add_panel()
        self._hand_over_ball()

    @property
    def port(self) -> int:
        """The port it is served on: the one asked for, or the next free one."""
        return self._server.get_port()

    @property
    def address(self) -> str:
        """What to type into the browser."""
        return address(self._server)

    def run(self, stop: Event, seconds: float = math.inf) -> None:
        """Play until told to stop, or for some seconds [s]."""
        shown = self.target.at(self._now())
        last = told = -math.inf
        while not stop.is_set() and (now := self._now()) < seconds:
            share = 1.0 - math.exp(-(now - last) / CALM)
            shown = shown + share * (self.target.at(now) - shown)
            last = now
            self.reading = self.act.step(shown, now)
            if self._witness is not None:
                self._witness(self.reading)
            self._solve_times.append(self.reading.solve_time)
            self._show(self.reading)
            if now - told >= READINGS_EVERY:
                self._readings.content = _told(self.reading, median(self._solve_times))
                told = now
            stop.wait(max(0.0, now + 1.0 / self.rate - self._now()))

    def close(self) -> None:
        """Stop serving."""
        close_server(self._server)

    def _now(self) -> float:
        """Return the time since the page was made [s]."""
        return time.perf_counter() - self._begin

    def _furnish(self) -> None:
        """Put the figure on its ground and the camera before it."""
        scene, skeleton = self._server.scene, self.act.skeleton
        add_room(scene, skeleton)
        self._figure = SkeletonView(scene, skeleton)
        self._light = EyeLight(scene, skeleton, self.act.eye)
        self._ball = add_ball(scene, skeleton)
        place_camera(self._server, skeleton)

    def _add_panel(self) -> None:
        """Add the menu of moods, the switches and the readings."""
        gui = self._server.gui
        gui.add_markdown("**Drag the ball** by its arrows: the eye follows, the mood stays.")
        mood = gui.add_dropdown("Mood", tuple(self.act.postures), initial_value=self.act.posture)
        wander = gui.add_checkbox("Ball wanders", initial_value=True, hint="It also pauses for a while when taken.")
        light = gui.add_checkbox("Light beam", initial_value=True)
        self._readings = gui.add_html("")

        @mood.on_update
        def _(_: viser.GuiEvent[viser.GuiDropdownHandle[str]]) -> None:
            self.act.posture = mood.value

        @wander.on_update
        def _(_: viser.GuiEvent[viser.GuiCheckboxHandle]) -> None:
            self.target.wanders = wander.value

        @light.on_update
        def _(_: viser.GuiEvent[viser.GuiCheckboxHandle]) -> None:
            self._light.beam.visible = light.value

    def _hand_over_ball(self) -> None:
        """Let the mouse take the ball by its arrows and squares."""
        self._in_hand = False

        # Asynchronous, because only then do the parts of one drag arrive in their order.
        @self._ball.on_update
        async def _(event: viser.TransformControlsEvent) -> None:
            self._in_hand = event.phase != "end"
            self.target.take(self._above_ground(np.asarray(self._ball.position)))
            if event.phase == "end":
                self.target.let_go(self._now())

    def _above_ground(self, point: FloatArray) -> FloatArray:
        """Lift a point [3], m, so that the ball does not sink into the ground."""
        up = self.act.skeleton.up
        return np.asarray(point + up * max(0.0, BALL * self._size - float(point @ up)))

    def _show(self, reading: Reading) -> None:
        """Move everything to where it is now."""
        with self._server.atomic():
            self._figure.show(reading.angles)
            self._light.show(reading.angles)
            if not self._in_hand:  # else the browser itself moves it, and would be disturbed
                self._ball.position = reading.point


def _told(reading: Reading, solve_time: float) -> str:
    """Return the readings as a small table."""
    return table(
        ("aim error", f"{math.degrees(reading.aim_error):.2f}°"),
        ("shape error", f"{reading.shape_error:.1f}°"),
        ("solve time", f"{1e6 * solve_time:.0f} µs"),
        ("at a limit", ", ".join(reading.at_limit) or "none"),
    )
