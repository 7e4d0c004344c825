"""Numbers written in words: "three", "twenty-five", "sixty-one percent", "two thirds", "half of"."""

import re
from decimal import Decimal
from typing import NamedTuple

from percuss.text.cued import Cued

__all__ = ["COUNTS", "Worded", "worded"]

_ONES = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
COUNTS = {word: number for word, number in (*_ONES.items(), *_TENS.items()) if 0 < number <= 20}
"""One to twenty, in words."""
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "tenth": 10, "tenths": 10,
}  # fmt: skip
_COUNT = "one|two|three|four|five|seven|nine"
_DIGIT_WORDS = "|".join(sorted((*_ONES, *_TENS), key=len, reverse=True))
_UNITS = "|".join(list(_ONES)[1:10])
_PATTERN = re.compile(
    rf"\b(?:(?P<count>an?|{_COUNT})[\s-]{{1,2}}(?P<part>{'|'.join(_PARTS)})\b"
    rf"|(?P<half>half)(?=\s{{1,3}}(?:of|the|a|an|its|his|her)\b)"
    rf"|(?P<number>(?:{_DIGIT_WORDS})(?:[\s-]{{1,2}}(?:{_UNITS})\b)?(?:\s{{1,3}}(?:hundred|thousand|million)(?:\s{{1,3}}(?:and\s)?(?:{_DIGIT_WORDS})(?:[\s-]{{1,2}}(?:{_UNITS})\b)?)?)?)\b)",
    re.IGNORECASE,
)
_SPELLED = frozenset((*_ONES, *_TENS, "half", "third", "thirds", "quarter", "quarters"))
_SPELT = Cued(rf"\b(?:{'|'.join(sorted(_SPELLED))})\b")
_BREAKS = str.maketrans("-,;:()\n/", " " * 8)
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}


class Worded(NamedTuple):
    """A number in words: its place, its value, and the whole that a share is of (2 for "half"); 0 = no share."""

    start: int
    stop: int
    value: Decimal
    whole: int


def worded(text: str) -> list[Worded]:
    """Return the numbers written in words; "one" alone is a pronoun as often as a number and is left out.

    >>> [(str(w.value), w.whole) for w in worded("sixty-one percent, two thirds, one of them")]
    [('61', 0), ('2', 3)]
    """
    if not _SPELT.may(text) or _SPELLED.isdisjoint(text.lower().translate(_BREAKS).replace(".", " ").split()):
        return []
    found = []
    for match in _PATTERN.finditer(text):
        if match["half"] or match["part"]:
            if (
                match["part"]
                and match["part"].lower() in {"third", "fourth", "fifth", "sixth", "tenth"}
                and match["count"].lower() == "a"
            ):
                follows = text[match.end() : match.end() + 4]
                if not follows.strip().startswith("of"):
                    continue  # "a third lesion"
            count = match["count"].lower() if match["count"] else "a"
            value = Decimal(1 if count in {"a", "an"} else _ONES[count])
            found.append(Worded(match.start(), match.end(), value, _PARTS[(match["part"] or "half").lower()]))
            continue
        words = re.split(r"[\s-]+", match["number"].lower())
        if words == ["one"] and not re.match(
            r"\s(?:of\s(?:the\s)?(?:\d|two|three)|percent|per cent|week|day|year|month|hour)",
            text[match.end() : match.end() + 12],
        ):
            continue
        total = 0
        for word in words:
            scale = _SCALES.get(word)
            total = total * scale if scale else total + _TENS.get(word, _ONES.get(word, 0))
        found.append(Worded(match.start(), match.end(), Decimal(total), 0))
    return found
