"""What verifies a statement against premises, and what it says: two probabilities, or undecided with a reason."""

import typing
from collections.abc import Sequence

from percuss.core.strict import Record

__all__ = ["Pair", "Rule", "Verification", "Verifier"]


class Pair(Record):
    """A statement and what it is held against.

    Args:
        claim: the statement, standing alone.
        premises: sentences of the evidence: a packet's facts in words, or a window of a passage. The verifier sees no
            arm, model, case id or anything of what was shown (reading.md, section 3).
    """

    claim: str
    premises: tuple[str, ...]


class Verification(Record):
    """What a verifier says of one pair.

    Args:
        supported: probability that the premises support the claim, 0 to 1; None where it could not be read.
        contradicted: probability that they say otherwise, 0 to 1; None where it could not be read, or is not given.
        undecided: the reason why no probability was read; None where one was.

    Raises:
        ValueError: neither a probability nor a reason.
    """

    supported: float | None = None
    contradicted: float | None = None
    undecided: str | None = None

    def __post_init__(self) -> None:
        if (self.supported is None) == (self.undecided is None):
            raise ValueError("a verification holds a probability of support, or the reason why there is none")


class Verifier(typing.Protocol):
    """Reads pairs of statement and premises; stands beside `Judge` and never answers in words."""

    @property
    def id(self) -> str:
        """`provider/name` of what reads, as raters and passports name it."""
        ...

    @property
    def pin(self) -> str:
        """What the id leaves open: weights, host, prompts; part of a scoring's identity."""
        ...

    @property
    def at_once(self) -> bool:
        """Whether pairs are read faster together; False: each is a call of its own."""
        ...

    async def verify(self, pairs: Sequence[Pair]) -> tuple[Verification, ...]:
        """Return one verification per pair, in order; pairs of one case in a row are read fastest."""
        ...


class Rule(typing.Protocol):
    """Labels claims by code, in place of a protocol's own rules; its id carries its version."""

    @property
    def id(self) -> str:
        """`python/name@version`, as raters name it."""
        ...

    def read(self, claim: str, evidence: Sequence[str], question: str) -> tuple[str | None, str]:
        """Return a support label, or None where the rule can't tell, and the reason in words.

        Args:
            claim: the statement. evidence: sentences of the reference. question: what was asked.

        Raises:
            UsageError: the rule's code failed, or gave something else than a label.
        """
        ...
