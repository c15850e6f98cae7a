"""Open every page of the built documentation in Chromium and fail when one asks for anything outside its folder.

Usage: ``python tools/check_site.py site``
"""

from __future__ import annotations

import functools
import shutil
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves the built pages and keeps no log."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def strangers(site: Path) -> list[str]:
    """Return what the pages asked for and did not get from their own folder."""
    from playwright.sync_api import sync_playwright

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(QuietHandler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}/"
    own = (home, "data:", "blob:")
    found: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for file in sorted(site.rglob("*.html")):
            address = home + file.relative_to(site).as_posix()
            page = browser.new_page()
            page.on("request", lambda asked: None if asked.url.startswith(own) else found.append(asked.url))
            page.on("requestfailed", lambda asked: found.append(f"{asked.url}: {asked.failure}"))
            page.goto(address, wait_until="load")
            page.wait_for_timeout(500)  # scripts may ask late
            page.close()
        browser.close()
    server.shutdown()
    return found


if __name__ == "__main__":
    site_folder = Path(sys.argv[1])
    if not any(site_folder.rglob("*.html")):
        sys.exit(f"{site_folder}: no pages to check")
    if outside := strangers(site_folder):
        sys.exit("the pages are not self-contained:\n" + "\n".join(sorted(set(outside))))
