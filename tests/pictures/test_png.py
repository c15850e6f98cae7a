"""PNG files: what is written is what any reader reads."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.pictures.png import encode_png, write_png
from tests.pictures.png_reader import read_png


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (64, 40)])
def test_a_picture_comes_back_byte_for_byte(shape: tuple[int, int]) -> None:
    """Noise has no pattern a wrong filter could hide behind."""
    picture = np.random.default_rng(1).integers(0, 256, (*shape, 3), dtype=np.uint8)
    np.testing.assert_array_equal(read_png(encode_png(picture)), picture)


def test_smooth_pictures_pack_well(tmp_path) -> None:
    """A gradient takes a small part of its raw size."""
    rows, columns = np.indices((200, 200))
    picture = np.stack([rows, columns, (rows + columns) // 2], axis=-1).astype(np.uint8)
    write_png(tmp_path / "gradient.png", picture)
    data = (tmp_path / "gradient.png").read_bytes()
    np.testing.assert_array_equal(read_png(data), picture)
    assert len(data) < picture.size / 10
