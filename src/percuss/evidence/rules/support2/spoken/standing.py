"""Whether a problem is going on or over, in words: "gout is not an active problem", "asthma is no longer active", "his gout has resolved"."""

import re

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.reference import near, reference
from percuss.text.concepts import concept, mentions
from percuss.text.cued import Cued

__all__ = ["by_standing"]

_CUE = Cued(r"\b(?:active|inactive|ongoing|resolved|over|settled)\b")
_HEAD = r"^(?:(?:the|his|her|their|this|patient['’]s)\s)*(?P<head>[a-z][a-z0-9' -]{2,60}?)"
_TAIL = r"(?:\s(?:at\sthe\smoment|at\spresent|now|currently|any\s?more|any\slonger|today))?$"
_OVER = re.compile(
    rf"{_HEAD}\s(?:(?:is|are)\s(?:not|no\slonger)\s(?:an?\s)?(?:currently\s)?(?:active|ongoing)(?:\s(?:problem|issue|diagnosis|condition|concern))?|(?:is|are)\s(?:now\s)?inactive|(?:has|have)\sresolved|(?:is|was)\sresolved){_TAIL}",
    re.IGNORECASE,
)
_ON = re.compile(
    rf"{_HEAD}\s(?:is|are|remains)\s(?:still\s)?(?:an?\s)?(?:active|ongoing)(?:\s(?:problem|issue|diagnosis|condition|concern))?{_TAIL}",
    re.IGNORECASE,
)
_KINDS = frozenset({"diagnosis", "finding"})
_LONGEST = 110


def by_standing(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim that a problem is active, or isn't any more, stands to the record's list; None where it says more or the list doesn't hold it.

    Args:
        claim: the claim's text. packet: the full packet of the case.

    >>> by_standing("Nothing is said of it.", Packet()) is None
    True
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    text = claim.strip().rstrip(". ")
    match, over = _OVER.match(text), True
    if match is None:
        match, over = _ON.match(text), False
    named = mentions(match["head"]) if match is not None else ()
    if (
        match is None
        or len(named) != 1
        or named[0].others
        or named[0].stop - named[0].start != len(match["head"])
    ):
        return None
    known = concept(named[0].concept)
    if known is None or known.kind not in _KINDS:
        return None
    held = [
        k
        for k in near(reference(packet), known.name)
        if k.statement.kind == "presence" and k.statement.attribute == known.name and k.path
    ]
    states = {
        "historical" in k.statement.frames
        for k in held
        if k.statement.present and not set(k.statement.frames) - {"historical"}
    }
    if len(states) != 1 or len(held) != len([k for k in held if k.statement.present]):
        return None
    return Fielded(
        "supported" if states == {over} else "contradicted",
        "its status in the record",
        held[0].path,
        held[0].value,
    )
