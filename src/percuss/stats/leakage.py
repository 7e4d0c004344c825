"""Does what is shown of an item tell what is hidden? Mutual information by permutation, over all features at once."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Leak", "leaks"]

LEVEL = 0.001
"""Family-wise level below which a feature is refused (reading.md, section 3)."""
SMALLEST = 0.05
"""Normalised mutual information below which a dependence is no leak that a person could use (reading.md, section 3)."""
PERMUTATIONS = 2_000

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Leak:
    """How far one feature tells what is hidden.

    Args:
        feature: its name.
        information: normalised mutual information, 0 (nothing) to 1 (all), above its mean under permutation.
        p: family-wise p-value over all features (Westfall and Young's single step).
        refused: whether both limits are passed.
    """

    feature: str
    information: float
    p: float
    refused: bool


def leaks(
    features: Mapping[str, Sequence[Hashable]],
    hidden: Sequence[Hashable],
    *,
    cases: Sequence[Hashable],
    strata: Sequence[Hashable] | None = None,
    seed: int,
    permutations: int = PERMUTATIONS,
    level: float = LEVEL,
    smallest: float = SMALLEST,
) -> tuple[Leak, ...]:
    """Return one leak per feature, the strongest first.

    What is hidden is permuted within a case where the case has several values of it, else among the cases of a stratum
    that have one each; so a feature that only tells the case, or its stratum, is no leak. With B permutations no p-value
    is below 1/(B + 1), so a Bonferroni or Holm correction could never refuse one of many features; the maximum over
    features is permuted instead, which controls the same family-wise error.

    Args:
        features: name -> one category per item, shape (items,).
        hidden: the arm or model of each item, shape (items,).
        cases: case of each item. strata: stratum of each item; None for one.
        seed: of the permutations. permutations: how many.
        level, smallest: limits of p and of information; both must be passed.

    Raises:
        ValueError: lengths differ.

    Source: Westfall and Young 1993, single-step maxT; information normalised by the geometric mean of entropies
    (Strehl and Ghosh 2002).

    >>> told = leaks({"layers": ["yes", "no"] * 40, "length": [1, 1, 2, 2] * 20}, ["with", "without"] * 40,
    ...              cases=[n // 2 for n in range(80)], seed=1)
    >>> [(leak.feature, leak.refused) for leak in told]
    [('layers', True), ('length', False)]
    """
    n = len(hidden)
    if any(len(values) != n for values in (*features.values(), cases, strata or cases)):
        raise ValueError("features, hidden, cases and strata have one value per item; the lengths differ")
    codes = {name: _codes(values) for name, values in features.items()}
    codes = {name: values for name, values in codes.items() if n and values.max() > 0}
    secret = _codes(hidden)
    constant = [
        Leak(feature=name, information=0.0, p=1.0, refused=False) for name in features if name not in codes
    ]
    if not codes or secret.max() == 0:
        return (*(Leak(feature=name, information=0.0, p=1.0, refused=False) for name in codes), *constant)
    drawn = _permuted(secret, _codes(cases), _codes(strata or [0] * n), permutations, seed)
    observed, standing = _standing(codes, secret, drawn)
    over = (standing[:, 1:].max(axis=0)[None, :] >= standing[:, :1]).sum(axis=1)
    found = [
        Leak(
            feature=name,
            information=float(info),
            p=float((1 + count) / (permutations + 1)),
            refused=bool((1 + count) / (permutations + 1) < level and info >= smallest),
        )
        for name, info, count in zip(codes, observed, over, strict=True)
    ]
    return (*sorted(found, key=lambda leak: (leak.p, -leak.information)), *constant)


def _standing(codes: Mapping[str, Ints], secret: Ints, drawn: Ints) -> tuple[Floats, Floats]:
    """Information of each feature above chance, and its standardised place among the permutations, itself first."""
    observed, standing = [], []
    for values in codes.values():
        told = _information(values, np.vstack([secret, drawn]))
        mean, spread = told[1:].mean(), told[1:].std()
        observed.append(max(0.0, float(told[0] - mean)))
        standing.append((told - mean) / spread if spread > 1e-12 else np.zeros_like(told))
    return np.asarray(observed), np.vstack(standing)


def _information(values: Ints, hidden: Ints) -> Floats:
    """Normalised mutual information of one feature with each row of `hidden`, shape (rows,)."""
    rows, n = hidden.shape
    k, m = int(values.max()) + 1, int(hidden.max()) + 1
    cell = values[None, :] * m + hidden + np.arange(rows)[:, None] * (k * m)
    joint = np.bincount(cell.ravel(), minlength=rows * k * m).reshape(rows, k, m) / n
    a, b = joint.sum(axis=2), joint.sum(axis=1)
    h_a, h_b, h_ab = _entropy(a), _entropy(b), _entropy(joint.reshape(rows, -1))
    scale = np.sqrt(h_a * h_b)
    told: Floats = np.divide(h_a + h_b - h_ab, scale, out=np.zeros(rows), where=scale > 1e-12)
    return told


def _entropy(shares: Floats) -> Floats:
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    total: Floats = -(shares * logs).sum(axis=1)
    return total


def _permuted(secret: Ints, cases: Ints, strata: Ints, permutations: int, seed: int) -> Ints:
    """Rows of permuted secrets: within cases that mix them, among the cases of a stratum where each has one."""
    rng = np.random.default_rng(seed)
    drawn = np.tile(secret, (permutations, 1))
    single: dict[int, list[Ints]] = {}
    for case in range(int(cases.max()) + 1):
        where = np.flatnonzero(cases == case)
        if len(np.unique(secret[where])) > 1:
            order = rng.random((permutations, len(where))).argsort(axis=1)
            drawn[:, where] = secret[where][order]
        elif len(where):
            single.setdefault(int(strata[where[0]]), []).append(where)
    for group in single.values():
        values = np.asarray([secret[where[0]] for where in group])
        order = rng.random((permutations, len(group))).argsort(axis=1)
        for place, where in enumerate(group):
            drawn[:, where] = values[order[:, place]][:, None]
    return drawn


def _codes(values: Sequence[Hashable]) -> Ints:
    """Numbers of categories, in order of their first appearance."""
    numbers: dict[Hashable, int] = {}
    return np.asarray([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)
