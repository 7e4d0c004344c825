"""Polarity and direction of a sentence, and whether two sentences point different ways."""

import re

from percuss.core.strict import Record

__all__ = ["Signs", "opposed", "signs", "unsigned"]

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|lack(?:s|ed|ing)?|absence of|fail(?:s|ed)? to|unable|ineffective|unlikely|"
    r"non-?significant(?:ly)?|insignificant|n't)\b|n[’']t\b",
    re.IGNORECASE,
)
_DIRECTIONS: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "amount": (
        re.compile(r"\b(?:increas\w+|rais\w+|ris(?:e|es|en|ing)|rose|higher|greater|more than|elevat\w+|gain\w*|grew|longer|above|exceed\w*|improv\w+|upregulat\w+)\b", re.IGNORECASE),
        re.compile(r"\b(?:decreas\w+|reduc\w+|lower\w*|fall(?:s|en|ing)?|fell|fewer|less than|declin\w+|drop\w*|shrank|shorter|below|diminish\w+|worsen\w*|downregulat\w+)\b", re.IGNORECASE),
    ),
    "advice": (
        re.compile(r"\b(?:recommend\w*|should be (?:given|used|offered|started)|offer(?:ed)?|is indicated|are indicated|first[- ]line|preferred|safe)\b", re.IGNORECASE),
        re.compile(r"\b(?:avoid\w*|contraindicat\w+|should not|must not|do not|not recommended|discourag\w+|withh[eo]ld|harmful|unsafe)\b", re.IGNORECASE),
    ),
    "time": (re.compile(r"\b(?:before|prior to|preced\w+)\b", re.IGNORECASE), re.compile(r"\b(?:after|following|subsequent)\b", re.IGNORECASE)),
    "extent": (re.compile(r"\b(?:all|every|always|most)\b", re.IGNORECASE), re.compile(r"\b(?:no|none|never|few|rarely|seldom)\b", re.IGNORECASE)),
}  # fmt: skip


class Signs(Record):
    """What a sentence points at: whether it is negated, and per dimension which way (+1, -1, 0 = both or neither)."""

    negated: bool
    ways: dict[str, int]


def signs(sentence: str) -> Signs:
    """Read polarity and directions of a sentence.

    >>> signs("It should not be avoided").negated, signs("The rate fell").ways["amount"]
    (True, -1)
    """
    ways = {}
    for name, (forward, backward) in _DIRECTIONS.items():
        ahead, back = bool(forward.search(sentence)), bool(backward.search(sentence))
        ways[name] = 0 if ahead == back else 1 if ahead else -1
    return Signs(negated=len(_NEGATION.findall(sentence)) % 2 == 1, ways=ways)


def opposed(claim: Signs, other: Signs) -> str:
    """Return in what two sentences differ: the dimension, "polarity", or ""; both at once cancel out."""
    ways = [name for name in claim.ways if claim.ways[name] * other.ways[name] == -1 and name != "extent"]
    if ways and claim.negated == other.negated:
        return ways[0]
    if not ways and claim.negated != other.negated and claim.ways.get("advice") == other.ways.get("advice"):
        return "polarity"
    if claim.ways["advice"] * other.ways["advice"] == -1:
        return "advice"
    return ""


def unsigned(sentence: str) -> str:
    """Return a sentence without its words of direction and negation: what it is about."""
    for forward, backward in _DIRECTIONS.values():
        sentence = backward.sub(" ", forward.sub(" ", sentence))
    return _NEGATION.sub(" ", sentence)
