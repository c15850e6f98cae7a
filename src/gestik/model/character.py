"""A skeleton with what makes it somebody: where it looks from and the postures it knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gestik.errors import unknown_name
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton


@dataclass(frozen=True, slots=True)
class Motion:
    """How a character is played."""

    rate: float = 60.0  # [Hz], how often a performer sends angles


@dataclass(frozen=True, eq=False)
class Character:
    """Somebody: a skeleton, an eye, a library of postures.  Usually read by `gestik.load_character`."""

    name: str
    skeleton: Skeleton
    eye: str | None = None  # the frame that looks when a goal names no other; None: it has no eye
    postures: Mapping[str, Posture] = field(default_factory=dict)
    motion: Motion = Motion()

    def posture(self, name: str) -> Posture:
        """Return the posture of that name, or raise NameNotFoundError with the nearest names."""
        if name not in self.postures:
            raise unknown_name(f"posture of {self.name!r}", str(name), self.postures)
        return self.postures[name]

    def __repr__(self) -> str:
        return f"<Character {self.name!r}: {self.skeleton!r}, postures {', '.join(self.postures) or 'none'}>"
