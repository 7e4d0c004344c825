"""Prediction-powered estimates: the judge on every item, humans on a random subset, one honest interval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from percuss.stats import arrays
from percuss.stats.intervals import wilson_limits
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

MIN_LABELLED = 2


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
class _Arm:
    """An estimate and what each cluster adds to its error, shape (clusters,)."""

    value: float
    influence: FloatArray
    names: list[object]
    labelled: int
    residual: float
    power: float

    @property
    def variance(self) -> float:
        c = len(self.influence)
        return float((self.influence**2).sum()) * c / (c - 1)


def _arm(data: Judged, arm: int) -> _Arm | str:
    """Return the estimate of one arm (Angelopoulos et al. 2023, PPI++, eq. 6), or why there is none."""
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
    code, k = np.arange(n), n
    if data.clusters is not None:
        code, k = arrays.codes("clusters", data.clusters, length=n)
        names = np.unique(np.asarray(data.clusters)).tolist()
    if k < 2:
        return "all items are one cluster"
    h = np.where(seen, human, 0)
    fixed = np.where(seen, h - h.sum() / labelled, 0) / labelled
    moving = (judge - judge.mean()) / n - np.where(seen, judge - judge[seen].mean(), 0) / labelled
    a, b = (np.bincount(code, weights=w, minlength=k) for w in (fixed, moving))
    spread = float((b**2).sum())
    power = float(np.clip(-(a @ b) / spread, 0, 1)) if spread > 0 else 0.0
    value = float(h.sum() / labelled + power * (judge.mean() - judge[seen].mean()))
    residual = float(np.abs(human[seen] - judge[seen]).sum())
    return _Arm(value, a + power * b, names, labelled, residual, power)


def _covariance(a: _Arm, b: _Arm) -> float:
    """Covariance of two arms over the clusters that they share."""
    position = {name: i for i, name in enumerate(a.names)}
    shared = [(position[name], j) for j, name in enumerate(b.names) if name in position]
    if not shared:
        return 0.0
    i, j = np.array(shared).T
    c = max(len(a.names), len(b.names))
    return float(a.influence[i] @ b.influence[j]) * c / (c - 1)


def _t(level: float, *fitted: _Arm) -> float:
    return float(special.stdtrit(min(f.labelled for f in fitted) - 1, 0.5 + level / 2))


def _judge_slack(level: float, *fitted: _Arm) -> float:
    """Error the judge may still make though no labelled item shows one: Wilson's upper limit of 0 in n."""
    clean = [f for f in fitted if f.residual == 0]
    return float(sum(float(wilson_limits(0, f.labelled, level)[1]) ** 2 for f in clean) ** 0.5)


def _notes(*fitted: _Arm) -> tuple[str, ...]:
    weights = ", ".join(f"{f.power:.2f}" for f in fitted)
    clean = any(f.residual == 0 for f in fitted)
    extra = ("no labelled item shows a judge error: the interval is widened by Wilson's limit of 0 in n",)
    return (f"weight of the judge {weights}", *(extra if clean else ()))


def ppi_rate(data: Judged, *, level: float = 0.95) -> Result:
    """Rate (or mean) that humans would have given all items, from few human and many judge labels.

    Parameters
    ----------
    data: see `Judged`.
    level: of the interval: linearised over clusters, Student t with labelled items - 1 degrees of freedom.

    Raises
    ------
    StatsError: shapes that don't fit, infinite values, NaN in `judge`.

    The judge's weight is tuned between 0 (human labels alone) and 1. Binary rates are clipped to [0, 1]. Not where
    humans saw a chosen subset (for example disagreements only). Sources: Angelopoulos et al. (2023), Science
    382:669; Angelopoulos, Duchi and Zrnic (2023), PPI++.

    """
    arrays.fraction("level", level)
    fitted = _arm(data, 0)
    if isinstance(fitted, str):
        return missing(fitted, level=level, method="PPI", n=0)
    half = float(np.hypot(_t(level, fitted) * fitted.variance**0.5, _judge_slack(level, fitted)))
    r = Result(
        value=fitted.value,
        low=fitted.value - half,
        high=fitted.value + half,
        level=level,
        method="PPI, linearised t",
        n=fitted.labelled,
        notes=_notes(fitted),
    )
    return _clipped(r) if _binary(data) else r


def _binary(data: Judged) -> bool:
    human = np.asarray(data.human, dtype=np.float64)
    return bool(
        np.isin(np.asarray(data.judge), (0, 1)).all() and np.isin(human[~np.isnan(human)], (0, 1)).all()
    )


def _clipped(r: Result, low: float = 0.0, high: float = 1.0) -> Result:
    bounds = (None if v is None else min(max(v, low), high) for v in (r.value, r.low, r.high))
    value, lower, upper = bounds
    return replace(r, value=value, low=lower, high=upper)


def ppi_difference(first: Judged, second: Judged, *, level: float = 0.95) -> Result:
    """Difference of two arms' human rates, first minus second, paired where they share clusters.

    Parameters
    ----------
    first, second: see `Judged`; equal cluster labels in both mean the same patient.
    level: as in `ppi_rate`.

    Raises
    ------
    StatsError: as `ppi_rate`.

    `p` is two-sided for H0 "equal rates".

    """
    arrays.fraction("level", level)
    a, b = _arm(first, 0), _arm(second, 1)
    if isinstance(a, str) or isinstance(b, str):
        reason = a if isinstance(a, str) else str(b)
        return missing(reason, level=level, method="PPI difference", n=0)
    variance = max(a.variance + b.variance - 2 * _covariance(a, b), 0.0)
    slack = _judge_slack(level, a, b)
    half = float(np.hypot(_t(level, a, b) * variance**0.5, slack))
    value = a.value - b.value
    error = float(np.hypot(variance**0.5, slack / _t(level, a, b)))
    df = min(a.labelled, b.labelled) - 1
    p = float(2 * special.stdtr(df, -abs(value) / error)) if error > 0 else 1.0
    r = Result(
        value=value,
        low=value - half,
        high=value + half,
        level=level,
        method="PPI difference, linearised t",
        n=min(a.labelled, b.labelled),
        p=p,
        notes=_notes(a, b),
    )
    if error == 0:
        return replace(r, low=None, high=None, undefined="nothing varies in either arm")
    return _clipped(r, -1.0, 1.0) if _binary(first) and _binary(second) else r


def ppi_ratio(first: Judged, second: Judged, *, level: float = 0.95) -> Result:
    """Ratio of two arms' human rates, first over second, with Fieller's interval.

    Parameters
    ----------
    first, second, level: as in `ppi_difference`; rates not negative.

    Raises
    ------
    StatsError: as `ppi_rate`.

    Undefined where the second rate isn't separated from 0: its ratio has no bounded interval then.
    Source: Fieller (1954), JRSS B 16:175.

    """
    arrays.fraction("level", level)
    a, b = _arm(first, 0), _arm(second, 1)
    method = "PPI ratio, Fieller"
    if isinstance(a, str) or isinstance(b, str):
        reason = a if isinstance(a, str) else str(b)
        return missing(reason, level=level, method=method, n=0)
    n = min(a.labelled, b.labelled)
    if b.value <= 0:
        return missing("the rate in the denominator is 0", level=level, method=method, n=n)
    t2 = _t(level, a, b) ** 2
    va, vb = (t2 * f.variance + _judge_slack(level, f) ** 2 for f in (a, b))
    ratio = max(a.value, 0.0) / b.value
    ends = _fieller(a.value, b.value, (va, t2 * _covariance(a, b), vb))
    if ends is None:
        reason = "the rate in the denominator isn't separated from 0"
        return Result(value=ratio, low=None, high=None, level=level, method=method, n=n, undefined=reason)
    low, high = max(ends[0], 0.0), max(ends[1], 0.0)
    if low == high:
        reason = "nothing varies in either arm"
        return Result(value=ratio, low=None, high=None, level=level, method=method, n=n, undefined=reason)
    return Result(value=ratio, low=low, high=high, level=level, method=method, n=n, notes=_notes(a, b))


def _fieller(a: float, b: float, spread: Sequence[float]) -> tuple[float, float] | None:
    """Ratios r for which (a - r b)^2 <= var(a - r b) x t^2; None where that set is unbounded."""
    va, cab, vb = spread
    lead, middle, last = b * b - vb, a * b - cab, a * a - va
    root = middle * middle - lead * last
    if lead <= 0 or root < 0:
        return None
    return (middle - root**0.5) / lead, (middle + root**0.5) / lead


def ppi_hdi(grounded: Judged, ungrounded: Judged, *, level: float = 0.95) -> Result:
    """HDI corrected for the judge: 1 - (unsupported rate with evidence) / (without), as humans would label.

    Parameters
    ----------
    grounded, ungrounded: 1 = unsupported, one item a claim, clusters = patients; see `Judged`.
    level: as in `ppi_ratio`.

    Raises
    ------
    StatsError: as `ppi_rate`.

    Undefined where humans would leave no unsupported claim in the ungrounded arm. Source: papers/0, eq. 1, with
    the rates of PPI++.

    """
    r = replace(ppi_ratio(grounded, ungrounded, level=level), method="PPI-corrected HDI, Fieller")
    if r.value is None:
        return replace(
            r,
            undefined=f"{r.undefined} (ungrounded arm)" if "denominator" in str(r.undefined) else r.undefined,
        )
    if r.low is None or r.high is None:
        return replace(r, value=1 - r.value)
    return replace(r, value=1 - r.value, low=1 - r.high, high=1 - r.low)
