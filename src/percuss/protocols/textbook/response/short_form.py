"""A short form: items chosen one by one so that the models at hand are told apart best, the share of each type kept."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from percuss.protocols.textbook.response.fit import Fit, information

__all__ = ["quotas", "random_form", "short_form"]

_START = 1e-3  # information before the first item, so that the logarithm is there


def quotas(types: Sequence[str], size: int) -> dict[str, int]:
    """Return how many items of each type a form has, its share kept to within one item.

    >>> quotas(["a"] * 6 + ["b"] * 4, 5)
    {'a': 3, 'b': 2}
    """
    counts = Counter(types)
    exact = {kind: size * n / len(types) for kind, n in counts.items()}
    made = {kind: int(share) for kind, share in exact.items()}
    short = size - sum(made.values())
    for kind in sorted(exact, key=lambda kind: made[kind] - exact[kind])[:short]:
        made[kind] += 1
    return made


def short_form(fit: Fit, types: Sequence[str], size: int) -> list[int]:
    """Return the places of the items chosen: greedy on the sum over the models' abilities of the log of test information.

    Args:
        fit: of `fit_items`. types: of each item. size: items of the form, at most all.
    """
    room = quotas(types, min(size, len(types)))
    each = information(fit.theta, fit.a, fit.b)
    total = np.full(len(fit.theta), _START)
    chosen: list[int] = []
    free = np.ones(len(types), dtype=bool)
    kinds = np.array(types)
    while len(chosen) < min(size, len(types)):
        gain = np.log(total[:, None] + each).sum(axis=0)
        open_kinds = [kind for kind, n in room.items() if n > 0]
        gain[~(free & np.isin(kinds, open_kinds))] = -np.inf
        best = int(gain.argmax())
        chosen.append(best)
        free[best] = False
        total = total + each[:, best]
        room[types[best]] -= 1
    return chosen


def random_form(types: Sequence[str], size: int, draws: np.random.Generator) -> list[int]:
    """Return the places of a form drawn at random, with the same quotas."""
    kinds = np.array(types)
    return [
        int(at)
        for kind, n in quotas(types, min(size, len(types))).items()
        for at in draws.permutation(np.flatnonzero(kinds == kind))[:n]
    ]
