"""Characters know their postures and clips by name."""

from __future__ import annotations

import pytest

from gestik.errors import NameNotFoundError
from gestik.model.character import Character
from gestik.model.clip import Clip
from gestik.model.posture import Posture
from tests.model.samples import crane


def test_a_character_finds_its_postures_by_name() -> None:
    """A known name returns the posture, and the representation lists what there is."""
    bow = Posture({"lift": 0.5})
    character = Character("builder", crane(), postures={"bow": bow})
    assert character.posture("bow") is bow
    assert repr(character).endswith("postures bow, clips none>")
    assert character.motion.rate == 60.0


@pytest.mark.parametrize(("postures", "hint"), [({"proud": Posture([0.0])}, "did you mean 'proud'"), ({}, "are none")])
def test_an_unknown_posture_is_answered_with_the_nearest_ones(postures: dict[str, Posture], hint: str) -> None:
    """A wrong name raises and helps."""
    with pytest.raises(NameNotFoundError, match=hint):
        Character("builder", crane(), postures=postures).posture("prowd")


def test_a_character_finds_its_clips_by_name() -> None:
    """A known name returns the clip, a wrong one raises and helps."""
    skeleton = crane()
    wave = Clip("wave", skeleton, [0.0], [skeleton.rest])
    character = Character("builder", skeleton, clips={"wave": wave})
    assert character.clip("wave") is wave
    with pytest.raises(NameNotFoundError, match="no clip of 'builder' is called 'save'; did you mean 'wave'"):
        character.clip("save")
