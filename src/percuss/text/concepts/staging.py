"""Stages, TNM categories and classes: a grammar of codes that look like numbers and aren't."""

import re
from typing import NamedTuple

from percuss.text.cued import Cued

__all__ = ["Code", "broader_stage", "codes", "stage_of"]


class Code(NamedTuple):
    """A code found in a text: the attribute it is a value of, its normal form, its place."""

    attribute: str
    value: str
    start: int
    stop: int


_ROMAN = {
    "I": "I",
    "II": "II",
    "III": "III",
    "IV": "IV",
    "1": "I",
    "2": "II",
    "3": "III",
    "4": "IV",
    "0": "0",
}
_STAGE = re.compile(
    r"\b(?:stage|staged(?:\sas)?|stage\sgroup)\s?[:=]?\s?(?:is\s|was\s|of\s|as\s)?(?P<roman>0|IV|I{1,3}|[1-4])\s?-?(?P<sub>[A-Ca-c][1-3]?)?(?![\w]|\.\d|-\w)",
    re.IGNORECASE,
)
_OTHER_STAGE = re.compile(
    r"(?:kidney|renal|CKD|pressure|Tanner|GOLD|Fontaine|METAVIR|fibrosis|sleep|labou?r|sarcoid\w*|hypertension|encephalopathy|ulcer|"
    r"Rai|Binet|retinopathy|Hoehn and Yahr|osteoarthritis|first|second|third|early|end)[\s\w,-]{0,12}\s?$",
    re.IGNORECASE,
)
_TNM = re.compile(
    r"(?<![\w-])(?P<prefix>(?:yp|yc|p|c|r|a|y)?)(?:(?P<t>T(?:is|[xX]|[0-4])(?:[a-d][12]?|mi)?)(?![\d-]))?[\s,/]{0,2}(?P<n>(?:(?<=[\s,/\dA-Za-d])[pc]?)N(?:[xX]|[0-3])(?:[a-c]|mi)?(?![\d]))?"
    r"[\s,/]{0,2}(?P<m>(?:(?<=[\s,/\da-d])[pc]?)M(?:[xX]|[01])[a-d]?(?![\d]))?(?!\w)"
)
_NEAR = re.compile(
    r"\b(?:tnm|stage|staged|staging|tumou?r|cancer|carcinoma|adenocarcinoma|melanoma|lymphoma|category|disease|nodal|metasta\w+)\b",
    re.IGNORECASE,
)
_MAY_HOLD = re.compile(r"[TNM](?:is|[xX0-4])|stage", re.IGNORECASE)
_HINTS = Cued(_MAY_HOLD.pattern)
_WEIGHTED = re.compile(
    r"-?\s?(?:weighted|signal|hyperintens|hypointens|FLAIR|image|sequence|vertebra|level|lesion)",
    re.IGNORECASE,
)


def stage_of(written: str) -> str:
    """Return the normal form of a stage group: "3A" and "IIIa" are "IIIA"; "" for what is none.

    >>> stage_of("3a"), stage_of("IV"), stage_of("Stage IB"), stage_of("hot")
    ('IIIA', 'IV', 'IB', '')
    """
    match = re.fullmatch(
        r"(?:stage\s?)?(0|IV|I{1,3}|[1-4])\s?-?([A-C][1-3]?)?", written.strip(), re.IGNORECASE
    )
    return _ROMAN[match[1].upper()] + (match[2] or "").upper() if match else ""


def broader_stage(stage: str) -> str:
    """Return the stage group that a substage belongs to: "IIIA" is in "III"; a group is itself."""
    match = re.match(r"IV|I{1,3}|0", stage)
    return match.group() if match else stage


def codes(text: str) -> list[Code]:
    """Return the stage groups and TNM categories of a text.

    >>> [(c.attribute, c.value) for c in codes("stage 3A, pT2aN1M0")]
    [('tumour stage', 'IIIA'), ('T category', 'T2a'), ('N category', 'N1'), ('M category', 'M0')]
    """
    if not (_HINTS.may(text) and _MAY_HOLD.search(text)):
        return []
    found = []
    for match in _STAGE.finditer(text):
        if not _OTHER_STAGE.search(text, max(0, match.start() - 28), match.start()):
            value = _ROMAN[match["roman"].upper()] + (match["sub"] or "").upper()
            found.append(Code("tumour stage", value, match.start(), match.end()))
    for match in _TNM.finditer(text):
        parts = [(name, match[name]) for name in ("t", "n", "m") if match[name]]
        if not parts or not _is_tnm(text, match, len(parts)):
            continue
        for name, written in parts:
            start = match.start(name)
            value = written.lstrip("pc")
            found.append(
                Code(
                    f"{name.upper()} category", value[0] + value[1:].replace("X", "x"), start, match.end(name)
                )
            )
    return found


def _is_tnm(text: str, match: re.Match[str], parts: int) -> bool:
    """Tell T2 of a tumour from T2 of an MRI, a vertebra or a hormone."""
    if parts > 1 or match["prefix"]:
        return True
    if match["t"] and _WEIGHTED.match(text, match.end()):
        return False
    if re.match(r"\s*(?:level|was|is|of|:|=)?\s*\d", text[match.end() : match.end() + 12]) or re.search(
        r"(?:free|total|serum)\s$", text[: match.start()][-8:], re.IGNORECASE
    ):
        return False
    return _NEAR.search(text, max(0, match.start() - 60), min(len(text), match.end() + 40)) is not None
