"""Where an embedder's threshold for "the same claim" lies, placed on clinical paraphrases written for it.

Cosines of embedders are not comparable: .80 means paraphrase for one and another topic for the next. The shipped set
holds 60 claims, each with a paraphrase and with the opposite: another value or finding on the same subject. Embedders
barely tell those two apart (papers/0 section 4.6 says that overlap is biased upwards for it), so the threshold is placed
between paraphrases and claims on other subjects, and how often an opposite passes for a twin is reported beside it.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from percuss.core.ports import Embedder

__all__ = ["Placed", "best_threshold", "paraphrases", "place", "placed_threshold"]

DATA = Path(__file__).parents[1] / "data"
FEW_FALSE = 0.99
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Placed:
    """A threshold with how well it tells paraphrases from claims on other subjects.

    Args:
        threshold: cosine from which two claims count as twins.
        sensitivity: share of paraphrases at or above it. specificity: share of claims on other subjects below it.
        auc: probability that a paraphrase is closer than a claim on another subject.
        opposite: share of opposite claims on the same subject at or above it: twins that are none.
    """

    threshold: float
    sensitivity: float
    specificity: float
    auc: float
    opposite: float


@cache
def paraphrases() -> tuple[tuple[str, str, str], ...]:
    """Return (claim, paraphrase, other claim on the same subject) of the shipped set."""
    with (DATA / "paraphrases.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return tuple((row["claim"], row["paraphrase"], row["other"]) for row in rows)


async def place(embedder: Embedder) -> Placed:
    """Place the lowest threshold that at most 1 in 100 claims on other subjects passes.

    A claim is compared with all claims of the other arm, so that a laxer one would make twins of chance.

    Args:
        embedder: the one in use.
    """
    triples = paraphrases()
    vectors = [np.asarray(await embedder.embed([t[i] for t in triples]), dtype=np.float64) for i in range(3)]
    same, opposite = ((vectors[0] * vectors[i]).sum(axis=1) for i in (1, 2))
    cosines = vectors[0] @ vectors[1].T
    return best_threshold(same, cosines[~np.eye(len(triples), dtype=bool)], opposite)


def best_threshold(same: Floats, other: Floats, opposite: Floats) -> Placed:
    """Return the lowest threshold with specificity of at least .99, midway between two cosines.

    Args:
        same, other, opposite: cosines of paraphrases, of claims on other subjects, of opposites; one-dimensional.
    """
    levels = np.unique(np.concatenate([same, other]))
    candidates = np.concatenate([[levels[0]], (levels[1:] + levels[:-1]) / 2])
    right = 1 - np.searchsorted(np.sort(same), candidates) / len(same)
    left = np.searchsorted(np.sort(other), candidates) / len(other)
    at = int(np.flatnonzero(left >= FEW_FALSE)[0]) if left[-1] >= FEW_FALSE else len(candidates) - 1
    closer = (same[:, None] > other[None, :]).mean() + 0.5 * (same[:, None] == other[None, :]).mean()
    threshold = float(candidates[at])
    return Placed(
        threshold, float(right[at]), float(left[at]), float(closer), float((opposite >= threshold).mean())
    )


def placed_threshold(embedder: str) -> float | None:
    """Return the threshold placed for an embedder by `scripts/place_thresholds`; None for one that was not placed.

    Args:
        embedder: its id.
    """
    file = DATA / "thresholds.json"
    if not file.is_file():
        return None
    found = msgspec.json.decode(file.read_bytes()).get(embedder)
    return None if found is None else float(found["threshold"])
