"""``python -m tests.viewer.screenshot FILE.png`` photographs the demo's page."""

from __future__ import annotations

import sys

import numpy as np

from tests.viewer.browsing import visiting

BALL_PLACE = np.array([0.46, 0.06, 0.24])  # m


def main(path: str) -> None:
    """Open the page in a mood that shows well, wait until the lamp stands still, and save a picture."""
    with visiting("curious", BALL_PLACE, port=8124, width=960, height=600) as visit:
        visit.settle()
        visit.page.wait_for_timeout(4000)
        visit.page.screenshot(path=path)


if __name__ == "__main__":
    main(sys.argv[1])
