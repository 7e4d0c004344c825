"""Colours are measured: contrast (WCAG 2.2) and distance under simulated colour blindness (OKLab, Machado 2009)."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from percuss.report.charts.cells import EMPTY_CELL, INK_ON_CELL
from percuss.report.palette import DARK, DIVERGING, LETTERS, LIGHT, VERDICTS, Theme, contrast, css_variables

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
# Machado, Oliveira, Fernandes 2009, severity 1.0, applied to linear RGB.
BLINDNESS = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# Ottosson 2020, linear sRGB -> LMS -> OKLab.
TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def linear(colour: str) -> npt.NDArray[np.float64]:
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def oklab(rgb: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(TO_LAB @ np.cbrt(TO_LMS @ np.clip(rgb, 0, 1)))


def seen(colour: str, blindness: str) -> npt.NDArray[np.float64]:
    return oklab(np.array(BLINDNESS[blindness]) @ linear(colour))


def test_the_measures_themselves() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    # Ottosson's table: red is (0.628, 0.225, 0.126)
    assert oklab(linear("#FF0000")) == pytest.approx([0.628, 0.225, 0.126], abs=1e-3)


@THEMES
def test_text_has_contrast(theme: Theme) -> None:
    for ground in (theme.paper, theme.raised):
        for ink in (theme.ink, theme.soft, theme.accent):
            assert contrast(ink, ground) >= 4.5, (ink, ground)


@THEMES
def test_text_on_tints_has_twelve_to_one_in_light(theme: Theme) -> None:
    least = 12 if theme is LIGHT else 7
    for tint in theme.tints.values():
        assert contrast(theme.ink, tint) >= least, tint


@THEMES
def test_marks_or_their_outline_have_contrast(theme: Theme) -> None:
    for verdict, colour in theme.marks.items():
        assert max(contrast(colour, theme.paper), contrast(theme.outline, theme.paper)) >= 3, verdict
        if verdict != "partial":
            assert contrast(colour, theme.paper) >= 3, verdict


def test_partial_needs_its_outline_on_white() -> None:
    assert contrast(LIGHT.marks["partial"], LIGHT.paper) == pytest.approx(2.25, abs=0.02)


@THEMES
def test_lines_that_carry_meaning_have_contrast(theme: Theme) -> None:
    for colour in (theme.rule, theme.accent, theme.below, theme.above):
        assert contrast(colour, theme.paper) >= 3, colour


def test_text_on_cells_has_contrast() -> None:
    for cell in (*LIGHT.ramp, *DIVERGING, EMPTY_CELL):
        assert contrast(INK_ON_CELL, cell) >= 4.5, cell


@THEMES
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_verdicts_stay_apart_for_the_colour_blind(theme: Theme, blindness: str) -> None:
    for one, other in combinations(VERDICTS, 2):
        distance = float(
            np.linalg.norm(seen(theme.marks[one], blindness) - seen(theme.marks[other], blindness))
        )
        assert distance >= 0.07, (one, other, distance)


def test_the_colours_of_the_specification() -> None:
    assert LIGHT.marks == {
        "supported": "#0072B2",
        "partial": "#E69F00",
        "unsupported": "#D55E00",
        "unknown": "#6B7280",
        "not_scored": "#CC79A7",
    }
    assert list(LIGHT.tints.values()) == ["#DCEBF7", "#FBEBC8", "#FBDDCF", "#E5E7EB", "#F3E1EC"]


def test_every_verdict_has_a_letter_of_its_own() -> None:
    assert len(set(LETTERS.values())) == len(VERDICTS) == 5


@THEMES
def test_every_colour_reaches_the_style_sheet(theme: Theme) -> None:
    css = css_variables(theme)
    for colour in (*theme.marks.values(), *theme.tints.values(), theme.ink, theme.paper):
        assert colour in css
