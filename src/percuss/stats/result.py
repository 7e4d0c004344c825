"""What every function of `percuss.stats` returns or raises."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self

if TYPE_CHECKING:
    from collections.abc import Sequence


class StatsError(ValueError):
    """Input that no statistic can be computed from, in one sentence: what came, what was expected."""


def _figure(x: float) -> str:
    return f"{x:.4f}" if 1e-3 <= abs(x) < 1e4 or x == 0 else f"{x:.4g}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """One estimate with its interval; None stands where a figure is undefined, and `undefined` says why.

    `value`, `low`, `high` are in the unit of the statistic (rates and kappas as fractions). `n` counts the units
    that carry the estimate: trials of a proportion, clusters of a bootstrap, items of an agreement. `p` is
    two-sided. `alternative` is a second interval for the same value where the first is weak; `notes` are
    sentences a reader must see beside the number. `dropped` counts resamples on which the statistic is undefined,
    `n_undefined` units (clusters, items, raters) left out for that reason. `sided` is `high` or `low` where only that
    bound is given, at (1 + level) / 2 ("at most 0.9%"). No field is ever NaN or infinite.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float
    method: str
    n: int
    undefined: str | None = None
    p: float | None = None
    notes: tuple[str, ...] = ()
    alternative: Result | None = None
    dropped: int = 0
    n_undefined: int = 0
    sided: Literal["both", "high", "low"] = "both"

    def __post_init__(self) -> None:
        """Refuse NaN, infinities and a missing figure without a reason; keep plain floats."""
        for name in ("value", "low", "high", "p"):
            x = getattr(self, name)
            if x is None:
                continue
            if not math.isfinite(x):
                raise StatsError(
                    f"{self.method}: {name} came out as {x}; a finite number or None with a reason was expected"
                )
            # numpy's scalars are no plain floats to every encoder.
            object.__setattr__(self, name, float(x))
        if self.sided != "both":
            if (
                self.value is None
                or (self.low is None) == (self.high is None)
                or getattr(self, self.sided) is None
            ):
                raise StatsError(
                    f"{self.method}: sided is {self.sided!r}; a value and that one bound were expected"
                )
        elif None in (self.value, self.low, self.high) and self.undefined is None:
            raise StatsError(f"{self.method}: a missing value or bound needs its reason in `undefined`")

    @property
    def width(self) -> float | None:
        """Length of the interval, None where a bound is undefined."""
        return None if self.low is None or self.high is None else self.high - self.low

    def with_notes(self, *notes: str) -> Self:
        """Return the same result with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def __str__(self) -> str:
        """Print value, interval, method and n in one line."""
        if self.value is None:
            return f"undefined ({self.undefined}); {self.method}, n = {self.n}"
        if self.sided != "both":
            bound = self.high if self.sided == "high" else self.low
            interval = f"at {'most' if self.sided == 'high' else 'least'} {_figure(bound or 0.0)}"
        elif self.low is None and self.high is None:
            interval = f"interval undefined ({self.undefined})"
        else:
            low = "-inf" if self.low is None else _figure(self.low)
            high = "inf" if self.high is None else _figure(self.high)
            interval = f"[{low}, {high}]"
        p = "" if self.p is None else f", p = {self.p:.4g}"
        return f"{_figure(self.value)} {interval} {100 * self.level:g}% {self.method}, n = {self.n}{p}"


def missing(reason: str, *, level: float, method: str, n: int, notes: Sequence[str] = ()) -> Result:
    """Return the result of a quantity that is undefined on this input.

    Parameters
    ----------
    reason: why, in words that complete "undefined because ..".
    level, method, n: as in `Result`.
    notes: sentences to keep beside it.

    """
    return Result(
        value=None, low=None, high=None, level=level, method=method, n=n, undefined=reason, notes=tuple(notes)
    )
