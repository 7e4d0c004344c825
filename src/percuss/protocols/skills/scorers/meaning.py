"""Key points that stand in an answer in other words: by the cosine of an embedder, with a veto on number, negation, side and direction."""

from collections.abc import Sequence
from typing import Any

from percuss.core.ports import Embedder
from percuss.protocols.skills.scorers.points import HIT, OPEN, KeyPoint, clauses_of, differs, scored_points
from percuss.protocols.skills.scorers.score import Score

__all__ = ["NEAR", "by_meaning"]

NEAR = 0.60
"""Cosine from which a clause says a point in other words; of MiniLM (docs/reading.md), other embedders have their own."""


async def by_meaning(made: Score, text: str, points: Sequence[KeyPoint], embedder: Embedder) -> Score:
    """Return macro-recall with the points that the rule left open and a clause comes close to; the others stay open.

    Args:
        made: what the rule says, with its points. text: the answer. points: of the item. embedder: of the run.

    A clause with another number, a denial that the point hasn't, the other side or direction says another thing. Each point
    keeps who decided it.
    """
    held: list[dict[str, Any]] = [dict(one) for one in made.found.get("points", ())]
    open_ = [n for n, one in enumerate(held) if one["label"] == OPEN]
    clauses = clauses_of(text)
    if not open_ or not clauses:
        return made
    rows = await embedder.embed([*clauses, *(points[n].says for n in open_)])
    for at, n in enumerate(open_):
        near = rows[: len(clauses)] @ rows[len(clauses) + at]
        order = sorted(range(len(clauses)), key=lambda place: -float(near[place]))
        best = next(
            (place for place in order if near[place] >= NEAR and not differs(clauses[place], points[n])), None
        )
        if best is not None:
            why = f"says it in other words (cosine {near[best]:.2f})"
            held[n] |= {"label": HIT, "why": why, "quote": clauses[best], "by": embedder.id}
    return scored_points(held)
