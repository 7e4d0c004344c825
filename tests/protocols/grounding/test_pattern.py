"""Modes and patterns in the order of definitions/grounding.md."""

from typing import Any

import numpy as np
import pytest

from percuss.protocols.grounding.estimate.pattern import (
    CANT_TELL,
    CORRECTS,
    HOLDS_BACK,
    IN_BETWEEN,
    NO_EFFECT,
    PATTERNS,
    REPEATS,
    Reading,
    mode,
    mode_paper,
    pattern,
    patterns,
)


def reading(hdi: float | None, without: float, overlap: float | None = 0.0, **more: Any) -> Reading:
    return Reading(hdi=hdi, without=without, overlap=overlap, **more)


@pytest.mark.parametrize(
    ("r", "expected"),
    [
        (reading(None, 0.2), "undefined"),
        (reading(0.5, 0.0), "undefined"),
        (reading(0.7, 0.10), "A"),
        (reading(0.7, 0.09), "intermediate"),
        (reading(0.4, 0.10, 0.05), "B"),
        (reading(0.4, 0.10, 0.06), "recycling"),
        (reading(0.69, 0.5, 0.06), "recycling"),
        (reading(0.69, 0.5, 0.05), "intermediate"),
        (reading(0.4, 0.11, 0.05), "C"),
        (reading(0.4, 0.11, None), "C"),
        (reading(0.4, 0.05, None), "B"),
        (reading(0.5, 0.5, None), "intermediate"),
        (reading(-0.2, 0.6), "C"),
    ],
)
def test_mode(r: Reading, expected: str) -> None:
    assert mode(r) == expected


@pytest.mark.parametrize(
    ("hdi", "overlap", "expected"),
    [
        (0.984, 0.115, "A"),  # papers/0 Table 3, gpt-4o-mini
        (0.336, 0.032, "B"),  # gpt-5.4-mini
        (0.919, 0.005, "A"),  # gemini-2.5-flash
        (0.847, 0.051, "A"),  # gemini-3-flash-preview
        (0.55, 0.20, "recycling"),
        (0.55, 0.01, "intermediate"),
        (0.5, None, "undefined (overlap not measured)"),
    ],
)
def test_mode_of_the_paper(hdi: float, overlap: float | None, expected: str) -> None:
    assert mode_paper(reading(hdi, 0.5, overlap)) == expected


@pytest.mark.parametrize(
    ("r", "expected"),
    [
        (reading(None, 0.2), CANT_TELL),
        (reading(0.9, 0.5), CORRECTS),
        (reading(0.2, 0.5, 0.5), REPEATS),
        (reading(0.1, 0.06, low=-0.3, high=0.4, abstention=0.7), HOLDS_BACK),
        (reading(0.1, 0.06, low=-0.3, high=0.4, abstention=0.4), NO_EFFECT),
        (reading(0.1, 0.06, low=0.05, high=0.2, abstention=0.4), IN_BETWEEN),
        (reading(0.0, 0.6, low=-0.1, high=0.1), NO_EFFECT),
        (reading(0.3, 0.6, low=0.1, high=0.4), IN_BETWEEN),
        (reading(0.3, 0.6), IN_BETWEEN),
        (reading(0.5, 0.6, low=-0.1, high=0.9), IN_BETWEEN),
    ],
)
def test_pattern(r: Reading, expected: str) -> None:
    assert pattern(r) == expected


@pytest.mark.parametrize("overlap", [None, 0.0, 0.2])
@pytest.mark.parametrize("abstention", [None, 0.2, 0.8])
@pytest.mark.parametrize("spans", [True, False])
def test_draws_are_read_as_the_sample_is(
    overlap: float | None, abstention: float | None, spans: bool
) -> None:
    low, high = (-0.1, 0.1) if spans else (0.05, 0.1)
    for hdi in (np.nan, -0.5, 0.0, 0.39, 0.4, 0.55, 0.7, 0.95):
        for without in (0.0, 0.05, 0.1, 0.3):
            shares = patterns(
                np.array([hdi]),
                np.array([without]),
                None if abstention is None else np.array([abstention]),
                None if overlap is None else np.array([overlap]),
                spans_zero=spans,
            )
            r = Reading(
                hdi=None if np.isnan(hdi) else hdi,
                low=low,
                high=high,
                without=without,
                abstention=abstention,
                overlap=overlap,
            )
            assert {name for name, share in shares.items() if share == 1} == {pattern(r)}
            assert set(shares) == set(PATTERNS)
            assert sum(shares.values()) == pytest.approx(1)
