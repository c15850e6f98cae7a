"""Write down what users can rely on: every public name with its signature, one per line.

``uv run python -m tests.public_surface`` renews public_surface.txt, which test_house.py compares; read the difference
before you commit it, for it is what users will notice.
"""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

RECORD = Path(__file__).with_suffix(".txt")


class Verbatim(str):
    """An annotation that prints as it was written, without the quotes of a string."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the text alone."""
        return str(self)


def signature_text(function: Any) -> str:
    """Return the signature as a reader would write it."""
    signature = inspect.signature(function)
    parameters = [p.replace(annotation=_verbatim(p.annotation)) for p in signature.parameters.values()]
    returns = _verbatim(signature.return_annotation)
    return str(signature.replace(parameters=parameters, return_annotation=returns))


def _verbatim(annotation: Any) -> Any:
    annotation = getattr(annotation, "__forward_arg__", annotation)  # the fields of a NamedTuple
    return Verbatim(annotation) if isinstance(annotation, str) else annotation


def _own_members(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the public members that a class, or a base of it inside the package, defines."""
    seen = set()
    for base in cls.__mro__:
        if base.__module__.split(".")[0] != "gestik":
            continue
        for name, member in vars(base).items():
            if not name.startswith("_") and name not in seen:
                seen.add(name)
                yield name, member


def _describe_class(path: str, cls: type) -> Iterator[str]:
    """Yield a line for the class and one for each public method, property, field or value."""
    if issubclass(cls, enum.Enum):
        yield f"{path}: " + ", ".join(cls.__members__)
    elif issubclass(cls, Exception):
        yield f"{path}: " + ", ".join(base.__name__ for base in cls.__bases__)
        return
    else:
        yield f"{path}{signature_text(cls)}"
    for name, member in _own_members(cls):
        if isinstance(member, (property, functools.cached_property)):
            getter = member.fget if isinstance(member, property) else member.func
            yield f"{path}.{name}{signature_text(getter)[len('(self)') :]}"
        elif isinstance(member, (classmethod, staticmethod)):
            yield f"{path}.{name}{signature_text(member.__func__)}"
        elif inspect.isfunction(member):
            yield f"{path}.{name}{signature_text(member)}"


def describe(path: str, value: Any) -> Iterator[str]:
    """Yield the lines of one public name: a function, a class with its members, or a module with its names."""
    if isinstance(value, ModuleType):
        yield f"{path}: module"
        for name in value.__all__:
            yield from describe(f"{path}.{name}", getattr(value, name))
    elif inspect.isclass(value):
        yield from _describe_class(path, value)
    elif callable(value):
        yield f"{path}{signature_text(value)}"
    else:
        yield f"{path}: {type(value).__name__}"


def public_surface() -> list[str]:
    """Return the lines for every name of ``gestik.__all__``, sorted by name."""
    import gestik

    return [line for name in sorted(gestik.__all__) for line in describe(name, getattr(gestik, name))]


if __name__ == "__main__":
    RECORD.write_text("\n".join(public_surface()) + "\n", encoding="utf-8")
