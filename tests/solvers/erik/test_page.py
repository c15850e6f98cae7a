"""The page on ERIK tells the truth: its examples run, and every function it names is there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import gestik as gk
from gestik.solvers.methods import SOLVERS

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/methods/erik.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
FUNCTION = re.compile(r"`(kernels/)?([a-z_]+)\.([A-Za-z_]+)`")
PICTURES = re.findall(r"\]\((\S+\.(?:svg|png))\)", PAGE)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_its_examples_run(number: int) -> None:
    """As they stand; the last one compiles a method of its own, and leaves it in the list no longer than it runs."""
    known = set(SOLVERS)
    try:
        exec(compile(BLOCKS[number], "<snippet>", "exec"), {"__name__": "__main__"})
    finally:
        for name in set(SOLVERS) - known:
            del SOLVERS[name]


def test_every_function_of_the_map_exists() -> None:
    """In the table of algorithms and in the drawing of the map."""
    table = PAGE[PAGE.index("| the paper's | here") : PAGE.index("## What we corrected")]
    named = [(bool(kernels), module, name) for kernels, module, name in FUNCTION.findall(table)]
    drawn = re.findall(r">([a-z_]+)\.([a-z_]+)</text>", (ROOT / "docs/methods/erik-map.svg").read_text())
    named += [(module in {"best_turn", "quaternion"}, module, name) for module, name in drawn]
    assert len(named) > 40
    for is_kernel, module, name in named:
        if (module, name) == ("Work", "warped"):
            continue
        home = f"gestik.kernels.{module}" if is_kernel else f"gestik.solvers.erik.{module}"
        assert hasattr(import_module(home), name), f"{home}.{name}"


def test_its_table_of_options_is_complete() -> None:
    """Every option has its row."""
    erik = next(spec for spec in gk.list_solvers() if spec.name == "erik")
    table = PAGE[PAGE.index("## Options") : PAGE.index("## How well")]
    assert re.findall(r"^\| `([a-z_]+)` \|", table, re.MULTILINE) == [option.name for option in erik.options]


def test_its_pictures_are_there() -> None:
    """Beside the page."""
    assert len(PICTURES) == 5
    assert all((ROOT / "docs/methods" / picture).is_file() for picture in PICTURES)
