"""How long and how often: whether a statement gives another time than the line that it speaks of."""

import re
from functools import lru_cache

__all__ = ["other_times"]

_NUMBERS = {
    "a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0, "nine": 9.0,
    "ten": 10.0, "eleven": 11.0, "twelve": 12.0, "half a": 0.5, "half an": 0.5, "once": 1.0, "twice": 2.0,
}  # fmt: skip
_DAY = 24.0
_HOURS = {
    "second": 1 / 3600, "minute": 1 / 60, "hour": 1.0, "day": _DAY, "week": 7 * _DAY, "month": 30.4 * _DAY, "year": 365.0 * _DAY,
}  # fmt: skip
_COUNT = rf"\d+(?:\.\d+)?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}"
_LENGTH = re.compile(rf"\b({_COUNT})[ -]({'|'.join(_HOURS)})s?\b(?!-old| old)", re.IGNORECASE)
_OFTEN = re.compile(rf"\b(?:(once|twice)|({_COUNT}) (?:times|episodes))\b", re.IGNORECASE)
_NEAR = 0.06
"""Relative difference within which two lengths are one: 12 weeks, "three months", and half a year, 26 weeks."""


@lru_cache(maxsize=32768)
def _lengths(text: str) -> frozenset[float]:
    return frozenset(_number(m[1]) * _HOURS[m[2].lower()] for m in _LENGTH.finditer(text))


@lru_cache(maxsize=32768)
def _counts(text: str) -> frozenset[float]:
    return frozenset(_number(m[1] or m[2]) for m in _OFTEN.finditer(text))


def _number(word: str) -> float:
    return _NUMBERS.get(word.lower()) or float(word)


def other_times(text: str, line: str) -> bool:
    """Say whether both give a length of time, or both how often, and the text's is not among the line's.

    Args:
        text: a statement. line: what was told of the same thing.

    >>> other_times("It began 3 days ago.", "It began 3 hours ago."), other_times("for half a year", "for 6 months")
    (True, False)
    """
    lengths, told = _lengths(text), _lengths(line)
    strange = [x for x in lengths if not any(abs(x - y) <= _NEAR * max(x, y) for y in told)]
    often, told_often = _counts(text), _counts(line)
    return bool((told and strange) or (told_often and often - told_often))
