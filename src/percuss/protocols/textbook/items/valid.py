"""Structural validation: whether an item can be put and scored at all; its truth is another matter (paper, section 3.3)."""

import re
from collections.abc import Callable, Iterator, Mapping

from percuss.protocols.textbook.items.item import Item
from percuss.protocols.textbook.scoring.normal import normal, words_of

__all__ = ["MIN_OPTIONS", "MIN_STEPS", "faults"]

MIN_OPTIONS, MIN_STEPS, MIN_LIST = 3, 2, 2
_LONGEST = 2_000
_SPEAKS = re.compile(r"\b(?:the|this|above|given) (?:passage|paragraph|text|excerpt)\b", re.IGNORECASE)
_HELD = 0.8  # share of an entry's words that must stand in the passage


def faults(item: Item, passage: str | None = None) -> tuple[str, ...]:
    """Return what is wrong with an item's form, in words; () where it can be put.

    Args:
        item: of any type. passage: the text it was made from; None leaves out what needs it.
    """
    return tuple(_faults(item, passage))


def _faults(item: Item, passage: str | None) -> Iterator[str]:
    question = normal(item.question)
    if len(words_of(item.question)) < 3:
        yield "the question has fewer than three words"
    if len(item.question) > _LONGEST:
        yield "the question is longer than 2,000 characters"
    if _SPEAKS.search(item.question):
        yield "the question speaks of the passage, which nobody sees"
    shown = (*item.options, item.given_answer, *(item.reasoning if item.type == "multi_hop_inverse" else ()))
    if any(_SPEAKS.search(text) for text in shown):
        yield "an option, step or answer that is shown speaks of the passage, which nobody sees"
    yield from _OF_TYPE[item.type](item, passage)
    if item.type != "true_false" and item.answer and normal(item.answer) == question:
        yield "the answer says the question again"


_OF_ITSELF = re.compile(r"\b(?:the|this|that) (?:statement|question|answer|sentence)\b", re.IGNORECASE)


def _true_false(item: Item, passage: str | None) -> Iterator[str]:
    if item.answer not in {"true", "false"}:
        yield f"the answer is {item.answer!r}; expected true or false"
    if _OF_ITSELF.search(item.question):
        yield "the statement speaks of itself"
    if item.question.rstrip().endswith("?"):
        yield "the statement is a question"
    if passage is not None and item.answer == "false" and normal(item.question) in normal(passage):
        yield "the false statement stands in the passage word for word"


def _distinct(texts: tuple[str, ...], what: str) -> Iterator[str]:
    if any(not normal(text) for text in texts):
        yield f"{what} has an empty entry"
    if len({normal(text) for text in texts}) < len(texts):
        yield f"{what} names one thing twice"


def _multiple_choice(item: Item, passage: str | None) -> Iterator[str]:
    del passage
    if len(item.options) < MIN_OPTIONS:
        yield f"has {len(item.options)} options; expected {MIN_OPTIONS} or more"
    yield from _distinct(item.options, "the options")
    if item.options and all(
        len(option.strip(" .()")) <= 1 and not option.strip().isdigit() for option in item.options
    ):
        yield "the options are bare letters"
    if sum(normal(option) == normal(item.answer) for option in item.options) != 1:
        yield "the answer is not one of the options"


def _list(item: Item, passage: str | None) -> Iterator[str]:
    if len(item.answers) < MIN_LIST:
        yield f"the list has {len(item.answers)} entries; expected {MIN_LIST} or more"
    yield from _distinct(item.answers, "the list")
    yield from _distinct(item.options, "the options")
    if item.options:
        offered = {normal(option) for option in item.options}
        if any(normal(answer) not in offered for answer in item.answers):
            yield "an entry of the list is not among the options"
        if len(offered) == len(item.answers):
            yield "every option is right"
    if passage is not None:
        held = set(words_of(passage))
        for answer in item.answers:
            own = words_of(answer)
            if own and sum(word in held for word in own) < _HELD * len(own):
                yield f"the entry {answer!r} is not in the passage"


def _short_answer(item: Item, passage: str | None) -> Iterator[str]:
    del passage
    if not normal(item.answer):
        yield "there is no answer"


def _steps(item: Item) -> Iterator[str]:
    if len(item.reasoning) < MIN_STEPS:
        yield f"has {len(item.reasoning)} steps; expected {MIN_STEPS} or more"
    yield from _distinct(item.reasoning, "the reasoning")


def _multi_hop(item: Item, passage: str | None) -> Iterator[str]:
    yield from _short_answer(item, passage)
    yield from _steps(item)


def _inverse(item: Item) -> Iterator[str]:
    if not normal(item.given_answer):
        yield "there is no wrong answer to examine"
    if not normal(item.explanation):
        yield "there is no explanation"
    if item.reference == "answer" and item.answer and normal(item.answer) == normal(item.given_answer):
        yield "the wrong answer is the right one"


def _short_inverse(item: Item, passage: str | None) -> Iterator[str]:
    del passage
    yield from _inverse(item)
    if item.reference == "answer" and not normal(item.answer):
        yield "there is no right answer"


def _multi_hop_inverse(item: Item, passage: str | None) -> Iterator[str]:
    del passage
    yield from _inverse(item)
    yield from _steps(item)
    if item.wrong_step is None:
        yield "no wrong step is named"
    elif not 1 <= item.wrong_step <= len(item.reasoning):
        yield f"the wrong step is {item.wrong_step}; expected 1 to {len(item.reasoning)}"


_OF_TYPE: Mapping[str, Callable[[Item, str | None], Iterator[str]]] = {
    "true_false": _true_false, "list": _list, "multiple_choice": _multiple_choice, "short_answer": _short_answer,
    "multi_hop": _multi_hop, "short_inverse": _short_inverse, "multi_hop_inverse": _multi_hop_inverse,
}  # fmt: skip
