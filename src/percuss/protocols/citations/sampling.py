"""Which citations of a turn are judged: k of them, drawn without replacement by seed, conversation and turn."""

from collections.abc import Sequence

from percuss.core import seeds

__all__ = ["drawn"]


def drawn(n: int, k: int, seed: int, names: Sequence[str | int]) -> frozenset[int]:
    """Return the places of the claims that are judged, among n in the order of their spans.

    Args:
        n: claims of the turn. k: how many are judged; 0 judges all. seed: root seed. names: conversation and turn.

    >>> sorted(drawn(3, 5, 42, ("conversation", 1)))
    [0, 1, 2]
    """
    if k == 0 or n <= k:
        return frozenset(range(n))
    return frozenset(int(place) for place in seeds.generator(seed, "claims", *names).permutation(n)[:k])
