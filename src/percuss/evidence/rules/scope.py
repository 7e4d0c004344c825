"""What governs a place in a claim: an absence cue, a conditional, a negation right before a value."""

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from percuss.text.lexicon import ABSENCE, CLAUSE, Gate

__all__ = ["HYPOTHETICAL", "Scope", "negated"]

_VERB = r"\b(?:is|are|was|were|shows?|showed|has|have|had|suggests?|indicates?|contribut\w{2,4}|reveals?|remains?|scored|accounts?)\b"
_OWN = re.compile(rf"\d|{_VERB}|{ABSENCE.pattern}", re.IGNORECASE)
_STATED = re.compile(rf"\d|{_VERB}", re.IGNORECASE)
_ASSERTED = re.compile(
    rf"\d|\b(?:shows?|showed|suggests?|indicates?|contribut\w{{2,4}}|reveals?)\b|{ABSENCE.pattern}",
    re.IGNORECASE,
)
_COMMA = re.compile(r",\s")

HYPOTHETICAL = re.compile(
    r"\b(?:would|should|if|when available|requires?|required|needed|need(?:s|ed)? to|recommend(?:ed|s)?|warranted|to be (?:assessed|determined|evaluated)"
    r"|pending|typically|generally|often|commonly|in general|usually)\b",
    re.IGNORECASE,
)
"""Words that speak of what might be or usually is, not of what this evidence shows."""

_NEGATOR = re.compile(
    r"(?:\b(?:not|rather than|instead of|neither|nor|never|excludes?|rules? out|ruled out)|n['’]t)\s(?:(?:a|an|the|be|been|in|of|at|any|as|yet|on|taking|receiving|using)\s){0,2}$",
    re.IGNORECASE,
)


class Scope(NamedTuple):
    """The clauses of a claim and the cues in them.

    Args:
        cuts: where a clause starts, after the first.
        absences: places of absence cues.
        hypothetical: places of conditionals.
    """

    cuts: tuple[int, ...]
    absences: tuple[int, ...]
    hypothetical: tuple[int, ...]

    @classmethod
    def of(cls, claim: str, gate: Gate) -> "Scope":
        """Read a claim's clauses and cues; `gate` is the claim's."""
        absences = tuple(m.start() for m in ABSENCE.finditer(claim)) if gate.open("absence") else ()
        hypothetical = tuple(m.start() for m in HYPOTHETICAL.finditer(claim)) if gate.open("supposed") else ()
        cuts = _cuts(claim) if absences or hypothetical else ()
        return cls(cuts, absences, hypothetical)

    def denied(self, position: int) -> bool:
        """Tell whether an absence cue governs a place."""
        return self._governs(self.absences, position)

    def supposed(self, position: int) -> bool:
        """Tell whether a conditional or generality governs a place."""
        return self._governs(self.hypothetical, position)

    def _governs(self, cues: tuple[int, ...], position: int) -> bool:
        clause = bisect_right(self.cuts, position)
        return any(bisect_right(self.cuts, cue) == clause for cue in cues)


def _cuts(claim: str) -> tuple[int, ...]:
    """Return the starts of clauses: strong marks always, a comma where both sides say something of their own.

    "No RNA, clinical or pathology data" is one clause, "pathology shows 61%, RNA is not available" are two.
    """
    cuts = [m.start() for m in CLAUSE.finditer(claim)]
    commas = [m.start() for m in _COMMA.finditer(claim)]
    if commas:
        edges = sorted({0, len(claim), *cuts, *commas})
        for comma in commas:
            at = bisect_left(edges, comma)
            before, after = claim[edges[at - 1] : comma], claim[comma : edges[at + 1]]
            if _OWN.search(after if _STATED.search(before) else "") or (
                _OWN.search(before) and _ASSERTED.search(after)
            ):
                cuts.append(comma)
    return tuple(sorted(set(cuts)))


def negated(claim: str, start: int) -> bool:
    """Tell whether a negation stands right before a value: "not stage IV", "rather than 61%".

    >>> negated("It is not stage IV", 10), negated("No spread, stage IV", 11)
    (True, False)
    """
    return _NEGATOR.search(claim, max(0, start - 32), start) is not None
