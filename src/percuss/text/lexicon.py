"""The words that the rule checkers and the kind tagger look for: cues, layers, enumerated values, committed specifics.

Patterns are flat alternations with bounded repeats, so that each runs in time linear in the text.
"""

import re
from typing import NamedTuple

__all__ = [
    "ABSENCE",
    "CLAUSE",
    "FIELD",
    "HEDGE",
    "LAYER",
    "SPECIFIC",
    "Enumerated",
    "Gate",
    "enumerated",
    "layer_words",
]

_WORDS = re.compile(r"[a-z]+")
_GATES = {
    "absence": "no not cannot can none neither nor null n without lack lacks lacked lacking absent absence missing insufficient "
    "insufficiently unavailable unassessable unassessed unobtainable undetermined unreported unknown undocumented "
    "unprovided unevaluable non nonavailable nonassessable nonassessed nonobtainable nondetermined nonreported nonknown "
    "nondocumented nonprovided nonevaluable indeterminable t",
    "hedge": "roughly approximately approx nearly almost circa may might could possibly potentially perhaps probably "
    "presumably likely about around some ca",
    "enumerated": "stage stages smoker smokers smoked smoking tier hot warm cold male males female females",
    "field": "stage staging tier smoker smoking smoked sex gender",
    "specific": "positive mutant mutated rearranged amplified",
    "level": "high higher highly elevated increased regulated upregulated strong over overexpressed overexpresses overexpression "
    "raised low lower reduced decreased downregulated weak diminished suppressed moderate moderately intermediate average",
    "tier": "tier hot warm cold desert inflamed uninflamed readiness phenotype immunophenotype",
    "man": "male man gentleman boy female woman lady girl",
    "supposed": "would should if when requires require required needed need needs recommend recommended recommends warranted to pending "
    "typically generally often commonly in usually",
    "worded": "half third thirds quarter quarters fourth fourths fifth fifths sixth sixths tenth tenths halves zero one two three four "
    "five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty "
    "fifty sixty seventy eighty ninety",
}
_GATE_WORDS = {name: frozenset(words.split()) for name, words in _GATES.items()}


class Gate:
    """Tells cheaply which patterns can't match a text: most claims need a few of them.

    Args:
        text: a claim. A gate that is open says nothing; one that is shut is sure (a property test compares).
    """

    __slots__ = ("digit", "low", "notation", "words")

    def __init__(self, text: str) -> None:
        self.low = text.lower()
        self.words = frozenset(_WORDS.findall(self.low))
        self.digit = _DIGIT.search(text) is not None
        self.notation = self.digit and _NOTATION.search(text) is not None

    def open(self, name: str) -> bool:
        """Tell whether the pattern of a name (absence, hedge, enumerated, field, specific, layer ..) may match."""
        if name == "layer":
            low = self.low
            return (
                "patholog" in low
                or "rna" in low
                or "transcriptom" in low
                or "clinical" in low
                or "fus" in low
            )
        if not self.words.isdisjoint(_GATE_WORDS[name]):
            return True
        if name == "specific":
            return self.notation
        return name == "hedge" and ("~" in self.low or "≈" in self.low or "∼" in self.low)


_DIGIT = re.compile(r"\d")
_NOTATION = re.compile(r"[A-Y]\d\d|[cp]\.[A-Z\d]|xon\s\d")

ABSENCE = re.compile(
    r"\b(?:no(?!\.\s?\d|t only)|not|cannot|can't|can’t|none|neither|nor|null|n/a|without|lack(?:s|ed|ing)?|absent|absence|missing"
    r"|insufficient(?:ly)?|(?:un|non-?)(?:available|assessable|assessed|obtainable|determined|reported|known|documented|provided|evaluable)"
    r"|indeterminable)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Absence cues (definitions, rule checker: no, not, cannot, un-available/-assessable) with their plain synonyms."""

_COUNTED = (
    r"\d|an?\s(?:half|third|quarter|fifth|tenth|dozen)|half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
HEDGE = re.compile(
    r"\b(?:roughly|approximately|approx|nearly|almost|circa|may(?!\s\d)|might|could|possibly|potentially|perhaps|probably|presumably"
    r"|likely)\b|(?:\b(?:about|around|some|ca\.)\s|[~≈∼]\s?)(?=[*_]{0,2}(?:" + _COUNTED + r"))",
    re.IGNORECASE,
)
"""Hedges (definitions: roughly, about, approximately, may, might, could ..); "about" only before a number."""

LAYER = re.compile(
    r"(?<![A-Za-z])(?:(?P<pathology>(?:histo)?patholog\w{0,8})|(?P<transcriptomics>(?:m|mi|sc|sn|lnc)?RNA(?:[- ]?seq\w{0,9})?(?![a-z])"
    r"|transcriptom\w{0,6})|(?P<clinical>clinical)(?![a-z])|(?P<fusion>fusion|fused)(?![a-z]))",
    re.IGNORECASE,
)
"""Modality words; the group that matched is the layer (App. H: pathology, RNA, clinical, fusion, transcriptom)."""

CLAUSE = re.compile(
    r";|[.!?]\s|,\s(?=(?!includ|be)[a-z]{3,12}ing\b|which\b|thereby\b)|\b(?:but|however|while|whereas|although|though|yet)\b",
    re.IGNORECASE,
)
"""Where the reach of an absence cue ends."""

_ROMAN = r"(?:IV|I{1,3}|[0-4])(?:[ABC]\d?)?"
_STAGE = (
    r"\bstages?\b[\s:*_=(-]{0,6}(?:is\s|was\s|of\s|group\s)?(?P<stage>" + _ROMAN + r")(?![\w%]|\.\d)"
    r"(?:\s?(?:/|-|–|to|or)\s?(?P<stage_high>" + _ROMAN + r")(?![\w%]|\.\d))?"
)
_SMOKING = (
    r"\b(?P<smoking>never|ever|former|current)[\s-]{1,2}(?:a\s)?smok(?:er|ers|ed|ing)\b"
    r"|\bsmok(?:er|ing)(?:[\s_](?:status|history))?[\s:*_=-]{1,6}(?:is\s|was\s)?(?P<smoking_value>never|ever|former|current)\b"
)
_TIER = (
    r"\btier[\s:*_#=-]{1,6}(?P<tier_number>[1-5]|I{1,3}|IV)(?![\w%]|\.\d)"
    r"|(?<![\w-])(?P<tier>hot|warm|cold)(?![\w-]|\s(?:flash|flush|spot|sore|water|compress|agglutinin|ischemi|intolerance))"
)
_SEX = r"\b(?P<sex>male|female)s?\b"
_ENUMERATED = re.compile(f"{_STAGE}|{_SMOKING}|{_TIER}|{_SEX}", re.IGNORECASE)
_FIELD_OF = {
    "stage": "stage",
    "stage_high": "stage",
    "smoking": "smoking",
    "smoking_value": "smoking",
    "tier_number": "tier",
    "tier": "tier",
    "sex": "sex",
}

FIELD = re.compile(r"\b(?:stage|staging|tier|smok(?:er|ing|ed)|sex|gender)\b", re.IGNORECASE)
"""Names of the enumerated fields (App. H: stage, smoking history, tier, sex)."""

_AMINO = "ACDEFGHIKLMNPQRSTVWY"
SPECIFIC = re.compile(
    rf"\b(?P<variant>(?!S100[AB]\b|Q\d\dH\b)[{_AMINO}]\d{{2,4}}(?:[{_AMINO}](?:fs)?|\*|fs|del|dup)(?!\w))"
    r"|\bp\.(?P<protein>[A-Z][a-z]{2}\d{1,4}(?:[A-Z][a-z]{2}|\*|=))"
    r"|\bc\.(?P<coding>\d{1,5}(?:[+-]\d{1,3})?[ACGT]>[ACGT])"
    r"|(?P<exon>\b[Ee]xon\s\d{1,2}\s(?:deletion|insertion|skipping))"
    r"|(?P<positive>\b(?:[Mm]utation|[Mm]utant|[Rr]earrangement|[Aa]mplification|[Tt]ranslocation)[\s-]{1,3}[Pp]ositive\b"
    r"|\b[Pp]ositive for (?:\w{1,12} ){0,3}?(?:mutation|rearrangement|amplification|translocation)s?\b"
    r"|\b[A-Z][A-Z0-9]{2,6}-(?:mutant|mutated|rearranged|amplified)\b)"
)
"""Committed specifics: variant notation and "mutation positive" (definitions, rule checker)."""


class Enumerated(NamedTuple):
    """An enumerated value as written: its field (stage, smoking, tier, sex) and its value, white space and case folded."""

    start: int
    stop: int
    field: str
    value: str


def enumerated(text: str) -> tuple[Enumerated, ...]:
    """Return the enumerated values of a text, in order.

    >>> [(e.field, e.value) for e in enumerated("Stage IIIa, never-smoker, Tier 3 (Cold), female")]
    [('stage', 'IIIA'), ('smoking', 'never'), ('tier', 'tier 3'), ('tier', 'cold'), ('sex', 'female')]
    """
    found = []
    for match in _ENUMERATED.finditer(text):
        name = match.lastgroup or ""
        if name == "stage_high":
            found.append(Enumerated(match.start(), match.end("stage"), "stage", match["stage"].upper()))
        start, stop = (match.start(name), match.end()) if name == "stage_high" else match.span()
        found.append(Enumerated(start, stop, _FIELD_OF[name], _folded(name, match[name])))
    return tuple(found)


def _folded(name: str, value: str) -> str:
    if name.startswith("stage"):
        return value.upper()
    return f"tier {value.lower()}" if name == "tier_number" else value.lower()


def layer_words(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return (start, stop, layer) of every modality word of a text."""
    return tuple((m.start(), m.end(), m.lastgroup or "") for m in LAYER.finditer(text))
