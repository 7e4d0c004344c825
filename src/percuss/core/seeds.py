"""Seeds are derived from names, never drawn in turn: concurrency must not change a draw."""

import numpy as np

from percuss.core.ids import canonical_json, digest

__all__ = ["derive", "generator"]


def derive(root: int, *names: str | int) -> int:
    """Return a seed in 0 .. 2**31 - 1 for a named purpose.

    Args:
        root: the run's root seed.
        names: what the draw is for, e.g. `"ask", model, case, arm, epoch`.

    >>> derive(42, "ask", "m", "case-1") == derive(42, "ask", "m", "case-1")
    True
    """
    return int(digest(canonical_json([root, *names]))[:8], 16) & 0x7FFF_FFFF


def generator(root: int, *names: str | int) -> np.random.Generator:
    """Return a numpy generator for a named purpose (same arguments as `derive`)."""
    return np.random.default_rng(derive(root, *names))
