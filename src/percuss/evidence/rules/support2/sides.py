"""What a record denies of one side or form alone: "left hand without erosions" says nothing of the right one."""

import re

from percuss.evidence.rules.support2.record import Reading
from percuss.evidence.rules.support2.reference import Known
from percuss.evidence.rules.support2.wording import denials, denies
from percuss.text.concepts import Statement
from percuss.text.cued import Cued

__all__ = ["denied_in_part", "of_other_part"]

_SIDES = re.compile(r"\b(left|right|both|bilateral)", re.IGNORECASE)
_PARTS = Cued(
    r"\b(?P<a>head|tail|body|neck|uncinate\sprocess|fundus|antrum|cardia|isthmus|dome|hilum)\sof\s(?:the\s|his\s|her\s)?(?:pancreas|stomach|gallbladder|uterus|bladder|thyroid|liver|kidney|femur|humerus|radius|fibula|spleen)\b"
    r"|\b(?:pancreatic|femoral|humeral|radial|gastric|uterine)\s(?P<b>head|tail|body|neck|fundus|antrum)\b"
)
_BOTH = frozenset({"left", "right"})


def denied_in_part(claim: Statement, text: str, known: Known) -> bool:
    """Tell whether a fact denies less than a claim does: another side, one of two, or only a form of the thing.

    Args:
        claim: a denial. text: the claim. known: a denial of the same thing, with the words of its fact.
    """
    said = {dimension for dimension, _ in claim.qualifiers}
    if any(dimension not in said and dimension != "side" for dimension, _ in known.statement.qualifiers):
        return True
    denied = _sides(" ".join(part for part in denials(known.value) if denies(part)))
    denied |= {side for dimension, side in known.statement.qualifiers if dimension == "side"} & _BOTH
    return bool(denied) and denied != _BOTH and _sides(text) != denied


def of_other_part(claim: str, found: Reading) -> bool:
    """Tell whether a claim names a part of an organ that none of the facts which support it names: the tail, where they have the head.

    Args:
        claim: its text. found: a reading with the label supported.
    """
    named = _PARTS.search(claim)
    if named is None:
        return False
    said = named["a"] or named["b"]
    held = " ".join(f"{hang.path} {hang.value}" for hang in found.hangs_on).lower()
    return bool(held.strip()) and said.lower() not in held


def _sides(text: str) -> set[str]:
    found = {word.lower() for word in _SIDES.findall(text)}
    return set(_BOTH) if found - _BOTH else found
