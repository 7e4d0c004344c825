"""Experiment 2: rankings, labels and flags of models' answers, and how far people agree (paper, Table 2; definitions, "Rankings and labels")."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from percuss.core import seeds
from percuss.core.strict import Record
from percuss.measure.ranks import tau_b
from percuss.protocols.textbook.items.item import TYPES
from percuss.protocols.textbook.people.columns import YES, is_counted, kind_of, rater_of
from percuss.stats.kappa import cohen_kappa
from percuss.stats.result import Result

__all__ = ["LIKERT", "Placed", "TypeAgreement", "placed_of", "table_2", "tau_top"]

LIKERT = {"bad": 0, "okay": 1, "ok": 1, "good": 2}
TOP = 8  # of the paper's Table 2
RESAMPLES, LEAST_ITEMS = 2_000, 5
"""Of the bootstrap over items, and items below which it says nothing (definitions, grounding, interval policy)."""


class Placed(Record):
    """One person's judgement of one answer.

    Args:
        item, type, rater, model: who said it of what. rank: 1 is best. quality: 0 bad, 1 okay, 2 good; None was not said.
        unsupported: whether it contains an unsupported claim; None was not asked.
    """

    item: str
    type: str
    rater: str
    model: str
    rank: int
    quality: int | None = None
    unsupported: bool | None = None


class TypeAgreement(Record):
    """One row of Table 2: coverage, tau-b of top orderings, and kappa pooled and averaged over items.

    Args:
        tau_low, tau_high: 95% limits of the mean tau by a bootstrap over items; None below five items.
        tau_undefined: as `kappa_undefined`. kappa_undefined: items whose tau, or kappa, is undefined: a rater gave ties or one label throughout.
    """

    type: str
    single: int
    double: int
    judgements_single: int
    judgements_double: int
    tau: float | None
    tau_sd: float | None
    tau_low: float | None
    tau_high: float | None
    tau_undefined: int
    kappa_pooled: float | None
    kappa_item_mean: float | None
    kappa_item_sd: float | None
    kappa_undefined: int


def placed_of(rows: Iterable[Mapping[str, Any]], names: Mapping[str, str]) -> list[Placed]:
    """Return judgements of a study's export of the design `ranking`, or of a flat table with a row an answer.

    Args:
        rows: with item, type (or kind, or the stratum of that name), rater (or annotator), and either `model, rank, quality,
            unsupported`, or `rank`, `quality` and `unsupported` as objects by answer, with `models`: answer -> model.
        names: id of an answer -> its model, where rows have no `models`; an id that is missing is taken as the model itself.
    """
    out: list[Placed] = []
    for row in rows:
        if not is_counted(row):
            continue
        base = {"item": str(row["item"]), "type": kind_of(row), "rater": rater_of(row)}
        if row.get("model"):
            out.append(
                _placed(base, str(row["model"]), row.get("rank"), row.get("quality"), row.get("unsupported"))
            )
            continue
        ranks, quality, flags, owners = (
            _object(row.get(name)) for name in ("rank", "quality", "unsupported", "models")
        )
        out += [
            _placed(base, owners.get(key) or names.get(key, key), rank, quality.get(key), flags.get(key))
            for key, rank in ranks.items()
        ]
    return out


def _object(value: Any) -> dict[str, Any]:
    held = json.loads(value) if isinstance(value, str) and value.strip().startswith("{") else value
    return held if isinstance(held, dict) else {}


def _placed(base: Mapping[str, str], model: str, rank: Any, quality: Any, flag: Any) -> Placed:
    grade = LIKERT.get(str(quality).lower()) if quality not in (None, "") else None
    said = None if flag in (None, "") else str(flag).lower() in YES
    return Placed(**base, model=model, rank=int(float(rank)), quality=grade, unsupported=said)


Rankings = dict[str, dict[str, dict[str, Placed]]]


def _by_item(placed: Sequence[Placed]) -> Rankings:
    by: Rankings = {}
    for one in placed:
        by.setdefault(one.item, {}).setdefault(one.rater, {})[one.model] = one
    return by


def tau_top(one: Mapping[str, int], other: Mapping[str, int], k: int) -> float | None:
    """Return tau-b of two rankings' top k; None where one is all ties.

    Args:
        one, other: model -> rank. k: models below it in both lists are dropped, below it in one set to k + 1.
    """
    models = [m for m in one if m in other and (one[m] <= k or other[m] <= k)]
    if len(models) < 2:
        return None
    x, y = (np.array([min(ranks[m], k + 1) for m in models], dtype=float) for ranks in (one, other))
    value = float(tau_b(x, y))
    return None if np.isnan(value) else value


def table_2(placed: Sequence[Placed], seed: int = 0) -> list[TypeAgreement]:
    """Return Table 2, a row a type and the total last.

    Args:
        placed: judgements. seed: of the bootstrap over items.
    """
    kinds = [kind for kind in TYPES if any(one.type == kind for one in placed)]
    rows = [_agreement(kind, [one for one in placed if one.type == kind], seed) for kind in kinds]
    return [*rows, _agreement("total", placed, seed)]


def _agreement(kind: str, placed: Sequence[Placed], seed: int) -> TypeAgreement:
    by = _by_item(placed)
    k = min(TOP, len({one.model for one in placed}))
    double = [sorted(held.items())[:2] for held in by.values() if len(held) >= 2]
    pairs = [(a, b) for (_, a), (_, b) in double]
    taus = [
        tau_top({m: p.rank for m, p in a.items()}, {m: p.rank for m, p in b.items()}, k) for a, b in pairs
    ]
    grades = [
        [
            (a[m].quality, b[m].quality)
            for m in a
            if m in b and a[m].quality is not None and b[m].quality is not None
        ]
        for a, b in pairs
    ]
    kappas = [_kappa(each).value for each in grades]
    pooled = _kappa([pair for each in grades for pair in each]).value
    held_t, held_k = [t for t in taus if t is not None], [x for x in kappas if x is not None]
    singles = [held for held in by.values() if len(held) == 1]
    low, high = _limits(held_t, seed, kind)
    return TypeAgreement(
        type=kind, single=len(singles), double=len(double), judgements_single=sum(len(m) for held in singles for m in held.values()),
        judgements_double=sum(len(a) for a, _ in pairs), tau=_mean(held_t), tau_sd=_sd(held_t), tau_low=low, tau_high=high, tau_undefined=taus.count(None),
        kappa_pooled=pooled, kappa_item_mean=_mean(held_k), kappa_item_sd=_sd(held_k), kappa_undefined=kappas.count(None),
    )  # fmt: skip


def _kappa(pairs: Sequence[tuple[Any, Any]]) -> Result:
    if not pairs:
        return Result(
            value=None, low=None, high=None, level=0.95, method="none", n=0, undefined="nobody judged twice"
        )
    return cohen_kappa([a for a, _ in pairs], [b for _, b in pairs], weights="quadratic", scale=[0, 1, 2])


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _sd(values: Sequence[float]) -> float | None:
    return float(np.std(values, ddof=1)) if len(values) > 1 else None


def _limits(values: Sequence[float], seed: int, kind: str) -> tuple[float | None, float | None]:
    """Return the 95% limits of a mean over items, by their bootstrap."""
    if len(values) < LEAST_ITEMS:
        return None, None
    draws = seeds.generator(seed, "tau", kind).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.quantile(np.array(values)[draws].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)
