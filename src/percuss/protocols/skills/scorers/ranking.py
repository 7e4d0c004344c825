"""Average precision of a ranking over all relevant documents, retrieved or not, as trec_eval defines it."""

from collections.abc import Collection, Mapping, Sequence

from percuss.protocols.skills.scorers.score import Score, label_names, unscored

__all__ = ["average_precision", "mean_average_precision", "ranked"]

MOST_RANKED = 10_000


def average_precision(ranking: object, relevant: Collection[str]) -> Score:
    """Return the sum of precision at the ranks of relevant documents over all relevant documents.

    Args:
        ranking: ids, best first; an id that stands twice counts where it stands first. relevant: ids; none: not applicable.

    >>> average_precision(["b", "x", "a", "y"], {"a", "b", "c", "d"}).value
    41.666666666666664
    """
    if not relevant:
        return unscored("not_applicable:the query has no relevant document")
    ids = label_names(ranking)
    if isinstance(ids, Score):
        return ids
    if len(ids) > MOST_RANKED:
        return unscored(f"unparsable:{len(ids):,} documents; at most {MOST_RANKED:,} are read")
    if not ids:
        return unscored("unparsable:no document ranked")
    hits, total = 0, 0.0
    for rank, each in enumerate(dict.fromkeys(ids), start=1):
        if each in relevant:
            hits += 1
            total += hits / rank
    return Score(100 * (total / len(set(relevant))), parts={"retrieved": float(hits)})


def ranked(scores: Mapping[str, float]) -> list[str]:
    """Return documents by score, the best first, ties by id.

    >>> ranked({"b": 1.0, "a": 1.0, "c": 2.0})
    ['c', 'a', 'b']
    """
    return sorted(scores, key=lambda name: (-scores[name], name))


def mean_average_precision(made: Sequence[Score]) -> Score:
    """Return the mean over queries that have a relevant document.

    Args:
        made: of `average_precision`; what is unscored takes no part.
    """
    values = [score.value for score in made if score.value is not None]
    return Score(sum(values) / len(values)) if values else unscored("not_applicable:no query to average over")
