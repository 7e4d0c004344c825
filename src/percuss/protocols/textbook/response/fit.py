"""Two-parameter logistic model by marginal maximum likelihood, items by MAP (definitions, "Item response and short form")."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from percuss.stats.result import StatsError

__all__ = ["FEW_MODELS", "Fit", "ability_intervals", "fit_items", "information", "probability"]

FEW_MODELS = 30
"""Models below which every number of this page is exploratory."""
_POINTS = 21  # Gauss-Hermite
_SD_LOG_A, _SD_B = 0.5, 1.5
_ROUNDS, _NEWTON, _CLOSE = 60, 4, 1e-4
_STEP = 0.7  # largest Newton step
Floats = NDArray[np.float64]


class Fit(NamedTuple):
    """Items and abilities.

    Args:
        a, b: discrimination and difficulty, shape (items,). theta: abilities, shape (models,). rounds: of EM.
    """

    a: Floats
    b: Floats
    theta: Floats
    rounds: int


def probability(theta: Floats, a: Floats, b: Floats) -> Floats:
    """Return P = logistic(a (theta - b)), shape (abilities, items)."""
    made: Floats = 1 / (1 + np.exp(-np.clip(a * (theta[:, None] - b), -30, 30)))
    return made


def information(theta: Floats, a: Floats, b: Floats) -> Floats:
    """Return the information of each item at each ability, a^2 P (1 - P), shape (abilities, items)."""
    p = probability(theta, a, b)
    made: Floats = a**2 * p * (1 - p)
    return made


def fit_items(scores: Floats) -> Fit:
    """Fit items and abilities.

    Args:
        scores: shape (models, items), 0 to 1; partial credit is cut at 0.5; NaN is not scored.

    theta ~ N(0, 1), ln a ~ N(0, 0.5^2), b ~ N(0, 1.5^2).

    Raises:
        StatsError: fewer than two models, or an item that nobody answered.
    """
    if scores.ndim != 2 or scores.shape[0] < 2:
        raise StatsError(f"got scores of shape {scores.shape}; expected two models or more, by items")
    there = ~np.isnan(scores)
    if not there.any(axis=0).all():
        raise StatsError("an item has no scored answer; leave it out")
    right = np.where(there, np.nan_to_num(scores) >= 0.5, 0.0).astype(float)
    nodes, weights = np.polynomial.hermite_e.hermegauss(_POINTS)
    prior = np.log(weights / weights.sum())
    log_a, b = np.zeros(scores.shape[1]), -_logit(right.sum(axis=0), there.sum(axis=0))
    rounds = 0
    for rounds in range(1, _ROUNDS + 1):  # noqa: B007 - said in the result
        post = _posterior(right, there, nodes, prior, np.exp(log_a), b)
        new_a, new_b = _items(post.T @ right, post.T @ there, nodes, log_a, b)
        moved = max(float(np.abs(new_a - log_a).max()), float(np.abs(new_b - b).max()))
        log_a, b = new_a, new_b
        if moved < _CLOSE:
            break
    post = _posterior(right, there, nodes, prior, np.exp(log_a), b)
    return Fit(np.exp(log_a), b, post @ nodes, rounds)


def _logit(right: Floats, n: NDArray[np.int64]) -> Floats:
    share = (right + 0.5) / (n + 1)
    made: Floats = np.log(share / (1 - share))
    return made


def _posterior(
    right: Floats, there: NDArray[np.bool_], nodes: Floats, prior: Floats, a: Floats, b: Floats
) -> Floats:
    """Return the posterior of each model over the nodes, shape (models, nodes)."""
    p = np.clip(probability(nodes, a, b), 1e-12, 1 - 1e-12)
    log = right @ np.log(p).T + (there - right) @ np.log(1 - p).T + prior
    held = np.exp(log - log.max(axis=1, keepdims=True))
    made: Floats = held / held.sum(axis=1, keepdims=True)
    return made


def _items(r: Floats, n: Floats, nodes: Floats, log_a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return items after Fisher scoring on expected counts.

    Args:
        r, n: expected right and scored answers, shape (nodes, items).
    """
    for _ in range(_NEWTON):
        a = np.exp(log_a)
        away = nodes[:, None] - b
        p = probability(nodes, a, b)
        rest, weight = r - n * p, n * p * (1 - p)
        g_a = (rest * a * away).sum(axis=0) - log_a / _SD_LOG_A**2
        g_b = (-a * rest).sum(axis=0) - b / _SD_B**2
        h_aa = (weight * (a * away) ** 2).sum(axis=0) + 1 / _SD_LOG_A**2
        h_bb = (weight * a**2).sum(axis=0) + 1 / _SD_B**2
        h_ab = (-weight * a**2 * away).sum(axis=0)
        det = h_aa * h_bb - h_ab**2
        log_a = log_a + np.clip((h_bb * g_a - h_ab * g_b) / det, -_STEP, _STEP)
        b = b + np.clip((h_aa * g_b - h_ab * g_a) / det, -_STEP, _STEP)
    return log_a, b


def ability_intervals(
    scores: Floats, fit: Fit, *, seed: int, B: int = 500, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Return limits of each ability, by a bootstrap over items whose parameters are held.

    Args:
        scores, fit: as fitted. seed: of the draws. B: resamples. level: of the limits.
    """
    there = ~np.isnan(scores)
    right = np.where(there, np.nan_to_num(scores) >= 0.5, 0.0).astype(float)
    nodes, weights = np.polynomial.hermite_e.hermegauss(_POINTS)
    prior = np.log(weights / weights.sum())
    draws, n = np.random.default_rng(seed), scores.shape[1]
    drawn = []
    for _ in range(B):
        at = draws.integers(0, n, n)
        drawn.append(_posterior(right[:, at], there[:, at], nodes, prior, fit.a[at], fit.b[at]) @ nodes)
    tail = (1 - level) / 2
    low, high = np.quantile(np.array(drawn), [tail, 1 - tail], axis=0)
    return low, high
