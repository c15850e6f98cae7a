"""A list of faults that grows while a model is read and checked, so that all of them are told at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

from gestik.errors import unknown_name

Value = TypeVar("Value")

# Looking for near names is slow; a hostile file with a hundred thousand wrong names must not take minutes.
HINT_LIMIT = 20
HINTED_NAMES_LIMIT = 1000
HINTED_LENGTH_LIMIT = 200
SHOWN_LENGTH = 60


def shown(value: object) -> str:
    """`value` as a message quotes it: on one line, cut when long."""
    if isinstance(value, str):
        value = value[: SHOWN_LENGTH + 1]
    text = " ".join(repr(value).split())
    return text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 3] + "..."


class Faults:
    """Every fault found so far, in the order found."""

    def __init__(self, faults: Iterable[str] = ()) -> None:
        self._faults = list(faults)
        self._hints_given = 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._faults)

    def __len__(self) -> int:
        return len(self._faults)

    def add(self, fault: str) -> None:
        """Note one fault; the text says where it is and what would be right."""
        self._faults.append(fault)

    def extend(self, others: Iterable[str]) -> None:
        """Note the faults of another list too."""
        self._faults.extend(others)

    def take(self, place: str, read: Callable[[object], Value], value: object, default: Value) -> Value:
        """Return ``read(value)``; where that raises ValueError, note why and return `default` instead."""
        try:
            return read(value)
        except ValueError as fault:
            self.add(f"{place} {fault}")
            return default

    def unknown(self, place: str, kind: str, name: str, known: Collection[str]) -> None:
        """Note a name nothing has, with the nearest right ones while that is cheap."""
        if self._hints_given < HINT_LIMIT and len(known) <= HINTED_NAMES_LIMIT and len(name) <= HINTED_LENGTH_LIMIT:
            self._hints_given += 1
            self.add(f"{place}: {unknown_name(kind, name, known)}")
        else:
            self.add(f"{place}: no {kind} is called {shown(name)}")
