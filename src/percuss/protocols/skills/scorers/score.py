"""What every scorer returns: 0 to 100 with what it hangs on, or the reason why nothing can be said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["MOST", "Score", "label_names", "text_of", "unscored"]

MOST = 200_000
"""Characters of an answer above which it is not read."""


@dataclass(frozen=True)
class Score:
    """A score.

    Args:
        value: 0 to 100, higher is better; None: unscored, with its reason.
        reason: why it is unscored (`unparsable:..`, `undecided:..`, `not_applicable:..`); "" where it is scored.
        parts: numbers beside it, by name. found: what was read of the answer, as JSON.
    """

    value: float | None
    reason: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)
    found: Mapping[str, Any] = field(default_factory=dict)


def unscored(reason: str) -> Score:
    """Return a score that is none.

    Args:
        reason: why.
    """
    return Score(None, reason)


def text_of(answer: object) -> str | Score:
    """Return an answer that can be read, or why it can't: no text, nothing in it, or far too much.

    Args:
        answer: of a model, or of a user's file.

    >>> text_of("B"), text_of("  ").reason, text_of(3).reason
    ('B', 'unparsable:no answer', 'unparsable:expected text, got int')
    """
    if not isinstance(answer, str):
        return unscored(f"unparsable:expected text, got {type(answer).__name__}")
    if not answer.strip():
        return unscored("unparsable:no answer")
    if len(answer) > MOST:
        return unscored(f"unparsable:{len(answer):,} characters; at most {MOST:,} are read")
    return answer


def label_names(labels: object) -> tuple[str, ...] | Score:
    """Return a list of names, or why it is none.

    Args:
        labels: a list of texts; anything else is unscored.
    """
    if isinstance(labels, str) or not isinstance(labels, Sequence):
        return unscored(f"unparsable:expected a list of labels, got {type(labels).__name__}")
    wrong = [type(each).__name__ for each in labels if not isinstance(each, str)]
    if wrong:
        return unscored(f"unparsable:expected labels as text, got {wrong[0]}")
    return tuple(labels)
