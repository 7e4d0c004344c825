"""Search queries without a planner: the identifier or title, what the source is said to hold, then both.

An identifier that brings nothing like the source may be wrong: then the title is put too.
"""

from percuss.protocols.citations.references.identity import key_of
from percuss.protocols.citations.references.record import IDENTIFIERS, Reference

__all__ = ["PER_QUERY", "offline_queries", "same_query"]

PER_QUERY = 5
"""Results of a query (definitions/citations, "Search, passages, fallback")."""


def offline_queries(cited: Reference, description: str, *, located: bool = True) -> tuple[str, ...]:
    """Return at most four queries, equal ones left out.

    Args:
        cited: what is looked for. description: what it is said to hold; "" = nothing.
        located: what the identifier brought looks like the source; else its title is put behind it, and with the description.

    >>> wanted = Reference(title="On Sepsis", ids={"doi": "10.5555/x"})
    >>> offline_queries(wanted, "Lactate falls.")
    ('10.5555/x', 'Lactate falls.', '10.5555/x Lactate falls.')
    >>> offline_queries(wanted, "Lactate falls.", located=False)
    ('10.5555/x', 'On Sepsis', 'Lactate falls.', 'On Sepsis Lactate falls.')
    """
    title = cited.title or cited.raw
    named = next((cited.ids[kind] for kind in IDENTIFIERS if cited.ids.get(kind)), "") or title
    made = (
        [named, description, f"{named} {description}"]
        if located
        else [named, title, description, f"{title} {description}"]
    )
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
