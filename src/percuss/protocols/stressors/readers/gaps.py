"""What a sentence calls missing, awaited or needed."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from percuss.protocols.stressors.readers.asked import Entry, names_entries
from percuss.text.sentences import split

__all__ = ["READER", "Missing", "lacks", "missing_in"]

READER = "rule:gaps-1"
"""Name of the reader in runs, passports and panels."""

_DONE = (
    r"(?:available|provided|given|reported|known|documented|included|told|recorded|performed|done|measured|taken|obtained|carried out|imaged|"
    r"examined|tested|assessed|quantified|determined|reviewed|arranged|scanned|looked for|aspirated|back|stated|made available|come back|"
    r"checked|sent|drawn|ordered|in the record|on record|to hand|at hand|returned|received|shared|specified|mentioned|present in the record|"
    r"described in the record|collected|evaluated|captured|undertaken|requested|shown|supplied|biopsied|completed|listed)"
)
_LACKS = re.compile(
    rf"(?:\bnot|n't|\bnever)\b(?: yet| so far| been| be| have| currently| been yet| to have been| yet been| explicitly| clearly)*(?: made)? {_DONE}\b|"
    rf"\b(?:no|neither|without)\b[^.;?]*?\b(?:is|are|was|were|has|have|be|been|being)?\b[^.;?]{{0,30}}?\b(?:available|provided|recorded|reported|documented|taken|performed|"
    r"on record|so far|yet|at hand|to hand|obtained|reviewed|done|in the record|given|mentioned|made)\b|"
    r"\bmissing\b|\bunavailable\b|\black(?:s|ed|ing|)\b(?! of relief)|\boutstanding\b|\bawait\w*|\bpending\b|\bunknown\b|\bto follow\b|"
    r"\b(?:still|yet|remains?|remain) (?:to (?:be|come)\b|running\b|needed\b|required\b|outstanding\b|undetermined\b)|\bhave yet to\b|\bhas yet to\b|"
    r"\b(?:do|does|did)(?: not|n't) (?:yet )?(?:know|have|see|include|contain|mention|state|provide|give)\b|"
    r"\bwithout (?:a|an|the|any|knowing|his|her|results?)\b|\b(?:i|we) (?:have|see|find|lack) no\b|\bcannot (?:conclude|judge|tell|decide) without\b|"
    r"\b(?:absence|lack) of (?:the |any )?(?:results?|data|information|report)|\bno (?:further )?(?:information|data|results?|details?|mention) (?:on|about|for|of|regarding)\b|"
    r"\bnot (?:yet )?(?:in|part of) the record\b|\buntil (?:the|a|an)\b[^.;?]*\b(?:available|back|known|done)\b",
    re.IGNORECASE,
)
_NEEDS = re.compile(
    r"\b(?:needed|required|necessary)\b|\bneed(?:s)? (?:a|an|the|to (?:be|have|obtain|check|get|see|know)|more|\w+ and|\w+\b)|"
    r"\b(?:should|must|has to|have to|ought to) be (?:\w+ )?(?:checked|obtained|measured|done|performed|requested|ordered|sent|taken|arranged|repeated)\b|"
    r"\bwould (?:\w+ )?(?:help|be (?:\w+ )?(?:useful|helpful|needed|required|informative|valuable|important)|clarify|settle|confirm)\b|"
    r"\bhave to be obtained\b|\b(?:recommend|suggest|request|order|obtain)(?:ing|ed)? (?:a|an|the)\b|\bfurther (?:tests?|testing|work-?up|investigations?|evaluation)\b",
    re.IGNORECASE,
)
_FINDING = re.compile(
    r"\bnot (?:raised|elevated|reduced|enlarged|affected|impaired|needed|tender|dilated|positive)\b|\bdid(?: not|n't) grow\b|\bshould not\b|"
    r"\b(?:do|does)(?: not|n't) need\b|\bno (?:growth|bleeding|fever|rash)\b(?! (?:is|was) (?:documented|recorded|reported))",
    re.IGNORECASE,
)
_OTHER_DENIAL = re.compile(
    r"\b(?:fever|pain|cough|symptoms?|bleeding|rash|vomit\w*)\b[^.;]{0,24}\bnot (?:been )?(?:reported|documented|recorded|noted)",
    re.IGNORECASE,
)


class Missing(NamedTuple):
    """What a sentence calls missing.

    Args:
        entries: ids. cue: the words that say so; "" where none do.
        undecided: something is said to be missing, and what it is can't be told.
    """

    entries: tuple[str, ...]
    cue: str
    undecided: str = ""


def lacks(sentence: str, *, need: bool = False) -> str:
    """Return the words by which a sentence says that something is missing, or with `need` that it is wanted; "" for none."""
    if _OTHER_DENIAL.search(sentence):
        return ""
    found = _LACKS.search(sentence) or (_NEEDS.search(sentence) if need else None)
    if found is None or (_FINDING.search(sentence) and not _LACKS.search(_FINDING.sub(" ", sentence))):
        return ""
    return found.group()


def missing_in(text: str, entries: Sequence[Entry], *, need: bool = True) -> Missing:
    """Return what a text calls missing, awaited or, with `need`, needed.

    Args:
        text: one or more sentences of an answer. entries: all that the record holds, what is withheld included.
        need: whether wanting something counts as calling it missing.
    """
    ids: dict[str, None] = {}
    cue = undecided = ""
    for start, stop in split(text):
        sentence = text[start:stop]
        said = lacks(sentence, need=need)
        if not said:
            continue
        named = names_entries(sentence, tuple(entries))
        cue = cue or said
        if not named:
            undecided = undecided or "what is missing can't be told"
        ids |= dict.fromkeys(named)
    return Missing(tuple(ids), cue, "" if ids else undecided)
