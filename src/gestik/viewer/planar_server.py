"""Serves the planar demo's page and answers its events.  Needs nothing but Python; remembers nothing."""

from __future__ import annotations

import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources

from gestik.errors import InputError
from gestik.viewer.planar import answer, setting

HOST = "127.0.0.1"  # nobody else on the network is invited
LARGEST_EVENT = 64 * 1024  # bytes
PATIENCE = 10.0  # [s], for a client that does not finish its sentence
PORTS_TRIED = 20


class PlanarServer(ThreadingHTTPServer):
    """The server, bound to a port; `serve_forever` brings it to life."""

    daemon_threads = True  # a client that hangs keeps nobody from leaving
    allow_reuse_address = False  # a port somebody serves on is taken

    def __init__(self, port: int = 8081) -> None:
        last = min(port + PORTS_TRIED, 65535)
        for candidate in range(port, last + 1):
            try:
                super().__init__((HOST, candidate), _Handler)
            except OSError as taken:
                if candidate == last:
                    raise InputError(f"no port from {port} to {last} is free: {taken}") from taken
            else:
                break
        self.port = int(self.server_address[1])
        self.hosts = {f"{name}:{self.port}" for name in (HOST, "localhost")}

    @property
    def address(self) -> str:
        """What to type into the browser."""
        return f"http://{HOST}:{self.port}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about a client that vanished: it harms nobody."""


class _Handler(BaseHTTPRequestHandler):
    """Answers one client."""

    server: PlanarServer
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE

    def do_GET(self) -> None:
        """Hand out the page, or what it has to know."""
        if not self._invited():
            self._send(HTTPStatus.FORBIDDEN, "text/plain", b"this page is served to this machine only\n")
        elif self.path == "/":
            page = resources.files("gestik.viewer").joinpath("planar.html").read_bytes()
            self._send(HTTPStatus.OK, "text/html; charset=utf-8", page)
        elif self.path == "/setting":
            self._say(HTTPStatus.OK, setting())
        else:
            self._say(HTTPStatus.NOT_FOUND, {"error": "there is nothing here"})

    def do_POST(self) -> None:
        """Answer an event."""
        length = self.headers.get("Content-Length", "")
        if not self._invited() or self.path != "/event" or not length.isdecimal() or int(length) > LARGEST_EVENT:
            self.close_connection = True  # what it still sends is not read
            self._say(HTTPStatus.BAD_REQUEST, {"error": f"an event is at most {LARGEST_EVENT} bytes to /event"})
            return
        try:
            moved = answer(json.loads(self.rfile.read(int(length))))
        except (ValueError, RecursionError) as fault:  # no JSON
            self._say(HTTPStatus.BAD_REQUEST, {"error": str(fault)})
        except InputError as mistake:
            self._say(HTTPStatus.BAD_REQUEST, {"error": str(mistake)})
        else:
            self._say(HTTPStatus.OK, moved)

    def _invited(self) -> bool:
        """Whether the browser meant this machine: a foreign page cannot pose as it by pointing its own name here."""
        return self.headers.get("Host") in self.server.hosts

    def _say(self, status: HTTPStatus, answered: dict[str, object]) -> None:
        self._send(status, "application/json", json.dumps(answered).encode())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet: the terminal belongs to the one who started it."""
