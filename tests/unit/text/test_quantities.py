"""Numbers in clinical text: what is one, what is not, and how it is written."""

from decimal import Decimal

import pytest

from percuss.text.quantities import missing, quantities, worded
from percuss.text.units import canonical, convert


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("61% and 61 percent", ["61", "61"]),
        ("20–30%", ["20", "30"]),
        ("20-30", ["20", "30"]),
        ("5 to 7 cm", ["5", "7"]),
        ("z = −0.56, then -0.398", ["-0.56", "-0.398"]),
        ("1,234.5 cells", ["1234.5"]),
        ("BP 120/80", ["120", "80"]),
        (".5 mg", ["0.5"]),
        ("a 46-year-old, 62y", ["46", "62"]),
        ("in 2018, on 2021-05-14, May 14, 2021, at 10:30", []),
        ("tile_183 TCGA-44-6147 CD8 PD-1 T1a 2nd v1.2.3", []),
        ("1950 mg", ["1950"]),
        ("**0.683**", ["0.683"]),
        ("٦١%", ["61"]),
    ],
)
def test_digits(text: str, values: list[str]) -> None:
    """Years, dates, times and identifiers are no numbers."""
    assert [str(q.value) for q in quantities(text)] == values


def test_spans_point_into_the_text() -> None:
    """Sign and unit are within."""
    text = "from −0.5 mg to 20–30%"
    assert [text[q.start : q.stop] for q in quantities(text)] == ["−0.5 mg", "20", "30%"]


def test_a_range_shares_its_mark() -> None:
    """Both ends are percents."""
    assert [(q.part, q.percent) for q in quantities("20–30%")] == [("low", True), ("high", True)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sixty-one percent", "61"),
        ("two hundred", "200"),
        ("twelve nodes", "12"),
        ("half of it", "0.5"),
        ("one of them", None),
    ],
)
def test_words(text: str, value: str | None) -> None:
    """Number words; "one" is a pronoun."""
    found = worded(text)
    assert [q.value for q in found] == ([] if value is None else [Decimal(value)])


def test_numbers_that_were_not_released() -> None:
    """A percent may be said as a fraction, a word as a digit."""
    assert [q.text for q in missing("Pulse 99, three nodes, 0.61", ["61%, 3 nodes"])] == ["99"]


def test_units_convert_within_a_dimension_only() -> None:
    """Grams to milligrams, not to litres."""
    gram, milli, litre = canonical("g"), canonical("milligrams"), canonical("L")
    assert gram is not None
    assert milli is not None
    assert litre is not None
    assert convert(Decimal("0.5"), gram, milli) == 500
    assert convert(Decimal(1), gram, litre) is None
    assert canonical("M") is None


def test_many_dates_cost_what_their_number_costs() -> None:
    """Twenty thousand dates are read in one pass (every number against every date would take minutes)."""
    assert quantities("12/3/2014 " * 20_000) == ()
    assert [str(q.value) for q in quantities("12/3/2014 5 " * 3 + "on 2021-05-14 8")] == ["5", "5", "5", "8"]


def test_number_words_have_one_table() -> None:
    """What the typed numbers read as words is what quantities read, shares and percents apart."""
    assert [str(q.value) for q in worded("two thousand cells, a third lesion, thirty-one percent")] == [
        "2000",
        "31",
    ]
