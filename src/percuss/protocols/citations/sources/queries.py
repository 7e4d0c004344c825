"""Search queries without a planner: the identifier or title, what the source is said to hold, then both."""

from percuss.protocols.citations.references.identity import key_of
from percuss.protocols.citations.references.record import IDENTIFIERS, Reference

__all__ = ["PER_QUERY", "offline_queries", "same_query"]

PER_QUERY = 5
"""Results of a query (definitions/citations, "Search, passages, fallback")."""


def offline_queries(cited: Reference, description: str) -> tuple[str, ...]:
    """Return at most three queries, equal ones left out.

    Args:
        cited: what is looked for. description: what it is said to hold; "" = nothing.

    >>> offline_queries(Reference(title="On Sepsis", ids={"doi": "10.5555/x"}), "Lactate falls.")
    ('10.5555/x', 'Lactate falls.', '10.5555/x Lactate falls.')
    """
    named = (
        next((cited.ids[kind] for kind in IDENTIFIERS if cited.ids.get(kind)), "") or cited.title or cited.raw
    )
    made = [named, description, f"{named} {description}"]
    kept: list[str] = []
    for query in made:
        flat = " ".join(query.split())
        if flat and not any(same_query(flat, other) for other in kept):
            kept.append(flat)
    return tuple(kept) or (key_of(cited),)


def same_query(one: str, other: str) -> bool:
    """Say whether two queries are one after normalisation: case, marks and order of words don't count."""
    words = [
        sorted("".join(c if c.isalnum() else " " for c in text.lower()).split()) for text in (one, other)
    ]
    return words[0] == words[1]
