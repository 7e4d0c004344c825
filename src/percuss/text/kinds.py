"""Kinds of a claim: which of the six apply, and which is the primary one."""

import re

from percuss.text.lexicon import ABSENCE, Enumerated, enumerated, layer_words
from percuss.text.quantities import quantities, worded

__all__ = ["ORDER", "kinds", "layers", "primary"]

ORDER = ("literature", "numeric", "tier", "uncertainty", "modality", "other")
"""The primary kind is the first of these that applies (definitions, claim kinds)."""

_LITERATURE = re.compile(
    r"\bet al\b|\bPMID\b|\bPMC\d|\bdoi\b|\b10\.\d{4,9}/|\bNCT\d{8}\b|\(\d{4}[a-z]?\)"
    r"|\b(?:(?:published|prior|previous|recent|several|many|clinical|randomi[sz]ed|observational|cohort|retrospective) "
    r"(?:stud(?:y|ies)|trials?|reports?|evidence|literature)|literature|meta-analys[ei]s|systematic reviews?"
    r"|(?:NCCN|ASCO|ESMO|WHO|CAP|AHA|ACC|NICE)(?:/\w{2,6})? (?:\w{1,16} )?guidelines?|PubMed|(?:KEYNOTE|CheckMate|IMpower|PACIFIC|POSEIDON)-?\d{0,4})\b"
)
_TNM = re.compile(
    r"(?<![A-Za-z0-9])[cpyr]{0,2}(?:T(?:[0-4][abc]?|is|X)|N[0-3Xx][abc]?|M[01Xx][abc]?)(?![a-zA-Z&]|\d{2})"
)
_TIER_WORDS = re.compile(
    r"\bimmune[\s-](?:inflamed|excluded|desert|hot|cold|warm|rich|poor|active|quiet)\b|\b(?:non-?)?inflamed\s(?:tumou?r|phenotype|tier)"
    r"|\b(?:high|low|intermediate|moderate|favou?rable|unfavou?rable)(?:est)?[\s-](?:readiness|(?:immune(?:[\s-]\w{1,12})?[\s-])?(?:tier|phenotype))\b"
    r"|\btier[\s:*_=-]{1,5}(?:is\s)?(?:an?\s)?(?:high|low|intermediate|moderate(?:ly)?|middle|top|bottom|favou?rable|unfavou?rable)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:limit(?:ation|ations|ed|ing|s)?|uncertain(?:ty|ties)?|unclear|inconclusive|caution|caveats?|incomplete|pending|unconfirmed"
    r"|provisional|(?:un|in)determinate|undetermined|unverified)\b",
    re.IGNORECASE,
)


def kinds(text: str) -> tuple[str, ...]:
    """Return the kinds that apply to a claim, in the order of precedence; never empty.

    literature: cites or appeals to publications. numeric: a number or a stage, TNM or smoking value. tier: a tier value.
    uncertainty: an absence or limitation cue with no asserted value. modality: a modality word. other: none of these.

    >>> kinds("RNA evidence: not available"), kinds("Stage III, tumor 61%"), kinds("Favorable biology")
    (('uncertainty', 'modality'), ('numeric',), ('other',))
    """
    named = enumerated(text)
    values = {value.field for value in named}
    number = bool(values & {"stage", "smoking"}) or _numbered(text, named) or _TNM.search(text) is not None
    tier = "tier" in values or _TIER_WORDS.search(text) is not None
    held = []
    if _LITERATURE.search(text):
        held.append("literature")
    if number:
        held.append("numeric")
    if tier:
        held.append("tier")
    if not number and not tier and (ABSENCE.search(text) or _LIMIT.search(text)):
        held.append("uncertainty")
    if layer_words(text):
        held.append("modality")
    return tuple(held) or ("other",)


def primary(held: tuple[str, ...]) -> str:
    """Return the primary kind of those that apply."""
    return min(held, key=ORDER.index, default="other")


def layers(text: str) -> frozenset[str]:
    """Return the layers whose modality words the text holds: what `completeness` counts as mentioned."""
    return frozenset(layer for _start, _stop, layer in layer_words(text))


def _numbered(text: str, named: tuple[Enumerated, ...]) -> bool:
    """Tell whether a number stands outside tier names ("Tier 3" is a tier, not a number); in one pass over both, each in order of place."""
    for said in (quantities(text), worded(text)):
        at = 0
        for each in said:
            while at < len(named) and named[at].stop <= each.start:
                at += 1
            if at == len(named) or each.start < named[at].start:
                return True
    return False
