"""Where a performer's questions are answered: at once, at a rate of their own, or in a thread that nobody waits for."""

from __future__ import annotations

import threading
from typing import Protocol

from gestik.motion.gaze import Answer, Question


class Answerer(Protocol):
    """What finds answers; see motion/gaze.py."""

    def answer(self, question: Question) -> Answer:
        """Answer a question."""
        ...

    def forget(self) -> None:
        """Begin anew with the next question."""
        ...


class InlineDesk:
    """Answers in the tick itself, every `period` [s]; in between the last answer stands."""

    def __init__(self, gaze: Answerer, period: float) -> None:
        self._gaze, self._period = gaze, period
        self._last: Answer | None = None

    def ask(self, question: Question) -> Answer | None:
        """The newest answer there is."""
        if self._last is None or question.time - self._last.time >= self._period * (1.0 - 1e-6):
            self._last = self._gaze.answer(question)
        return self._last

    def forget(self) -> None:
        """There is nothing to look at any more."""
        if self._last is not None:
            self._last = None
            self._gaze.forget()

    def close(self) -> None:
        """Nothing is running."""


class ThreadDesk:
    """Answers in a thread: a question replaces the one before it, and whoever asks takes the newest answer along."""

    def __init__(self, gaze: Answerer) -> None:
        self._gaze = gaze
        self._changed = threading.Condition()
        self._question: Question | None = None
        self._answer: Answer | None = None
        self._scene = 0  # counts what was forgotten, so that a late answer to an old scene is not taken for a new one
        self._open = True
        self._thread = threading.Thread(target=self._work, name="gestik gaze", daemon=True)
        self._thread.start()

    def ask(self, question: Question) -> Answer | None:
        """The newest answer there is; never waits for one."""
        with self._changed:
            self._question = question
            self._changed.notify()
            return self._answer

    def forget(self) -> None:
        """There is nothing to look at any more."""
        with self._changed:
            if self._question is not None or self._answer is not None:
                self._question = self._answer = None
                self._scene += 1

    def close(self) -> None:
        """End the thread; an answer under way is not waited for."""
        with self._changed:
            self._open = False
            self._changed.notify()

    def _work(self) -> None:
        """Answer the newest question, again and again."""
        scene = 0
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._question is not None or not self._open)
                question, self._question = self._question, None
                if question is None or not self._open:
                    return
                if scene != self._scene:
                    self._gaze.forget()
                    scene = self._scene
            answer = self._gaze.answer(question)
            with self._changed:
                if scene == self._scene:
                    self._answer = answer
