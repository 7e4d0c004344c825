"""Which type of question a passage is made into: the first that fits what it holds, within quotas (definitions, "Generate")."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from percuss.core import seeds
from percuss.protocols.textbook.ingest.funnel import sentences_of
from percuss.protocols.textbook.ingest.passage import Passage
from percuss.protocols.textbook.items.item import FORWARD, TYPES

__all__ = ["Chosen", "chosen_types", "fitting", "holds"]

_CONNECTIVE = re.compile(
    r"\b(?:because|therefore|thus|hence|so that|since|as a result|consequently|which (?:causes|leads)|leads? to|results? in|due to|if|unless|when"
    r"|so\b(?=,? (?:the|it|they|that|this|less|more)))\b",
    re.IGNORECASE,
)
_PARALLEL = re.compile(
    r"(?:[^,.;:()]{2,60}, ){2,}(?:and|or) [^,.;:]{2,60}|(?:[^,.;:()]{2,60}, )[^,.;:()]{2,60},? (?:and|or) [^,.;:]{2,60}"
)
_QUANTITY = re.compile(
    r"\d(?:[\d.,–-]*\d)?\s?(?:%|mg|mcg|micrograms?|g|kg|m?L|litres?|mmol|mEq|ms|hours?|minutes?|days?|weeks?|months?|years?|mmHg|beats)\b|\d\s?%"
)
_DEFINITION = re.compile(
    r"\b(?:is|are) (?:defined as|called|known as|a|an|the) \w+|\b(?:means|refers to|consists of)\b",
    re.IGNORECASE,
)
MIN_SENTENCES, MIN_CONNECTIVES, MIN_PARALLEL = 4, 2, 3
PER_BLOCK = 2
INVERSE_OF = {forward: inverse for inverse, forward in FORWARD.items()}


class Chosen(NamedTuple):
    """A passage with its type and the reason why."""

    passage: Passage
    type: str
    reason: str


def fitting(text: str) -> Iterator[tuple[str, str]]:
    """Yield (type, reason) of the forward types that a passage fits, the first first.

    Args:
        text: of the passage.
    """
    if _PARALLEL.search(text):
        yield "list", "names three or more things side by side"
    connectives = len(_CONNECTIVE.findall(text))
    if len(sentences_of(text)) >= MIN_SENTENCES and connectives >= MIN_CONNECTIVES:
        yield "multi_hop", f"{MIN_SENTENCES} sentences or more with {connectives} connectives"
    if _QUANTITY.search(text):
        yield "multiple_choice", "holds a number with a unit"
    elif _DEFINITION.search(text):
        yield "multiple_choice", "holds a definition"
    yield "true_false", "any passage fits"
    yield "short_answer", "any passage fits"


def holds(sentence: str, kind: str) -> bool:
    """Say whether one sentence holds what a list (things side by side) or a multiple choice (quantity, definition) asks about."""
    if kind == "list":
        return _PARALLEL.search(sentence) is not None
    return _QUANTITY.search(sentence) is not None or _DEFINITION.search(sentence) is not None


def chosen_types(passages: Sequence[Passage], wanted: Sequence[str], seed: int) -> list[Chosen]:
    """Choose a type for each passage: the first that fits and whose quota isn't full, else the fitting one with most room.

    A quota opens with the passages, two of each type for every block of twice as many passages as types: the first passages
    of a book give all types too.

    Args:
        passages: in order. wanted: types; quotas are equal. seed: of the draw that makes one half of fitting forward types
            inverse.
    """
    quota = -(-len(passages) // max(1, len(wanted)))
    used: Counter[str] = Counter()
    out = []
    for at, passage in enumerate(passages):
        room = min(quota, PER_BLOCK * (1 + at // (PER_BLOCK * len(wanted))))
        turned = bool(seeds.generator(seed, "inverse", passage.id).random() < 0.5)
        options = [each for each in _variants(passage.text, turned=turned) if each[0] in wanted] or [
            (wanted[0], "asked for")
        ]
        kind, reason = next(
            (each for each in options if used[each[0]] < room), min(options, key=lambda each: used[each[0]])
        )
        used[kind] += 1
        out.append(Chosen(passage, kind, reason))
    return out


def _variants(text: str, *, turned: bool) -> Iterator[tuple[str, str]]:
    """Yield the fitting types with their inverse ones, the drawn form first."""
    for kind, reason in fitting(text):
        inverse = INVERSE_OF.get(kind)
        pair = [(kind, reason)] if inverse is None else [(kind, reason), (inverse, f"{reason}, turned round")]
        yield from reversed(pair) if turned else pair


ALL = TYPES
