"""Prediction-powered estimates: the judge on every item, humans on a random subset, one honest interval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from percuss.stats import arrays
from percuss.stats.clustered import EDGE, MIN_EVENTS, degrees_of_freedom, effective_clusters, seen_limits
from percuss.stats.intervals import (
    mover_difference_limits,
    mover_ratio_limits,
    p_of_interval,
    wilson_limits,
    z_value,
)
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import BoolArray, FloatArray, IntArray

MIN_LABELLED = 2
#: Effective clusters with human labels below which there is no interval (`policy.MIN_CLUSTERS`).
MIN_CLUSTERS = 5
#: Relative size below which a variance is rounding error.
TINY = 1e-24


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One arm's items: the judge's label on all, a human's on some.

    `judge`: shape (n,), 0/1 or a score. `human`: shape (n,), the same scale, NaN where no human looked; the items
    that humans saw must be a random sample. `clusters`: label per item (patient), None where items are independent.
    """

    judge: npt.ArrayLike
    human: npt.ArrayLike
    clusters: npt.ArrayLike | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Items:
    """Checked items: judge and human labels, who was seen by a human, cluster codes and names."""

    judge: FloatArray
    human: FloatArray
    seen: BoolArray
    code: IntArray
    names: list[object]

    @property
    def binary(self) -> bool:
        return bool(np.isin(self.judge, (0, 1)).all() and np.isin(self.human[self.seen], (0, 1)).all())

    @property
    def labelled(self) -> FloatArray:
        """Items with a human label in each cluster that has any."""
        counts = np.bincount(self.code[self.seen], minlength=len(self.names)).astype(np.float64)
        out: FloatArray = counts[counts > 0]
        return out

    @property
    def df(self) -> float:
        """Satterthwaite's degrees of freedom of the clusters with human labels."""
        return float(degrees_of_freedom(self.labelled))

    @property
    def events(self) -> tuple[int, int]:
        """Clusters in which humans found an event, and in which they found an item without one."""
        with_, without = (len(set(self.code[self.seen & (self.human == label)].tolist())) for label in (1, 0))
        return with_, without


@dataclass(frozen=True, slots=True, eq=False)
class _Arm:
    """An estimate with its limits, and what each cluster adds to its error, shape (clusters,)."""

    value: float
    low: float
    high: float
    influence: FloatArray
    names: list[object]
    labelled: int
    method: str
    note: str
    df: float
    events: tuple[int, int] | None = None

    @property
    def few(self) -> str:
        """Why too few cases carry an interval (the interval policy), "" where enough do; scores have no events."""
        if self.events is None or min(self.events) >= MIN_EVENTS:
            return ""
        which = "with" if self.events[0] <= self.events[1] else "without"
        count = min(self.events)
        cases = "case" if count == 1 else "cases"
        return f"people found {count} {cases} {which} an event, fewer than {MIN_EVENTS}"

    @property
    def ends(self) -> tuple[float, float, float]:
        return self.value, self.low, self.high

    @property
    def variance(self) -> float:
        c = len(self.influence)
        return float((self.influence**2).sum()) * c / (c - 1)


def _items(data: Judged, arm: int) -> _Items | str:
    judge = arrays.vector("judge", data.judge)
    human = np.asarray(data.human, dtype=np.float64)
    if human.shape != judge.shape or np.isinf(human).any():
        raise StatsError(
            f"human has shape {human.shape} beside {judge.shape}; one label or NaN per item was expected"
        )
    seen = ~np.isnan(human)
    n, labelled = len(judge), int(seen.sum())
    if labelled < MIN_LABELLED:
        return f"{labelled} items have a human label; at least {MIN_LABELLED} are needed"
    # Without clusters every item is its own, and items of two arms are never the same cluster.
    names: list[object] = [(arm, i) for i in range(n)]
    code: IntArray = np.arange(n)
    if data.clusters is not None:
        code, _ = arrays.codes("clusters", data.clusters, length=n)
        names = np.unique(np.asarray(data.clusters)).tolist()
    if len(names) < 2:
        return "all items are one cluster"
    items = _Items(judge, np.where(seen, human, 0), seen, code, names)
    worth = float(effective_clusters(items.labelled))
    if worth < MIN_CLUSTERS:
        return f"people's labels lie in cases worth {worth:.1f} equal ones, fewer than {MIN_CLUSTERS}"
    return items


def _arm(data: Judged, arm: int, level: float) -> _Arm | str:
    """Return the estimate of one arm, or why there is none."""
    items = _items(data, arm)
    if isinstance(items, str):
        return items
    return _binary_arm(items, level) if items.binary else _tuned_arm(items, level)


def _by_cluster(items: _Items, per_item: FloatArray) -> FloatArray:
    return np.bincount(items.code, weights=per_item, minlength=len(items.names)).astype(np.float64)


def _binary_arm(items: _Items, level: float) -> _Arm | str:
    """Binary labels: humans' rate among each of the judge's two labels, weighted by how often the judge gave it.

    For binary labels this is the estimate that the tuned judge weight tends to. Each rate has Wilson's limits, so
    that it holds at few events and where no labelled item shows an error of the judge.
    """
    n = len(items.judge)
    said = np.stack([items.judge == 0, items.judge == 1])
    checked = said & items.seen
    share, seen = said.mean(axis=1), checked.sum(axis=1)
    for label in (0, 1):
        if share[label] > 0 and seen[label] == 0:
            return f"humans saw none of the {said[label].sum()} items that the judge called {label}"
    seen = np.maximum(seen, 1)
    rate = (checked * items.human).sum(axis=1) / seen
    gap = float(rate[1] - rate[0])
    within = (checked * (items.human - rate[:, None]) * (share / seen)[:, None]).sum(axis=0)
    influence = within + gap * (items.judge - share[1]) / n
    own, alone = _by_cluster(items, influence), float((influence**2).sum())
    c = len(own)
    effect = max(1.0, float((own**2).sum()) * c / (c - 1) / alone) if alone > TINY else 1.0
    # t in place of z: the design effect is estimated from the clusters with labels (definitions/grounding.md, version 2).
    t = float(special.stdtrit(items.df, 0.5 + level / 2))
    between = effect * (t * gap) ** 2 * share[0] * share[1] / n
    worth = seen / effect * (z_value(level) / t) ** 2
    low, high = wilson_limits(rate * worth, worth, level)
    value = float(share @ rate)
    down, up = (float((((share * d) ** 2).sum() + between) ** 0.5) for d in (rate - low, high - rate))
    least, most = _off_the_edges(items, value, (value - down, value + up), level)
    return _Arm(
        value=value,
        low=least,
        high=most,
        influence=own,
        names=items.names,
        labelled=int(items.seen.sum()),
        method="by judge label, Wilson limits",
        note=f"design effect {effect:.2f}, t on {items.df:.1f} df",
        df=items.df,
        events=items.events,
    )


def _off_the_edges(
    items: _Items, value: float, ends: tuple[float, float], level: float
) -> tuple[float, float]:
    """Keep limits off 0 and 1 where people found anything else: beyond them, what their own part alone allows."""
    n, k = (_by_cluster(items, each) for each in (items.seen.astype(float), items.seen * items.human))
    seen, (low, high) = seen_limits(k[n > 0], n[n > 0], level), ends
    within = min(float(seen[0]), value), max(float(seen[1]), value)
    return (within[0] if low < EDGE else low), (within[1] if high > 1 - EDGE else high)


def _tuned_arm(items: _Items, level: float) -> _Arm:
    """Scores: the judge's mean plus the humans' correction, the judge's weight tuned (PPI++, eq. 6)."""
    judge, seen, labelled = items.judge, items.seen, int(items.seen.sum())
    fixed = np.where(seen, items.human - items.human.sum() / labelled, 0) / labelled
    moving = (judge - judge.mean()) / len(judge) - np.where(seen, judge - judge[seen].mean(), 0) / labelled
    a, b = _by_cluster(items, fixed), _by_cluster(items, moving)
    spread = float((b**2).sum())
    weight = float(np.clip(-(a @ b) / spread, 0, 1)) if spread > TINY else 0.0
    value = float(items.human.sum() / labelled + weight * (judge.mean() - judge[seen].mean()))
    own = a + weight * b
    error = float((own**2).sum() * len(own) / (len(own) - 1)) ** 0.5
    half = float(special.stdtrit(items.df, 0.5 + level / 2)) * error
    return _Arm(
        value=value,
        low=value - half,
        high=value + half,
        influence=own,
        names=items.names,
        labelled=labelled,
        method="tuned, linearised t",
        note=f"weight of the judge {weight:.2f}, t on {items.df:.1f} df",
        df=items.df,
    )


def _correlation(a: _Arm, b: _Arm) -> float:
    """Correlation of two arms' errors over the clusters that they share."""
    position = {name: i for i, name in enumerate(a.names)}
    shared = [(position[name], j) for j, name in enumerate(b.names) if name in position]
    scale = (a.variance * b.variance) ** 0.5
    if not shared or scale <= TINY:
        return 0.0
    i, j = np.array(shared).T
    c = max(len(a.names), len(b.names))
    return float(np.clip(a.influence[i] @ b.influence[j] * c / (c - 1) / scale, -1, 1))


def ppi_rate(data: Judged, *, level: float = 0.95) -> Result:
    """Rate (or mean) that humans would have given all items, from few human and many judge labels.

    Parameters
    ----------
    data: see `Judged`.
    level: confidence level.

    Raises
    ------
    StatsError: shapes that don't fit, infinite values, NaN in `judge`.

    Binary labels: humans' rates among the judge's yes and no, weighted by their shares, with Wilson limits at the
    design effect of the clusters; where humans found fewer than 3 cases with an event (or without one) the bound of that
    side alone, at (1 + level) / 2. Scores: PPI++ with a tuned weight and a t interval. Undefined where humans saw no
    item of one of the judge's labels. Not where humans saw a chosen subset (for example disagreements only).
    Sources: Angelopoulos et al. (2023), Science 382:669; Angelopoulos, Duchi and Zrnic (2023), PPI++; MOVER as in
    `mover_difference`.

    """
    arrays.fraction("level", level)
    arm = _arm(data, 0, level)
    if isinstance(arm, str):
        return missing(arm, level=level, method="PPI", n=0)
    r = Result(
        value=arm.value,
        low=arm.low,
        high=arm.high,
        level=level,
        method=f"PPI, {arm.method}",
        n=arm.labelled,
        notes=(arm.note,),
    )
    if arm.low == arm.high:
        return replace(r, low=None, high=None, undefined="all human labels are equal")
    return _bounded(r, arm) if arm.few else r


def _bounded(r: Result, arm: _Arm) -> Result:
    """Keep the bound on the side where little was seen."""
    upper = arm.events is not None and arm.events[0] <= arm.events[1]
    notes = (*r.notes, arm.few)
    if upper:
        return replace(r, low=None, sided="high", notes=notes)
    return replace(r, high=None, sided="low", notes=notes)


def _two(first: Judged, second: Judged, level: float) -> tuple[_Arm, _Arm] | str:
    arrays.fraction("level", level)
    a, b = _arm(first, 0, level), _arm(second, 1, level)
    if isinstance(a, str) or isinstance(b, str):
        return a if isinstance(a, str) else str(b)
    return a, b


def ppi_difference(first: Judged, second: Judged, *, level: float = 0.95) -> Result:
    """Difference of two arms' human rates, first minus second, paired where they share clusters.

    Parameters
    ----------
    first, second: see `Judged`; equal cluster labels in both mean the same patient.
    level: confidence level.

    Raises
    ------
    StatsError: as `ppi_rate`.

    MOVER of the arms' limits with the correlation over shared clusters; `p` is two-sided for H0 "equal rates" and
    below 1 - level exactly where the interval leaves 0 out. Where humans found fewer than 3 cases with an event, or
    without one, in an arm: a value, its p and the reason.

    """
    arms = _two(first, second, level)
    if isinstance(arms, str):
        return missing(arms, level=level, method="PPI difference", n=0)
    a, b = arms
    low, high = (float(x) for x in mover_difference_limits(a.ends, b.ends, _correlation(a, b)))
    value, n = a.value - b.value, min(a.labelled, b.labelled)
    method = f"PPI difference, {a.method}, MOVER"
    if low == high:
        reason = "nothing varies in either arm"
        return Result(value=value, low=None, high=None, level=level, method=method, n=n, undefined=reason)
    p = p_of_interval(value, low, high, level, min(a.df, b.df))
    r = Result(value=value, low=low, high=high, level=level, method=method, n=n, p=p, notes=(a.note, b.note))
    few = a.few or b.few
    return replace(r, low=None, high=None, undefined=few) if few else r


def ppi_ratio(first: Judged, second: Judged, *, level: float = 0.95) -> Result:
    """Ratio of two arms' human rates, first over second.

    Parameters
    ----------
    first, second, level: as in `ppi_difference`; rates not negative.

    Raises
    ------
    StatsError: as `ppi_rate`.

    MOVER of the arms' limits with the correlation over shared clusters. The upper limit is undefined where the
    second rate isn't separated from 0; both are where humans found fewer than 3 cases with an event in an arm.
    Source: Donner and Zou (2012), Stat Methods Med Res 21:347.

    """
    arms = _two(first, second, level)
    if isinstance(arms, str):
        return missing(arms, level=level, method="PPI ratio", n=0)
    a, b = arms
    n, method = min(a.labelled, b.labelled), f"PPI ratio, {a.method}, MOVER"
    if b.value <= 0:
        return missing("the rate in the denominator is 0", level=level, method=method, n=n)
    low, high = (float(x) for x in mover_ratio_limits(a.ends, b.ends, _correlation(a, b)))
    r = Result(
        value=max(a.value, 0.0) / b.value,
        low=max(low, 0.0),
        high=None,
        level=level,
        method=method,
        n=n,
        undefined="the rate in the denominator isn't separated from 0",
        notes=(a.note, b.note),
    )
    rare = next((arm.few for arm in arms if arm.events is not None and arm.events[0] < MIN_EVENTS), "")
    if rare:
        return replace(r, low=None, undefined=rare)
    if not np.isfinite(high):
        return r
    if low == high:
        return replace(r, low=None, undefined="nothing varies in either arm")
    return replace(r, high=max(high, 0.0), undefined=None)


def ppi_hdi(grounded: Judged, ungrounded: Judged, *, level: float = 0.95) -> Result:
    """HDI corrected for the judge: 1 - (unsupported rate with evidence) / (without), as humans would label.

    Parameters
    ----------
    grounded, ungrounded: 1 = unsupported, one item a claim, clusters = patients; see `Judged`.
    level: as in `ppi_ratio`.

    Raises
    ------
    StatsError: as `ppi_rate`.

    Undefined where humans would leave no unsupported claim in the ungrounded arm. Source: Gonehal et al. 2026, eq. 1, with
    the rates of `ppi_rate`.

    """
    r = ppi_ratio(grounded, ungrounded, level=level)
    r = replace(r, method=r.method.replace("PPI ratio", "PPI-corrected HDI"))
    if r.value is None:
        return replace(
            r,
            undefined=f"{r.undefined} (ungrounded arm)" if "denominator" in str(r.undefined) else r.undefined,
        )
    low, high = (None if x is None else 1 - x for x in (r.high, r.low))
    return replace(r, value=1 - r.value, low=low, high=high)
