"""The form in which a text is kept: one kind of line end and composed characters, so that a mark means one place in any browser."""

import unicodedata
from functools import lru_cache
from typing import Any

__all__ = ["AS_GIVEN", "given_places", "stored"]

AS_GIVEN = "as_given"
"""Hidden field of an item: texts in which people mark, as they came, where they are kept in another form."""


def _form(text: str) -> str:
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def stored(value: Any) -> Any:
    """Return a text, or all texts of a JSON value but its keys, with one kind of line end (a line feed) and in NFC."""
    if isinstance(value, str):
        return _form(value)
    if isinstance(value, dict):
        return {key: stored(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(stored(inner) for inner in value)
    return value


@lru_cache(maxsize=64)
def given_places(given: str) -> tuple[int, ...]:
    """Return for every place of a stored text, its end included, the place in the text as it was given.

    Within what became one character it is the beginning of that.
    """
    places: list[int] = []
    start = 0
    while start < len(given):
        stop = start + 1
        while stop < len(given) and _grow(given[start:stop], given[stop]):
            stop += 1
        places += [start] * len(_form(given[start:stop]))
        start = stop
    return (*places, len(given))


def _grow(piece: str, more: str) -> bool:
    """Return whether a character becomes one with what stands before it."""
    return _form(piece + more) != _form(piece) + _form(more)
