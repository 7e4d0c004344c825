"""Our PNG is read back by others to the pixel; equal pixels give equal bytes, another filter gives other bytes."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from percuss.protocols.explanation.images import png

DICE = np.random.default_rng(2)


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (64, 33), (7, 5, 3), (64, 33, 3)])
@pytest.mark.parametrize("row_filter", ["up", "left"])
def test_pixels_come_back(shape: tuple[int, ...], row_filter: str) -> None:
    image = DICE.integers(0, 256, shape).astype(np.uint8)
    with Image.open(io.BytesIO(png.encode(image, row_filter=row_filter))) as read:  # type: ignore[arg-type]
        read.load()
        assert read.mode == ("L" if len(shape) == 2 else "RGB")
        assert (np.asarray(read) == image).all()


def test_equal_pixels_give_equal_bytes_and_another_filter_does_not() -> None:
    image = np.full((32, 32), 128, np.uint8)
    assert png.encode(image) == png.encode(image.copy())
    assert png.encode(image) != png.encode(image, row_filter="left")


@pytest.mark.parametrize(
    "bad", [np.zeros((4, 4), np.float32), np.zeros((4, 4, 4), np.uint8), np.zeros((0, 4), np.uint8)]
)
def test_other_arrays_are_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        png.encode(bad)
