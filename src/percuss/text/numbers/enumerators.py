"""List numbers: "2. No effusion", "(3) clear lungs", "**4.** ..", at the start of a line or in a row of 1., 2., 3."""

import re

__all__ = ["enumerators"]

_MAY_HOLD = re.compile(r"\d(?:[.)](?:\*\*|__)?\s|\s?[-–]\s)")
_START = re.compile(
    r"(?:^|\n)[ \t>*•#_-]{0,8}\(?(\d{1,2})(?:[.)]|\s?[-–](?=\s))(?:\*{1,2}|_{1,2})?\s+(?=\*{0,2}_{0,2}[A-Za-z\"'(\[])"
)
_INLINE = re.compile(
    r"(?:(?<=[.;:!?,)])\s+|(?<=\s))(?:\*\*)?\(?(\d{1,2})[.)](?:\*\*)?\s+(?=\*{0,2}[A-Za-z\"'(\[])"
)


def enumerators(text: str) -> dict[int, int]:
    """Return the places of list numbers, start to stop of the digits.

    A number within a line counts only in a row: 1 and 2, or next to one already found, so that "The GCS was 15. She spoke"
    keeps its 15.

    >>> enumerators("Impression: 1. Clear. 2. No effusion. GCS 15. Alert")
    {12: 13, 22: 23}
    """
    if not _MAY_HOLD.search(text):
        return {}
    found = {match.start(1): match.end(1) for match in _START.finditer(text)}
    inline = [match for match in _INLINE.finditer(text) if match.start(1) not in found]
    if inline:
        values = {int(text[start:stop]) for start, stop in found.items()}
        row = values | {int(match[1]) for match in inline}
        last = 0
        for match in inline:
            value = int(match[1])
            in_row = (value == 1 and 2 in row) or (
                value > 1 and value - 1 in row and (last == value - 1 or value - 1 in values)
            )
            if in_row and (value == 1 or last == value - 1 or value - 1 in values):
                found[match.start(1)] = match.end(1)
                last = value
    return found
