"""Average precision of a ranked list, with every relevant document in its denominator."""

from collections.abc import Collection, Sequence

__all__ = ["average_precision"]


def average_precision(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Return average precision: the precision at each relevant rank, summed, over all relevant documents, retrieved or not.

    Args:
        ranked: ids, best first; a repeated id takes up its rank and counts once.
        relevant: ids of the relevant ones, at least one.

    Source: definitions/skills section 3 ("MAP"); trec_eval's `map`.

    >>> average_precision(["a", "x", "b"], {"a", "b", "c"})
    0.5555555555555555
    """
    seen: set[str] = set()
    total = 0.0
    for rank, name in enumerate(ranked, start=1):
        if name in relevant and name not in seen:
            seen.add(name)
            total += len(seen) / rank
    return total / len(relevant)
