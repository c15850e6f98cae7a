"""The panel of `gestik view`: methods and their options from what they declare, goals, postures, clips, joints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import gestik as gk
from gestik.errors import GestikError
from gestik.kernels.arrays import FloatArray
from gestik.pictures.figure import figure_size
from gestik.viewer.studio import AUTOMATIC, Wish

if TYPE_CHECKING:
    import viser

    from gestik.solvers.spec import Option
    from gestik.viewer.view_page import ViewPage

NOBODY = "nobody"
STILL = "by hand"  # no posture of the library, but wherever it was put
FEW = 12  # joints, up to which their sliders are open from the beginning
FINE = 1000.0  # steps of a slider


class Panel:
    """Everything beside the scene."""

    def __init__(self, gui: viser.GuiApi, page: ViewPage) -> None:
        self._gui, self._page, self._studio = gui, page, page.studio
        self._time = 0.0  # s, in the clip that plays
        self._options: list[Any] = []
        self.clip = next(iter(self._studio.clips), "")
        self._message = gui.add_markdown("", visible=False)
        with gui.add_folder("Goals"):
            self._add_goals()
        with gui.add_folder("Method"):
            self._add_methods()
        self._readings = gui.add_html("")
        with gui.add_folder("Postures"):
            self._add_postures()
        self._play: viser.GuiCheckboxHandle | None = None
        if self._studio.clips:
            with gui.add_folder("Clip"):
                self._add_clips()
        self._sliders: dict[str, Any] = {}  # viser's own type forbids to move them
        with gui.add_folder("Joints", expand_by_default=self._studio.skeleton.dof_count <= FEW):
            limits = gui.add_checkbox("Show limits", initial_value=False)
            limits.on_update(lambda _: page.show_limits(limits.value))
            self._add_sliders()

    # --- for the page ---

    @property
    def playing(self) -> bool:
        """Whether the clip runs."""
        return self._play is not None and self._play.value

    @property
    def other_method(self) -> str | None:
        """The method the ghost stands for."""
        return None if self._ghost.value == NOBODY else str(self._ghost.value)

    def play_on(self, step: float) -> float:
        """Return how far into the clip it is [s] after some more time [s]; from the end it begins again."""
        duration = self._studio.clips[self.clip].duration
        self._time = (self._time + step) % duration if duration > 0.0 else 0.0
        return self._time

    def say(self, words: str) -> None:
        """Tell what went wrong; nothing takes it away."""
        self._message.content = f"**{words}**"
        self._message.visible = bool(words)

    def read(self, html: str) -> None:
        """Show readings."""
        self._readings.content = html

    def show(self, angles: FloatArray) -> None:
        """Let the sliders stand where the joints are."""
        for (dof, slider), angle in zip(self._sliders.items(), angles.tolist(), strict=True):
            shown = round(angle * self._unit(dof), 3)
            if abs(slider.value - shown) > 1e-3:
                slider.value = min(max(shown, slider.min), slider.max)

    # --- its parts ---

    def _add_goals(self) -> None:
        gui, page = self._gui, self._page
        frame = gui.add_dropdown("Frame", page.frames())
        wish = gui.add_dropdown("Shall", tuple(wish.value for wish in Wish))
        add = gui.add_button("Add a goal to drag")
        clear = gui.add_button("Remove all goals", color="gray")
        stays = gui.add_checkbox(
            "Root stays",
            initial_value=self._studio.roots_stay,
            visible=bool(self._studio.roots),
            hint="Else the whole body goes where a goal pulls it",
        )
        clear.on_click(lambda _: page.forget())

        @stays.on_update
        def _(_: object) -> None:
            self._studio.roots_stay = stays.value
            page.solve_again(afresh=True)

        @add.on_click
        def _(_: object) -> None:
            self._try(lambda: page.ask(frame.value, Wish(wish.value)))

    def _add_methods(self) -> None:
        gui = self._gui
        names = tuple(spec.name for spec in gk.list_solvers())
        method = gui.add_dropdown("Method", (AUTOMATIC, *names), hint="Every method gestik solvers lists")
        self._ghost = gui.add_dropdown("Ghost", (NOBODY, *names), hint="Stands where another method would")
        self._option_folder = gui.add_folder("Options", visible=False)
        self._ghost.on_update(lambda _: self._page.solve_again())

        @method.on_update
        def _(_: object) -> None:
            self._studio.method, self._studio.options = method.value, {}
            self._add_options(method.value)
            self._page.solve_again(afresh=True)

    def _add_options(self, method: str) -> None:
        """Put the options of a method in the place of those of the last."""
        for handle in self._options:
            handle.remove()
        options = [option for spec in gk.list_solvers() if spec.name == method for option in spec.options]
        with self._option_folder:
            self._options = [self._add_option(option) for option in options]
        self._option_folder.visible = bool(options)

    def _add_option(self, option: Option) -> Any:
        """Add a menu for words, a number for numbers, as the method declares it."""
        label = option.name.replace("_", " ")
        hint = f"{option.help} [{option.unit}]" if option.unit else option.help
        handle: Any
        if option.choices:
            handle = self._gui.add_dropdown(label, option.choices, initial_value=str(option.default), hint=hint)
        else:
            value = option.default if isinstance(option.default, int) else float(f"{option.default:.4g}")
            step = 1 if isinstance(value, int) else 10.0 ** (math.floor(math.log10(abs(value) or 1.0)) - 1)
            handle = self._gui.add_number(label, value, min=option.lowest, max=option.highest, step=step, hint=hint)

        def choose(_: object) -> None:
            self._studio.options[option.name] = handle.value
            self._page.solve_again(afresh=True)

        handle.on_update(choose)
        return handle

    def _add_postures(self) -> None:
        gui, studio = self._gui, self._studio
        self._posture = gui.add_dropdown("Posture", (STILL, *studio.postures))
        name = gui.add_text("Name", "my posture")
        save = gui.add_button("Save in its file", disabled=studio.path is None, hint="Into the character's own file")
        rest = gui.add_button("Rest", color="gray")
        undo = gui.add_button("Undo", color="gray")
        rest.on_click(lambda _: self._page.put(studio.skeleton.rest))
        undo.on_click(lambda _: self._page.undo())

        @self._posture.on_update
        def _(_: object) -> None:
            if self._posture.value in studio.postures:
                self._page.put(studio.postures[self._posture.value])

        @save.on_click
        def _(_: object) -> None:
            self._try(lambda: self._save(name.value))

    def _save(self, name: str) -> None:
        """Keep the posture, and let the menu know it."""
        self._studio.save(name)
        self._posture.options = (STILL, *self._studio.postures)
        self.say(f"saved {name} in {self._studio.path}")

    def _add_clips(self) -> None:
        gui, studio = self._gui, self._studio
        clip = gui.add_dropdown("Clip", tuple(studio.clips), initial_value=self.clip)
        self._play = gui.add_checkbox("Play", initial_value=False)
        moment = gui.add_slider("Moment", 0.0, 1.0, 0.002, 0.0, hint="Of the whole clip")

        @clip.on_update
        def _(_: object) -> None:
            self.clip, self._time = clip.value, 0.0
            self._page.play(0.0)

        @moment.on_update
        def _(_: object) -> None:
            self._time = moment.value * studio.clips[self.clip].duration
            self._page.play(self._time)

    def _add_sliders(self) -> None:
        skeleton = self._studio.skeleton
        for dof, angle in zip(skeleton.dof_names, self._studio.angles.tolist(), strict=True):
            self._sliders[dof] = self._add_slider(dof, angle)

    def _add_slider(self, dof: str, angle: float) -> viser.GuiSliderHandle[float]:
        """Add a slider from limit to limit, in degrees or millimetres; a whole turn where there is no limit."""
        skeleton = self._studio.skeleton
        number, unit = skeleton.dof_names.index(dof), self._unit(dof)
        endless = figure_size(skeleton) if skeleton.dof_slides[number] else math.pi
        low, high = (
            round(unit * (bound if math.isfinite(bound) else side * endless), 2)
            for bound, side in ((float(skeleton.lower[number]), -1.0), (float(skeleton.upper[number]), 1.0))
        )
        low, high = min(low, angle * unit), max(high, angle * unit, low + 1e-3)
        slider = self._gui.add_slider(dof, low, high, (high - low) / FINE, angle * unit)

        @slider.on_update
        def _(event: viser.GuiEvent[viser.GuiSliderHandle[float]]) -> None:
            if event.client is not None:  # else it followed the joint itself
                self._page.turn(dof, slider.value / unit)

        return slider

    def _unit(self, dof: str) -> float:
        """What a value is multiplied by to be shown: in degrees or millimetres."""
        skeleton = self._studio.skeleton
        return 1000.0 if skeleton.dof_slides[skeleton.dof_names.index(dof)] else 180.0 / math.pi

    def _try(self, action: Any) -> None:
        """Do something, and say what is wrong with it if it cannot be done."""
        try:
            self.say("")
            action()
        except GestikError as mistake:
            self.say(str(mistake))
