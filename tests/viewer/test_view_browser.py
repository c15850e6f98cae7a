"""The page of `gestik view` as people meet it: a real browser and a real mouse."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

import gestik as gk
from gestik.kernels.arrays import FloatArray
from gestik.pictures.camera import Camera
from gestik.pictures.figure import figure_size
from gestik.viewer.serving import CAMERA, FIELD_OF_VIEW, LOOK_AT
from gestik.viewer.studio import Studio, Wish
from tests.viewer.browsing import CHROMIUM, FLAGS, NOBODY_ELSE, PATIENCE

pytest.importorskip("playwright.sync_api")
pytest.importorskip("viser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")

WAY = np.array([0.0, 0.12, 0.0])  # m, along an arrow of the handle


@dataclass
class Visit:
    """The page of a studio in a browser, and everything that went wrong there."""

    view: Any
    page: Any
    wrong: list[str]
    width: int
    height: int

    @property
    def studio(self) -> Studio:
        """What the page shows."""
        return self.view.studio

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the browser go on until a condition holds."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, "waited too long"
            self.page.wait_for_timeout(100)

    def pixel(self, point: FloatArray) -> tuple[float, float]:
        """Column and row where a point [3], m, is seen."""
        size = figure_size(self.studio.skeleton)
        camera = Camera(tuple(size * np.array(CAMERA)), tuple(size * np.array(LOOK_AT)), FIELD_OF_VIEW)
        column, row, _ = camera.project(point[None], self.width, self.height)[0]
        return float(column), float(row)

    def choose(self, old: str, new: str) -> None:
        """Take another line of the menu that shows `old`."""
        self.page.locator(f"input[role=combobox][value='{old}']").first.click()
        self.page.get_by_role("option", name=new, exact=True).click()


@contextmanager
def visiting(source: str | Path, *, port: int, width: int, height: int) -> Iterator[Visit]:
    """A studio's page, alive, and a browser that has drawn it."""
    from playwright.sync_api import sync_playwright

    from gestik.viewer.view_page import ViewPage

    view = ViewPage(Studio(source), port=port)
    stop = Event()
    loop = Thread(target=view.run, args=(stop,))
    loop.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, NOBODY_ELSE])
            page = browser.new_page(viewport={"width": width, "height": height})
            wrong: list[str] = []
            ours = (view.address, view.address.replace("http", "ws"), f"blob:{view.address}", "data:")
            page.context.on("request", lambda asked: None if asked.url.startswith(ours) else wrong.append(asked.url))
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
            page.goto(view.address)
            page.get_by_text("Add a goal to drag").wait_for(timeout=1000 * PATIENCE)
            page.get_by_role("alert").get_by_role("button").click()  # the browser's note that it draws in software
            page.wait_for_timeout(3000)
            yield Visit(view, page, wrong, width, height)
            browser.close()
    finally:
        stop.set()
        loop.join()
        view.close()


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """One visit for all tests, to a lamp somebody made their own."""
    path = tmp_path_factory.mktemp("characters") / "my_lamp.toml"
    with resources.as_file(resources.files("gestik") / "characters" / "lamp.toml") as file:
        shutil.copy(file, path)
    studio = Studio("lamp")  # compiled before anybody waits for it
    studio.ask("eye", Wish.PLACE)
    for method in ("automatic", "ccd"):
        studio.solution_by(method)
    with visiting(path, port=8151, width=640, height=480) as visit:
        yield visit


def test_a_dragged_goal_pulls_the_body_and_undo_brings_it_back(visit: Visit) -> None:
    """A handle on the eye, taken by its arrow along y."""
    from gestik.viewer.view_page import HANDLE

    before = visit.studio.angles
    visit.page.get_by_text("Add a goal to drag").click()
    visit.until(lambda: "eye" in visit.studio.asked)
    visit.page.wait_for_timeout(1500)
    start = np.array(visit.studio.asked["eye"].position)
    grip = start + np.array([0.0, 0.85 * HANDLE * figure_size(visit.studio.skeleton), 0.0])
    mouse = visit.page.mouse
    mouse.move(*visit.pixel(grip))
    visit.page.wait_for_timeout(1000)
    mouse.down()
    mouse.move(*visit.pixel(grip + WAY), steps=10)
    visit.page.wait_for_timeout(1000)
    mouse.up()
    visit.until(lambda: abs(visit.studio.asked["eye"].position[1] - start[1]) > 0.05)
    visit.until(lambda: _missed(visit) < 2e-3)
    assert np.abs(visit.studio.angles - before).max() > 0.1
    visit.page.get_by_text("Undo").click()
    visit.until(lambda: bool(np.abs(visit.studio.angles - before).max() < 1e-9))


def _missed(visit: Visit) -> float:
    """How far the eye is from where it shall be [m]."""
    eye = visit.studio.skeleton.forward(visit.studio.angles).of("eye").position
    return float(np.linalg.norm(eye - visit.studio.asked["eye"].position))


def test_another_method_poses_it_otherwise_and_shows_its_options(visit: Visit) -> None:
    """Menus come from what methods declare."""
    visit.studio.drag("eye", (0.12, 0.16, 0.22), (1.0, 0.0, 0.0, 0.0))
    visit.view.solve_again()
    visit.until(lambda: _missed(visit) < 2e-3)
    before = visit.studio.angles
    visit.choose("automatic", "ccd")
    visit.until(lambda: visit.studio.method == "ccd")
    visit.page.get_by_text("max iterations").first.wait_for(timeout=1000 * PATIENCE)
    visit.until(lambda: visit.view.solution is not None and bool(np.abs(visit.studio.angles - before).max() > 0.01))


def test_a_saved_posture_is_in_the_file(visit: Visit) -> None:
    """Under its name, where anybody who loads the character finds it."""
    visit.page.locator("input[value='my posture']").fill("reaching")
    visit.page.wait_for_timeout(500)
    visit.page.get_by_text("Save in its file").click()
    visit.until(lambda: "reaching" in visit.studio.postures)
    assert visit.studio.path is not None
    kept = gk.load_character(visit.studio.path).posture("reaching").angles_for(visit.studio.skeleton)
    np.testing.assert_allclose(kept, visit.studio.angles, atol=1e-4)


def test_nothing_leaves_the_machine_and_nothing_fails(visit: Visit) -> None:
    """Every request goes to the page itself, and the console holds no error."""
    assert visit.wrong == []


def photograph(path: str) -> None:
    """Save a picture of the puppet with its limits shown and a ghost beside it."""
    with visiting("puppet", port=8152, width=1100, height=720) as visit:
        view = visit.view
        view.put(visit.studio.postures["neutral"])
        view.ask("left_hand", Wish.PLACE)
        view.studio.drag("left_hand", (0.10, 0.13, 0.36), (1.0, 0.0, 0.0, 0.0))
        view.solve_again()
        visit.until(lambda: view.solution is not None)
        visit.choose("nobody", "ccd")
        visit.page.wait_for_timeout(15000)
        view.show_limits(True)
        visit.page.wait_for_timeout(5000)
        visit.page.screenshot(path=path)


if __name__ == "__main__":
    photograph(sys.argv[1])
