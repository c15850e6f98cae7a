"""The compiler: where it keeps its work, what it says, and that it changes no answer."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gestik.kernels import jit, measures, quaternion, vector
from gestik.kernels.chain import pose_chain
from gestik.kernels.chain_table import POSE_WIDTH
from gestik.kernels.forward import forward_rows
from gestik.model.chain import cut_chain
from tests.kernels.trees import random_angles, random_tree

compiled = pytest.mark.skipif(jit.numba.config.DISABLE_JIT, reason="the compiler is switched off")

# One tiny kernel: it compiles in a second or two.
TINY = "from gestik.kernels.vector import norm; print(norm((3.0, 4.0, 0.0)))"


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done


@compiled
def test_the_first_run_says_that_it_compiles_and_the_second_one_is_silent(tmp_path: Path) -> None:
    """On stderr, once, with the folder; what it compiled lies in folders named by digests."""
    first = run(TINY, GESTIK_CACHE_DIR=str(tmp_path))
    assert first.stdout == "5.0\n"
    assert first.stderr.count("gestik: compiling") == 1
    assert str(tmp_path) in first.stderr
    assert all(re.fullmatch("[0-9a-f]{16}", folder.name) for folder in tmp_path.iterdir())
    assert any(tmp_path.rglob("*.nbi"))
    second = run(TINY, GESTIK_CACHE_DIR=str(tmp_path))
    assert (second.stdout, second.stderr) == ("5.0\n", "")


@compiled
def test_without_a_folder_it_compiles_every_time_and_says_so() -> None:
    """A place that cannot be written, as on a read-only system, stops nobody."""
    done = run(TINY, GESTIK_CACHE_DIR=f"{os.devnull}/nowhere")
    assert done.stdout == "5.0\n"
    assert "no folder can be written" in done.stderr


def test_an_edit_renames_the_folder_of_every_module_that_can_feel_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However far away the edited helper is imported: the compiler itself would not notice. Others keep theirs."""
    files = {
        "far.py": "a = 1\n",
        "room/near.py": "from gestik import (\n    far,\n)\n",
        "room/caller.py": "def f():\n    from gestik.room.near import far\n",
        "room/stranger.py": "import gestik.room.nobody\n",
    }
    (tmp_path / "room").mkdir()

    def digests() -> list[str]:
        jit._imports.cache_clear()
        jit._digest.cache_clear()
        return [jit._digest(tmp_path / "room" / f"{name}.py") for name in ("caller", "stranger")]

    monkeypatch.setattr(jit, "PACKAGE", tmp_path)
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    before = digests()
    (tmp_path / "far.py").write_text("a = 2\n", encoding="utf-8")
    after = digests()
    assert after[0] != before[0]
    assert after[1] == before[1]


@compiled
def test_a_kernel_typed_into_a_shell_works_without_a_folder() -> None:
    """Extensions may be tried out by hand, where there is no file to name a folder after."""
    typed = "@kernel\ndef twice(x):\n    return 2.0 * x\nprint(twice(4.0))"
    assert run(f"from gestik.kernels.jit import kernel\nexec({typed!r})").stdout == "8.0\n"


def test_the_compilers_own_settings_are_left_alone() -> None:
    """Whoever else compiles in this process keeps their cache folder."""
    before = jit.numba.config.CACHE_DIR
    jit.kernel(lambda x: x)
    assert before == jit.numba.config.CACHE_DIR


@compiled
@pytest.mark.parametrize("seed", range(3))
def test_compiled_code_gives_the_answers_of_plain_python(seed: int) -> None:
    """To rounding, on small kernels and on a whole chain: fused products may move the last digits only."""
    rng = np.random.default_rng(seed)
    a, b = tuple(rng.normal(size=4).tolist()), tuple(rng.normal(size=4).tolist())
    v = tuple(rng.normal(size=3).tolist())
    for function, arguments in (
        (quaternion.multiply, (a, b)),
        (quaternion.rotation_vector, (a,)),
        (quaternion.twist_angle, (a, v)),
        (vector.wrap_angle, (100.0 * v[0],)),
        (vector.angle_between, (v, a[:3])),
        (measures.chord_measure, (abs(v[0]),)),
    ):
        np.testing.assert_allclose(function(*arguments), function.py_func(*arguments), rtol=1e-12, atol=1e-12)

    skeleton = random_tree(seed)
    angles = random_angles(skeleton, seed)
    fast, slow = (np.empty((skeleton.joint_count, 7)) for _ in range(2))
    for function, filled in ((forward_rows, fast), (forward_rows.py_func, slow)):
        positions, rotations = np.empty((skeleton.joint_count, 3)), np.empty((skeleton.joint_count, 4))
        function(skeleton.arrays, angles, positions, rotations)
        filled[:] = np.hstack((positions, rotations))
    np.testing.assert_allclose(fast, slow, atol=1e-12)

    chain = cut_chain(skeleton, skeleton.frame("tool"))
    fast, slow = (np.empty((len(chain.rows), POSE_WIDTH)) for _ in range(2))
    pose_chain(chain.arrays, angles[chain.dofs], fast)
    pose_chain.py_func(chain.arrays, angles[chain.dofs], slow)
    np.testing.assert_allclose(fast, slow, atol=1e-12)


@jit.kernel
def _summed(things: tuple[np.ndarray, float]) -> float:
    """Sum an array that was borrowed along with a number."""
    lent = jit.borrowed(things)
    return lent[0].sum() * lent[1]


def test_borrowed_arrays_are_the_arrays_themselves() -> None:
    """A tuple of arrays lent out reads the same memory, and its owner lives on."""
    array = np.arange(5.0)
    assert _summed((array, 2.0)) == 20.0
    assert jit.borrowed(array)[3] == 3.0
    np.testing.assert_array_equal(array, np.arange(5.0))
