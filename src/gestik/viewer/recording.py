"""What was played, kept as a clip."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gestik.errors import InputError
from gestik.formats.save import save_clip
from gestik.kernels.arrays import FloatArray
from gestik.model.clip import SHORTEST_STEP, Clip
from gestik.model.skeleton import Skeleton
from gestik.viewer.act import Reading

LONGEST = 36_000  # postures: ten minutes at sixty a second


class Recording:
    """Postures in the order they were shown; of a play that goes on and on, the first ten minutes."""

    def __init__(self, skeleton: Skeleton) -> None:
        self._skeleton = skeleton
        self._times: list[float] = []
        self._angles: list[FloatArray] = []

    def add(self, reading: Reading) -> None:
        """Keep one moment."""
        if len(self._times) < LONGEST and (not self._times or reading.time > self._times[-1] + SHORTEST_STEP):
            self._times.append(reading.time)
            self._angles.append(reading.angles)

    def save(self, path: Path) -> Clip:
        """Write it to a file and return it; raise InputError when nothing was played."""
        if not self._times:
            raise InputError("nothing was played, so there is nothing to record")
        times = np.array(self._times) - self._times[0]
        clip = Clip(path.stem or "demo", self._skeleton, times, np.array(self._angles))
        save_clip(clip, path)
        return clip
