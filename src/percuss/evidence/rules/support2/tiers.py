"""A class out of few that exclude each other, said by exclusion or with a hedge: "neither cold nor warm", "hot rather than cold"."""

import re

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.text.cued import Cued

__all__ = ["by_tier"]

_WORDS = r"(?:hot|warm|cold)"
_SAID = Cued(r"\b(?:hot|warm|cold)\b")
_BOTH = re.compile(rf"\bneither\s+(?:the\s+)?({_WORDS})\s+nor\s+(?:the\s+)?({_WORDS})\b", re.IGNORECASE)
_RATHER = re.compile(
    rf"\b({_WORDS})\s*(?:,\s*)?(?:rather\s+than|instead\s+of|and\s+not|,?\s*not)\s+({_WORDS})\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    rf"\b(?:not|isn['’]t|is\s+no)\s+(?:an?\s+|the\s+|in\s+the\s+|immune[- ]?)*({_WORDS})\b", re.IGNORECASE
)
_IS = re.compile(rf"\b({_WORDS})\b", re.IGNORECASE)
_BETWEEN = re.compile(r"\bintermediate\s+\(?warm\)?|\bwarm\s+\(intermediate\)", re.IGNORECASE)
_FRAME = re.compile(
    r"\b(?:the|an?|this|that|his|her|their|patient['’]?s?|immune|immunologically|tumou?r|tier|group|class|category|case|is|was|has|it|be|being|may|might|could|possibly|probably|perhaps|likely|"
    r"in|of|at|to|falls|belongs|ranked|ranks|classified|as|into|fusion|io|places|put|puts|itself|and|he|she|they|still|sits|lies|either|io_tier|appears|seems|looks)\b",
    re.IGNORECASE,
)
"""Words that may stand beside a class: none of them says anything of its own."""
_LEAVES = frozenset({"io_tier", "tier", "immune_tier", "io_class"})


def by_tier(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of nothing but a tier stands to the recorded one; None where it says more, or none is recorded.

    Args:
        claim: the claim's text. packet: the full packet of the case.
    """
    if not _SAID.search(claim):
        return None
    fact = next((f for f in packet.facts if f.leaf.lower() in _LEAVES and isinstance(f.value, str)), None)
    if fact is None or str(fact.value).lower() not in {"hot", "warm", "cold"}:
        return None
    held, rest = str(fact.value).lower(), _BETWEEN.sub("warm", claim)
    denied: set[str] = set()
    said: set[str] = set()
    for pattern, keep in ((_BOTH, 0), (_RATHER, 1), (_NOT, 0), (_IS, 1)):
        for match in pattern.finditer(rest):
            words = [word.lower() for word in match.groups()]
            said.update(words[:keep])
            denied.update(words[keep:])
        rest = pattern.sub(" ", rest)
    if len(said) > 1 or re.search(r"\w", _FRAME.sub(" ", rest)):
        return None
    right = held not in denied and (not said or said == {held})
    reason = "the tier that is recorded" if right else "another tier is recorded"
    return Fielded("supported" if right else "contradicted", reason, fact.path, str(fact.value))
