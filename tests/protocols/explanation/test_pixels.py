"""The few filters over pixels do what their names say, at edges too, and pictures come back as they were written."""

import io

import numpy as np
import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from percuss.core.errors import BadInput
from percuss.protocols.explanation.images import pixels, png

MASKS = arrays.arrays(np.bool_, st.tuples(st.integers(3, 14), st.integers(3, 14)))


@given(MASKS)
def test_a_mask_grows_by_two_pixels_in_every_direction(mask: pixels.Mask) -> None:
    rows, columns = mask.shape
    expected = [
        [mask[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3].any() for x in range(columns)]
        for y in range(rows)
    ]
    assert (pixels.dilated(mask) == np.array(expected)).all()
    assert (pixels.eroded(mask) == ~pixels.dilated(~mask)).all()


def test_smoothing_keeps_what_is_flat_and_spreads_one_point() -> None:
    flat = np.full((9, 9), 7, np.float32)
    assert np.allclose(pixels.smoothed(flat), 7)
    assert np.allclose(pixels.smoothed(flat, bell=True), 7)
    point = np.zeros((9, 9), np.float32)
    point[4, 4] = 25
    assert np.allclose(pixels.smoothed(point)[2:7, 2:7], 1)
    assert pixels.smoothed(point)[1, 4] == 0
    assert np.isclose(pixels.smoothed(point, bell=True)[4, 4], 25 * (6 / 16) ** 2)


def test_otsu_parts_two_tones_between_them() -> None:
    image = np.repeat(np.array([[40, 200]], np.uint8), 8, axis=1)
    assert 40 <= pixels.otsu(image) < 200
    assert pixels.otsu(np.array([[10] * 6 + [30] * 3 + [220] * 6], np.uint8)) == 30


def test_areas_are_connected_by_their_sides_alone() -> None:
    mask = np.array([[1, 0, 0], [0, 1, 1], [0, 0, 1]], bool)
    found = [(box, int(area.sum())) for box, area in pixels.components(mask)]
    assert found == [((slice(0, 1), slice(0, 1)), 1), ((slice(1, 3), slice(1, 3)), 3)]


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "P", "I;16"])
def test_every_kind_of_picture_is_decoded(mode: str) -> None:
    tones = np.tile(np.arange(16, dtype=np.uint16) * 16, (4, 1))
    image = PIL.Image.fromarray(tones << 8 if mode == "I;16" else tones.astype(np.uint8))
    out = io.BytesIO()
    (image if mode == "I;16" else image.convert(mode)).save(out, "PNG")
    assert (pixels.grey_of(out.getvalue()) == tones).all()
    assert pixels.decoded(out.getvalue()).ndim == (2 if mode in {"L", "I;16"} else 3)


def test_red_comes_first() -> None:
    out = io.BytesIO()
    PIL.Image.new("RGB", (3, 2), (200, 10, 30)).save(out, "PNG")
    assert pixels.decoded(out.getvalue())[0, 0].tolist() == [200, 10, 30]


def test_what_is_no_picture_is_said() -> None:
    with pytest.raises(BadInput, match="no picture"):
        pixels.grey_of(b"GIF89a, or so it says")


def test_a_thumbnail_keeps_the_shape() -> None:
    wide = png.encode(np.full((100, 400), 90, np.uint8))
    with PIL.Image.open(io.BytesIO(pixels.thumbnail(wide, side=200, quality=80))) as small:
        assert (small.size, small.format) == ((200, 50), "WEBP")
