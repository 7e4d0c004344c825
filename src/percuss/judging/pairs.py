"""How far each pair of raters agrees: people, rules and judge on the same items (papers/0 Table 1 and Table 9)."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from percuss.core.strict import Record
from percuss.judging.card import Number, number
from percuss.stats import cohen_kappa, raw_agreement, wilson_clustered

__all__ = ["RESAMPLES", "PairLine", "pair_line", "rater_pairs"]

RESAMPLES = 1_000
"""Bootstrap resamples of the paper's agreement table (papers/0 Table 1)."""
SMALL = 5
"""Fewer items in common give no coefficient."""

Labels = Sequence[str | None]


class PairLine(Record):
    """Two raters: items that both labelled, share labelled alike, Cohen's kappa."""

    first: str
    second: str
    n: int
    raw: Number
    kappa: Number
    stratum: str = ""


def rater_pairs(
    columns: Mapping[str, Labels],
    clusters: Sequence[str],
    *,
    scale: Sequence[str],
    seed: int,
    resamples: int = RESAMPLES,
) -> tuple[PairLine, ...]:
    """Return one line a pair of raters, in the order of the columns.

    Args:
        columns: rater -> label an item, None where there is none; all of one length.
        clusters: what is resampled, one an item (papers/0 resampled claims; those of one patient are not independent).
        scale: all labels. seed, resamples: of the bootstrap.
    """
    return tuple(
        pair_line(
            (one, columns[one]),
            (other, columns[other]),
            clusters,
            scale=scale,
            seed=seed,
            resamples=resamples,
        )
        for one, other in combinations(columns, 2)
    )


def pair_line(
    first: tuple[str, Labels],
    second: tuple[str, Labels],
    clusters: Sequence[str],
    *,
    scale: Sequence[str],
    seed: int,
    resamples: int = RESAMPLES,
    stratum: str = "",
) -> PairLine:
    """Return the line of one pair.

    Args:
        first, second: (rater, labels). clusters, scale, seed, resamples: as in `rater_pairs`. stratum: named in the line.
    """
    both = [
        (x, y, cluster)
        for x, y, cluster in zip(first[1], second[1], clusters, strict=True)
        if x is not None and y is not None
    ]
    raw, kappa = _figures(both, scale, seed, resamples)
    return PairLine(first=first[0], second=second[0], n=len(both), raw=raw, kappa=kappa, stratum=stratum)


def _figures(
    both: Sequence[tuple[str, str, str]], scale: Sequence[str], seed: int, resamples: int
) -> tuple[Number, Number]:
    n = len(both)
    if n < SMALL:
        few = Number(undefined=f"fewer than {SMALL} items in common", n=n)
        return few, few
    a, b, held = ([row[i] for row in both] for i in range(3))
    clusters = np.array(held)
    alone = len(set(held)) in {1, n}
    kappa = number(
        cohen_kappa(a, b, scale=scale)
        if alone
        else cohen_kappa(a, b, scale=scale, interval="bootstrap", seed=seed, clusters=clusters, B=resamples)
    )
    same = np.array([x == y for x, y in zip(a, b, strict=True)], dtype=float)
    raw = number(raw_agreement(a, b) if alone else wilson_clustered(same, np.ones(n), clusters=clusters))
    return _of(raw, n), _of(kappa, n)


def _of(found: Number, n: int) -> Number:
    """Return a number that counts items, not clusters."""
    from msgspec.structs import replace

    return replace(found, n=n)
