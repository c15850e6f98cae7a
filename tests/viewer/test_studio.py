"""The studio behind `gestik view`: posing, asking, comparing, going back, keeping."""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

import gestik as gk
from gestik.errors import CapabilityError, FormatError, InputError, NameNotFoundError
from gestik.viewer.studio import Studio, Wish

WAY = np.array([0.03, 0.02, 0.02])  # m


@pytest.fixture
def own_lamp(tmp_path: Path) -> Path:
    """A copy of the lamp somebody made their own."""
    path = tmp_path / "my_lamp.toml"
    with resources.as_file(resources.files("gestik") / "characters" / "lamp.toml") as file:
        shutil.copy(file, path)
    return path


def test_it_opens_characters_skeletons_and_clips(tmp_path: Path) -> None:
    """Whatever a file holds is on the table."""
    assert set(Studio("lamp").clips) == {"nod", "wake"}
    gk.save_clip(gk.load_character("lamp").clip("nod"), tmp_path / "nod.csv")
    recorded = Studio(tmp_path / "nod.csv", skeleton="lamp")
    assert recorded.skeleton.dof_names == gk.load("lamp").dof_names
    assert set(recorded.clips) == {"nod"}
    gk.save_clip(gk.load_character("lamp").clip("nod"), tmp_path / "nod.bvh")
    assert len(Studio(tmp_path / "nod.bvh").clips) == 1
    with pytest.raises(InputError, match="skeleton"):
        Studio(tmp_path / "nod.csv")
    with pytest.raises(NameNotFoundError, match="lamp"):
        Studio("lmap")
    with pytest.raises(FormatError):
        Studio(tmp_path / "nothing.urdf")


def test_a_dragged_goal_is_met_and_the_posture_kept() -> None:
    """A place for the head, and the body stays close to how it was posed."""
    studio = Studio("lamp")
    assert studio.solve() is None
    asked = studio.ask("head", Wish.PLACE)
    before = studio.skeleton.forward(studio.angles).of("head").position
    np.testing.assert_allclose(asked.position, before)
    studio.drag("head", before + WAY, (1.0, 0.0, 0.0, 0.0))
    solution = studio.solve()
    assert solution is not None
    assert solution.reached
    np.testing.assert_array_equal(studio.angles, solution.angles)
    after = studio.skeleton.forward(studio.angles).of("head").position
    np.testing.assert_allclose(after, before + WAY, atol=1e-3)


def test_an_eye_looks_where_its_handle_is() -> None:
    """And what is no eye is refused, with the eyes there are."""
    studio = Studio("lamp")
    studio.ask("eye", Wish.LOOK)
    studio.drag("eye", (0.3, 0.3, 0.2), (1.0, 0.0, 0.0, 0.0))
    studio.solve()
    assert gk.metrics.aim_error(studio.skeleton, studio.angles, "eye", at=(0.3, 0.3, 0.2)) < 1e-3
    with pytest.raises(InputError, match="eyes here: eye"):
        studio.ask("elbow", Wish.LOOK)


def test_methods_differ_and_those_that_cannot_say_so() -> None:
    """The ghost stands where another method would; the body stays where it is."""
    studio = Studio("lamp")
    studio.ask("head", Wish.PLACE)
    studio.drag("head", (0.15, 0.1, 0.2), (1.0, 0.0, 0.0, 0.0))
    before = studio.angles
    answers = [studio.solution_by(method) for method in ("dls", "ccd")]
    assert np.abs(answers[0].angles - answers[1].angles).max() > 1e-3
    np.testing.assert_array_equal(studio.angles, before)
    assert studio.solution_by("dls", {"max_iterations": 1}).iterations <= 1
    studio.ask("eye", Wish.LOOK)
    cannot = [spec.name for spec in gk.list_solvers() if "SEVERAL_GOALS" not in str(spec.capabilities)]
    for method in cannot:
        with pytest.raises(CapabilityError, match=method):
            studio.solution_by(method)


def test_undo_goes_back_step_by_step() -> None:
    """To where it stood before each move, and no farther."""
    studio = Studio("lamp")
    first = studio.angles
    studio.remember()
    studio.turn("shoulder", 0.3)
    second = studio.angles
    studio.remember()
    studio.pose(studio.postures["shy"])
    assert studio.undo()
    np.testing.assert_array_equal(studio.angles, second)
    assert studio.undo()
    np.testing.assert_array_equal(studio.angles, first)
    assert not studio.undo()


def test_a_posture_is_kept_in_the_file_and_only_in_ones_own(own_lamp: Path) -> None:
    """It is there for whoever loads the character next; a bundled one is nobody's to write in."""
    studio = Studio(own_lamp)
    studio.turn("elbow", 0.7)
    studio.save("keen")
    kept = gk.load_character(own_lamp).posture("keen").angles_for(studio.skeleton)
    np.testing.assert_allclose(kept, studio.angles, atol=1e-4)
    assert "keen" in studio.postures
    with pytest.raises(InputError, match="character file of your own"):
        Studio("lamp").save("keen")


def test_a_clip_is_shown_moment_by_moment() -> None:
    """From its beginning."""
    studio = Studio("lamp")
    clip = studio.clips["nod"]
    np.testing.assert_allclose(studio.at("nod", 0.55), clip.at(clip.start + 0.55))
    np.testing.assert_allclose(studio.angles, clip.at(clip.start + 0.55))


def test_a_free_root_stays_where_it_is_unless_told() -> None:
    """A hand that is pulled does not carry the whole puppet off."""
    studio = Studio("puppet")
    assert studio.roots == ("pelvis",)
    hand = studio.skeleton.forward(studio.angles).of("left_hand").position
    studio.ask("left_hand", Wish.PLACE)
    studio.drag("left_hand", hand + WAY, (1.0, 0.0, 0.0, 0.0))
    before = studio.angles
    solution = studio.solve()
    assert solution is not None
    assert solution.reached
    np.testing.assert_allclose(studio.angles[:6], before[:6], atol=1e-12)
