"""What a record denies of one side or form alone: "left hand without erosions" says nothing of the right one."""

import re

from percuss.evidence.rules.support2.reference import Known
from percuss.evidence.rules.support2.wording import denials, denies
from percuss.text.concepts import Statement

__all__ = ["denied_in_part"]

_SIDES = re.compile(r"\b(left|right|both|bilateral)", re.IGNORECASE)
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


def _sides(text: str) -> set[str]:
    found = {word.lower() for word in _SIDES.findall(text)}
    return set(_BOTH) if found - _BOTH else found
