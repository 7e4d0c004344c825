"""Confidence calibration: how far the tone of an explanation lies from its fidelity, and the constants of the penalty.

Source: papers/1 section 4.2 and appendix G. Exploratory: raters hardly agree on tone (papers/1 section 6.1).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from percuss.core.errors import UsageError
from percuss.stats.result import Result

__all__ = ["ALPHA", "BETA", "Fit", "calibration", "fit_confidence_constants", "normalised"]

#: Penalty for sounding surer than the findings warrant (papers/1 section 4.2).
ALPHA = 1.092
#: Penalty for sounding less sure (papers/1 section 4.2).
BETA = 0.728
_KAPPA_MAX = 4.0
Floats = NDArray[np.float64]


def normalised(score: float) -> float:
    """Return a score of 1 to 5 as 0 to 1 (papers/1 section 4.2).

    >>> normalised(4)
    0.75
    """
    return (score - 1) / 4


def calibration(cf: float, ct: float, *, alpha: float = ALPHA, beta: float = BETA) -> float:
    """Return CC = 1 - min(1, alpha max(0, CT - CF) + beta max(0, CF - CT)).

    Args:
        cf, ct: normalised fidelity and tone, 0..1.
        alpha, beta: weights of too sure and too unsure.

    >>> round(calibration(0.5, 0.75), 3)
    0.727
    """
    return 1 - min(1.0, alpha * max(0.0, ct - cf) + beta * max(0.0, cf - ct))


@dataclass(frozen=True)
class Fit:
    """Fitted constants: kappa with its bootstrap interval, alpha = rho kappa, beta = kappa, and how well they fit.

    `unpenalised` and `clipped` are the shares of items with P = 0 and P >= 1: a large first share leaves the scale
    weakly identified (papers/1 appendix A).
    """

    kappa: Result
    rho: float
    alpha: float
    beta: float
    mse: float
    unpenalised: float
    clipped: float


def fit_confidence_constants(
    cf: ArrayLike, ct: ArrayLike, target_cc: ArrayLike, rho: float, *, seed: int, B: int = 1_000
) -> Fit:
    """Fit the scale of the penalty to calibration that readers gave (papers/1 appendix G).

    Args:
        cf, ct: normalised scores, shape (n,).
        target_cc: calibration by readers, shape (n,), 0..1.
        rho: alpha / beta, elicited from readers by vignettes (the paper's: 1.5).
        seed: of the bootstrap over items.
        B: resamples.

    Raises:
        UsageError: fewer than two items, values that are no shares, arrays of different length, rho not positive, or no
            item whose tone and fidelity differ.
    """
    fidelity, tone, target = (np.asarray(x, dtype=np.float64).ravel() for x in (cf, ct, target_cc))
    _refuse(fidelity, tone, target, rho)
    gap = rho * np.maximum(0, tone - fidelity) + np.maximum(0, fidelity - tone)
    kappa = _best(gap[None, :], target[None, :])[0]
    draws = _bootstrap(gap, target, seed=seed, B=B)
    low, high = (float(q) for q in np.quantile(draws, [0.025, 0.975]))
    penalty = kappa * gap
    result = Result(
        value=float(kappa),
        low=low,
        high=high,
        level=0.95,
        method=f"bootstrap over items, percentile, B = {B}",
        n=len(gap),
    )
    return Fit(
        kappa=result,
        rho=rho,
        alpha=float(rho * kappa),
        beta=float(kappa),
        mse=float(np.mean((1 - np.minimum(1, penalty) - target) ** 2)),
        unpenalised=float(np.mean(gap == 0)),
        clipped=float(np.mean(penalty >= 1)),
    )


def _refuse(cf: Floats, ct: Floats, target: Floats, rho: float) -> None:
    if not len(cf) == len(ct) == len(target) or len(cf) < 2:
        raise UsageError(
            f"got {len(cf)}, {len(ct)} and {len(target)} values; expected three arrays of one length, at least 2"
        )
    for name, values in (("cf", cf), ("ct", ct), ("target_cc", target)):
        if not np.isfinite(values).all() or values.min() < 0 or values.max() > 1:
            raise UsageError(f"{name} holds a value outside 0..1; normalise scores by (s - 1) / 4")
    if not rho > 0:
        raise UsageError(f"rho is {rho}; expected a positive ratio alpha / beta")
    if (cf == ct).all():
        raise UsageError(
            "tone equals fidelity in every item, so no scale can be fitted; give items where they differ"
        )


def _bootstrap(gap: Floats, target: Floats, *, seed: int, B: int) -> Floats:
    dice = np.random.default_rng(seed)
    out = []
    for start in range(0, B, 250):
        picks = dice.integers(len(gap), size=(min(250, B - start), len(gap)))
        out.append(_best(gap[picks], target[picks]))
    drawn: Floats = np.concatenate(out)
    return drawn


def _best(gap: Floats, target: Floats) -> Floats:
    """Return the kappa in (0, 4] of least squared error, per row: a grid, then golden sections around its best.

    Clipping makes the error piecewise quadratic with several minima, so a local search alone could miss the best.
    """

    def error(kappa: Floats) -> Floats:
        missed = 1 - np.minimum(1, kappa[:, None] * gap) - target
        squared: Floats = np.mean(missed * missed, axis=1)
        return squared

    rows = len(gap)
    grid = np.linspace(0.01, _KAPPA_MAX, 200)
    errors = np.stack([error(np.full(rows, k)) for k in grid])
    at = grid[errors.argmin(axis=0)]
    step = grid[1] - grid[0]
    low, high = np.maximum(at - step, 1e-6), np.minimum(at + step, _KAPPA_MAX)
    golden = (np.sqrt(5) - 1) / 2
    for _ in range(40):
        first, second = high - golden * (high - low), low + golden * (high - low)
        better = error(first) <= error(second)
        high, low = np.where(better, second, high), np.where(better, low, first)
    found: Floats = (low + high) / 2
    return found
