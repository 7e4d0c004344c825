"""Ages said in words: "nearly seventy", "not yet fifty", "well above 80", "an older man"."""

import re
from collections.abc import Iterator
from decimal import Decimal

from percuss.text.concepts import Statement
from percuss.text.cued import Cued
from percuss.text.numbers import Number

__all__ = ["ages"]

_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_N = r"(?P<n>twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|\d{2,3}(?![\d.,]*\s?(?:%|[a-z]+/|mg|kg|cm|mm|pack|g\b|m\b|mut|points?|years?\sof\ss|weeks|months|days|times|breaths|beats|mmHg|bpm)))"
_WHO = r"(?:(?:he|she|they|the\spatient|this\spatient|patient|(?:his|her|their|the|patient['’]s)\sage)\s(?:is|was)\s|\b(?:man|woman|male|female|lady|gentleman|patient)\s(?:well\s|of\s|who\sis\s)?|\bat\s|^\W*)(?:well\s|just\s|still\s|only\s|now\s)*"
_BOUND = Cued(
    rf"{_WHO}(?P<way>over|above|past|beyond|older\sthan|under|below|younger\sthan|not\syet|short\sof|nearly|almost|about|around|close\sto|near|nearing|approaching|pushing|roughly)\s{_N}(?:\s?-?years?(?:\s|-)?old|\syears?(?:\sof\sage)?)?(?!\s?-?\s?\w)"
)
_OLDER = Cued(
    r"(?<![-\w])(?P<band>older|aged|old|young|younger)\s(?:male|female|man|woman|lady|gentleman|patient|adult)\b"
)
_OLD = Cued(r"\bpatient\sis\s(?P<band>older|young|elderly)\b(?!\sthan)")
_BANDED = Cued(r"\b(?:older|aged|old|young|younger|elderly)\b")
_MORE = frozenset("over above past beyond".split())
_LESS = frozenset({"under", "below", "not yet", "short of", "younger than"})
_BEFORE = frozenset("nearly almost approaching nearing pushing near".split()) | {"close to"}
_LONGEST_LIFE, _NEAR, _ROUND = 120, 5, 3
_BANDS = {"young": (0, 45), "younger": (0, 50)}
_OLD_FROM = 60


def ages(claim: str) -> Iterator[Statement]:
    """Yield the ages that a claim says in words, as spans of years.

    Args:
        claim: the claim's text.
    """
    if _BOUND.may(claim):
        for match in _BOUND.whole.finditer(claim):
            low, high = _span(match["way"].lower(), _TENS.get(match["n"].lower()) or int(match["n"]))
            yield _age(match, match.start("way"), low, high)
    for pattern in (_OLDER, _OLD) if _BANDED.may(claim) else ():
        match_ = pattern.search(claim)
        if match_ is not None:
            low, high = _BANDS.get(match_["band"].lower(), (_OLD_FROM, _LONGEST_LIFE))
            yield _age(match_, match_.start("band"), low, high)


def _span(way: str, years: int) -> tuple[int, int]:
    if way in _MORE or way == "older than":
        return years, _LONGEST_LIFE
    if way in _LESS:
        return (max(0, years - _NEAR) if way in {"not yet", "short of"} else 0), years - 1
    return (years - _NEAR, years) if way in _BEFORE else (years - _ROUND, years + _ROUND)


def _age(match: re.Match[str], start: int, low: int, high: int) -> Statement:
    stop = match.end()
    number = Number(
        start=start, stop=stop, text=match.group(), kind="range", value=Decimal(low), upper=Decimal(high), unit="a", decimals=0
    )  # fmt: skip
    return Statement(
        attribute="age", kind="quantity", number=number, start=start, stop=stop, spans=((start, stop),)
    )
