"""Names as other programs give them, with what ours may not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def plain_names(names: Sequence[str]) -> list[str]:
    """The names without the part before a colon, as in ``mixamorig:Hips``; with an underscore where that is needed."""
    bare = [name.rpartition(":")[2] for name in names]
    times = Counter(bare)
    pairs = zip(names, bare, strict=True)
    return [short if short and times[short] == 1 else name.replace(":", "_") for name, short in pairs]


def told_apart(names: Sequence[str]) -> list[str]:
    """The names as `plain_names` gives them, those that come again with .2, .3 and so on behind them."""
    taken: set[str] = set()
    counts: Counter[str] = Counter()
    apart = []
    for name in plain_names(names):
        counts[name] += 1
        own = name if counts[name] == 1 else f"{name}.{counts[name]}"
        while own in taken:
            counts[name] += 1
            own = f"{name}.{counts[name]}"
        taken.add(own)
        apart.append(own)
    return apart
