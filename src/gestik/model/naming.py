"""Finding a frame by the name people use for it, plain or with its kind in front: ``head`` or ``eye:head``."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from gestik.errors import InputError, NameNotFoundError, unknown_name
from gestik.model.joints import Frame, FrameKind

# Two frames this close [m, and per quaternion component] are the same place.
SAME_PLACE = 1e-9


class FrameIndex:
    """Frames by name.  A name two kinds share is good as long as both mean the same place."""

    def __init__(self, frames: Iterable[Frame] = ()) -> None:
        self._namesakes: dict[str, list[Frame]] = {}
        for frame in frames:
            self.add(frame)

    def add(self, frame: Frame) -> None:
        """Make one more frame known."""
        self._namesakes.setdefault(frame.name, []).append(frame)

    @property
    def bare_names(self) -> Collection[str]:
        """Every name without its kind."""
        return self._namesakes.keys()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that can be asked for; with the kind in front where the bare name would be ambiguous."""
        names: list[str] = []
        for name, namesakes in self._namesakes.items():
            names.extend([name] if _agree(namesakes) else [f"{frame.kind}:{name}" for frame in namesakes])
        return tuple(names)

    def holds(self, name: str) -> bool:
        """Whether anything is called so, with or without its kind in front."""
        kind, colon, bare = name.partition(":")
        if not colon:
            return name in self._namesakes
        return any(frame.kind == kind for frame in self._namesakes.get(bare, ()))

    def find(self, name: str) -> Frame:
        """Return the frame of that name, or raise NameNotFoundError with the nearest right names."""
        if not isinstance(name, str):
            raise InputError(f"a frame is asked for by its name, not by {name!r}")
        kind, colon, bare = name.partition(":")
        namesakes = self._namesakes.get(bare if colon else name, [])
        if colon:
            if kind not in {known.value for known in FrameKind}:
                raise unknown_name("kind of frame", kind, [known.value for known in FrameKind])
            namesakes = [frame for frame in namesakes if frame.kind == kind]
        if not namesakes:
            raise unknown_name("frame", name, self.names)
        if not _agree(namesakes):
            choices = " or ".join(repr(f"{frame.kind}:{frame.name}") for frame in namesakes)
            raise NameNotFoundError(f"{name!r} names several places; say {choices}")
        # Of an eye and a joint in one place the eye knows more.
        return next((frame for frame in namesakes if frame.axis is not None), namesakes[0])


def _agree(namesakes: list[Frame]) -> bool:
    """Whether all frames of one name are the same place."""
    first, *others = namesakes
    return all(_same_place(first, other) for other in others)


def _same_place(a: Frame, b: Frame) -> bool:
    """Whether two frames sit on the same row in the same way; q and -q are the same rotation."""
    if a.row != b.row:
        return False
    sign = 1.0 if sum(p * q for p, q in zip(a.rotation, b.rotation, strict=True)) >= 0.0 else -1.0
    apart = [p - q for p, q in zip(a.position, b.position, strict=True)]
    apart += [p - sign * q for p, q in zip(a.rotation, b.rotation, strict=True)]
    return max(map(abs, apart)) < SAME_PLACE
