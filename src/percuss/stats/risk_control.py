"""Choosing a threshold whose risk is bounded: fixed-sequence testing with the Hoeffding-Bentkus p-value (Learn then Test)."""

import math
from collections.abc import Callable, Sequence

__all__ = ["hoeffding_bentkus", "strictest_to_laxest"]


def hoeffding_bentkus(mean: float, n: int, risk: float) -> float:
    """Return a p-value against "the expected loss is above `risk`", for losses in 0..1.

    Args:
        mean: observed mean loss. n: independent losses. risk: the bound that is claimed, above 0 and below 1.

    Source: Bates, Angelopoulos, Lei, Malik, Jordan 2021 (Distribution-free, risk-controlling prediction sets), section 3.

    >>> round(hoeffding_bentkus(0.0, 100, 0.05), 6)
    0.005921
    """
    if mean >= risk:
        return 1.0
    hoeffding = math.exp(-n * _divergence(mean, risk))
    from scipy.stats import binom  # a second of imports that only learning thresholds needs

    bentkus = math.e * float(binom.cdf(math.ceil(n * mean - 1e-9), n, risk))
    return min(1.0, hoeffding, bentkus)


def _divergence(a: float, b: float) -> float:
    """Kullback-Leibler divergence between two coins."""
    first = 0.0 if a == 0.0 else a * math.log(a / b)
    return first + (1 - a) * math.log((1 - a) / (1 - b))


def strictest_to_laxest(
    thresholds: Sequence[float], losses: Callable[[float], Sequence[float]], *, risk: float, level: float
) -> float | None:
    """Return the laxest threshold whose risk is below `risk`, wrong with probability at most `level`; None if none is.

    Thresholds are tested in their order, and testing stops at the first that fails, so no correction is needed.

    Args:
        thresholds: from strict to lax.
        losses: threshold -> one loss in 0..1 per independent unit.
        risk: bound on the expected loss.
        level: chance that the bound does not hold.

    Source: Angelopoulos, Bates, Candes, Jordan, Lei 2021 (Learn then Test), section 2.3 (fixed sequence testing).
    """
    held = None
    for threshold in thresholds:
        seen = losses(threshold)
        if not seen or hoeffding_bentkus(math.fsum(seen) / len(seen), len(seen), risk) > level:
            break
        held = threshold
    return held
