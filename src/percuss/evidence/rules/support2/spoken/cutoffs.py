"""Values against a cut-off that a claim names: "TMB is 6, below the usual cut-off of 10", "the score exceeds the Hot threshold"."""

import re
from decimal import Decimal
from typing import NamedTuple

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.text.concepts import attribute_of, mentions
from percuss.text.cued import Cued
from percuss.text.numbers import numbers

__all__ = ["CutOff", "by_threshold", "cut_off"]

_CUE = Cued(r"\b(?:cut-?off|threshold|limit)\b")
_WAY = r"(?:(?P<least>at\sor\sabove|at\sleast)|(?P<most>at\sor\sbelow|at\smost)|(?P<over>above|over|exceeding|exceeds|beyond|higher\sthan|greater\sthan|clears)|(?P<under>below|under|short\sof|lower\sthan|less\sthan|misses))"
_USUAL = r"(?:usual|common|commonly\sused|conventional|standard|accepted)"
_TAIL = re.compile(
    rf"^(?P<main>.{{4,120}}?\d[^,;]{{0,30}}?),?\s(?:(?:which|and)\s(?:is|lies|was)\s|i\.e\.,?\s|(?:is|lies)\s)?{_WAY}\s(?:the\s|an?\s)?{_USUAL}\s(?:[\w-]+\s)?(?:cut-?off|threshold|limit)\s(?:of\s|for\s[\w-]+\sof\s|\()\s?(?P<cut>\d+(?:\.\d+)?)[^\d,;]{{0,24}}$",
    re.IGNORECASE,
)
_HELD = re.compile(
    rf"^(?:(?:the|his|her|their|this|patient['’]s)\s)*(?P<head>[A-Za-z][\w -]{{1,40}}?)(?:\s(?:of|at|is|was)\s(?P<value>[-−]?\d+(?:\.\d+)?))?,?\s(?:(?:which|and)\s)?(?:is\s|was\s|lies\s|stands\s)?{_WAY}\s(?:the\s)?(?P<which>[A-Za-z-]+\s)?(?:cut-?off|threshold|limit)(?:\s(?:of\s|\()(?P<cut>\d+(?:\.\d+)?)\)?)?(?:\sby\s(?P<by>\d+(?:\.\d+)?))?$",
    re.IGNORECASE,
)
_THRESHOLD = re.compile(r"(?:^|_)(?:threshold|cut_?off|limit)(?:_|$)", re.IGNORECASE)
_LONGEST = 170


class CutOff(NamedTuple):
    """A claim without the cut-off at its end, and whether its value lies on the side that is said."""

    main: str
    right: bool


def cut_off(claim: str) -> CutOff | None:
    """Return a claim without the usual cut-off that it compares its own value with; None where it names none, or has several numbers.

    Args:
        claim: the claim's text.

    >>> cut_off("TMB is 8.4/Mb, below the usual cut-off of 10.")
    CutOff(main='TMB is 8.4/Mb', right=True)
    """
    if len(claim) > _LONGEST or not _CUE.search(claim):
        return None
    match = _TAIL.match(claim.strip().rstrip(". "))
    found = (
        [n for n in numbers(match["main"]) if n.kind == "quantity" and n.value is not None] if match else []
    )
    if match is None or len(found) != 1 or found[0].value is None:
        return None
    return CutOff(match["main"].strip(" ,"), _beyond(match, found[0].value, Decimal(match["cut"])))


def by_threshold(claim: str, packet: Packet) -> Fielded | None:
    """Return how "the IO score exceeds the Hot threshold of 0.6" stands to the threshold that the record holds; None where it holds none.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    match = _HELD.match(claim.strip().rstrip(". "))
    named = mentions(f"{match['head']} 1") if match is not None else ()
    if match is None or len(named) != 1 or named[0].start or named[0].stop != len(match["head"]):
        return None
    numeric = [f for f in packet.facts if isinstance(f.value, int | float) and not isinstance(f.value, bool)]
    which = (match["which"] or "").strip().lower()
    limits = [f for f in numeric if _THRESHOLD.search(f.leaf) and which in f.leaf.lower()]
    values = [
        f for f in numeric if not _THRESHOLD.search(f.leaf) and attribute_of(f.path) == named[0].concept
    ]
    if len(limits) != 1 or len(values) != 1:
        return None
    value, limit = Decimal(str(values[0].value)), Decimal(str(limits[0].value))
    right = _beyond(match, value, limit)
    for said, held in ((match["value"], value), (match["cut"], limit), (match["by"], abs(value - limit))):
        right = right and (said is None or _rounded(held, said) == Decimal(said.replace("−", "-")))
    return Fielded(
        "supported" if right else "contradicted",
        "by the threshold that is recorded",
        values[0].path,
        str(values[0].value),
    )


def _rounded(value: Decimal, said: str) -> Decimal:
    return round(value, len(said.partition(".")[2]))


def _beyond(match: re.Match[str], value: Decimal, limit: Decimal) -> bool:
    if match["least"]:
        return value >= limit
    if match["most"]:
        return value <= limit
    return value > limit if match["over"] else value < limit
