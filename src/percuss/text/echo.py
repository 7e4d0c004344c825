"""What the question itself says: a statement that the question holds is `given`, no finding and no invention of the answer."""

import re
from functools import lru_cache
from typing import NamedTuple

from percuss.text.acts import words
from percuss.text.concepts import Statement, read, read_statements, settle, unread

__all__ = ["ECHO", "Echo", "echo"]

ECHO = "rule:echo-1"
"""Name and version of the reader."""


class Echo(NamedTuple):
    """Whether a statement only repeats the question.

    Args:
        given: True, False, or None = undecided.
        reason: in a few words.
    """

    given: bool | None
    reason: str


@lru_cache(maxsize=4096)
def echo(claim: str, question: str) -> Echo:
    """Tell whether all that a claim says stands in the question.

    Words alone don't make an echo: attribute, value and frame of every statement must be the question's, and no number or content
    word may stand beside them that the question doesn't hold ("is the diabetes controlled?" doesn't give "the diabetes is controlled").

    Args:
        claim: a statement of an answer. question: what was asked, with all that the prompt says of the case.

    >>> echo("The patient is a 54-year-old woman.", "A 54-year-old woman has chest pain. What is it?").given
    True
    """
    said = [statement for statement in read_statements(claim) if not statement.derived]
    if not said:
        return Echo(given=False, reason="no statement that is understood")
    digits = set(_DIGITS.findall(claim)) - set(_DIGITS.findall(question))
    if digits:
        return Echo(given=False, reason=f"the question holds no {min(digits)}")
    asked, told = _told(question)
    for statement in said:
        if statement.kind == "named":
            if not any(statement.attribute == held.attribute for held in (*asked, *told)):
                return Echo(given=False, reason=f"the question doesn't name {statement.attribute}")
            continue
        verdict = settle(statement, told)
        if verdict.label != "supported" or not _same_frame(statement, verdict.record):
            return Echo(
                given=False, reason=f"the question doesn't say so of {statement.attribute}: {verdict.label}"
            )
    if all(statement.kind == "named" for statement in said):
        return Echo(given=None, reason="names what is asked after, and what it says of it isn't understood")
    extra = _beyond(claim, question)
    if extra:
        return Echo(given=None, reason=f"'{extra}' isn't in the question")
    return Echo(given=True, reason="every statement stands in the question")


@lru_cache(maxsize=512)
def _told(question: str) -> tuple[tuple[Statement, ...], tuple[Statement, ...]]:
    """Return the statements of a question that are asked, and those that are told."""
    asked: list[Statement] = []
    told: list[Statement] = []
    for statement in read_statements(question):
        (asked if _is_asked(question, statement) else told).append(statement)
    return tuple(asked), tuple(told)


_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_YES_OR_NO = re.compile(
    r"(?:^|[.!?;:\n])\s*(?:is|are|was|were|does|do|did|has|have|had|can|could|should|would|will)\s[^.!?\n]{1,400}\?",
    re.IGNORECASE,
)
_FILLERS = frozenset(
    "presence main primary finding pathology admitted hospital context condition suffers problem clinical person named called".split()
)
_PRESUPPOSED = ("this ", "these ", "the ", "his ", "her ", "their ", "'s ", "’s ")


def _is_asked(question: str, statement: Statement) -> bool:
    """Tell whether a statement stands in a sentence that asks for it; "the heart failure of this patient" is presupposed."""
    end = question.find("?", statement.stop)
    stops = [at for mark in ".!;\n" if (at := question.find(mark + " ", statement.stop)) >= 0]
    if end < 0 or any(at < end for at in stops):
        return False
    if statement.kind == "presence" and statement.present:
        before = question[max(0, statement.start - 24) : statement.start].lower()
        return not any(before.endswith(word) or f" {word}" in f" {before}" for word in _PRESUPPOSED)
    return True


def _same_frame(claim: Statement, record: Statement | None) -> bool:
    return record is not None and set(claim.frames) == set(record.frames)


def _beyond(claim: str, question: str) -> str:
    """Return a number or content word of a claim that the question doesn't hold; "" where there is none."""
    told = _YES_OR_NO.sub(" ", question).lower()  # what is asked by yes or no isn't said
    loose = [claim[number.start : number.stop] for number in read(claim).unbound]
    praised = [
        match.span() for pattern in (words.PRAISE, words.APPRAISAL) for match in pattern.finditer(claim)
    ]
    left = [span for span in unread(claim) if not any(low <= span[0] < high for low, high in praised)]
    for word in (*loose, *(claim[start:stop] for start, stop in left)):
        if word.lower() not in _FILLERS and word.lower().rstrip("s") not in told:
            return word
    return ""
