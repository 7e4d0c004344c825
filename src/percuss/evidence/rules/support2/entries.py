"""Entries of a list that a claim names by their identifier ("tile_183 scored 0.87"): the number beside that name, and no other."""

import re

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.fieldwords import entries

__all__ = ["by_entry"]

_NAME = re.compile(r"\b[A-Za-z]+_\d+\b")
_SAID = re.compile(
    r"^\W*(?:the\s)?(?P<name>[A-Za-z]+_\d+)\s(?:scored|scores|has\sa\sscore\sof|had\sa\sscore\sof|is|was|reaches|reached|got|at)\s(?:a\sscore\sof\s)?(?P<value>\d+(?:\.\d+)?)\W*$"
)


def by_entry(claim: str, packet: Packet) -> Fielded | None:
    """Return how "tile_183 scored 0.87" stands to the entry of that name; None where the claim says more or the packet has no such list.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    if "_" not in claim or not _NAME.search(claim):
        return None
    match = _SAID.match(claim)
    held = entries(packet) if match is not None else {}
    if match is None or not held:
        return None
    name = match["name"].lower()
    fact = held.get(name)
    if fact is None:
        kin = {other.partition("_")[0] for other in held}
        return Fielded("absent", "no entry of that name", "", "") if name.partition("_")[0] in kin else None
    decimals = len(match["value"].partition(".")[2])
    same = round(float(str(fact.value)), decimals) == float(match["value"])
    return Fielded(
        "supported" if same else "contradicted", "the number beside that name", fact.path, str(fact.value)
    )
