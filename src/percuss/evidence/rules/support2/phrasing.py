"""Forms of words that state a value beyond what the concept layer reads: a tier, a subtype, an age said in words."""

import re
from collections.abc import Iterator
from decimal import Decimal

from percuss.evidence.rules.support2.ages import ages
from percuss.evidence.rules.support2.tables import Phrase, phrase_table, phrases
from percuss.text.concepts import Statement
from percuss.text.numbers import Number

__all__ = ["Span", "inside", "phrased"]

Span = tuple[int, int]
_ROMAN = {"one": "I", "two": "II", "three": "III", "four": "IV"}


def inside(span: Span, spans: list[Span]) -> bool:
    """Tell whether a place lies in one of others."""
    return any(start <= span[0] and span[1] <= stop for start, stop in spans)


def phrased(claim: str) -> Iterator[Statement]:
    """Yield the statements of the shipped forms of words.

    Args:
        claim: a claim, or the value of a fact.
    """
    taken: list[Span] = []
    for each in ages(claim):
        taken.append((each.start, each.stop))
        yield each
    table, known = phrase_table(), phrases()
    for place in table.places(claim):
        phrase = known[place]
        for match in table[place].finditer(claim):
            if not inside(match.span(), taken) and (statement := _stated(match, phrase)) is not None:
                taken.append(match.span())
                yield statement


def _stated(match: re.Match[str], phrase: Phrase) -> Statement | None:
    written = match[1] if match.re.groups and match[1] else phrase.value
    if phrase.kind == "code":
        word = (
            written.lower()
            if phrase.fold == "lower"
            else _ROMAN[written.lower()]
            if phrase.fold == "roman"
            else written
        )
        return Statement(
            attribute=phrase.attribute,
            kind="code",
            word=word,
            start=match.start(),
            stop=match.end(),
            spans=(match.span(),),
        )
    low = Decimal(written) if written else Decimal(phrase.low or 0)
    unit = phrase.unit or ("a" if phrase.kind == "age" else match[2] if match.re.groups > 1 else "")
    number = Number(
        start=match.start(), stop=match.end(), text=match.group(), kind="range" if phrase.high else "quantity", value=low,
        upper=Decimal(phrase.high) if phrase.high else None, unit=unit, decimals=len(written.partition(".")[2]),
    )  # fmt: skip
    return Statement(
        attribute=phrase.attribute,
        kind="quantity",
        number=number,
        start=match.start(),
        stop=match.end(),
        spans=(match.span(),),
    )
