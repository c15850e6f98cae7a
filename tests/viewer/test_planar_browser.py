"""The planar page as people meet it: a real browser and a real mouse."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import numpy as np
import pytest

from gestik.solvers.fabrik import planar as notebook
from gestik.viewer.planar_server import PlanarServer
from tests.viewer.browsing import CHROMIUM, FLAGS, NOBODY_ELSE

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")

PATIENCE = 90_000  # [ms]


@contextmanager
def visiting(port: int, width: int, height: int) -> Iterator[tuple[Any, list[str], str]]:
    """The page in a browser, what it complained about or asked for elsewhere, and its address."""
    from playwright.sync_api import sync_playwright

    with PlanarServer(port) as server, sync_playwright() as playwright:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, NOBODY_ELSE])
        try:
            page = browser.new_page(viewport={"width": width, "height": height})
            wrong: list[str] = []
            ours = (server.address, "data:")
            page.on("request", lambda request: None if request.url.startswith(ours) else wrong.append(request.url))
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
            page.goto(server.address)
            page.locator("#end").wait_for(timeout=PATIENCE)
            yield page, wrong, server.address
        finally:
            browser.close()
            server.shutdown()
            thread.join()


def drag(page: Any, *ways: tuple[float, float], let_go: bool = True) -> None:
    """Take the red point and move it by some ways [pixels]."""
    box = page.locator("#end").bounding_box(timeout=PATIENCE)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for way_x, way_y in ways:
        x, y = x + way_x, y + way_y
        page.mouse.move(x, y, steps=8)
        page.wait_for_timeout(150)
    page.wait_for_function("!busy", timeout=PATIENCE)
    if let_go:
        page.mouse.up()


@pytest.fixture(scope="module")
def visit() -> Iterator[tuple[Any, list[str], str]]:
    """One visit for all tests."""
    with visiting(8141, 640, 480) as visit:
        yield visit


def test_dragging_repeats_the_notebooks_events(visit: tuple[Any, list[str], str]) -> None:
    """Every event the page made, replayed one by one, gives the points it shows, to the last bit."""
    page, _, _ = visit
    drag(page, (-120, -60), (60, -80), (-200, 40))
    shown, log = page.evaluate("[points, log]")
    assert len(log) >= 5
    chain = notebook.initial_chain()
    for event in log:
        assert event["points"] == [list(point) for point in chain]
        chain = notebook.drag(chain, (event["target"][0], event["target"][1]))
    assert shown == [list(point) for point in chain]
    assert np.linalg.norm(np.subtract(shown, notebook.initial_chain()), axis=1).max() > 0.1


def test_the_full_solver_brings_the_end_under_the_pointer(visit: tuple[Any, list[str], str]) -> None:
    """Another chain, another way, chosen in the menus."""
    page, wrong, _ = visit
    page.select_option("#chain", "tail")
    page.select_option("#way", "full")
    drag(page, (30, -60), (-160, 40))
    count, missing, points = page.evaluate("[log.length, missing, points]")
    assert count >= 2
    assert missing < 1e-8
    assert len(points) == 21
    page.click("#again")
    assert page.evaluate("log.length") == 0
    assert wrong == []


def photograph(path: str) -> None:
    """Save a picture of the page in the middle of a drag."""
    with visiting(8142, 960, 520) as (page, _, _):
        drag(page, (-180, -130), (-120, 20), let_go=False)
        page.screenshot(path=path)


if __name__ == "__main__":
    photograph(sys.argv[1])
