"""The two embedding heuristics on what survived, and the scramble test that shows what they tell apart."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from percuss.core import seeds
from percuss.core.strict import Record
from percuss.protocols.textbook.ingest.funnel import Dropped, Step, Survivor
from percuss.protocols.textbook.ingest.heuristics import (
    ENTROPY,
    LINK,
    VARIANCE,
    coherence_variance,
    semantic_entropy,
)

__all__ = ["Calibration", "Measured", "calibrated", "measured", "semantic_sieve"]

Rows = NDArray[np.float32]
Vectors = Mapping[str, Rows]
Measured = dict[int, tuple[float, float]]
"""Place of a survivor -> coherence variance, semantic entropy."""


class Calibration(Record):
    """What share of real and of scrambled paragraphs each heuristic keeps.

    Args:
        n: paragraphs of each kind; a scrambled one has as many sentences as its real one, drawn from other paragraphs.
    """

    embedder: str
    n: int
    variance_real: float
    variance_scrambled: float
    entropy_real: float
    entropy_scrambled: float


def measured(survivors: Sequence[Survivor], vectors: Vectors, link: float = LINK) -> Measured:
    """Return both heuristics of each survivor.

    Args:
        survivors: with their sentences. vectors: of every sentence. link: cosine of a cluster.
    """
    stacks = (np.stack([vectors[text] for text in one.sentences]) for one in survivors)
    return {at: (coherence_variance(stack), semantic_entropy(stack, link)) for at, stack in enumerate(stacks)}


def semantic_sieve(
    survivors: Sequence[Survivor], found: Measured
) -> tuple[list[int], list[Dropped], list[Step]]:
    """Return which survivors are kept, what fell, and the two steps.

    Args:
        survivors: of `sieve`. found: of `measured`.
    """
    dropped = list[Dropped]()
    close = []
    for at, one in enumerate(survivors):
        if found[at][0] > VARIANCE:
            dropped.append(Dropped(one.paragraph, "coherence_variance", f"above {VARIANCE}"))
        else:
            close.append(at)
    kept = []
    for at in close:
        if found[at][1] > ENTROPY:
            dropped.append(Dropped(survivors[at].paragraph, "semantic_entropy", f"above {ENTROPY}"))
        else:
            kept.append(at)
    steps = [
        _step("coherence_variance", len(survivors), len(close), VARIANCE),
        _step("semantic_entropy", len(close), len(kept), ENTROPY),
    ]
    return kept, dropped, steps


def _step(name: str, came: int, stayed: int, limit: float) -> Step:
    reasons = {f"above {limit}": came - stayed} if came > stayed else {}
    return Step(name=name, came=came, fell=came - stayed, reasons=reasons)


def calibrated(
    survivors: Sequence[Survivor], vectors: Vectors, *, embedder: str, seed: int, link: float = LINK
) -> Calibration:
    """Return what the heuristics keep of real paragraphs and of ones scrambled from random sentences.

    Args:
        survivors: at least two. vectors: of every sentence. embedder: its id. seed: of the scrambling. link: as measured with.
    """
    owners = [at for at, one in enumerate(survivors) for _ in one.sentences]
    texts = [text for one in survivors for text in one.sentences]
    draws = seeds.generator(seed, "scramble")
    scrambled = []
    for at, one in enumerate(survivors):
        places = list[int]()
        for place in map(int, draws.permutation(len(texts))[: 4 * len(one.sentences) + 8]):
            if len(places) < len(one.sentences) and owners[place] not in {at, *(owners[p] for p in places)}:
                places.append(place)
        if len(places) >= 2:
            scrambled.append(one._replace(sentences=tuple(texts[place] for place in places)))
    real, mixed = measured(survivors, vectors, link), measured(scrambled, vectors, link)
    return Calibration(
        embedder=embedder, n=len(survivors),
        variance_real=_share(real, 0, VARIANCE), variance_scrambled=_share(mixed, 0, VARIANCE),
        entropy_real=_share(real, 1, ENTROPY), entropy_scrambled=_share(mixed, 1, ENTROPY),
    )  # fmt: skip


def _share(found: Measured, which: int, limit: float) -> float:
    return sum(pair[which] <= limit for pair in found.values()) / len(found) if found else 0.0
