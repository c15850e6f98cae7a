"""The page as people meet it: a real browser, a real mouse, and the angles read back from the server."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

import gestik as gk
from gestik.kernels.arrays import FloatArray
from gestik.pictures.camera import Camera
from gestik.pictures.figure import figure_size
from gestik.viewer.act import Act
from gestik.viewer.page import CAMERA, FIELD_OF_VIEW, LOOK_AT, DemoPage
from gestik.viewer.scene import ARROW
from gestik.viewer.target import WanderingTarget

sync_api = pytest.importorskip("playwright.sync_api")
pytest.importorskip("viser")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")

WIDTH, HEIGHT = 640, 480
PATIENCE = 90.0  # [s], a browser that draws in software is slow
BALL_PLACE = np.array([0.30, -0.20, 0.17])  # m, in free sight, away from panel and messages
WAY = np.array([0.0, 0.22, 0.0])  # m, along one of the arrows
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
NOBODY_ELSE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"


@dataclass
class Visit:
    """A browser on the page, and everything it said and asked for."""

    demo: DemoPage
    page: Any
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the browser go on until a condition holds."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, "waited too long"
            self.page.wait_for_timeout(100)

    def pixel(self, point: FloatArray) -> tuple[float, float]:
        """Column and row where a point [3], m, is seen."""
        size = figure_size(self.demo.act.skeleton)
        camera = Camera(tuple(size * np.array(CAMERA)), tuple(size * np.array(LOOK_AT)), FIELD_OF_VIEW)
        column, row, _ = camera.project(point[None], WIDTH, HEIGHT)[0]
        return float(column), float(row)

    def settle(self) -> None:
        """Wait until the figure stands still."""
        last = self.demo.reading.angles + 1.0

        def still() -> bool:
            nonlocal last
            before, last = last, self.demo.reading.angles
            return bool(np.abs(last - before).max() < 1e-4)

        self.until(still)


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    """A running demo with its ball held still, and a browser that has drawn it."""
    character = gk.load_character("lamp")
    target = WanderingTarget(character.skeleton)
    target.take(BALL_PLACE)
    act = Act(character, "neutral")
    act.warm_up()
    demo = DemoPage(act, target, port=8123, rate=30.0)
    stop = Event()
    loop = Thread(target=demo.run, args=(stop,))
    loop.start()
    try:
        with sync_api.sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, NOBODY_ELSE])
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            seen = Visit(demo, page)
            page.context.on("request", lambda request: seen.requests.append(request.url))
            page.on("websocket", lambda socket: seen.requests.append(socket.url))
            page.on("pageerror", lambda error: seen.complaints.append(str(error)))
            page.on("console", lambda line: seen.complaints.append(line.text) if line.type == "error" else None)
            page.goto(demo.address)
            page.get_by_text("shape error").wait_for(timeout=1000 * PATIENCE)
            page.get_by_role("alert").get_by_role("button").click()  # the browser's note that it draws in software
            page.wait_for_timeout(3000)
            yield seen
            browser.close()
    finally:
        stop.set()
        loop.join()
        demo.close()


def test_dragging_the_ball_turns_the_lamp(visit: Visit) -> None:
    """The ball follows the mouse along the arrow it is taken by, and the eye follows the ball."""
    visit.settle()
    before = visit.demo.reading
    np.testing.assert_allclose(before.point, BALL_PLACE, atol=1e-3)
    grip = BALL_PLACE + 0.85 * ARROW * figure_size(visit.demo.act.skeleton) * np.array([0.0, 1.0, 0.0])
    mouse = visit.page.mouse
    mouse.move(*visit.pixel(grip))
    visit.page.wait_for_timeout(1000)
    mouse.down()
    mouse.move(*visit.pixel(grip + WAY), steps=12)
    visit.page.wait_for_timeout(1000)
    mouse.up()
    visit.until(lambda: float(np.linalg.norm(visit.demo.reading.point - before.point)) > 0.1)
    visit.settle()
    after = visit.demo.reading
    np.testing.assert_allclose(after.point, BALL_PLACE + WAY, atol=0.03)
    assert np.abs(after.angles - before.angles).max() > 0.3
    assert np.degrees(after.aim_error) < 1.0
    blind = gk.metrics.aim_error(visit.demo.act.skeleton, before.angles, "eye", at=after.point)
    assert np.degrees(blind) > 20.0


def test_choosing_another_mood_changes_the_shape(visit: Visit) -> None:
    """The body takes another posture and the eye stays on the ball."""
    visit.settle()
    before = visit.demo.reading
    visit.page.locator("input[role=combobox][value=neutral]").click()
    visit.page.get_by_role("option", name="proud").click()
    visit.until(lambda: visit.demo.act.posture == "proud")
    visit.page.wait_for_timeout(500)
    visit.settle()
    after = visit.demo.reading
    assert np.abs(after.angles - before.angles).max() > 0.3
    assert np.degrees(after.aim_error) < 1.0


def test_nothing_leaves_the_machine_and_nothing_fails(visit: Visit) -> None:
    """Every request goes to the demo itself, and the console holds no error."""
    ours = (
        f"http://127.0.0.1:{visit.demo.port}",
        f"ws://127.0.0.1:{visit.demo.port}",
        "blob:http://127.0.0.1",
        "data:",
    )
    assert len(visit.requests) >= 2
    assert [url for url in visit.requests if not url.startswith(ours)] == []
    assert visit.complaints == []
