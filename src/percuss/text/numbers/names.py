"""Digits that belong to a name: "CD8", "IL-6", "31-A1", "2nd", "T2aN1M0", "CA 19-9"."""

import re

from percuss.text.numbers import patterns
from percuss.text.numbers.measures import unit_at

__all__ = ["name_around"]

_HYPHENS = "-–‑"
_INSIDE = "-_‑*"
_COUNTED_ON = re.compile(r"-(?:fold|to-|point|vessel|lead|year|yr)")
_TIMES = re.compile(r"[x×]\s?\d")
_DOWN = re.compile(r"[-–](\d+)")
_LEVELS = re.compile(r"[CTLS]\d{1,2}[-–][CTLS]?\d{1,2}")


def name_around(text: str, start: int, stop: int, *, after_name: bool) -> tuple[int, int] | None:
    """Return the place of the name that digits belong to; None where they are a number.

    Args:
        text: the text. start, stop: of the digits.
        after_name: whether a name ends right before the hyphen that they follow ("TCGA-44-6147").

    >>> name_around("IL-6 rose", 3, 4, after_name=False), name_around("rose to 6", 8, 9, after_name=False)
    ((0, 4), None)
    """
    before = text[start - 1] if start else " "
    if before == "." and start > 1 and (text[start - 2].isspace() or text[start - 2] in "<>=≤≥~("):
        return None
    if before in "qQ" and patterns.EVERY.search(text, max(0, start - 4), start) and unit_at(text, stop)[0]:
        return None  # "q8h"
    if not (_joined_before(text, start, after_name=after_name) or _joined_after(text, stop)):
        return _counting_down(text, start, stop)
    low, high = start, stop
    while low and (text[low - 1].isalnum() or text[low - 1] in _INSIDE):
        low -= 1
    while high < len(text) and (
        text[high].isalnum() or (text[high] in "-_‑*:" and high + 1 < len(text) and text[high + 1].isalnum())
    ):
        high += 1
    while text[low] in _INSIDE:
        low += 1
    if _LEVELS.fullmatch(text, low, high):  # "L4-L5" are two
        return (start - 1 if before.isalpha() else start), stop
    return low, high


def _joined_before(text: str, start: int, *, after_name: bool) -> bool:
    before = text[start - 1] if start else " "
    if before in "x×X*" and start > 1 and (text[start - 2].isspace() or text[start - 2].isdigit()):
        return False
    if before.isalnum() or before == "_":
        return True
    return (
        before in _HYPHENS
        and start > 1
        and (text[start - 2].isalpha() or text[start - 2] == "_" or after_name)
    )


def _joined_after(text: str, stop: int) -> bool:
    after = text[stop] if stop < len(text) else " "
    if after == "-" and stop + 1 < len(text) and text[stop + 1].isalnum():
        if text[stop + 1].isdigit() or _COUNTED_ON.match(text, stop):
            return False
        return not unit_at(text, stop)[0]
    if after.isalpha() or after == "_":
        return not (unit_at(text, stop)[0] or patterns.SCALE.match(text, stop) or _TIMES.match(text, stop))
    return False


def _counting_down(text: str, start: int, stop: int) -> tuple[int, int] | None:
    """Read "19-9" of "CA 19-9": a range never counts down."""
    down = _DOWN.match(text, stop)
    digits = text[start:stop]
    if down is None or not digits.isdecimal() or int(down[1]) >= int(digits) or unit_at(text, down.end())[0]:
        return None
    return start, down.end()
