"""What is wrong, or looks wrong, in a knowledge base."""

from collections.abc import Iterator
from typing import Literal

from percuss.core.strict import Record
from percuss.protocols.explanation.knowledge import Base, Entry, QuestionEntry
from percuss.protocols.explanation.questions import BY_ID

__all__ = ["Finding", "lint"]


class Finding(Record):
    """One finding of the linter; an `error` stops the run, a `warning` is printed."""

    level: Literal["error", "warning"]
    question: str
    answer: str
    sentence: str


def lint(base: Base) -> tuple[Finding, ...]:
    """Return the findings of a knowledge base: errors first.

    Args:
        base: as read.
    """
    found = [finding for name, question in base.questions.items() for finding in _question(name, question)]
    return tuple(sorted(found, key=lambda finding: finding.level))


def _question(name: str, question: QuestionEntry) -> Iterator[Finding]:
    known = BY_ID.get(name)
    if known is None:
        yield Finding(level="error", question=name, answer="", sentence=f"no question is called {name!r}")
        return
    if question.type != known.kind:
        wrong = f"the question is {known.kind}, its entry says {question.type}"
        yield Finding(level="error", question=name, answer="", sentence=wrong)
    for option in known.options:
        if option not in question.answers:
            yield Finding(level="warning", question=name, answer=option, sentence="the option has no entry")
    for answer, entry in question.answers.items():
        if answer not in known.options:
            yield _unknown_answer(name, answer, known.options)
        for level, sentence in _entry(entry):
            yield Finding(level=level, question=name, answer=answer, sentence=sentence)


def _unknown_answer(name: str, answer: str, options: tuple[str, ...]) -> Finding:
    from percuss.protocols.explanation.answers import option_of

    meant = option_of(answer, options)
    if meant is not None:
        sentence = f"the answer {answer!r} is only another word for the option {meant!r}"
        return Finding(level="warning", question=name, answer=answer, sentence=sentence)
    expected = ", ".join(options)
    return Finding(
        level="error",
        question=name,
        answer=answer,
        sentence=f"the answer is unknown; expected one of {expected}",
    )


def _entry(entry: Entry) -> Iterator[tuple[Literal["error", "warning"], str]]:
    if not entry.must_all and not entry.at_least_k_of:
        yield "error", "the entry has neither must_all nor a group, so nothing could be scored"
    for group in entry.at_least_k_of:
        if not 1 <= group.k <= len(group.any_of):
            yield "error", f"k is {group.k} of {len(group.any_of)} terms; expected 1 to {len(group.any_of)}"
    required = {wording.casefold() for term in entry.required() for wording in term.wordings}
    forbidden = {wording.casefold() for term in entry.forbidden for wording in term.wordings}
    for wording in sorted(required & forbidden):
        yield "error", f"{wording!r} is both required and forbidden"
    for term in entry.terms():
        if any(not wording.strip() for wording in term.wordings):
            yield "error", f"the term {term.term!r} has an empty wording"
    for cap in entry.caps:
        if not 1 <= cap.max <= 5:
            yield "error", f"a cap of {cap.max}; expected 1 to 5"
