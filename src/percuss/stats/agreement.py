"""What raters share before chance enters: labels as codes, the confusion table, raw agreement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from percuss.stats import arrays
from percuss.stats.intervals import wilson
from percuss.stats.ratios import ratio_bootstrap
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    from collections.abc import Hashable

    from percuss.stats.arrays import FloatArray, IntArray

Weights = Literal["nominal", "linear", "quadratic"]
#: One label per item: strings, numbers or booleans.
Labels = Sequence[Any] | npt.NDArray[Any]

#: Code of a rating that was not given.
ABSENT = -1
#: Raw agreement from which, and kappa below which, the paradox is named (Feinstein and Cicchetti 1990).
PARADOX_AGREEMENT, PARADOX_KAPPA = 0.80, 0.40


def is_absent(label: Any) -> bool:
    """Return whether a rating stands for "not rated": None or a float NaN."""
    return label is None or (isinstance(label, float) and math.isnan(label))


def scale_of(labels: Sequence[Any], scale: Sequence[Hashable] | None) -> tuple[Hashable, ...]:
    """Return the categories in order: those given, else those seen, sorted."""
    if scale is not None:
        if len(set(scale)) != len(scale) or not scale:
            raise StatsError(f"scale is {list(scale)!r}; different categories were expected")
        return tuple(scale)
    seen = {x for x in labels if not is_absent(x)}
    try:
        return tuple(sorted(seen))
    except TypeError:
        raise StatsError("labels mix types that can't be ordered; pass scale=[..] in order") from None


def encode(
    name: str, labels: Sequence[Any], scale: tuple[Hashable, ...], *, absent: bool = False
) -> IntArray:
    """Return each label's position on the scale, shape (n,), `ABSENT` for a missing one where allowed."""
    position: dict[Any, int] = {category: i for i, category in enumerate(scale)}
    out = np.empty(len(labels), dtype=np.int64)
    for i, label in enumerate(labels):
        if is_absent(label):
            if not absent:
                raise StatsError(
                    f"{name} has no label at position {i}; drop the item or use krippendorff_alpha"
                )
            out[i] = ABSENT
        elif label not in position:
            known = ", ".join(str(c) for c in scale)
            raise StatsError(f"{name} holds {label!r} at position {i}; one of {known} was expected")
        else:
            out[i] = position[label]
    return out


def _list(labels: Any) -> list[Any]:
    """Return labels as plain Python objects, so that numpy's and Python's compare equal."""
    return list(labels.tolist()) if isinstance(labels, np.ndarray) else list(labels)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Two raters' labels of the same items as codes, shape (n,), on one scale."""

    first: IntArray
    second: IntArray
    scale: tuple[Hashable, ...]


def pair(a: Labels, b: Labels, scale: Sequence[Hashable] | None = None) -> Pairs:
    """Read two raters' labels of the same items.

    Parameters
    ----------
    a, b: labels, shape (n,), same items in the same order, none missing.
    scale: categories in order; None: those seen, sorted.

    Raises
    ------
    StatsError: unequal numbers of items, a missing or unknown label.

    """
    a, b = _list(a), _list(b)
    if len(a) != len(b):
        raise StatsError(
            f"{len(a)} labels of one rater and {len(b)} of the other; the same items were expected"
        )
    categories = scale_of([*a, *b], scale)
    return Pairs(encode("a", a, categories), encode("b", b, categories), categories)


def codes_by_rater(ratings: Any, scale: Sequence[Hashable] | None) -> tuple[IntArray, tuple[Hashable, ...]]:
    """Read a table of ratings, one row an item, one column a rater, None or NaN where not rated.

    Returns
    -------
    Codes of shape (items, raters), and the scale.

    Raises
    ------
    StatsError: rows of unequal length, fewer than two raters, an unknown label.

    """
    table = [_list(row) for row in ratings]
    widths = {len(row) for row in table}
    if len(widths) > 1:
        raise StatsError(
            f"items with {min(widths)} to {max(widths)} ratings came; write None where a rater gave none"
        )
    if table and widths == {1}:
        raise StatsError("one rater came; agreement needs at least two")
    flat = [x for row in table for x in row]
    categories = scale_of(flat, scale)
    codes = encode("ratings", flat, categories, absent=True)
    return codes.reshape(len(table), -1) if table else codes.reshape(0, 0), categories


def counts_by_item(codes: IntArray, q: int) -> FloatArray:
    """Return how many raters gave each category, shape (items, q)."""
    counts: FloatArray = (codes[:, :, None] == np.arange(q)).sum(axis=1).astype(np.float64)
    return counts


def weight_matrix(weights: Weights, q: int) -> FloatArray:
    """Return agreement weights, 1 on the diagonal, shape (q, q) (Cohen 1968; categories taken as equally spaced)."""
    if weights == "nominal" or q == 1:
        return np.eye(q)
    distance = np.abs(np.subtract.outer(np.arange(q), np.arange(q))) / (q - 1)
    if weights == "linear":
        return 1 - distance
    if weights == "quadratic":
        return 1 - distance**2
    raise StatsError(f"weights is {weights!r}; nominal, linear or quadratic was expected")


def paradox_note(
    raw: float, kappa: float, shares: FloatArray, scale: tuple[Hashable, ...]
) -> tuple[str, ...]:
    """Return the warning of high agreement beside low kappa, or nothing.

    Parameters
    ----------
    raw: raw agreement.
    kappa: a chance-corrected coefficient.
    shares: share of each category among all labels, shape (q,).
    scale: categories.

    Source: Feinstein and Cicchetti (1990), J Clin Epidemiol 43:543.

    """
    if raw < PARADOX_AGREEMENT or kappa >= PARADOX_KAPPA:
        return ()
    top = int(np.argmax(shares))
    note = (
        f"kappa paradox: raw agreement {raw:.3f} beside {kappa:.3f}, because {100 * shares[top]:.1f}% of labels are "
        f"{scale[top]!r}; read gwet_ac and the raw agreement with it"
    )
    return (note,)


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """Counts of label pairs: `table[i, j]` items that the first rater gave scale[i] and the second scale[j]."""

    table: IntArray
    scale: tuple[Hashable, ...]

    def __str__(self) -> str:
        """Print how many items lie on the diagonal, in one line."""
        return f"{np.trace(self.table)} of {self.table.sum()} items on the diagonal of {len(self.scale)} categories"


def confusion(a: Labels, b: Labels, *, scale: Sequence[Hashable] | None = None) -> Confusion:
    """Count label pairs of two raters.

    Parameters
    ----------
    a, b, scale: as in `pair`; rows are `a`, columns `b`.

    Raises
    ------
    StatsError: unequal numbers of items, a missing or unknown label.

    >>> confusion(["yes", "no", "yes"], ["yes", "yes", "yes"]).table.tolist()
    [[0, 1], [0, 2]]

    """
    p = pair(a, b, scale)
    q = len(p.scale)
    table = np.bincount(p.first * q + p.second, minlength=q * q).reshape(q, q).astype(np.int64)
    return Confusion(table, p.scale)


def raw_agreement(
    a: Labels,
    b: Labels,
    *,
    clusters: npt.ArrayLike | None = None,
    seed: int | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Result:
    """Share of items that two raters labelled alike.

    Parameters
    ----------
    a, b: labels, shape (n,).
    clusters: label per item; the interval is then a cluster bootstrap (needs `seed`), else Wilson's.
    seed, B: of the bootstrap.
    level: confidence level.

    Raises
    ------
    StatsError: as `pair`; clusters without seed.

    >>> print(raw_agreement("aabb", "aaba"))
    0.7500 [0.3006, 0.9544] 95% raw agreement, Wilson, n = 4

    """
    p = pair(a, b)
    same = p.first == p.second
    if len(same) == 0:
        return missing("no items", level=level, method="raw agreement", n=0)
    if clusters is None:
        r = wilson(float(same.sum()), len(same), level=level)
    else:
        s = arrays.required_seed(seed, "the cluster bootstrap of raw agreement")
        r = ratio_bootstrap(same.astype(float), clusters=clusters, seed=s, B=B, level=level)
    return replace(r, method=f"raw agreement, {r.method}")
