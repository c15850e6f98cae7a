"""The planar demo without a browser: what an event does, and what a server makes of good and bad clients."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from threading import Thread

import numpy as np
import pytest

import gestik as gk
from gestik.errors import InputError
from gestik.solvers.fabrik import planar as notebook
from gestik.viewer.planar import CHAINS, WAYS, answer, setting
from gestik.viewer.planar_server import LARGEST_EVENT, PlanarServer

TARGET = [-0.35, 0.22]


@pytest.fixture(scope="module")
def server() -> Iterator[PlanarServer]:
    """A server on some free port, for all tests."""
    with PlanarServer(8131) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def event(way: str = "event", chain: str = "spiral", target: list[float] | None = None) -> dict[str, object]:
    """What the page sends."""
    points = [list(point) for point in CHAINS[chain].points]
    return {"way": way, "points": points, "target": target or TARGET}


def post(server: PlanarServer, body: bytes, host: str | None = None) -> tuple[int, dict[str, object]]:
    """Send one event and return the status and what was said."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("POST", "/event", body, {"Host": host or f"127.0.0.1:{server.port}"})
    reply = connection.getresponse()
    said = json.loads(reply.read())
    connection.close()
    return reply.status, said


def test_one_event_is_the_notebooks_to_the_last_bit() -> None:
    """Seven points, one pass there and one back; what comes over the wire is what the function says."""
    moved = answer(json.loads(json.dumps(event())))
    assert moved["points"] == notebook.drag(notebook.initial_chain(), (TARGET[0], TARGET[1]))


@pytest.mark.parametrize("chain", CHAINS)
def test_every_way_keeps_the_lengths_and_the_base(chain: str) -> None:
    """Whatever is dragged wherever, also out of reach."""
    before = np.array(CHAINS[chain].points)
    for way in WAYS:
        for target in (TARGET, [3.0, 4.0], before[0].tolist()):
            after = np.array(answer(event(way, chain, target))["points"])
            np.testing.assert_allclose(after[0], before[0], atol=1e-12)
            lengths = [np.linalg.norm(np.diff(points, axis=0), axis=1) for points in (before, after)]
            np.testing.assert_allclose(lengths[1], lengths[0], atol=1e-9)


def test_the_full_solver_arrives_where_one_event_does_not() -> None:
    """As `gestik.fabrik` does, because it is what answers."""
    once, fully = (answer(event(way, "tail", [0.4, 0.6])) for way in ("event", "full"))
    assert fully["missing"] < 1e-8 < once["missing"]
    reach = gk.fabrik(CHAINS["tail"].points, (0.4, 0.6), tolerance=1e-9)
    np.testing.assert_array_equal(fully["points"], reach.points)


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {},
        event() | {"way": "sideways"},
        event() | {"way": ["event"]},
        event() | {"points": [[0.0, 0.0]]},
        event() | {"points": [[0.0, 0.0]] * 65},
        event() | {"points": [[0.0, 0.0], [1.0]]},
        event() | {"points": [[0.0, 0.0], [1.0, "x"]]},
        event() | {"points": "points"},
        event() | {"target": [float("nan"), 0.0]},
        event() | {"target": [1e300, 0.0]},
        event() | {"target": None},
    ],
)
def test_a_wrong_event_is_refused_and_named(wrong: object) -> None:
    """One of our errors, about the value."""
    with pytest.raises(InputError, match=r"is|are"):
        answer(wrong)


def test_the_page_and_its_setting_are_served(server: PlanarServer) -> None:
    """Nothing on the page points to another machine."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/")
    page = connection.getresponse().read().decode()
    assert "Drag the red point" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")  # the name of a language, not an address
    connection.request("GET", "/setting")
    assert json.loads(connection.getresponse().read()) == json.loads(json.dumps(setting()))
    connection.request("GET", "/../../etc/passwd")
    assert connection.getresponse().status == 404
    connection.close()


def test_it_listens_on_this_machine_only(server: PlanarServer) -> None:
    """Bound to loopback, and deaf to a page elsewhere that gave this machine a name of its own."""
    assert server.server_address[0] == "127.0.0.1"
    status, _ = post(server, json.dumps(event()).encode(), host="elsewhere.example")
    assert status == 400


def test_garbage_and_vanished_clients_harm_nobody(server: PlanarServer) -> None:
    """After every kind of bad guest a good one is served as before."""
    for body in (b"", b"{", b"\xff\xfe", b"[" * 5000, b"null", b'{"way": "event"}', b"x" * (LARGEST_EVENT + 1)):
        status, said = post(server, body)
        assert status == 400
        assert said["error"]
    for rude in (b"\0\1\2\r\n\r\n", b"POST /event HTTP/1.1\r\nContent-Length: -5\r\n\r\n", b"POST /event HTT"):
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(rude)
    client = socket.create_connection(("127.0.0.1", server.port))
    client.sendall(b"POST /event HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{")  # and then nothing more
    assert post(server, json.dumps(event()).encode())[0] == 200
    client.close()


def test_ten_clients_drag_ten_chains_at_once(server: PlanarServer) -> None:
    """Each gets the chain it would have got alone."""

    def dragged(number: int) -> object:
        points = [list(point) for point in CHAINS["spiral"].points]
        for step in range(20):
            target = [-0.9 + 0.02 * step, 0.02 * number]
            status, said = post(server, json.dumps({"way": "event", "points": points, "target": target}).encode())
            assert status == 200
            points = said["points"]
        return points

    begin = time.monotonic()
    with ThreadPoolExecutor(10) as clients:
        answers = list(clients.map(dragged, range(10)))
    assert time.monotonic() - begin < 60.0
    for number, answered in enumerate(answers):
        alone = notebook.initial_chain()
        for step in range(20):
            alone = notebook.drag(alone, (-0.9 + 0.02 * step, 0.02 * number), alone[0])
        assert answered == [list(point) for point in alone]


def test_a_taken_port_gives_way_to_the_next(server: PlanarServer) -> None:
    """And says so by its address."""
    with PlanarServer(server.port) as other:
        assert other.port > server.port
