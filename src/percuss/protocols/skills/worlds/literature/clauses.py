"""Clauses of a report: of which drug each speaks, which way it says an outcome went, and which numbers belong to it."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from percuss.text.concepts import mentions
from percuss.text.numbers import Number, numbers
from percuss.text.sentences import split

__all__ = ["Clause", "Direction", "clauses", "denied", "direction", "hedged", "owned", "places"]

Direction = Literal["lower", "higher", "none"]
Span = tuple[int, int]

_PARTS = re.compile(r";|,?\s+\b(?:but|whereas|while|although|though|however|yet)\b\s*,?", re.IGNORECASE)
_COMPARATOR = re.compile(
    r"\b(?:than|versus|vs\.?|v\.?|against|compared (?:with|to)|relative to|over|relative of)(?:\s+(?:with|in|on|the|for))?\s+$",
    re.IGNORECASE,
)
_NONE = (
    r"no (?:\w+ ){0,2}(?:difference|effect|change|benefit|impact|influence|improvement)s?"
    r"|(?:not|n[’']t) (?:\w+ ){0,2}(?:chang\w+|differ\w*|affect\w*|alter\w*|influenc\w+|improv\w+|benefit\w*)"
    r"|(?:not|non)[ -](?:statistically )?significant(?:ly)?|insignificant"
    r"|unchanged|unaffected|similar|comparable|neutral|the same"
)
_LOWER = r"lower(?:ed|s|ing)?|reduc\w+|decreas\w+|fewer|less|declin\w+|cuts?|cutting|drop\w*|fell|falls?|fallen|halv\w+|prevent\w*"
_HIGHER = r"higher|increas\w+|rais\w+|rose|rises?|risen|more|excess|doubl\w+|elevat\w+|greater|worsen\w*"
_CUES: tuple[tuple[Direction, str], ...] = (("none", _NONE), ("lower", _LOWER), ("higher", _HIGHER))
_NEGATED = re.compile(
    r"\b(?:no|not|never|neither|nor|cannot|fail\w* to|hardly|unable)\b|n[’']t\b|\b(?:without|lack\w*)(?: \w+)?$",
    re.IGNORECASE,
)
_REACH = 5
"""Words that a negation governs."""
_CARRIED = 6
"""Clauses of a section for which an outcome may be carried over."""
_HEDGED = re.compile(
    r"\b(?:may|might|could(?! not)|would|whether|unclear|possibl[ey]|perhaps|if|expected|hypothes\w+|hoped|planned|suggest\w* that)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:false|untrue|not true|wrong|incorrect|refuted|disproved|unfounded|no evidence|not supported|a myth)\b",
    re.IGNORECASE,
)


class Clause(NamedTuple):
    """A clause of a report.

    Args:
        text: as written. sentence: the one that it is part of.
        subject: the drug that it speaks of, its own or the one named last; "" = none, or only to compare with.
        before: the clauses of its section that stand before it, nearest first.
    """

    text: str
    sentence: str
    subject: str
    before: tuple[str, ...] = ()


def clauses(text: str, drugs: Sequence[str]) -> Iterator[Clause]:
    """Yield the clauses of a section.

    Args:
        text: of the section. drugs: all names that a clause may speak of.
    """
    named = _any(tuple(drugs))
    subject, before = "", ()  # type: tuple[str, tuple[str, ...]]
    for start, stop in split(text):
        sentence = text[start:stop]
        at = 0
        for cut in [*_PARTS.finditer(sentence), None]:
            clause = sentence[at : cut.start() if cut else None].strip()
            at = cut.end() if cut else len(sentence)
            if not clause:
                continue
            found = list(named.finditer(clause))
            own = [each for each in found if not _COMPARATOR.search(clause[: each.start()])]
            if found:
                subject = own[0].group().lower() if own else ""
            yield Clause(clause, sentence, subject, before)
            before = (clause, *before[: _CARRIED - 1])


@lru_cache(maxsize=512)
def _any(words: tuple[str, ...]) -> re.Pattern[str]:
    listed = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{listed})s?(?!\w)" if words else r"(?!)", re.IGNORECASE)


def places(clause: str, words: tuple[str, ...], concept: str = "") -> list[Span]:
    """Return where a clause names a thing.

    Args:
        clause: its text. words: names of the thing. concept: its name in the concept table; "" = by its words alone.
    """
    found = [match.span() for match in _any(words).finditer(clause)]
    if concept:
        found += [(each.start, each.stop) for each in mentions(clause) if each.concept == concept]
    return sorted(set(found))


def hedged(clause: str) -> bool:
    """Tell whether a `clause` says what may be, is hoped or asked."""
    return bool(_HEDGED.search(clause))


def denied(sentence: str) -> bool:
    """Tell whether a `sentence` calls what it says untrue."""
    return bool(_DENIED.search(sentence))


@lru_cache(maxsize=4096)
def _cues(clause: str) -> tuple[tuple[Span, Direction], ...]:
    found: list[tuple[Span, Direction]] = []
    for way, pattern in _CUES:
        for cue in re.finditer(rf"\b(?:{pattern})\b", clause, re.IGNORECASE):
            if any(cue.start() < stop and start < cue.end() for (start, stop), _ in found):
                continue
            near = " ".join(re.split(r"[,;:(]", clause[: cue.start()])[-1].split()[-_REACH:])
            found.append((cue.span(), "none" if way != "none" and _NEGATED.search(near) else way))
    return tuple(sorted(found))


def direction(clause: str, outcome: Span) -> Direction | None:
    """Return which way a clause says that an outcome went: by the cue nearest to it; a negated change is none.

    Args:
        clause: its text. outcome: place of the outcome's name. None is returned where no cue stands.

    >>> direction("It did not lower falls", (17, 22)), direction("falls rose", (0, 5))
    ('none', 'higher')
    """
    found = [each for each in _cues(clause) if not _within(each[0], outcome)]
    return min(found, key=lambda each: (_gap(each[0], outcome), each[0]))[1] if found else None


def owned(clause: str, own: Sequence[Span], rivals: Sequence[Span]) -> list[Number]:
    """Return the percentages of a clause that stand nearer to an outcome than to any other, in order.

    Args:
        clause: its text. own: places of the outcome. rivals: places of other outcomes.
    """
    apart = [each for each in rivals if not any(_within(each, place) for place in own)]
    found = []
    for number in numbers(clause):
        if number.unit != "%" or number.value is None:
            continue
        place = (number.start, number.stop)
        nearest = min((_gap(place, each) for each in own), default=0)
        if all(nearest <= _gap(place, each) for each in apart):
            found.append(number)
    return found


def _gap(one: Span, other: Span) -> int:
    return max(one[0] - other[1], other[0] - one[1], 0)


def _within(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
