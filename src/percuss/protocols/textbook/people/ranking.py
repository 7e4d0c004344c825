"""Experiment 2: rankings, labels and flags of models' answers (paper, Table 2, Figures 1 to 4; definitions, "Rankings and labels")."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from percuss.core.strict import Record
from percuss.measure.ranks import tau_b
from percuss.protocols.textbook.items.item import TYPES
from percuss.stats.intervals import wilson
from percuss.stats.kappa import cohen_kappa
from percuss.stats.ranks import spearman_exact
from percuss.stats.result import Result

__all__ = [
    "LIKERT",
    "Placed",
    "TypeAgreement",
    "bias",
    "flag_rates",
    "means",
    "placed_of",
    "severity",
    "table_2",
    "tau_top",
    "usefulness",
]

LIKERT = {"bad": 0, "okay": 1, "ok": 1, "good": 2}
TOP = 8  # of the paper's Table 2


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
        tau_undefined: as `kappa_undefined`. kappa_undefined: items whose tau, or kappa, is undefined: a rater gave ties or one label throughout.
    """

    type: str
    single: int
    double: int
    judgements_single: int
    judgements_double: int
    tau: float | None
    tau_sd: float | None
    tau_undefined: int
    kappa_pooled: float | None
    kappa_item_mean: float | None
    kappa_item_sd: float | None
    kappa_undefined: int


def placed_of(rows: Iterable[Mapping[str, Any]], names: Mapping[str, str]) -> list[Placed]:
    """Return judgements of a study's export of the design `ranking`, or of a flat table with a row an answer.

    Args:
        rows: with item, type (or kind), rater (or annotator), and either `model, rank, quality, unsupported`, or `rank`,
            `quality` and `unsupported` as objects by answer.
        names: id of an answer -> its model; an id that is missing is taken as the model itself.
    """
    out: list[Placed] = []
    for row in rows:
        base = {
            "item": str(row["item"]),
            "type": str(row.get("type") or row.get("kind") or ""),
            "rater": str(row.get("rater") or row.get("annotator") or ""),
        }
        if str(row.get("repeat", "")).lower() in {"true", "1", "yes"} or base["rater"] == "adjudicated":
            continue
        if row.get("model"):
            out.append(
                _placed(base, str(row["model"]), row.get("rank"), row.get("quality"), row.get("unsupported"))
            )
            continue
        ranks, quality, flags = (_object(row.get(name)) for name in ("rank", "quality", "unsupported"))
        out += [
            _placed(base, names.get(key, key), rank, quality.get(key), flags.get(key))
            for key, rank in ranks.items()
        ]
    return out


def _object(value: Any) -> dict[str, Any]:
    held = json.loads(value) if isinstance(value, str) and value.strip().startswith("{") else value
    return held if isinstance(held, dict) else {}


def _placed(base: Mapping[str, str], model: str, rank: Any, quality: Any, flag: Any) -> Placed:
    grade = LIKERT.get(str(quality).lower()) if quality not in (None, "") else None
    said = None if flag in (None, "") else str(flag).lower() in {"yes", "true", "1"}
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


def table_2(placed: Sequence[Placed]) -> list[TypeAgreement]:
    """Return Table 2, a row a type and the total last."""
    kinds = [kind for kind in TYPES if any(one.type == kind for one in placed)]
    rows = [_agreement(kind, [one for one in placed if one.type == kind]) for kind in kinds]
    return [*rows, _agreement("total", placed)]


def _agreement(kind: str, placed: Sequence[Placed]) -> TypeAgreement:
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
    return TypeAgreement(
        type=kind, single=len(singles), double=len(double), judgements_single=sum(len(m) for held in singles for m in held.values()),
        judgements_double=sum(len(a) for a, _ in pairs), tau=_mean(held_t), tau_sd=_sd(held_t), tau_undefined=taus.count(None),
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


Cell = tuple[float, int]
"""Mean and how many judgements."""


def means(
    placed: Sequence[Placed], of: Callable[[Placed], float | None], by: Callable[[Placed], str]
) -> dict[tuple[str, str], Cell]:
    """Return (row, model) -> mean and n: Figures 1 and 2 by type, Figures 3 and 4 by annotator.

    Args:
        placed: judgements. of: the value (`rank`, `quality`); None is left out. by: what names a row.
    """
    held: dict[tuple[str, str], list[float]] = {}
    for one in placed:
        value = of(one)
        if value is not None:
            held.setdefault((by(one), one.model), []).append(float(value))
    return {key: (float(np.mean(values)), len(values)) for key, values in held.items()}


def bias(placed: Sequence[Placed], least: int = 400) -> dict[str, tuple[str, float | None]]:
    """Return annotator -> favourite model and tau-b of its mean ranks against the others' (Figure 3).

    Args:
        placed: judgements. least: judgements below which an annotator has no tau.
    """
    out = {}
    for rater in sorted({one.rater for one in placed}):
        own = [one for one in placed if one.rater == rater]
        mine = {m: v for (_, m), (v, _) in means(own, lambda p: p.rank, lambda _: "").items()}
        rest = {
            m: v
            for (_, m), (v, _) in means(
                [p for p in placed if p.rater != rater], lambda p: p.rank, lambda _: ""
            ).items()
        }
        shared = [m for m in mine if m in rest]
        tau = None
        if len(own) >= least and len(shared) > 1:
            value = float(tau_b(np.array([mine[m] for m in shared]), np.array([rest[m] for m in shared])))
            tau = None if np.isnan(value) else value
        out[rater] = (min(mine, key=lambda m: mine[m]), tau)
    return out


def flag_rates(placed: Sequence[Placed]) -> dict[str, Result]:
    """Return model -> share of labelled answers with an unsupported claim, Wilson's interval."""
    out = {}
    for model in dict.fromkeys(one.model for one in placed):
        said = [one.unsupported for one in placed if one.model == model and one.unsupported is not None]
        if said:
            out[model] = wilson(sum(said), len(said))
    return out


def severity(placed: Sequence[Placed]) -> dict[tuple[str, str, str], Result]:
    """Return (model, type, grade) -> share of judgements with that grade, Wilson's interval."""
    out = {}
    for model, kind in dict.fromkeys((one.model, one.type) for one in placed):
        grades = [
            one.quality
            for one in placed
            if (one.model, one.type) == (model, kind) and one.quality is not None
        ]
        for word, value in (("bad", 0), ("okay", 1), ("good", 2)):
            if grades:
                out[model, kind, word] = wilson(grades.count(value), len(grades))
    return out


def usefulness(placed: Sequence[Placed]) -> Result:
    """Return Spearman's rho of models' hallucination rate and mean usefulness, with the exact permutation p."""
    flags = flag_rates(placed)
    likert = {m: v for (_, m), (v, _) in means(placed, lambda p: p.quality, lambda _: "").items()}
    models = [m for m in flags if m in likert]
    return spearman_exact([flags[m].value or 0.0 for m in models], [likert[m] for m in models])


def pairs_of(models: Sequence[str]) -> list[tuple[str, str]]:
    """Return all pairs of models."""
    return list(combinations(models, 2))
