"""A seeded statement: what it says, whether the case's record supports it, how it is wrong, and where it comes from."""

from typing import NamedTuple

__all__ = ["READINGS", "SOURCES", "Seed"]

SOURCES = (
    "template",
    "model",
    "record's own words",
    "another case's answer",
    "invention",
    "mutant",
    "people",
)
"""Where seeds come from: a fact in a template; in a model's sentence; a passage of the record; what was said of another patient; the shipped
list; a claim of the answer with one thing changed; a claim that people labelled."""
READINGS = ("supported", "unsupported", "undecided")
"""What the reader made of the claim that a mutant is of."""


class Seed(NamedTuple):
    """A statement whose truth is known by how it was made.

    Args:
        text: the statement. supported: whether the case's record supports it. of: the class of errors that it is of.
        source: one of `SOURCES`. read: one of `READINGS`, of a mutant's claim; "" for all others.
        at: number of the sentence that it takes the place of; None: any.
    """

    text: str
    supported: bool
    of: str
    source: str
    read: str = ""
    at: int | None = None
