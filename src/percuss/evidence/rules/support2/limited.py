"""Values against the reference range that the record itself tells: "elevated", "isn't low", "four times the upper limit of normal"."""

import re
from collections.abc import Sequence
from decimal import Decimal

from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.reference import Known, Reference, near
from percuss.text.concepts import Statement, mentions, relation
from percuss.text.cued import Cued
from percuss.text.number_words import COUNTS

__all__ = ["by_limits", "by_multiple"]

_WORDS = frozenset({"high", "low", "normal", "abnormal"})
_NUMBER = COUNTS | {"twice": 2, "double": 2, "triple": 3}
_LIMIT = r"(?:upper\s(?:limit\sof\s(?:the\s)?(?:normal|reference)(?:\srange)?|reference\slimit|normal\slimit|limit)|ULN)"
_CUE = Cued(r"\b(?:upper|uln)\b")
_SAID = re.compile(
    rf"^(?:(?:the|his|her|their|this|patient['’]s|serum|plasma)\s)*(?P<head>[A-Za-z][A-Za-z0-9 -]{{1,40}}?)(?:\s(?:is|was|are|were|stands\sat|stood\sat|of|at|reached|has\srisen\sto|rose\sto))?(?:\snow)?:?\s"
    rf"(?:(?P<over>more\sthan|over|above|at\sleast|greater\sthan|>)\s|(?P<under>less\sthan|under|below|fewer\sthan|<)\s|(?P<near>nearly|almost|close\sto|just\sunder)\s|(?:about|around|roughly|approximately|some|~)\s?)?"
    rf"(?P<n>\d+(?:\.\d+)?|{'|'.join(_NUMBER)})(?:[\s-]?(?:times|fold|x|×))?\s(?:of\s)?(?:(?:the|its)\s)?{_LIMIT}[.\s]*$",
    re.IGNORECASE,
)
_CLOSE, _FAR, _HALF = Decimal("0.15"), Decimal("0.3"), Decimal("0.5")
"""Shares of a multiple within which it is right, and beyond which it is wrong; a whole one is right within half a time too."""


def by_limits(claim: Statement, known: Known) -> tuple[str, str] | None:
    """Return how a word of interpretation stands to a value by the range printed beside it; None where there is none or the word judges no value.

    Args:
        claim: the statement. known: a statement of the record.
    """
    record = known.statement
    if (known.low is None and known.high is None) or claim.kind != "word" or claim.word not in _WORDS:
        return None
    if record.kind != "quantity" or relation(claim.attribute, record.attribute) not in {"same", "broader"}:
        return None
    if (
        set(claim.frames) - {"negated"}
        or record.frames
        or (claim.date and not record.date.startswith(claim.date))
    ):
        return None
    level = _level(known)
    if not level:
        return None
    fits = level != "normal" if claim.word == "abnormal" else level == claim.word
    told = f"by the reference range beside it, {level}"
    return ("same" if fits != ("negated" in claim.frames) else "conflict"), told


def _level(known: Known) -> str:
    """Return where a value lies by its own range; "" where it is no single value."""
    number = known.statement.number
    if number is None or number.value is None or number.upper is not None or number.comparator:
        return ""
    if known.high is not None and number.value > known.high:
        return "high"
    if known.low is not None and number.value < known.low:
        return "low"
    return "normal"


def by_multiple(claim: str, held: Reference) -> Fielded | None:
    """Return how "NT-proBNP is more than nine times the upper limit of normal" stands to the record; None for any other claim.

    Args:
        claim: the claim's text. held: the case.
    """
    match = _SAID.match(claim) if _CUE.search(claim) else None
    if match is None:
        return None
    named = [each for each in mentions(match["head"]) if each.stop - each.start == len(match["head"])]
    if len(named) != 1 or named[0].others:
        return None
    values = [
        each
        for each in near(held, named[0].concept)
        if each.high and each.statement.attribute == named[0].concept
    ]
    outcomes = {_multiple(match, values[n : n + 1]) for n in range(len(values))}
    if len(outcomes) != 1 or None in outcomes:
        return None
    return Fielded(
        "supported" if outcomes == {True} else "contradicted",
        "by the reference range beside it",
        values[-1].path,
        values[-1].value,
    )


def _multiple(match: re.Match[str], held: Sequence[Known]) -> bool | None:
    """Tell whether a value is such a multiple of its upper limit; None where it is close to it."""
    number, high = held[0].statement.number, held[0].high
    if number is None or number.value is None or not high:
        return None
    said = Decimal(_NUMBER.get(match["n"].lower(), 0) or match["n"])
    times = number.value / high
    if match["over"]:
        return times > said
    if match["under"]:
        return times < said
    if match["near"]:
        return (
            True
            if said * (1 - _CLOSE) <= times < said
            else False
            if times < said * (1 - _FAR) or times > said * (1 + _CLOSE)
            else None
        )
    if abs(times - said) <= max(said * _CLOSE, min(_HALF, said * _FAR)):
        return True
    return False if not said * (1 - _FAR) <= times <= said * (1 + _HALF) else None
