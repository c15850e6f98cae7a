"""TOML from strangers, and tables that notice every key nobody asked for."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from gestik.errors import FormatError
from gestik.formats.files import read_bytes
from gestik.model.faults import Faults, shown

Value = TypeVar("Value")

BYTE_LIMIT = 1_000_000
# The parser's memory grows with the square of the parts of a dotted key, and a key fits one line.
DOT_LIMIT = 32


def read_text(path: Path) -> str:
    """Return a TOML file as text, or raise FormatError that names it."""
    try:
        return read_bytes(path, BYTE_LIMIT).decode("utf-8-sig")  # editors on Windows put a mark in front
    except UnicodeDecodeError as fault:
        raise FormatError(f"{str(path)!r} is not UTF-8 text: {fault}") from fault


def parse(text: str, source: str) -> dict[str, Any]:
    """Return a TOML document as plain values, or raise FormatError that names `source`."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > DOT_LIMIT:
            raise FormatError(f"{source!r} cannot be read as TOML: more than {DOT_LIMIT} dots in line {number}")
    try:
        return tomllib.loads(text)
    except RecursionError as fault:
        raise FormatError(f"{source!r} cannot be read as TOML: nested too deep") from fault
    except ValueError as fault:  # the parser's own error is one, and so are impossible dates and endless integers
        raise FormatError(f"{source!r} cannot be read as TOML: {fault}") from fault


class Table:
    """One table being read.  Faults go to one list for the whole document; `close` adds the keys nobody asked for."""

    def __init__(self, place: str, content: Mapping[str, Any], faults: Faults) -> None:
        self.place = place
        self._content = content
        self.faults = faults
        self._asked: dict[str, None] = {}
        self._below: list[Table] = []

    def __contains__(self, key: str) -> bool:
        self._asked[key] = None
        return key in self._content

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value as it stands, for a builder that checks it."""
        return self._content[key] if key in self else default

    def take(self, key: str, read: Callable[[object], Value], default: Value) -> Value:
        """Return ``read(value)``, or `default` where the key is left out or its value is a fault."""
        if key not in self:
            return default
        return self.faults.take(f"{self.place}: {key}", read, self._content[key], default)

    def need(self, key: str, read: Callable[[object], Value], default: Value) -> Value:
        """Like `take`, but leaving the key out is a fault."""
        if key not in self:
            self.fault(f"{key} is missing")
        return self.take(key, read, default)

    def names(self) -> list[str]:
        """Every key, for a table whose keys are names and not words of the format."""
        self.ignore_rest()
        return list(self._content)

    def named_values(self) -> dict[str, object]:
        """Every value by its name; TOML reads ``hip.z = 1`` as a table of its own, and it is meant as one name."""
        values: dict[str, object] = {}
        for name in self.names():
            value = self._content[name]
            parts = {f"{name}.{part}": own for part, own in value.items()} if isinstance(value, dict) else None
            values.update({name: value} if parts is None else parts)
        return values

    def table(self, key: str) -> Table:
        """Return the table [key], empty where it is left out or is none."""
        content = self.get(key, {})
        if not isinstance(content, dict):
            self.fault(f"{key} is {shown(content)}, where a table is expected")
            content = {}
        return self._open(key, content)

    def tables(self, sort: str) -> Iterator[tuple[str, Table]]:
        """Yield the tables [sort.NAME] in their order, each with its name."""
        named = self.get(sort, {})
        if not isinstance(named, dict):
            self.fault(f"{sort} is {shown(named)}, where tables [{sort}.NAME] are expected")
            return
        for name, content in named.items():
            if not isinstance(content, dict):
                self.fault(f"{sort}.{shown(name)} is {shown(content)}, where a table [{sort}.NAME] is expected")
                continue
            yield name, self._open(f"{sort} {shown(name)}", content)

    def fault(self, reason: str) -> None:
        """Note a fault of the table as a whole."""
        self.faults.add(f"{self.place}: {reason}")

    def ignore_rest(self) -> None:
        """Accept whatever else the table holds, once it is clear that nothing in it can be understood."""
        self._asked.update(dict.fromkeys(self._content))

    def close(self) -> None:
        """Note every key nobody asked for, here and in the tables below, with the nearest of those that were."""
        for key in self._content:
            if key not in self._asked:
                self.faults.unknown(self.place, "key", key, self._asked)
        for table in self._below:
            table.close()

    def _open(self, place: str, content: Mapping[str, Any]) -> Table:
        """A table below this one."""
        table = Table(place, content, self.faults)
        self._below.append(table)
        return table
