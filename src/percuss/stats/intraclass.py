"""Intraclass correlations of scores that all raters gave to all items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy import special

from percuss.stats import arrays
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray

Form = Literal["A,1", "A,k", "C,1", "C,k"]


class _TwoWay:
    """Mean squares of items (rows), raters (columns) and the rest of a two-way layout without replicates."""

    def __init__(self, x: FloatArray) -> None:
        self.n, self.k = x.shape
        rows, columns, mean = x.mean(axis=1), x.mean(axis=0), x.mean()
        self.items: float = self.k * float(((rows - mean) ** 2).sum()) / (self.n - 1)
        self.raters: float = self.n * float(((columns - mean) ** 2).sum()) / (self.k - 1)
        rest = x - rows[:, None] - columns + mean
        self.error: float = float((rest**2).sum()) / ((self.n - 1) * (self.k - 1))

    def total(self, form: str) -> float:
        """Variance that the items share out, the denominator of the single-rater ICC."""
        shift = self.k / self.n * (self.raters - self.error) if form == "A" else 0.0
        return float(self.items + (self.k - 1) * self.error + shift)

    def single(self, form: str) -> float:
        """ICC of one rater's score: absolute agreement (A) or consistency (C)."""
        return float((self.items - self.error) / self.total(form))

    def limits(self, form: str, level: float) -> tuple[float, float]:
        """F limits of the single-rater ICC (McGraw and Wong 1996, Table 7)."""
        n, k = self.n, self.k
        upper = 0.5 + level / 2
        if form == "C":
            f = self.items / self.error
            df = (n - 1, (n - 1) * (k - 1))
            low = f / special.fdtri(*df, upper)
            high = f * special.fdtri(*reversed(df), upper)
            return float((low - 1) / (low + k - 1)), float((high - 1) / (high + k - 1))
        ratio = self.single("A") / (1 - self.single("A"))
        a, b = k * ratio / n * self.raters, (1 + k * ratio * (n - 1) / n) * self.error
        v = (a + b) ** 2 / (a**2 / (k - 1) + b**2 / ((n - 1) * (k - 1)))
        f_low, f_high = special.fdtri(n - 1, v, upper), special.fdtri(v, n - 1, upper)
        rest = k * self.raters + (k * n - k - n) * self.error
        low = n * (self.items - f_low * self.error) / (f_low * rest + n * self.items)
        high = n * (f_high * self.items - self.error) / (rest + n * f_high * self.items)
        return float(low), float(high)


def icc(scores: npt.ArrayLike, *, form: Form = "A,1", level: float = 0.95) -> Result:
    """Intraclass correlation of a two-way layout.

    Parameters
    ----------
    scores: shape (items, raters), every rater on every item.
    form: A = absolute agreement, C = consistency; 1 = one rater's score, k = the mean over the raters.
    level: of the F interval; `p` tests H0: items don't differ (F of items against the rest).

    Raises
    ------
    StatsError: fewer than 2 items or raters, NaN (a missing score), an unknown form.

    Undefined where all scores are equal. Not for ratings with gaps (`krippendorff_alpha`, metric interval), nor
    for labels. Source: McGraw and Wong (1996), Psychol Methods 1:30; A,1 and C,k are Shrout and Fleiss' 2,1 and 3,k.

    """
    if form not in {"A,1", "A,k", "C,1", "C,k"}:
        raise StatsError(f"form is {form!r}; 'A,1', 'A,k', 'C,1' or 'C,k' was expected")
    x = arrays.matrix("scores", scores, shape="(items, raters)")
    arrays.fraction("level", level)
    n, k = x.shape
    method = f"ICC({form}), F"
    if n < 2 or k < 2:
        raise StatsError(f"{n} items by {k} raters came; at least 2 by 2 were expected")
    if np.ptp(x) == 0:
        return missing("all scores are equal", level=level, method=method, n=n)
    layout = _TwoWay(x)
    kind, unit = form.split(",")
    if layout.total(kind) < 1e-12 * np.var(x):
        return missing("no variance lies between items", level=level, method=method, n=n)
    value = layout.single(kind)
    if layout.error < 1e-12 * np.var(x):
        reason = "raters differ by constants only: the error variance is 0"
        average = k * value / (1 + (k - 1) * value) if unit == "k" else value
        return Result(value=average, low=None, high=None, level=level, method=method, n=n, undefined=reason)
    with np.errstate(
        invalid="ignore", divide="ignore"
    ):  # no degrees of freedom where the mean squares cancel out
        low, high = layout.limits(kind, level)
    if not np.isfinite((low, high)).all():
        return missing("the items differ less than chance alone makes them", level=level, method=method, n=n)
    p = float(special.fdtrc(n - 1, (n - 1) * (k - 1), layout.items / layout.error))
    if unit == "k":
        if min(1 + (k - 1) * v for v in (value, low, high)) <= 0:
            return missing(
                "the items differ less than chance alone makes them", level=level, method=method, n=n
            )
        value, low, high = (k * v / (1 + (k - 1) * v) for v in (value, low, high))
    return Result(value=value, low=low, high=high, level=level, method=method, n=n, p=p)
