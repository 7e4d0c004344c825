"""Corrections for many p-values; each returns the adjusted p in the order given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from percuss.stats import arrays
from percuss.stats.result import StatsError

if TYPE_CHECKING:
    import numpy.typing as npt

    from percuss.stats.arrays import FloatArray


def _p_values(p: npt.ArrayLike) -> FloatArray:
    x = arrays.vector("p", p)
    if x.size and (x.min() < 0 or x.max() > 1):
        raise StatsError(f"p-values from {x.min():g} to {x.max():g} came; 0 to 1 was expected")
    return x


def holm(p: npt.ArrayLike) -> tuple[float, ...]:
    """Holm's step-down correction: family-wise error under any dependence.

    Parameters
    ----------
    p: raw p-values, shape (m,); none gives none.

    Raises
    ------
    StatsError: a p outside [0, 1] or NaN.

    Source: Holm (1979), Scand J Stat 6:65.

    >>> holm([0, 0, 0, 0, 0.001, 0.009])  # Gonehal et al. 2026, Table 8
    (0.0, 0.0, 0.0, 0.0, 0.002, 0.009)

    """
    x = _p_values(p)
    m = len(x)
    order = np.argsort(x, kind="stable")
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(np.maximum.accumulate(x[order] * np.arange(m, 0, -1)), 1)
    return tuple(adjusted.tolist())


def bonferroni(p: npt.ArrayLike) -> tuple[float, ...]:
    """Bonferroni's correction, p times the number of tests; `holm` is never weaker and never larger.

    Parameters
    ----------
    p: raw p-values, shape (m,).

    Raises
    ------
    StatsError: a p outside [0, 1] or NaN.

    """
    x = _p_values(p)
    return tuple(np.minimum(x * len(x), 1).tolist())


def benjamini_hochberg(p: npt.ArrayLike) -> tuple[float, ...]:
    """Benjamini and Hochberg's step-up correction: false discovery rate for independent or positively dependent tests.

    Parameters
    ----------
    p: raw p-values, shape (m,).

    Raises
    ------
    StatsError: a p outside [0, 1] or NaN.

    For screening many hypotheses; not for a claim about one named pair (`holm`). Source: Benjamini and Hochberg
    (1995), JRSS B 57:289.

    """
    x = _p_values(p)
    m = len(x)
    order = np.argsort(x, kind="stable")
    stepped = x[order] * m / np.arange(1, m + 1)
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(np.minimum.accumulate(stepped[::-1])[::-1], 1)
    return tuple(adjusted.tolist())
