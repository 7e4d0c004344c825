"""Modality words with their synonyms: which layers a claim asserts to have read, and which it says are not there."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from percuss.evidence.rules.scope import Scope
from percuss.text.lexicon import ABSENCE

__all__ = ["Spoken", "spoken"]

_WORDS = re.compile(
    r"(?P<pathology>(?<![A-Za-z])(?:histo)?patholog(?:y|ic|ical|ist)\b(?!\s(?:T|N|M|stag))|\bhistolog(?:y|ic|ical)\b|\bH&E\b|\bwhole[\s-]slide\b|\btiles?\b(?!_))"
    r"|(?P<transcriptomics>(?<![A-Za-z])(?:m|mi|sc|sn|lnc)?RNA(?:[- ]?seq\w{0,9})?(?![a-z])|\btranscript(?:ome|omic|omics|ional)?\b"
    r"|\b(?:gene|mrna)[\s-]expression\b|\bexpression (?:profil\w{1,4}|signature|data|evidence)\b|\bGEP\b)"
    r"|(?P<clinical>\bclinical\b(?!\s(?:trial|practice|significance|benefit|decision|utility|guideline|judg|correlat|oncolog|relevan|respon|outcome|use"
    r"|validation|setting|interpretation|consult|team|care|management)))"
    r"|(?P<fusion>(?<!gene )(?<!ALK )(?<!RET )(?<!ROS1 )(?<!NTRK )\bfus(?:ion|ed)\b(?!\s(?:gene|partner|transcript|protein|oncogene|positive))"
    r"|\b(?:composite|multimodal) score\b)",
    re.IGNORECASE,
)
_HINTS = (
    "patholog",
    "histolog",
    "h&e",
    "slide",
    "tile",
    "rna",
    "transcript",
    "expression",
    "gep",
    "clinical",
    "fus",
    "composite",
    "multimodal",
)
_ASSERTING = re.compile(
    r"\b(?:shows?|showed|reveals?|indicates?|demonstrates?|suggests?|contribut\w{2,4}|has|have|with|confirms?|identif\w{2,4}|supports?|on|in|by|from"
    r"|at|was seen|were seen|scored)\b",
    re.IGNORECASE,
)
_STATING = re.compile(r"\b(?:is|are|was|were)\b", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_MOST_BEFORE, _MOST_AFTER = 7, 8


class Spoken(NamedTuple):
    """A layer that a claim speaks of."""

    start: int
    stop: int
    layer: str
    denied: bool


def spoken(claim: str, scope: Scope) -> Iterator[Spoken]:
    """Yield the layers that a claim asserts or denies; words under a conditional ("would be assessed") say neither.

    A layer is denied where an absence cue of its clause is about it: "no RNA data", "RNA: not available", but not
    "pathology shows no necrosis".
    """
    low = claim.lower()
    if not any(hint in low for hint in _HINTS):
        return
    for match in _WORDS.finditer(claim):
        start, stop = match.span()
        denied = scope.denied(start) and _is_about(claim, start, stop, scope)
        if denied or not scope.supposed(start):
            yield Spoken(start, stop, match.lastgroup or "", denied)


def _is_about(claim: str, start: int, stop: int, scope: Scope) -> bool:
    for cue in scope.absences:
        if cue < start:
            gap = claim[cue + _cue_length(claim, cue) : start]
            if _STATING.search(gap):
                continue
            most = _MOST_BEFORE
        else:
            gap, most = claim[stop:cue], _MOST_AFTER
        if len(_WORD.findall(gap[:120])) <= most and len(gap) < 120 and not _ASSERTING.search(gap):
            return True
    return False


def _cue_length(claim: str, cue: int) -> int:
    match = ABSENCE.match(claim, cue)
    return match.end() - cue if match else 0
