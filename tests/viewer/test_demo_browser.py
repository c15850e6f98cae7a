"""The page as people meet it: a real browser, a real mouse, and the angles read back from the server."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import gestik as gk
from gestik.pictures.figure import figure_size
from gestik.viewer.scene import ARROW
from tests.viewer.browsing import CHROMIUM, Visit, visiting

pytest.importorskip("playwright.sync_api")
pytest.importorskip("viser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")

BALL_PLACE = np.array([0.30, -0.20, 0.17])  # m, in free sight, away from the panel
WAY = np.array([0.0, 0.22, 0.0])  # m, along one of the arrows


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    """One visit for all tests: a browser that draws in software takes long to start."""
    with visiting("neutral", BALL_PLACE, port=8123, width=640, height=480) as visit:
        yield visit


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
