import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.core.records import Estimate
from percuss.core.sections import Figure
from percuss.measure.numbers import count, decimals, figure, figure_of, p_value, point, show


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.04, "share", "4.00%"),
        (0.9996, "share", "100%"),
        (1.0, "share", "100%"),
        (0.0, "share", "0%"),
        (0.00123, "share", "0.123%"),
        (0.1, "points", "10.0 points"),
        (-0.001, "points", "-0.100 points"),
        (0.847, "ratio", "0.847"),
        (12_345, "count", "12,345"),
        (1234.5, "usd", "1,234 USD"),
        (3.456, "s", "3.46 s"),
    ],
)
def test_three_significant_digits(value: float, unit: str, text: str) -> None:
    assert point(value, unit) == text


def test_value_and_interval_share_decimals() -> None:
    assert show(Figure(value=0.14, low=0.121, high=0.16)) == "14.0% [12.1, 16.0]"
    assert show(Figure(value=0.004, low=0.001, high=0.052)) == "0.40% [0.10, 5.20]"
    assert show(Figure(value=-0.0001, low=-0.02, high=0.05, unit="ratio")) == "-0.0001 [-0.0200, 0.0500]"


def test_undefined_is_a_word_with_its_reason() -> None:
    assert show(Figure(undefined="no claim")) == "undefined (no claim)"
    assert point(None) == "undefined (no reason recorded)"


def test_no_interval_is_said_and_zero_width_is_never_one() -> None:
    assert show(Figure(value=0.5)) == "50.0% (no interval)"
    assert show(Figure(value=0.0, low=0.0, high=0.0)) == "0% (no interval: zero width)"


def test_a_rounded_zero_has_no_sign() -> None:
    assert point(-0.0, "ratio") == "0"
    assert show(Figure(value=-0.0000001, low=-0.5, high=0.5, unit="ratio")) == "0.000 [-0.500, 0.500]"


def test_p_values_are_never_zero() -> None:
    assert [p_value(p) for p in (0.0, 0.00051234, 0.002, 0.25, 1.0, None)] == [
        "under 0.0001",
        "0.000512",
        "0.002",
        "0.250",
        "1.000",
        "not tested",
    ]


def test_a_table_cell_reads_as_a_figure() -> None:
    assert figure({"value": 0.2, "low": 0.1, "high": 0.3, "colour": "red"}) == Figure(
        value=0.2, low=0.1, high=0.3
    )


def test_an_estimate_becomes_its_figure() -> None:
    estimate = Estimate(
        name="x", model="m", arm="a", labels="l", undefined="none", unit="ratio", n=3, simulated=True
    )
    assert figure_of(estimate) == Figure(undefined="none", unit="ratio", n=3, simulated=True)


def test_counts_separate_thousands() -> None:
    assert count(5812) == "5,812"


@given(
    st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1), st.sampled_from(["share", "points", "ratio", "score"])
)
def test_a_figure_never_reads_nan_or_a_dash(value: float, below: float, above: float, unit: str) -> None:
    text = show(Figure(value=value, low=value - below, high=value + above, unit=unit))
    assert "nan" not in text.lower()
    assert "inf" not in text.lower()
    assert "--" not in text
    assert "–" not in text


@given(st.floats(1e-3, 1e3))
def test_decimals_give_three_digits(value: float) -> None:
    places = decimals("ratio", value)
    digits = f"{value:.{places}f}".replace(".", "").lstrip("0")
    assert len(digits) == 3 or (places == 0 and len(digits) > 3)
    assert math.isclose(float(f"{value:.{places}f}"), value, rel_tol=5.1e-3)
