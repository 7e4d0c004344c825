"""A quote may have a slip of the pen; one that says something else is no quote, however few letters it takes."""

import pytest

from percuss.evidence.verbatim import find_quote

TEXT = (
    "The effusion on the right side measures 5 cm in depth, is not loculated, and it fully obscures the costophrenic angle on this upright film taken today; "
    "the heart is unremarkable in size and there is no pneumothorax seen anywhere in the picture, which shows hypoinflated lungs, rising diaphragms and a normal hilum."
)


def test_a_slip_of_the_pen_is_still_a_quote() -> None:
    for one, other in (
        ("upright", "upnight"),
        ("costophrenic", "costophrenlc"),
        ("picture, which", "picture which"),
    ):
        found = find_quote(TEXT.replace(one, other), TEXT)
        assert found is not None, (one, other)
        assert found[2] == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 cm", "6 cm"), ("5 cm", "55 cm"), ("is not loculated", "is now loculated"), ("not loculated", "loculated"), ("no pneumothorax", "a pneumothorax"),
        ("unremarkable", "remarkable"), ("hypoinflated", "hyperinflated"), ("right side", "left side"), ("rising", "falling"), ("a normal", "an abnormal"),
    ],
)  # fmt: skip
def test_a_quote_that_says_something_else_is_none(one: str, other: str) -> None:
    assert find_quote(TEXT.replace(one, other), TEXT) is None


def test_a_short_quote_is_exact() -> None:
    assert find_quote("The effusion on the rght side", TEXT) is None
    assert find_quote("The effusion on the right side", TEXT) == (0, 30, 0)
