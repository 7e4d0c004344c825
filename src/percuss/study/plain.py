"""Text from outside, made such that every database and browser takes it as it is."""

import re
from typing import Any, TypeVar

import msgspec

__all__ = ["plain", "whole"]

T = TypeVar("T")
# PostgreSQL refuses NUL in text and browsers drop it, which would move the places of marks; a lone half of a surrogate
# pair, which JSON may spell, is no character and has no UTF-8.
NO_CHARACTER = re.compile("[\0\ud800-\udfff]")


def plain(value: T) -> T:
    """Return a text, or all texts of a structure, with what is no character replaced by U+FFFD, as HTML does."""
    if isinstance(value, msgspec.Struct):
        return type(value)(**{name: plain(getattr(value, name)) for name in value.__struct_fields__})
    return _plain(value)  # type: ignore[no-any-return]


def whole(text: str, otherwise: int) -> int:
    """Return the whole number that a text spells in at most 15 digits, else another: longer ones are for no database.

    >>> whole("12", 0), whole("9" * 5000, 0), whole("-1", 0)
    (12, 0, 0)
    """
    return int(text) if re.fullmatch("[0-9]{1,15}", text) else otherwise


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return NO_CHARACTER.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_plain(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(plain(inner) for inner in value)
    return value
