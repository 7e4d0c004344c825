"""Heavy and light smokers by their pack-years: a word of amount that stands beside smoking."""

import re
from decimal import Decimal
from typing import NamedTuple

from percuss.evidence.packet import Packet
from percuss.text.cued import Cued

__all__ = ["Amount", "smoked"]

_CUE = Cued(r"\bsmok\w+")
_WORD = re.compile(
    r"\b(?:a\s)?(?P<word>heavy|light)\s(?:(?P<when>ex-|former\s|current\s|past\s|previous\s)?smok)",
    re.IGNORECASE,
)
_HEAVY, _LIGHT = Decimal(30), Decimal(10)
"""Pack-years from which on a smoker is heavy (the entry of the National Lung Screening Trial, 2011), and below which light; between them nothing is said."""


class Amount(NamedTuple):
    """A claim without the word of amount, and whether that word fits the pack-years."""

    rest: str
    right: bool


def smoked(claim: str, packet: Packet) -> Amount | None:
    """Return a claim of a heavy or light smoker without that word; None for any other, or where the pack-years leave it open.

    Args:
        claim: the claim's text. packet: the full packet of the case.

    >>> smoked("She is a heavy smoker.", Packet.of_layers({"clinical": {"pack_years": 69}}))
    Amount(rest='She is a smoker.', right=True)
    """
    match = _WORD.search(claim) if _CUE.search(claim) else None
    facts = (
        [f for f in packet.facts if f.leaf.lower() == "pack_years" and isinstance(f.value, int | float)]
        if match
        else []
    )
    if match is None or len(facts) != 1 or isinstance(facts[0].value, bool):
        return None
    years = Decimal(str(facts[0].value))
    if _LIGHT < years < _HEAVY:
        return None
    start, stop = match.span("word")
    rest = f"{claim[:start]}{claim[stop:].lstrip()}"
    return Amount(rest[:1].upper() + rest[1:], (match["word"].lower() == "heavy") == (years >= _HEAVY))
