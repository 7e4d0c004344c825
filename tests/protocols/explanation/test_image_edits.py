"""Edits of a picture: where they fall, to the pixel, and that nothing else changes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.protocols.explanation.images import image_edits as edits

GREY = np.random.default_rng(1).integers(8, 216, (120, 100)).astype(np.uint8)
BOX = (0.1, 0.2, 0.6, 0.7)
shares = st.floats(0, 1, allow_nan=False)


def test_bounds_are_floor_and_ceil_with_an_exclusive_end() -> None:
    assert edits.pixels((0.05, 0.70, 0.35, 0.95), 512, 512) == (25, 358, 180, 487)
    assert edits.pixels((0.0, 0.0, 1.0, 1.0), 512, 384) == (0, 0, 512, 384)


def test_the_last_column_is_kept() -> None:
    black = edits.occlude(np.full((10, 10), 50, np.uint8), [(0.5, 0.0, 1.0, 1.0)])
    assert (black[:, 5:] == 0).all()
    assert (black[:, :5] == 50).all()


@given(shares, shares, shares, shares, st.integers(1, 700), st.integers(1, 700))
def test_a_region_lies_inside_and_has_at_least_a_pixel(
    x0: float, y0: float, x1: float, y1: float, width: int, height: int
) -> None:
    a, b, c, d = edits.pixels((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)), width, height)
    assert 0 <= a < c <= width
    assert 0 <= b < d <= height


def test_mirroring_twice_is_nothing() -> None:
    assert edits.mirrored(edits.mirrored(BOX)) == pytest.approx(BOX)


@pytest.mark.parametrize("thickness", [1, 4, 8])
def test_a_frame_is_drawn_inwards_and_changes_nothing_else(thickness: int) -> None:
    x0, y0, x1, y1 = edits.pixels(BOX, 100, 120)
    out = edits.outline(GREY, [BOX], thickness=thickness)
    red = (out == [255, 0, 0]).all(axis=2)
    expected = np.zeros((120, 100), bool)
    expected[y0:y1, x0:x1] = True
    expected[y0 + thickness : y1 - thickness, x0 + thickness : x1 - thickness] = False
    assert (red == expected).all()
    assert (out[~expected] == GREY[~expected][:, None]).all()


def test_a_black_frame_keeps_the_picture_grey() -> None:
    assert edits.outline(GREY, [BOX], colour="black").shape == GREY.shape


def test_a_stroke_wider_than_the_box_fills_it() -> None:
    out = edits.outline(GREY, [BOX], thickness=200)
    x0, y0, x1, y1 = edits.pixels(BOX, 100, 120)
    assert (out[y0:y1, x0:x1] == [255, 0, 0]).all()


def test_the_heat_mask_is_the_blurred_box_of_scipy() -> None:
    from scipy.ndimage import gaussian_filter

    x0, y0, x1, y1 = edits.pixels(BOX, 100, 120)
    filled = np.zeros((120, 100))
    filled[y0:y1, x0:x1] = 1
    mask = gaussian_filter(filled, ((y1 - y0) / 4, (x1 - x0) / 4), truncate=4, mode="reflect")
    mask = 0.5 * mask / mask.max()
    expected = np.repeat((GREY * (1 - mask))[..., None], 3, axis=2)
    expected[..., 0] += 255 * mask
    assert np.abs(edits.heat(GREY, [BOX], opacity=0.5).astype(float) - expected).max() <= 0.51


def test_heat_maps_join_by_their_maximum() -> None:
    other = (0.6, 0.1, 0.9, 0.4)
    one, two, both = (edits.heat(GREY, boxes)[..., 0] for boxes in ([BOX], [other], [BOX, other]))
    stronger = np.maximum(one.astype(int) - GREY, two.astype(int) - GREY)
    assert np.abs(both.astype(int) - GREY - stronger).max() <= 1


def test_an_rgb_picture_is_edited_alike() -> None:
    rgb = np.repeat(GREY[..., None], 3, axis=2)
    for edit in (edits.heat, edits.outline):
        assert np.abs(edit(rgb, [BOX]).astype(int) - edit(GREY, [BOX]).astype(int)).max() <= 1


def test_no_edit_touches_its_input() -> None:
    before = GREY.copy()
    for edit in (edits.heat, edits.outline, edits.occlude):
        edit(GREY, [BOX])
    assert (before == GREY).all()


def test_blank_is_even_grey_of_the_same_size() -> None:
    out = edits.blank(GREY)
    assert out.shape == GREY.shape
    assert set(np.unique(out)) == {128}


def test_normalising_stretches_to_the_full_range() -> None:
    out = edits.normalise(np.array([[-1000.0, 0.0], [500.0, 1000.0]]))
    assert out.tolist() == [[0, 127], [191, 255]]


@pytest.mark.parametrize(("value", "expected"), [(77, 77), (4000, 255), (-3, 0)])
def test_a_constant_picture_stays_constant(value: int, expected: int) -> None:
    assert set(np.unique(edits.normalise(np.full((4, 4), value, np.int32)))) == {expected}


def test_padding_makes_a_square_of_the_mean_colour() -> None:
    out = edits.pad_square(GREY)
    assert out.shape == (120, 120)
    assert (out[:, 10:110] == GREY).all()
    assert set(np.unique(out[:, :10])) == {round(float(GREY.mean()))}
