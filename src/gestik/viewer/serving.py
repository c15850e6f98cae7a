"""Opening a page: on this machine only, in our colours, with the figure in the middle."""

from __future__ import annotations

import math
from contextlib import redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np

from gestik.errors import MissingExtraError
from gestik.model.skeleton import Skeleton
from gestik.pictures.figure import figure_size, upright

if TYPE_CHECKING:
    import viser

HOST = "127.0.0.1"  # nobody else on the network is invited
ACCENT = (29, 138, 140)  # sRGB bytes, of buttons and menus
FIELD_OF_VIEW = math.radians(30.0)
CAMERA = (2.35, -1.85, 1.10)  # in figure sizes, in a world whose z points up
LOOK_AT = (0.42, 0.16, 0.42)  # to the figure's left, so that it stands beside the panel


def open_server(port: int, instead: str) -> viser.ViserServer:
    """Return a server on a port, or on the next free one.

    Args:
        port: to be served on.
        instead: what to do without the extra, when it is missing.
    """
    try:
        import viser
    except ImportError as missing:
        raise MissingExtraError(f'the page needs viser: pip install "gestik[viewer]"; {instead}') from missing
    with redirect_stdout(StringIO()):  # viser greets in its own words, and we have ours
        server = viser.ViserServer(host=HOST, port=port, label="gestik", verbose=False)
    server.gui.configure_theme(control_width="small", show_logo=False, show_share_button=False, brand_color=ACCENT)
    server.gui.set_panel_label("gestik")
    return server


def close_server(server: viser.ViserServer) -> None:
    """Stop serving."""
    with redirect_stdout(StringIO()):
        server.stop()


def address(server: viser.ViserServer) -> str:
    """What to type into the browser."""
    return f"http://{HOST}:{server.get_port()}"


def place_camera(server: viser.ViserServer, skeleton: Skeleton) -> None:
    """Let whoever comes see the figure from the front and a little above."""
    size, turn = figure_size(skeleton), upright(skeleton).T
    camera = server.initial_camera
    camera.position = size * (turn @ np.array(CAMERA))
    camera.look_at = size * (turn @ np.array(LOOK_AT))
    camera.up = skeleton.up
    camera.fov = FIELD_OF_VIEW


def table(*rows: tuple[str, str]) -> str:
    """Return names and readings as a small table, for the panel."""
    cells = "".join(
        f'<tr><td style="color:#888">{name}</td><td style="text-align:right">{value}</td></tr>' for name, value in rows
    )
    style = "width:100%;padding:0 0.75em;font-size:0.85em;font-variant-numeric:tabular-nums"
    return f'<table style="{style}">{cells}</table>'
