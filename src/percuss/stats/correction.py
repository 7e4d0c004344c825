"""Rates corrected for the errors of a judge whose sensitivity and specificity were measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from percuss.stats import arrays
from percuss.stats.bootstrap import MAX_DROPPED
from percuss.stats.intervals import wilson, z_value
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

CorrectionMethod = Literal["lang-reiczigel", "delta", "bootstrap"]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A judge against human labels: sensitivity and specificity with Wilson intervals, and their counts."""

    sensitivity: Result
    specificity: Result
    true_positive: int
    positive: int
    true_negative: int
    negative: int

    def __str__(self) -> str:
        """Print both in one line."""
        return f"sensitivity {self.sensitivity}; specificity {self.specificity}"


def judge_accuracy(judge: npt.ArrayLike, human: npt.ArrayLike, *, level: float = 0.95) -> Accuracy:
    """Sensitivity and specificity of a judge on items that humans labelled.

    Parameters
    ----------
    judge, human: 0 or 1 per item, shape (n,); human is the reference.
    level: of the Wilson intervals.

    Raises
    ------
    StatsError: values other than 0 and 1, unequal lengths.

    A class that humans never gave leaves its rate undefined.

    """
    j = _binary("judge", judge)
    h = _binary("human", human)
    if len(j) != len(h):
        raise StatsError(f"{len(j)} judge labels and {len(h)} human labels; the same items were expected")
    tp, pos = int(((j == 1) & (h == 1)).sum()), int((h == 1).sum())
    tn, neg = int(((j == 0) & (h == 0)).sum()), int((h == 0).sum())
    return Accuracy(wilson(tp, pos, level=level), wilson(tn, neg, level=level), tp, pos, tn, neg)


def judge_accuracy_by_stratum(
    judge: npt.ArrayLike, human: npt.ArrayLike, strata: npt.ArrayLike, *, level: float = 0.95
) -> Mapping[Any, Accuracy]:
    """Judge accuracy in each stratum (model, arm, claim kind), in sorted order.

    Parameters
    ----------
    judge, human, level: as in `judge_accuracy`.
    strata: label per item, shape (n,).

    Raises
    ------
    StatsError: as `judge_accuracy`; strata of another length.

    """
    j, h = np.asarray(judge), np.asarray(human)
    code, _ = arrays.codes("strata", strata, length=len(j))
    names = np.unique(np.asarray(strata)).tolist()
    return {name: judge_accuracy(j[code == i], h[code == i], level=level) for i, name in enumerate(names)}


def _binary(name: str, values: npt.ArrayLike) -> FloatArray:
    x = arrays.vector(name, values)
    if not np.isin(x, (0, 1)).all():
        raise StatsError(f"{name} holds values other than 0 and 1; one binary label per item was expected")
    return x


def rogan_gladen_limits(
    k: npt.ArrayLike,
    n: npt.ArrayLike,
    sensitivity: tuple[npt.ArrayLike, npt.ArrayLike],
    specificity: tuple[npt.ArrayLike, npt.ArrayLike],
    level: float = 0.95,
    *,
    adjusted: bool = True,
) -> tuple[FloatArray, FloatArray]:
    """Limits of corrected prevalence on arrays of counts, clipped to [0, 1].

    Adjusted: Lang and Reiczigel (2014), Prev Vet Med 113:13, pseudo-counts and a shift that keep coverage at small
    samples; else the delta method. NaN where the judge is no better than chance.
    """
    k, n, xs, ns, xc, nc = (np.asarray(v, dtype=np.float64) for v in (k, n, *sensitivity, *specificity))
    z = z_value(level)
    if adjusted:
        k, n, xs, ns, xc, nc = k + z * z / 2, n + z * z, xs + 1, ns + 2, xc + 1, nc + 2
    rate, se, sp = k / n, xs / ns, xc / nc
    youden = se + sp - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        p = (rate + sp - 1) / youden
        ses, spc = se * (1 - se) / ns, sp * (1 - sp) / nc
        error = np.sqrt(rate * (1 - rate) / n + p**2 * ses + (1 - p) ** 2 * spc) / youden
        centre = p + (2 * z * z * (p * ses - (1 - p) * spc) if adjusted else 0)
        low, high = np.clip(centre - z * error, 0, 1), np.clip(centre + z * error, 0, 1)
    bad = youden <= 0
    return np.where(bad, np.nan, low), np.where(bad, np.nan, high)


def rogan_gladen(
    k: float,
    n: float,
    *,
    sensitivity: tuple[float, float],
    specificity: tuple[float, float],
    method: CorrectionMethod = "lang-reiczigel",
    seed: int | None = None,
    B: int = 10_000,
    level: float = 0.95,
) -> Result:
    """True prevalence from the rate that an imperfect judge reports.

    Parameters
    ----------
    k, n: items that the judge called positive, of all.
    sensitivity: (judge positive, human positive) counts of a validation sample.
    specificity: (judge negative, human negative) counts.
    method: interval of Lang and Reiczigel, delta method, or parametric bootstrap of the three samples.
    seed, B: of the bootstrap.
    level: confidence level.

    Raises
    ------
    StatsError: k > n in any pair, a bootstrap without seed.

    (rate + specificity - 1) / (sensitivity + specificity - 1), clipped to [0, 1] with a note. Undefined where the
    judge is no better than chance or a class was never validated. Not where the judge errs differently in the arm
    that is corrected than in the validation sample (`ppi_rate` on that arm). Source: Rogan and Gladen (1978), Am J
    Epidemiol 107:71.

    """
    (k, n), (xs, ns), (xc, nc) = (arrays.successes(*pair) for pair in ((k, n), sensitivity, specificity))
    name = f"Rogan-Gladen, {method}"
    if min(n, ns, nc) == 0:
        what = "no items" if n == 0 else "no validated positives" if ns == 0 else "no validated negatives"
        return missing(what, level=level, method=name, n=round(n))
    youden = xs / ns + xc / nc - 1
    if youden <= 0:
        reason = f"the judge is no better than chance (sensitivity {xs / ns:.3f}, specificity {xc / nc:.3f})"
        return missing(reason, level=level, method=name, n=round(n))
    raw = (k / n + xc / nc - 1) / youden
    value = min(max(raw, 0.0), 1.0)
    notes = () if value == raw else (f"the corrected rate {raw:.4f} was clipped to {value:g}",)
    samples = ((k, n), (xs, ns), (xc, nc))
    low, high, undefined = _interval(samples, value, method, seed=seed, B=B, level=level)
    return Result(
        value=value,
        low=low,
        high=high,
        level=level,
        method=name,
        n=round(n),
        notes=notes,
        undefined=undefined,
    )


Samples = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
Bounds = tuple[float | None, float | None, str | None]


def _interval(
    samples: Samples, value: float, method: CorrectionMethod, *, seed: int | None, B: int, level: float
) -> Bounds:
    """Return low, high and, where they are None, the reason."""
    if method == "bootstrap":
        return _bootstrap(samples, arrays.required_seed(seed, "the bootstrap of a corrected rate"), B, level)
    if method not in {"lang-reiczigel", "delta"}:
        raise StatsError(f"method is {method!r}; lang-reiczigel, delta or bootstrap was expected")
    (k, n), sensitivity, specificity = samples
    low, high = rogan_gladen_limits(k, n, sensitivity, specificity, level, adjusted=method != "delta")
    if np.isnan(low):
        return None, None, "with so few validated items the judge can't be told from chance"
    return _with_width(min(float(low), value), max(float(high), value))


def _with_width(low: float, high: float) -> Bounds:
    if low == high:
        return None, None, "no variation is left after clipping; use method='lang-reiczigel'"
    return low, high, None


def _bootstrap(samples: Samples, seed: int, B: int, level: float) -> Bounds:
    """Percentile limits over binomial redraws of all three samples."""
    rng = np.random.default_rng(seed)
    q, se, sp = (rng.binomial(round(n), x / n, size=B) / n for x, n in samples)
    youden = se + sp - 1
    kept = youden > 0
    if (~kept).sum() > MAX_DROPPED * B:
        return None, None, f"in {(~kept).sum()} of {B} redraws the judge is no better than chance"
    p = np.clip((q + sp - 1)[kept] / youden[kept], 0, 1)
    low, high = np.quantile(p, [(1 - level) / 2, (1 + level) / 2])
    return _with_width(float(low), float(high))
