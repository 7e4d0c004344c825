"""Classes, subtypes and tiers that are written as a code: "NYHA class III", "immune subtype C3", "tier: hot", "Gleason 3 + 4 = 7"."""

import re
from collections.abc import Iterator, Sequence

from percuss.text.concepts.mentions import Mention
from percuss.text.concepts.record import Span

__all__ = ["classes"]

_CODE = re.compile(
    r"\s?(?:class|grade|stage|category|score|type|status)?\s?(?:is|was|of|as|:|=|,|remains)?\s?(IV|I{1,3}|V|[A-D](?![\w+])|C[1-6](?!\d)|[1-5](?![\d.]|\s?%))(?!\w)"
)
_CODED = frozenset({"immune subtype", "NYHA class", "Child-Pugh score", "ASA class", "Killip class", "CCS angina class", "Fitzpatrick skin type", "Mallampati class",
                    "Forrest class", "Los Angeles grade", "Rai stage", "Binet stage", "Ann Arbor stage", "FIGO stage", "tumour grade", "ISUP grade group"})  # fmt: skip
_TIER = re.compile(
    r"\s?(?:is|was|of|:|=|,|remains|as|status)?\s?(?:immune[\s-])?(hot|warm|cold)\b", re.IGNORECASE
)
_GLEASON = re.compile(r"\s?(?:score|grade|sum)?\s?(?:is|was|of|:)?\s?\d\s?\+\s?\d\s?(?:=\s?)?(\d{1,2})?")


def classes(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, str, Span]]:
    """Yield (index of the mention, code, place) of every code that follows a mention whose values are codes.

    Args:
        text: the text. mentions: of a sentence.
    """
    for n, mention in enumerate(mentions):
        if mention.concept in _CODED:
            match = _CODE.match(text, mention.stop)
        elif mention.concept == "immune tier":
            match = _TIER.match(text, mention.stop)
        elif mention.concept == "Gleason score":
            match = _GLEASON.match(text, mention.stop)
        else:
            continue
        if match and match[1]:
            yield (
                n,
                match[1].lower() if mention.concept == "immune tier" else match[1],
                (match.start(), match.end()),
            )
