"""A skeleton with what makes it somebody: where it looks from, the postures and the clips it knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gestik.errors import unknown_name
from gestik.model.clip import Clip
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton


@dataclass(frozen=True, slots=True)
class Motion:
    """How a character is played."""

    rate: float = 60.0  # [Hz], how often a performer sends angles


@dataclass(frozen=True, eq=False)
class Character:
    """Somebody: a skeleton, an eye, a library of postures and clips.  Usually read by `gestik.load_character`."""

    name: str
    skeleton: Skeleton
    eye: str | None = None  # the frame that looks when a goal names no other; None: it has no eye
    postures: Mapping[str, Posture] = field(default_factory=dict)
    motion: Motion = Motion()
    clips: Mapping[str, Clip] = field(default_factory=dict)

    def posture(self, name: str) -> Posture:
        """Return the posture of that name, or raise NameNotFoundError with the nearest names."""
        if name not in self.postures:
            raise unknown_name(f"posture of {self.name!r}", str(name), self.postures)
        return self.postures[name]

    def clip(self, name: str) -> Clip:
        """Return the clip of that name, or raise NameNotFoundError with the nearest names."""
        if name not in self.clips:
            raise unknown_name(f"clip of {self.name!r}", str(name), self.clips)
        return self.clips[name]

    def __repr__(self) -> str:
        postures, clips = (", ".join(named) or "none" for named in (self.postures, self.clips))
        return f"<Character {self.name!r}: {self.skeleton!r}, postures {postures}, clips {clips}>"
