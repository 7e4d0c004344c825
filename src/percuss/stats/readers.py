"""Several readers, several cases, two conditions: the difference for readers and cases like these, not these alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from percuss.stats import arrays
from percuss.stats.result import Result, StatsError, missing

if TYPE_CHECKING:
    import numpy.typing as npt

METHOD = "MRMC, readers and cases random"


def mrmc_difference(first: npt.ArrayLike, second: npt.ArrayLike, *, level: float = 0.95) -> Result:
    """Mean score of one condition minus that of the other, with readers and cases both drawn at random.

    Parameters
    ----------
    first, second: shape (readers, cases), every reader on every case in both conditions.
    level: of the t interval; `p` tests H0: the conditions don't differ.

    Raises
    ------
    StatsError: shapes that differ, fewer than 2 readers or cases, NaN (a missing score).

    The variance is that of the reader and of the case means of the differences, less what both share (never below the
    readers' own), with Hillis' degrees of freedom. Undefined where no difference varies. Sources: Dorfman, Berbaum and
    Metz (1992), Invest Radiol 27:723; Hillis (2007), Stat Med 26:596.

    """
    arrays.fraction("level", level)
    one = arrays.matrix("first", first, shape="(readers, cases)")
    other = arrays.matrix("second", second, shape="(readers, cases)")
    if one.shape != other.shape or min(one.shape) < 2:
        raise StatsError(
            f"scores have shapes {one.shape} and {other.shape}; the same, at least 2 by 2, was expected"
        )
    d = one - other
    readers, cases = d.shape
    value = float(d.mean())
    by_reader, by_case = d.mean(axis=1), d.mean(axis=0)
    rest = d - by_reader[:, None] - by_case[None, :] + value
    ms_reader = float(cases * ((by_reader - value) ** 2).sum() / (readers - 1))
    ms_case = float(readers * ((by_case - value) ** 2).sum() / (cases - 1))
    ms_rest = float((rest**2).sum() / ((readers - 1) * (cases - 1)))
    pooled = ms_reader + max(ms_case - ms_rest, 0.0)
    if pooled <= 1e-12:
        return missing("no difference varies", level=level, method=METHOD, n=cases)
    if ms_reader <= 1e-12:
        reason = "the readers differ in nothing: how far readers like these would is unknown"
        return Result(value=value, low=None, high=None, level=level, method=METHOD, n=cases, undefined=reason)
    df = pooled**2 / (ms_reader**2 / (readers - 1))
    error = float(np.sqrt(pooled / (readers * cases)))
    half = float(special.stdtrit(df, (1 + level) / 2)) * error
    p = float(2 * special.stdtr(df, -abs(value) / error))
    return Result(value=value, low=value - half, high=value + half, level=level, method=METHOD, n=cases, p=p)
