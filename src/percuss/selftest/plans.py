"""How many misses chance alone may give a self-test; what is planted, each protocol says in its `planting`."""

from scipy.special import bdtrik

__all__ = ["MISS_RATE", "misses_allowed"]

MISS_RATE = 0.07
"""A 95% interval of a ratio at these sizes misses 5 to 7 times in a hundred (docs/intervals.md)."""


def misses_allowed(n: int, *, rate: float = MISS_RATE, error: float = 0.001) -> int:
    """Return how many of n intervals may miss before chance is no excuse.

    Args:
        n: intervals.
        rate: how often a sound interval misses.
        error: how often a sound pipeline may fail this test.

    >>> misses_allowed(30)
    8
    """
    return 0 if n == 0 else int(-(-bdtrik(1 - error, n, rate) // 1))
