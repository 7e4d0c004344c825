"""What an answer declares: its diagnosis, its certainty, and where its final list of evidence starts.

The prompts ask for lines (`DIAGNOSIS:`, `CERTAINTY:`, `EVIDENCE:`). Where a model ignores the form and a person could still
read its diagnosis or its list, so does the rule; where the prose names two diagnoses, hedges or negates, nothing is read.
"""

import re

from percuss.protocols.stressors.scenario.wording import content_words

__all__ = ["LEVELS", "declared", "evidence_start", "without_declarations"]

LEVELS = ("undetermined", "possible", "probable", "definite")
_LINE = r"^[ \t>*#-]*{0}[*\s]*[:=][*\s]*(?P<value>.*?)[ \t*]*$"
_DIAGNOSIS = re.compile(
    _LINE.format("(?:final |most likely |working )?diagnosis"), re.IGNORECASE | re.MULTILINE
)
_CERTAINTY = re.compile(_LINE.format("certainty"), re.IGNORECASE | re.MULTILINE)
_EVIDENCE = re.compile(
    r"^[ \t>*#-]*(?:supporting |key )?evidence[*\s]*[:=][*]*[ \t]*", re.IGNORECASE | re.MULTILINE
)
_LED_IN = re.compile(
    r"^[^\n]*\b(?:evidence|supporting|supports?|findings)\b[^\n]*:[ \t*]*\n+(?=[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t])",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that announces evidence or findings and ends in a colon, right before a list."""
_NAME = r"(?P<value>[A-Za-z][^.,;:?\n]{2,80})"
_IN_PROSE = (
    re.compile(
        r"\bdiagnosis (?:for|of|in) (?:this|the) (?:patient|case|disease|condition|illness) (?:is|was|remains|would be) "
        + _NAME,
        re.IGNORECASE,
    ),
    re.compile(r"\bdiagnosis (?:is|was|remains|would be)(?: that of)? " + _NAME, re.IGNORECASE),
    re.compile(r"\b(?:the|a|my) (?:final |working )?diagnosis of " + _NAME, re.IGNORECASE),
    re.compile(
        r"\b(?:diagnosed with|suspected (?:of having|to have)|(?:suspected|possible|likely|probable|confirmed) diagnosis of|"
        r"(?:most likely|probably) has|(?:consistent with|suggestive of|indicative of)(?: a diagnosis of)?) "
        + _NAME,
        re.IGNORECASE,
    ),
)
"""Ways to name a diagnosis without its line, the plainest first; a certainty is never read from prose."""
_SOFT = re.compile(
    r"^(?:(?:still|most likely|likely|probably|an?|the|that of|diagnosis of)\s+)+", re.IGNORECASE
)
_ENDS = re.compile(
    r"\s+(?:which|that|who|because|since|given|based on|as (?:evidenced|shown|indicated|the|there|this)|due to|caused by|in "
    r"(?:this|the|a)\b|is|was|for (?:this|the)\b|and (?:not|the|is|are|was|were|has|he|she|they|there|it)\b|but)\b.*$",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"^(?:not|no|un(?:clear|known|certain|determined)|difficult|hard|pending|open|still|to be|yet|based|made|one (?:disease|diagnosis))\b|\bor\b|"
    r"^(?:diag(?:n(?:o(?:s(?:is?)?)?)?)?|certainty|evidence|disease|condition|disorder|illness)$|^and\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|no|never|cannot|can't|without|isn't|less|rather than|ruled? out)\b[^.;\n]{0,24}$",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r"\bDIAGNOSIS\b[*\s]*(?:[:=]|is\b)[*\s]*(?P<value>[^\n]*?)(?=\.(?:\s|$)|\n|$|\b(?:DIAGNOSIS|CERTAINTY|EVIDENCE)\b)"
)
"""The label of the form inside a sentence, in its capitals ("The diagnosis of DIAGNOSIS: gout")."""
_REPEATED = re.compile(
    r"^(?:and )?(?:the )?(?:name of (?:the |one )?(?:other )?disease|(?:one|other) (?:disease|of definite[a-z, ]*?undetermined))\s*(?:is\b|:)?\s*",
    re.IGNORECASE,
)
"""The words of the prompt, repeated before the name or in its place."""
_ECHOES = frozenset({"(one diagnosis)", "one diagnosis", "one disease", "the most likely diagnosis"})
"""What the prompts ask for, repeated as it stands: no diagnosis."""


def declared(text: str) -> tuple[str | None, str | None]:
    r"""Return the diagnosis and the certainty that an answer declares; the last line of each counts.

    Without a line the diagnosis is read from the prose, if the plainest way in which it names one gives one name only.

    >>> declared("DIAGNOSIS: Gout\nCERTAINTY: probable")
    ('Gout', 'probable')
    >>> declared("The findings are consistent with acute gout, as the toe is hot.")
    ('acute gout', None)
    """
    lines = [m["value"].strip(" .*\"'") for m in _DIAGNOSIS.finditer(text)]
    diagnosis = (lines[-1] or None) if lines else _inline(text) if _INLINE.search(text) else _in_prose(text)
    levels = [m["value"].lower() for m in _CERTAINTY.finditer(text)]
    said = [word for word in LEVELS if levels and re.search(rf"\b{word}\b", levels[-1])]
    if diagnosis is not None and diagnosis.lower() in _ECHOES:
        diagnosis = None
    return diagnosis, said[0] if len(said) == 1 else None


def _inline(text: str) -> str | None:
    """The name behind a label that stands inside a sentence; None where there is none, or more than one."""
    names = [
        _ENDS.sub("", _SOFT.sub("", _REPEATED.sub("", m["value"]))).strip(" .,;:*\"'")
        for m in _INLINE.finditer(text)
    ]
    found = [name for name in names if len(name) > 2 and not _NO_NAME.search(name)]
    return found[-1] if len({content_words(name) for name in found}) == 1 else None


def _in_prose(text: str) -> str | None:
    for way in _IN_PROSE:
        names = [name for m in way.finditer(text) if (name := _name(text, m)) is not None]
        if names:
            return names[-1] if len({content_words(name) for name in names}) == 1 else None
    return None


def _name(text: str, found: re.Match[str]) -> str | None:
    """What was named, cut where a reason begins; None where it is negated, asked, left open or no name."""
    if _NEGATED.search(text[: found.start()]) or text[found.end() : found.end() + 1] == "?":
        return None
    name = _ENDS.sub("", _SOFT.sub("", found["value"])).strip(" *\"'")
    return name if len(name) > 2 and not _NO_NAME.search(name) else None


def evidence_start(text: str) -> int | None:
    r"""Return where the list of a final answer starts: after `EVIDENCE:`, else at a list that a line announces as evidence.

    >>> evidence_start("Gout. The two findings are:\n- a hot toe")
    28
    """
    found = _EVIDENCE.search(text) or _LED_IN.search(text)
    return None if found is None else found.end()


def without_declarations(text: str) -> str:
    """Overwrite declaring lines with spaces, so that offsets stay."""
    for pattern in (_DIAGNOSIS, _CERTAINTY):
        text = pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    return text
