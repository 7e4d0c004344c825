"""Checks that stand before every statistic: one sentence on what came and what was expected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from percuss.stats.result import StatsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]
    IntArray = npt.NDArray[np.int64]
    BoolArray = npt.NDArray[np.bool_]


def fraction(name: str, value: float) -> float:
    """Return `value` when it lies strictly between 0 and 1."""
    if not 0 < value < 1:
        raise StatsError(f"{name} is {value}; a number strictly between 0 and 1 was expected")
    return float(value)


def draws(B: int) -> int:
    """Return a number of resamples that an interval can be read from."""
    if B < 1:
        raise StatsError(f"B is {B}; at least one resample was expected")
    return int(B)


def required_seed(seed: int | None, what: str) -> int:
    """Return the seed of a method that draws; no generator is ever seeded by the clock."""
    if seed is None:
        raise StatsError(f"{what} draws at random and has no seed; pass seed=<int>")
    return seed


def count(name: str, value: float) -> float:
    """Return a finite count that is not negative."""
    if not np.isfinite(value) or value < 0:
        raise StatsError(f"{name} is {value}; a finite count of at least 0 was expected")
    return float(value)


def successes(k: float, n: float) -> tuple[float, float]:
    """Return k successes of n trials, 0 <= k <= n."""
    k, n = count("k", k), count("n", n)
    if k > n:
        raise StatsError(f"k = {k:g} successes of n = {n:g} trials; k must not exceed n")
    return k, n


def vector(name: str, values: npt.ArrayLike, *, length: int | None = None) -> FloatArray:
    """Return a finite one-dimensional float array, of `length` where given."""
    x = _floats(name, values)
    if x.ndim != 1:
        raise StatsError(f"{name} has shape {x.shape}; one value per row, shape (n,), was expected")
    if length is not None and len(x) != length:
        raise StatsError(f"{name} has {len(x)} values beside {length} rows; equal lengths were expected")
    return finite(name, x)


def matrix(name: str, values: npt.ArrayLike, *, shape: str = "(n, m)") -> FloatArray:
    """Return a finite two-dimensional float array."""
    x = _floats(name, values)
    if x.ndim != 2:
        raise StatsError(f"{name} has shape {x.shape}; two dimensions, {shape}, were expected")
    return finite(name, x)


def _floats(name: str, values: npt.ArrayLike) -> FloatArray:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StatsError(f"{name} could not be read as an array of numbers ({error})") from None


def finite(name: str, x: FloatArray) -> FloatArray:
    """Return the array when it holds neither NaN nor infinity."""
    bad = np.flatnonzero(~np.isfinite(x.ravel()))
    if bad.size:
        raise StatsError(
            f"{name} holds {x.ravel()[bad[0]]} at position {bad[0]}; finite numbers were expected"
        )
    return x


def parts(num: npt.ArrayLike, den: npt.ArrayLike, names: tuple[str, str]) -> tuple[FloatArray, FloatArray]:
    """Return counts and their totals per row, 0 <= count <= total, shapes (n,)."""
    a = vector(names[0], num)
    b = vector(names[1], den, length=len(a))
    bad = np.flatnonzero((a < 0) | (a > b))
    if bad.size:
        i = bad[0]
        raise StatsError(
            f"{names[0]} = {a[i]:g} of {names[1]} = {b[i]:g} in row {i}; 0 <= {names[0]} <= {names[1]} was expected"
        )
    return a, b


def codes(name: str, labels: npt.ArrayLike | Sequence[Any], *, length: int) -> tuple[IntArray, int]:
    """Return labels as integers 0..k-1 in sorted order, and k."""
    x = np.asarray(labels)
    if x.ndim != 1 or len(x) != length:
        raise StatsError(f"{name} has shape {x.shape} beside {length} rows; one label per row was expected")
    try:
        levels, inverse = np.unique(x, return_inverse=True)
    except TypeError:
        raise StatsError(
            f"{name} mixes types that can't be ordered; labels of one type were expected"
        ) from None
    return inverse.astype(np.int64), len(levels)
