"""MuJoCo judges forward kinematics on the models that come with Gymnasium, made for it by many hands.

    uv run --with pin --with example-robot-data --with gymnasium pytest tests/judges

Without this package the tests are skipped.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from gestik.formats.load import load
from tests.formats.mujoco_judge import assert_stands_as_in_mujoco, mujoco
from tests.model.samples import assert_sound

try:
    MODELS = Path(distribution("gymnasium").locate_file("gymnasium/envs/mujoco/assets"))
except PackageNotFoundError:
    pytest.skip("the models are not installed", allow_module_level=True)


@pytest.mark.parametrize("name", sorted(path.name for path in MODELS.glob("*.xml")))
def test_every_body_of_a_published_model_stands_where_mujoco_says(name: str) -> None:
    """Ants, cheetahs, humanoids and their like, at 25 random poses each, to 1e-12 of the model's size."""
    skeleton = load(MODELS / name)
    assert_sound(skeleton)
    assert_stands_as_in_mujoco(skeleton, mujoco.MjModel.from_xml_path(str(MODELS / name)))


def test_a_model_that_mujoco_made_whole_is_read(tmp_path: Path) -> None:
    """The way out that a refused <include> names works; MuJoCo writes six digits, so the written file is compared."""
    part = tmp_path / "part.xml"
    part.write_text(f'<mujoco><include file="{MODELS / "humanoid.xml"}"/></mujoco>', encoding="utf-8")
    whole = tmp_path / "whole.xml"
    spec = mujoco.MjSpec.from_file(str(part))
    spec.compile()
    spec.to_file(str(whole))
    assert_stands_as_in_mujoco(load(whole), mujoco.MjModel.from_xml_path(str(whole)))
