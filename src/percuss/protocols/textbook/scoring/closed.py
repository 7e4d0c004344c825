"""Exact scores of closed types, and of the step of an inverse one: the score, or why there is none (definitions, "Scorers")."""

from collections.abc import Sequence
from typing import NamedTuple

from percuss.protocols.textbook.items.item import Item
from percuss.protocols.textbook.scoring.normal import normal, words_of
from percuss.protocols.textbook.scoring.parsing import (
    Parsed,
    parse_choice,
    parse_list,
    parse_step,
    parse_true_false,
)

__all__ = ["ListScore", "Score", "list_score", "scored", "step_score"]


class Score(NamedTuple):
    """What an answer is worth.

    Args:
        value: 0 to 1; None where `reason` says why there is none.
        chosen: what was read. precision, recall: of lists.
    """

    value: float | None
    reason: str | None = None
    chosen: tuple[str, ...] = ()
    precision: float | None = None
    recall: float | None = None


class ListScore(NamedTuple):
    """Precision, recall and F1 of one list against another, order and repeats aside."""

    precision: float
    recall: float
    f1: float


def scored(item: Item, text: str) -> Score:
    """Return the score of an answer to a closed item; whatever raises is the caller's error, never a zero.

    Args:
        item: true_false, multiple_choice or list. text: the reply.
    """
    if item.type == "true_false":
        return _exact(parse_true_false(text), item.answer)
    if item.type == "multiple_choice":
        parsed = parse_choice(text, item.options)
        if len(parsed.chosen) > 1:
            return Score(0.0, chosen=parsed.chosen)
        return _exact(parsed, item.answer)
    parsed = parse_list(text, item.options)
    if parsed.reason is not None:
        return Score(None, parsed.reason)
    made = list_score(parsed.chosen, item.answers)
    return Score(made.f1, chosen=parsed.chosen, precision=made.precision, recall=made.recall)


def _exact(parsed: Parsed, right: str) -> Score:
    if parsed.reason is not None:
        return Score(None, parsed.reason)
    return Score(float(normal(parsed.chosen[0]) == normal(right)), chosen=parsed.chosen)


def list_score(chosen: Sequence[str], right: Sequence[str]) -> ListScore:
    """Return precision, recall and F1 of the entries chosen.

    Args:
        chosen: as read; an empty list has precision, recall and F1 0. right: the reference.

    >>> list_score(["Fever", "cough"], ["cough", "fever", "rash"])
    ListScore(precision=1.0, recall=0.6666666666666666, f1=0.8)
    """
    left = {key(entry) for entry in right}
    given = {key(entry) for entry in chosen}
    hits = len(given & left)
    precision = hits / len(given) if given else 0.0
    recall = hits / len(left) if left else 0.0
    return ListScore(precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0)


def key(entry: str) -> str:
    """Return what an entry of a list is compared by: its words, a bracket that only abbreviates left out."""
    head, _, rest = entry.partition(" (")
    if rest.endswith(")") and " " not in rest and words_of(head):
        return normal(head)
    return normal(entry)


def step_score(item: Item, text: str) -> Score:
    """Return 1 for the wrong step itself, 0.5 for one beside it, else 0.

    Args:
        item: a multi_hop_inverse. text: the reply.
    """
    parsed = parse_step(text, len(item.reasoning))
    if parsed.reason is not None or item.wrong_step is None:
        return Score(None, parsed.reason or "not_checkable:no wrong step is known")
    away = abs(int(parsed.chosen[0]) - item.wrong_step)
    return Score({0: 1.0, 1: 0.5}.get(away, 0.0), chosen=parsed.chosen)
