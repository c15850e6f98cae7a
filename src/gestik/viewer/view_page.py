"""The page of `gestik view`: a body with handles, sliders, methods and clips."""

from __future__ import annotations

import math
import time
from threading import Event
from typing import TYPE_CHECKING

import numpy as np

from gestik.errors import GestikError
from gestik.kernels.arrays import FloatArray
from gestik.model.joints import FrameKind
from gestik.pictures.figure import figure_size
from gestik.pictures.materials import TARGET, Material
from gestik.pictures.render import Part
from gestik.pictures.solids import capsule
from gestik.viewer.glb import encode_glb
from gestik.viewer.limit_marks import LimitMarks
from gestik.viewer.scene import SkeletonView, add_room
from gestik.viewer.serving import address, close_server, open_server, place_camera, table
from gestik.viewer.studio import Studio, Wish
from gestik.viewer.view_panel import Panel

if TYPE_CHECKING:
    import viser

    from gestik.solvers.solution import Solution

RATE = 60.0  # [Hz]
SLIDERS_EVERY = 0.25  # [s]
ONE_PULL = 1.0  # [s], within which the moves of one slider are one step to undo
GHOST = Material((0.20, 0.32, 0.62), gloss=0.2, opacity=0.30)
HANDLE = 0.16  # of the arrows, in figure sizes
DOT = 0.022  # radius of the ball a goal is taken by, likewise


class ViewPage:
    """A page in the browser.  Made, it is served; `run` brings it to life."""

    def __init__(self, studio: Studio, *, port: int = 8080) -> None:
        self.studio = studio
        self.solution: Solution | None = None
        self._server = open_server(port, "without it, gestik solve answers in words")
        self._size = figure_size(studio.skeleton)
        scene = self._server.scene
        add_room(scene, studio.skeleton)
        place_camera(self._server, studio.skeleton)
        self._figure = SkeletonView(scene, studio.skeleton)
        self._ghost = SkeletonView(scene, studio.skeleton, "/ghost", GHOST)
        self._ghost.appear(False)
        self._limits = LimitMarks(scene, studio.skeleton)
        self._handles: dict[str, viser.TransformControlsHandle] = {}
        self._changed = Event()  # something was asked or put since the last step
        self._afresh = False  # it shall begin at the posture that is held
        self._known: set[str] = set()  # methods that have answered once, and are compiled
        self._turned = "", -math.inf  # which slider was moved last, and when [s]
        self._asked = False  # a goal was moved, or who shall meet it
        self.panel = Panel(self._server.gui, self)
        self._show()

    @property
    def port(self) -> int:
        """The port it is served on: the one asked for, or the next free one."""
        return self._server.get_port()

    @property
    def address(self) -> str:
        """What to type into the browser."""
        return address(self._server)

    def close(self) -> None:
        """Stop serving."""
        close_server(self._server)

    def run(self, stop: Event, seconds: float = math.inf) -> None:
        """Answer what people do until told to stop, or for some seconds [s]."""
        end = time.monotonic() + seconds
        before, told = time.monotonic(), -math.inf
        while not stop.is_set() and (now := time.monotonic()) < end:
            step, before = now - before, now
            if self.panel.playing:
                self.play(self.panel.play_on(step))
            elif self._changed.is_set():
                self._changed.clear()
                self._answer()
            elif now - told > SLIDERS_EVERY:
                self.panel.show(self.studio.angles)
                told = now
            if self.panel.playing:
                stop.wait(max(0.0, now + 1.0 / RATE - time.monotonic()))
            else:
                self._changed.wait(1.0 / RATE)

    # --- what the panel asks for ---

    def put(self, angles: FloatArray) -> None:
        """Pose the body by hand."""
        self.studio.remember()
        self.studio.pose(angles)
        self._asked = False
        self._changed.set()

    def turn(self, dof: str, angle: float) -> None:
        """Move one slider [rad or m]."""
        if (dof, True) != (self._turned[0], time.monotonic() - self._turned[1] < ONE_PULL):
            self.studio.remember()
        self._turned = dof, time.monotonic()
        self.studio.turn(dof, angle)
        self._asked = False
        self._changed.set()

    def solve_again(self, *, afresh: bool = False) -> None:
        """Let the method answer once more; another method afresh, from the posture that is held."""
        self._asked = True
        self._afresh = afresh or self._afresh
        self._changed.set()

    def play(self, time_in_clip: float) -> None:
        """Show a moment of the clip that is chosen [s]."""
        self.studio.at(self.panel.clip, time_in_clip)
        self._show()

    def undo(self) -> None:
        """Go one step back, and leave the goals where they are."""
        self.studio.undo()
        self._asked = False
        self._changed.set()

    def ask(self, frame: str, wish: Wish) -> None:
        """Put a handle on a frame."""
        asked = self.studio.ask(frame, wish)
        if frame in self._handles:
            self._handles[frame].remove()
        name = f"/goals/{len(self._handles)}"
        handle = self._server.scene.add_transform_controls(
            name,
            scale=HANDLE * self._size,
            line_width=2.0,
            disable_rotations=wish is not Wish.STAND,
            opacity=0.7,
            position=asked.position,
            wxyz=asked.rotation,
        )
        dot = Part(capsule(DOT * self._size, DOT * self._size, 0.0), Material(TARGET, gloss=0.6))
        self._server.scene.add_glb(f"{name}/dot", encode_glb([dot]), receive_shadow=False)
        self._handles[frame] = handle

        # Asynchronous, because only then do the parts of one drag arrive in their order.
        @handle.on_update
        async def _(event: viser.TransformControlsEvent) -> None:
            if event.phase == "start":
                self.studio.remember()
            self.studio.drag(frame, handle.position, handle.wxyz)
            self.solve_again()

    def forget(self) -> None:
        """Take all handles away."""
        for handle in self._handles.values():
            handle.remove()
        self._handles.clear()
        self.studio.forget()
        self.solution = None
        self._show()

    def show_limits(self, seen: bool) -> None:
        """Show the limits, or hide them."""
        self._limits.appear(seen, self.studio.angles)

    def frames(self) -> tuple[str, ...]:
        """What a goal may name, what people would drag first in front: eyes, named frames, joints from the tips."""
        skeleton = self.studio.skeleton
        eyes = [frame.name for frame in skeleton.frames if frame.kind is FrameKind.EYE]
        others = [frame.name for frame in skeleton.frames if frame.kind is FrameKind.FRAME]
        names = dict.fromkeys([*eyes, *others, *reversed(skeleton.joint_names)])
        return tuple(name for name in names if name in skeleton.frame_names)

    # --- what it answers ---

    def _answer(self) -> None:
        """Solve if a goal asks for it, and show where that leads."""
        try:
            if self._asked and self.studio.asked:
                if self.studio.method not in self._known:
                    self.panel.say(f"{self.studio.method}: the first answer of a method takes some seconds")
                afresh, self._afresh = self._afresh, False
                self.solution = self.studio.solve(afresh=afresh)
                self._known.add(self.studio.method)
                self.panel.say("")
            self._show()
            self._compare()
        except GestikError as mistake:  # what a method cannot do is said, and the page goes on
            self.panel.say(str(mistake))
        self.panel.read(self._readings())

    def _compare(self) -> None:
        """Let a ghost stand where the other method would."""
        other = self.panel.other_method
        solution = self.studio.solution_by(other) if other else None
        if solution is not None:
            self._ghost.show(solution.angles)
        self._ghost.appear(solution is not None)

    def _show(self) -> None:
        """Move everything to where it is now."""
        with self._server.atomic():
            self._figure.show(self.studio.angles)
            self._limits.show(self.studio.angles)

    def _readings(self) -> str:
        """What the last answer was like."""
        if self.solution is None:
            return ""
        missed = [(frame, self._missed(frame)) for frame in self.studio.asked]
        broken = ", ".join(self.studio.skeleton.limit_excess(self.studio.angles)) or "none"
        return table(
            ("outcome", str(self.solution.status)),
            *missed,
            ("solve time", f"{1e6 * self.studio.solve_time:.0f} µs"),
            ("at a limit", ", ".join(self.solution.at_limit) or "none"),
            ("beyond a limit", broken),
        )

    def _missed(self, frame: str) -> str:
        """How far a frame is from what is asked of it."""
        asked, place = self.studio.asked[frame], self.studio.skeleton.forward(self.studio.angles).of(frame)
        if asked.wish is Wish.LOOK:
            from gestik.goals.metrics import aim_error

            error = aim_error(self.studio.skeleton, self.studio.angles, frame, at=asked.position)
            return f"{math.degrees(error):.2f}° off"
        return f"{1000.0 * float(np.linalg.norm(place.position - np.array(asked.position))):.1f} mm off"
