"""What a sentence calls missing, awaited or needed."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from percuss.protocols.stressors.readers.asked import Entry, names_entries
from percuss.protocols.stressors.readers.topics import read_topics
from percuss.text.concepts import concept
from percuss.text.sentences import split

__all__ = ["READER", "Missing", "lacks", "missing_in"]

READER = "rule:gaps-2"
"""Name of the reader in runs, passports and panels."""

_DONE = (
    r"(?:available|provided|given|reported|known|documented|included|told|recorded|performed|done|measured|taken|obtained|carried out|imaged|"
    r"examined|tested|assessed|quantified|determined|reviewed|arranged|scanned|looked for|aspirated|back|stated|made available|come back|"
    r"disclosed|on file|passed on|filed|released|uploaded|checked|sent|drawn|ordered|in the record|on record|to hand|at hand|returned|received|shared|specified|mentioned|present in the record|"
    r"described in the record|collected|evaluated|captured|undertaken|requested|shown|supplied|biopsied|completed|listed)"
)
_DATA = (
    r"(?:results?|data|information|reports?|details?|records?|documentation|histology|serology|imaging|tests?|testing|findings? (?:for|from|on|of)|"
    r"measurements?|values?|levels?|studies|scans?|cultures?|biops\w+|radiographs?|films?|x-?rays?|mri|ct|ecg|ekg|echo\w*|bloods|swabs?|smears?|"
    r"clinical context|follow-?up|work-?up)"
)
"""Words for what can be told or looked up; what lacks anything else has a finding, not a gap."""
_LACKS = re.compile(
    rf"(?:\bnot|n't|\bnever)\b(?: yet| so far| been| be| have| currently| been yet| to have been| yet been| explicitly| clearly)*(?: made)? {_DONE}\b|"
    rf"\b(?:no|neither|without)\b[^.;?]*?\b(?:is|are|was|were|has|have|be|been|being)?\b[^.;?]{{0,30}}?\b(?:available|provided|recorded|reported|documented|taken|performed|"
    r"on record|so far|yet|at hand|to hand|obtained|reviewed|done|in the record|given|mentioned|made)\b|"
    r"\bmissing\b|\bunavailable\b|\black(?:s|ed|ing|)\b|\boutstanding\b|\bawait\w*|\bpending\b|\bunknown\b|\bto follow\b|"
    r"\b(?:still|yet|remains?|remain) (?:to (?:be|come)\b|running\b|needed\b|required\b|outstanding\b|undetermined\b)|\bhave yet to\b|\bhas yet to\b|"
    r"\b(?:i|we|you|record|chart|notes?|file|case|report|data|information|vignette|summary|text|history)\b[^.;,]{0,30}?\b(?:do|does|did)(?: not|n't) (?:yet )?"
    r"(?:know|have|see|include|contain|mention|state|provide|give)\b|"
    r"\bwithout (?:a|an|the|any|knowing|his|her|results?)\b|\b(?:i|we) (?:have|see|find|lack) no\b|\bcannot (?:conclude|judge|tell|decide) without\b|"
    r"\b(?:absence|lack) of (?:the |any )?(?:results?|data|information|report)|\bno (?:further |additional |other |more )?(?:information|data|results?|details?|mention) (?:on|about|for|of|regarding|from|in)\b|\bno (?:further|additional|other|more) (?:information|data|results?|details?)\b|"
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


_OBJECT = re.compile(r"[^.;:?,]{0,60}")
_WHO_LACKS = re.compile(
    r"\b(?:i|we|you|records?|chart|notes?|file|case|reports?|data|information|vignette|summary|text|work-?up)\b[^.;,]{0,20}$",
    re.IGNORECASE,
)
_IS_DATA = re.compile(rf"\b{_DATA}\b", re.IGNORECASE)
_NO_DATA = re.compile(
    r"^\W*(?:an? |the |his |her |their |any |some |several |one |two |\w+ ){0,2}?(?:diagnosis|transplant\w*|surgery|operation|treatment|therapy|discharge|decisions?|"
    r"appointment|referral|delivery|teeth|tooth|doses?|tablets?|fingers?|toes?|limbs?|leg|arm|eye|kidney|spleen|periods?|meals?|school|work)\b(?! (?:results?|reports?|levels?|scans?))",
    re.IGNORECASE,
)
_OF_THE_BODY = re.compile(
    r"\b(?:pulses?|reflex\w*|teeth|tooth|sounds?|sensation|sense|periods?|digits?|fingers?|toes?|appetite|hair|breath\w*) (?:is |are |was |were )?$",
    re.IGNORECASE,
)


def _is_gap(sentence: str, found: re.Match[str]) -> bool:
    """What is lacked must be something that can be told: lacking a hormone or a sense, or awaiting an operation, is a finding."""
    cue = found.group().lower()
    after = _OBJECT.match(sentence, found.end())
    rest = after.group() if after else ""
    if cue.startswith("lack"):
        if not rest.strip(" *)\"'"):
            return bool(_IS_DATA.search(sentence[: found.start()]) or _tested(sentence[: found.start()]))
        return bool(_WHO_LACKS.search(sentence[: found.start()]) or _IS_DATA.search(rest))
    if cue.startswith("without"):
        return bool(_IS_DATA.search(f"{cue} {rest}") or "knowing" in cue or _tested(rest))
    if cue.startswith(("await", "missing", "pending")):
        return not _NO_DATA.search(rest) and not _OF_THE_BODY.search(sentence[: found.start()])
    return True


def _tested(words: str) -> bool:
    topics = read_topics(words)
    kinds = {held.kind for name in topics.concepts if (held := concept(name)) is not None}
    return bool(topics.modalities or kinds & {"test", "analyte", "procedure"})


def lacks(sentence: str, *, need: bool = False) -> str:
    """Return the words by which a sentence says that something is missing, or with `need` that it is wanted; "" for none."""
    if _OTHER_DENIAL.search(sentence):
        return ""
    found = next((m for m in _LACKS.finditer(sentence) if _is_gap(sentence, m)), None) or (
        _NEEDS.search(sentence) if need else None
    )
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
