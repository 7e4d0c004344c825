"""Rankings of models: what the paired differences allow, and how far two rankings agree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from percuss.core.records import Estimate
from percuss.measure.quantity import Plan, Quantity, estimate_of, result_of
from percuss.measure.tally import Floats, Tally
from percuss.measure.wording import counted, plural
from percuss.stats.bootstrap import MAX_DROPPED, Difference, Paired, bootstrap_draws
from percuss.stats.policy import MANY_CLUSTERS, MANY_EVENTS, named, support
from percuss.stats.result import Result
from percuss.stats.separation import rank_intervals, tie_letters

__all__ = ["RANK_TAU", "Ranked", "apart_words", "rank_tau", "ranked", "separates", "tau_b"]

ALPHA = 0.05
RANK_TAU = Quantity(
    "rank_tau",
    "agreement of the two rankings (Kendall's tau-b)",
    "Do models rank alike by support with evidence and by HDI?",
    "neither",
    "ratio",
)


@dataclass(frozen=True)
class Ranked:
    """A model's place: its value, the ranks that no separated pair contradicts, and letters shared by ties."""

    model: str
    value: float | None
    best: int
    worst: int
    letters: str


def separates(difference: Estimate) -> bool:
    """Whether a pair of models differs after Holm's correction."""
    return difference.p_adjusted is not None and difference.p_adjusted <= ALPHA


def apart_words(differences: Sequence[Estimate], what: str) -> str:
    """Return how many pairs of models can be told apart; pairs with a simulated model are counted for themselves.

    Args:
        differences: one a pair. what: the quantity, in words.
    """
    real = [e for e in differences if not e.simulated]
    planted = [e for e in differences if e.simulated]
    told = f"can be told apart in {what}"
    if not real:
        return f"Of {plural(len(planted), 'pair')} with a simulated model, {counted(sum(map(separates, planted)))} {told}."
    said = f"Of {plural(len(real), 'pair')} of models, {counted(sum(map(separates, real)))} {told}"
    more = f"; of {plural(len(planted), 'more pair')} with a simulated model, {counted(sum(map(separates, planted)))}"
    return f"{said}{more if planted else ''}."


def ranked(
    singles: Sequence[Estimate], differences: Sequence[Estimate], *, higher_first: bool
) -> tuple[Ranked, ...]:
    """Return the models in order, with rank intervals and tie letters.

    Args:
        singles: one estimate a model. differences: of the pairs among them, `model` minus `versus`.
        higher_first: whether the highest value ranks first.
    """
    names = [e.model for e in singles]
    if len(names) < 2:
        return tuple(Ranked(e.model, e.value, 1, 1, "a") for e in singles)
    pairs = [
        Difference(names.index(d.model), names.index(d.versus or ""), result_of(d), d.p_adjusted)
        for d in differences
        if d.model in names and d.versus in names
    ]
    paired = Paired(tuple(result_of(e) for e in singles), tuple(pairs))
    intervals = rank_intervals(paired, higher_is_better=higher_first)
    letters = tie_letters(paired, higher_is_better=higher_first)
    rows = [
        Ranked(e.model, e.value, i.best, i.worst, mark)
        for e, i, mark in zip(singles, intervals, letters, strict=True)
    ]
    sign = -1 if higher_first else 1
    return tuple(sorted(rows, key=lambda r: (r.value is None, sign * (r.value or 0.0))))


def tau_b(x: Floats, y: Floats) -> Floats:
    """Return Kendall's tau-b of two rankings, for each draw; NaN where one of them is all ties.

    Args:
        x, y: shape (.., k), one value a model.
    """
    pairs = list(combinations(range(x.shape[-1]), 2))
    dx = np.stack([np.sign(x[..., i] - x[..., j]) for i, j in pairs], axis=-1)
    dy = np.stack([np.sign(y[..., i] - y[..., j]) for i, j in pairs], axis=-1)
    scale = np.sqrt((dx != 0).sum(axis=-1) * (dy != 0).sum(axis=-1))
    with np.errstate(divide="ignore", invalid="ignore"):
        out: Floats = np.where(scale > 0, (dx * dy).sum(axis=-1) / scale, np.nan)
    return out


def rank_tau(
    supported: Tally, unsupported: Tally, plan: Plan, *, arm: str, baseline: str
) -> Iterator[Estimate]:
    """Yield tau-b between support with evidence and HDI over models, with a bootstrap interval over cases.

    Args:
        supported, unsupported: cells of one label source. plan: the draws. arm, baseline: with and without evidence.

    Models without a defined HDI are left out, and simulated ones beside real ones; fewer than three yield nothing.
    """
    models = [
        m
        for m in unsupported.models
        if supported.has(m, arm) and unsupported.has(m, arm) and unsupported.columns(m, baseline)[0].sum() > 0
    ]
    # simulated models take no place among real ones
    models = [m for m in models if m not in plan.simulated] or models
    if len(models) < 3 or supported.rows != unsupported.rows:
        return
    columns: list[Floats] = []
    for m in models:
        columns += [
            *supported.columns(m, arm),
            *unsupported.columns(m, arm),
            *unsupported.columns(m, baseline),
        ]
    stacked = [column[:, None] for column in columns]
    draws = bootstrap_draws(lambda s: s[..., 0], stacked, seed=plan.seed, B=plan.B, **unsupported.resampling)
    totals = np.array([[column.sum() for column in columns]])
    value, drawn = (_tau_of(sums.reshape(-1, len(models), 6)) for sums in (totals, draws))
    if np.isnan(value[0]):
        return
    few = _few([unsupported.columns(m, at) for m in models for at in (arm, baseline)])
    result = _tau_result(float(value[0]), drawn, few, len(models), plan)
    yield estimate_of(
        RANK_TAU, "all models", arm, unsupported.labels, result, plan, baseline=baseline, n=len(models),
        clusters=unsupported.n_clusters, covers=unsupported.covers,
        simulated=any(m in plan.simulated for m in models),
    )  # fmt: skip


def _few(columns: Sequence[tuple[Floats, Floats]]) -> str:
    """Why a rank statistic over these arms has no interval; "" where every arm carries a bootstrap."""
    for num, den in columns:
        held = support(num[den > 0], den[den > 0])
        if held.way != "bootstrap":
            few = f"{held.clusters:.0f} equal cases and {held.events} with the scarcer outcome in one arm"
            return f"{few}; ranks need {MANY_CLUSTERS} and {MANY_EVENTS} in each"
    return ""


def _tau_result(value: float, drawn: Floats, few: str, models: int, plan: Plan) -> Result:
    """Percentile limits (a rank correlation moves in steps, which BCa does not expect), or why there are none."""
    kept, tail = drawn[~np.isnan(drawn)], (1 - plan.level) / 2
    method = named(f"cluster bootstrap, percentile, B = {plan.B}")
    if few or len(kept) < (1 - MAX_DROPPED) * len(drawn):
        reason = few or f"{len(drawn) - len(kept)} of {len(drawn)} resamples are undefined, more than 1%"
        return Result(
            value=value, low=None, high=None, level=plan.level, method=method, n=models, undefined=reason
        )
    low, high = (float(q) for q in np.quantile(kept, [tail, 1 - tail]))
    return Result(value=value, low=low, high=high, level=plan.level, method=method, n=models)


def _tau_of(sums: Floats) -> Floats:
    """Shape (B, models, 6): supported and its n, unsupported and its n with evidence, and without."""
    with np.errstate(divide="ignore", invalid="ignore"):
        support = sums[..., 0] / sums[..., 1]
        index = 1 - (sums[..., 2] / sums[..., 3]) / (sums[..., 4] / sums[..., 5])
    broken = ~np.isfinite(support).all(axis=-1) | ~np.isfinite(index).all(axis=-1)
    return np.where(broken, np.nan, tau_b(np.nan_to_num(support), np.nan_to_num(index)))
