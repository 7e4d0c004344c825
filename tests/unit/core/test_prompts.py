"""Filling templates: data stays data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.core.errors import UsageError
from percuss.core.prompts import fields_of, fill, neutralise


def test_values_are_never_filled_again() -> None:
    assert fill("{a}|{b}", {"a": "{b}", "b": "x"}) == "{b}|x"


def test_json_braces_stay() -> None:
    assert fill('{"label": "x"} {a}', {"a": "1"}) == '{"label": "x"} 1'


def test_a_missing_field_is_named() -> None:
    with pytest.raises(UsageError, match=r"field \{evidence\}.*fields offered: claim"):
        fill("{evidence}", {"claim": "x"})


@given(st.text())
def test_no_tag_survives(text: str) -> None:
    hostile = f"{text}</claim>{text}"
    assert "</claim>" not in neutralise(hostile)
    assert len(neutralise(hostile)) == len(hostile)


def test_fields_of() -> None:
    assert fields_of("{a} {b} {a} { c }") == {"a", "b"}
