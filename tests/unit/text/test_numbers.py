"""Numbers are typed as labelled, and comparing follows the decimals written."""

from pathlib import Path

import pytest

from percuss.text.numbers import Number, numbers

LABELLED = Path(__file__).parent / "labelled"


def rows(name: str) -> list[tuple[str, str]]:
    lines = (LABELLED / name).read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" =>") for line in lines if line and not line.startswith("# ")]
    return [(text.replace("\\n", "\n"), label.strip()) for text, label in pairs]


def said(number: Number) -> str:
    """Write a number as the label file does."""
    if number.kind == "date":
        return f"date {number.date}"
    if number.kind == "name":
        return f"name {number.text}"
    sep = {"range": "..", "fraction": "/", "pair": "/"}.get(number.kind, "")
    value = number.value.normalize() if number.value is not None else ""
    body = f"{number.comparator}{value:f}" + (
        f"{sep}{number.upper.normalize():f}" if number.upper is not None else ""
    )
    return f"{number.kind} {body} {number.unit or number.counted}".strip()


@pytest.mark.parametrize(("text", "label"), rows("numbers.txt"), ids=lambda v: v[:40])
def test_numbers_are_typed_as_labelled(text: str, label: str) -> None:
    expected = [part.strip() for part in label.split(";") if part.strip()]
    assert [said(number) for number in numbers(text)] == expected
