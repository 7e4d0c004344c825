"""Which claims are one claim over the turns: number and field, typed words, then meaning (definitions, section 4).

Each claim joins at most one life line, by comparison with the line's birth alone: no chains through what lies between.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from percuss.protocols.stressors.check.assertions import Assertion, unnumbered
from percuss.protocols.stressors.scenario.wording import content_words
from percuss.text.quantities import quantities

__all__ = ["BAND", "TWIN", "Joined", "join", "same_polarity"]

SAME_WORDS = 0.8
FIELD_WORDS = 0.6
TWIN, BAND = 0.86, 0.74
"""Cosine to the birth claim: from TWIN on one claim, in the band below it undecided."""
_NOT = re.compile(
    r"\b(?:no|not|never|without|denies|denied|negative|absent|none|isn't|wasn't)\b", re.IGNORECASE
)
_SIDE = re.compile(r"\b(left|right|bilateral)\b", re.IGNORECASE)
_GENERIC = content_words("serum plasma blood level value count total patient")
Vectors = Mapping[int, NDArray[np.float32]]


@dataclass(frozen=True)
class Joined:
    """What a claim is: `line` is the place of its birth claim, itself where it is new.

    `revises` is a birth whose field it gives another value; `near` is a birth whose cosine lies in the band below the
    threshold: twin or not is for a judge to say.
    """

    line: int
    revises: int | None = None
    near: int | None = None


def _numbers(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(
        (f"{q.value.normalize():f}", q.unit) for q in quantities(unnumbered(text)) if not q.spelled
    )


def _words(text: str) -> frozenset[str]:
    """Content words without numbers and their units: what a measurement is of."""
    bare = unnumbered(text)
    for q in reversed(quantities(bare)):
        bare = f"{bare[: q.start]} {bare[q.stop :]}"
    words = frozenset(word for word in content_words(bare) if not word[0].isdigit())
    return words - _GENERIC or words


def same_polarity(birth: str, text: str) -> bool:
    """Tell whether two statements agree in negation and side.

    Args:
        birth, text: the two statements.
    """
    sides = [frozenset(s.lower() for s in _SIDE.findall(each)) for each in (birth, text)]
    return bool(_NOT.search(birth)) == bool(_NOT.search(text)) and sides[0] == sides[1]


def _share(birth: str, text: str) -> float:
    words = _words(birth)
    return len(words & _words(text)) / len(words) if words else 0.0


def join(found: Sequence[tuple[int, Assertion]], vectors: Vectors | None = None) -> tuple[Joined, ...]:
    """Return the life line of every assertion, in order.

    Args:
        found: (turn, assertion) in order of turns. vectors: place -> unit vector, where there is an embedder.
    """
    out: list[Joined] = []
    births: list[int] = []
    for at, (_, each) in enumerate(found):
        joined = _line(at, each, found, births, vectors or {})
        if joined.line == at:
            births.append(at)
        out.append(joined)
    return tuple(out)


def _line(
    at: int, each: Assertion, found: Sequence[tuple[int, Assertion]], births: Sequence[int], vectors: Vectors
) -> Joined:
    numbers, revises = _numbers(each.text), None
    best: tuple[float, int] | None = None
    for birth in births:
        text = found[birth][1].text
        theirs = _numbers(text)
        if theirs or numbers:
            if not theirs or _share(text, each.text) < FIELD_WORDS:
                continue
            if theirs <= numbers and same_polarity(text, each.text):
                return Joined(birth)
            if numbers and _share(text, each.text) >= SAME_WORDS:
                revises = birth
        elif _share(text, each.text) >= SAME_WORDS and same_polarity(text, each.text):
            return Joined(birth)
        elif birth in vectors and at in vectors and same_polarity(text, each.text):
            near = float(vectors[birth] @ vectors[at])
            best = (near, birth) if best is None or near > best[0] else best
    if best is not None and best[0] >= TWIN:
        return Joined(best[1])
    twin = best[1] if best is not None and best[0] >= BAND else None
    return Joined(at, revises, twin)
