"""The habits of the house that no linter knows: what importing costs, what is public, what no file may say."""

from __future__ import annotations

import difflib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import gestik
from tests.public_surface import RECORD, public_surface

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (".ci", "benchmarks", "changelog", "docs", "examples", "src", "tests", "tools")
HEAVY = {"distributed", "matplotlib", "mujoco", "numba", "pyarrow", "scipy", "viser"}
LONGEST_FILE = 450  # lines

LOAD_A_FILE = "import gestik; gestik.load('lamp')"
LOAD_A_CHARACTER = "import gestik; gestik.load_character('lamp')"
ASK_FOR_HELP = """
import sys
sys.argv = ["gestik", "--help"]
from gestik.cli import main
try:
    main()
except SystemExit as leaving:
    assert not leaving.code, leaving.code
"""


def run_python(code: str) -> str:
    """Run code in a fresh interpreter and return what it printed."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def seconds_of(code: str) -> float:
    """Return the seconds a fresh interpreter spends in the code, the best of seven, start-up left out."""
    timed = f"from time import perf_counter as _now\n_began = _now()\n{code}\nprint(_now() - _began)"
    return min(float(run_python(timed).splitlines()[-1]) for _ in range(7))


@pytest.mark.parametrize("code", ["import gestik", LOAD_A_FILE, LOAD_A_CHARACTER, ASK_FOR_HELP])
def test_importing_loading_and_helping_bring_in_no_heavy_package(code: str) -> None:
    """Importing gestik, loading a file and asking for help import neither numba nor an optional package."""
    imported = run_python(f"{code}\nimport sys\nprint(*sys.modules)").splitlines()[-1].split()
    assert not HEAVY.intersection(imported)


def test_the_command_answers_as_a_module_too() -> None:
    """`python -m gestik --help` shows the commands."""
    done = subprocess.run(
        [sys.executable, "-m", "gestik", "--help"], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "demo" in done.stdout


@pytest.mark.timing
def test_importing_gestik_adds_at_most_a_tenth_of_a_second_to_numpy() -> None:
    """`import gestik` costs at most 0.1 s more than `import numpy`."""
    assert seconds_of("import gestik") - seconds_of("import numpy") <= 0.1


@pytest.mark.timing
def test_help_appears_within_half_a_second() -> None:
    """`gestik --help` takes at most 0.5 s, from the call of the command to its end."""
    assert seconds_of(ASK_FOR_HELP) <= 0.5


def test_the_public_surface_is_the_recorded_one() -> None:
    """Every public name has the recorded signature; `python -m tests.public_surface` renews the record."""
    recorded = RECORD.read_text(encoding="utf-8").splitlines()
    difference = list(difflib.unified_diff(recorded, public_surface(), "recorded", "found", lineterm="", n=0))
    assert not difference, "\n" + "\n".join(difference)


def test_every_public_name_is_listed_once_and_seen_by_dir() -> None:
    """`gestik.__all__` holds each name once, and `dir(gestik)` offers all of them to whoever presses Tab."""
    assert len(set(gestik.__all__)) == len(gestik.__all__)
    assert set(gestik.__all__) <= set(dir(gestik))


def test_an_unknown_public_name_raises_attribute_error() -> None:
    """A misspelt name is an AttributeError, so that hasattr and star imports keep working."""
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = gestik.no_such_name


def callables_of(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a public function or class with its name, or those of a public module."""
    if isinstance(value, ModuleType):
        for name in value.__all__:
            yield from callables_of(f"{path}.{name}", getattr(value, name))
    elif callable(value):
        yield path, value


@pytest.mark.parametrize("name", gestik.__all__)
def test_every_public_callable_is_documented_and_typed(name: str) -> None:
    """Every public function and class has a docstring of its own and a type on every parameter."""
    for path, value in callables_of(name, getattr(gestik, name)):
        assert value.__doc__, f"{path} has no docstring"
        if inspect.isclass(value) and issubclass(value, (Exception, Enum)):
            continue
        signature = inspect.signature(value)
        untyped = [p.name for p in signature.parameters.values() if p.annotation is inspect.Parameter.empty]
        assert not untyped, f"{path} leaves {untyped} without a type"
        assert inspect.isclass(value) or signature.return_annotation is not inspect.Signature.empty, path


def text_files() -> Iterator[tuple[Path, str]]:
    """Yield every text file of the repository with its content."""
    top = [path for path in ROOT.iterdir() if path.is_file() and path.name not in {"uv.lock", ".git", ".coverage"}]
    nested = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    for path in top + nested:
        if "__pycache__" not in path.parts:
            content = path.read_bytes()
            if b"\0" not in content:
                yield path.relative_to(ROOT), content.decode("utf-8")


# Each word is broken in two, so that this file may say what no file may say.
REGISTRIES = ("pypi" r"\.org", "python" r"hosted\.", "npm" r"js\.", "un" r"pkg\.", "js" r"delivr\.", "ana" r"conda\.")
MACHINE_PATHS = ("work", "root", "home", "Users", "mnt")
FORBIDDEN = re.compile("|".join([*REGISTRIES, *(rf"(?<![\w.~])/{folder}/\w" for folder in MACHINE_PATHS)]))


def test_no_file_names_a_package_registry_or_a_path_of_one_machine() -> None:
    """A clone works anywhere: no file says where packages come from or where somebody keeps their files."""
    found = [
        f"{path}:{number}: {line.strip()}"
        for path, content in text_files()
        for number, line in enumerate(content.splitlines(), start=1)
        if FORBIDDEN.search(line)
    ]
    assert not found, "\n" + "\n".join(found)


def test_no_source_file_outgrows_its_reader() -> None:
    """Python files stay short enough to read in one sitting."""
    too_long = {
        str(path): count
        for path, content in text_files()
        if path.suffix == ".py" and (count := content.count("\n")) > LONGEST_FILE
    }
    assert not too_long
