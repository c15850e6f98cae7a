"""A visit to the demo's page with a real browser, for tests and for screenshots."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

import numpy as np

import gestik as gk
from gestik.kernels.arrays import FloatArray
from gestik.pictures.camera import Camera
from gestik.pictures.figure import figure_size
from gestik.viewer.act import Act
from gestik.viewer.page import DemoPage
from gestik.viewer.serving import CAMERA, FIELD_OF_VIEW, LOOK_AT
from gestik.viewer.target import WanderingTarget

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 90.0  # [s], a browser that draws in software is slow
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
    width: int = 640
    height: int = 480

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
        column, row, _ = camera.project(point[None], self.width, self.height)[0]
        return float(column), float(row)

    def settle(self) -> None:
        """Wait until the figure stands still."""
        last = self.demo.reading.angles + 1.0

        def still() -> bool:
            nonlocal last
            before, last = last, self.demo.reading.angles
            return bool(np.abs(last - before).max() < 1e-4)

        self.until(still)


@contextmanager
def visiting(posture: str, ball: FloatArray, *, port: int, width: int, height: int) -> Iterator[Visit]:
    """A running demo with its ball held still [m], and a browser that has drawn it."""
    from playwright.sync_api import sync_playwright

    character = gk.load_character("lamp")
    target = WanderingTarget(character.skeleton)
    target.take(ball)
    act = Act(character, posture)
    act.warm_up()
    demo = DemoPage(act, target, port=port, rate=30.0)
    stop = Event()
    loop = Thread(target=demo.run, args=(stop,))
    loop.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, NOBODY_ELSE])
            page = browser.new_page(viewport={"width": width, "height": height})
            visit = Visit(demo, page, width=width, height=height)
            page.context.on("request", lambda request: visit.requests.append(request.url))
            page.on("websocket", lambda socket: visit.requests.append(socket.url))
            page.on("pageerror", lambda error: visit.complaints.append(str(error)))
            page.on("console", lambda line: visit.complaints.append(line.text) if line.type == "error" else None)
            page.goto(demo.address)
            page.get_by_text("shape error").wait_for(timeout=1000 * PATIENCE)
            page.get_by_role("alert").get_by_role("button").click()  # the browser's note that it draws in software
            page.wait_for_timeout(3000)
            yield visit
            browser.close()
    finally:
        stop.set()
        loop.join()
        demo.close()
