"""An item: one question of one of seven types with its reference, and the passage that it was made from."""

from typing import Any, Literal

from percuss.core.ids import b2
from percuss.core.strict import Record

__all__ = ["CLOSED", "FORWARD", "INVERSE", "OPEN", "TYPES", "Item", "ItemType", "item_id", "letters"]

ItemType = Literal[
    "true_false", "list", "multiple_choice", "short_answer", "multi_hop", "short_inverse", "multi_hop_inverse"
]
TYPES: tuple[ItemType, ...] = (
    "true_false", "list", "multiple_choice", "short_answer", "multi_hop", "short_inverse", "multi_hop_inverse",
)  # fmt: skip
"""The seven types under the names that they have on disk (paper, section 3.3; definitions, "Generate")."""
CLOSED: frozenset[str] = frozenset({"true_false", "list", "multiple_choice"})
OPEN: frozenset[str] = frozenset(set(TYPES) - CLOSED)
FORWARD = {"short_inverse": "short_answer", "multi_hop_inverse": "multi_hop"}
"""Inverse type -> the forward type that it turns round."""
INVERSE: frozenset[str] = frozenset(FORWARD)


class Item(Record):
    """One question with its reference.

    Args:
        answer: `true` or `false`; the right option's text; the right answer. "" for a list, and for a short_inverse of the
            released layout, whose truth stands in `explanation` alone.
        answers: right entries of a list.
        options: what is offered by list and multiple_choice.
        reasoning: steps of multi_hop types.
        given_answer: the wrong answer that an inverse type puts to the model.
        explanation: why the given answer, or the wrong step, is wrong.
        wrong_step: of a multi_hop_inverse, from 1.
        reference: `explanation only` where no right answer is held.
        passage: id of the passage it was made from; "" where there is none. domain: specialty.
        twin: id of the forward item of an inverse one made from the same passage on purpose (`--paired`).
        source: where it comes from, as it was given; provenance: generator, run and response of a generated one.
    """

    id: str
    type: ItemType
    question: str
    answer: str = ""
    answers: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    reasoning: tuple[str, ...] = ()
    given_answer: str = ""
    explanation: str = ""
    wrong_step: int | None = None
    reference: Literal["answer", "explanation only"] = "answer"
    passage: str = ""
    domain: str = ""
    twin: str = ""
    source: dict[str, Any] = {}
    provenance: dict[str, Any] = {}

    @property
    def is_inverse(self) -> bool:
        """Whether it asks what is wrong with an answer."""
        return self.type in INVERSE

    @property
    def right(self) -> str:
        """The reference in words, for people and judges."""
        if self.type == "list":
            return "; ".join(self.answers)
        if self.type == "multi_hop_inverse":
            return f"Step {self.wrong_step} is the first wrong one. {self.explanation}"
        if self.type == "short_inverse":
            return self.explanation
        return self.answer


def item_id(kind: str, question: str, passage: str = "") -> str:
    """Return the content id of an item.

    Args:
        kind: its type. question: its words. passage: id of its passage.
    """
    return "q" + b2(kind, question, passage)[:12]


def letters(options: tuple[str, ...]) -> tuple[str, ...]:
    """Return the letters that options go by: A, B .. Z, AA, AB ..

    >>> letters(("x", "y"))
    ('A', 'B')
    """
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return tuple(
        alphabet[n] if n < 26 else alphabet[n // 26 - 1] + alphabet[n % 26] for n in range(len(options))
    )
