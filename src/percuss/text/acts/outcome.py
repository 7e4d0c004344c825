"""What the reader of speech acts says of a sentence."""

from typing import Literal, NamedTuple

__all__ = ["ACTS", "Act", "Outcome"]

Act = Literal["assertion", "hedged", "availability", "general", "heading", "none"]
ACTS: tuple[Act, ...] = ("assertion", "hedged", "availability", "general", "heading", "none")
"""Every outcome that isn't undecided, the strongest first."""


class Outcome(NamedTuple):
    """What a sentence does, and why.

    Args:
        act: None = undecided; whoever counts treats it as an assertion whose support is undecided, so that nothing is lost.
        reason: in a few words.
    """

    act: Act | None
    reason: str
