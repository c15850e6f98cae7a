"""One family of exceptions: a programming mistake raises one of these, a numerical outcome never does.

Every message names the offending value and, where there is a finite set of right answers, lists them.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class GestikError(Exception):
    """Base of everything this package raises on purpose."""


class ModelError(GestikError, ValueError):
    """A skeleton cannot be built; carries every fault found, not only the first."""

    def __init__(self, subject: str, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        lines = "".join(f"\n  - {fault}" for fault in self.faults)
        super().__init__(f"{subject}: {len(self.faults)} fault(s){lines}")


class FormatError(GestikError, ValueError):
    """A file cannot be read: truncated, malformed, hostile, or of a kind we do not know."""


class FormatWarning(UserWarning):
    """A file was read, but something in it that matters cannot be kept; the message says what."""


class NameNotFoundError(GestikError, LookupError):
    """A joint, frame, posture, method or option of that name does not exist, or the name is ambiguous."""


class InputError(GestikError, ValueError):
    """A value handed in has the wrong shape, is not finite, or lies outside its range."""


class CapabilityError(GestikError, ValueError):
    """The chosen method cannot do what the goals ask for."""


class MissingExtraError(GestikError, ImportError):
    """An optional part of gestik is needed and not installed; the message says what to install."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> NameNotFoundError:
    """Build the error for a wrong name: the nearest right ones first, all of them when they are few."""
    names = sorted(known)
    near = get_close_matches(name, names, n=5, cutoff=0.5)
    if near:
        hint = "did you mean " + ", ".join(repr(n) for n in near) + "?"
    elif names and len(names) <= 20:
        hint = "choose from " + ", ".join(repr(n) for n in names)
    elif names:
        hint = f"there are {len(names)}, the first are " + ", ".join(repr(n) for n in names[:8])
    else:
        hint = "there are none"
    return NameNotFoundError(f"no {kind} is called {name!r}; {hint}")
