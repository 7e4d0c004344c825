"""From a submitted form to an answer, and from an answer to what it means."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from percuss.core.records import Record
from percuss.study.design import Design, Question
from percuss.study.plain import whole
from percuss.study.saying import Said
from percuss.text.overlap import SAME_SPAN, overlap

__all__ = [
    "MAX_NOTES",
    "Given",
    "Said",
    "any_differ",
    "applies",
    "differs",
    "read_answer",
    "same_spans",
    "shuffled_letters",
]

MAX_NOTES = 4000  # characters
MAX_SPANS = 300
LETTERS = "PQRSTUVWXYZABCDEFGHIJKLMNO"  # answers are P, Q, R ..: the adjudicator's two labels are A and B
MAX_ACTIVE_MS = (
    2 * 60 * 60 * 1000
)  # an item that took longer was left open; the browser's clock is not believed


class Given(Record):
    """One person's answer to one item.

    Args:
        answer: question -> value; for questions asked per answer: question -> {answer key: value}.
        cant: reason why the person could not judge; the answer is then empty.
        active_ms: time with the item open and the person active, in milliseconds.
    """

    answer: dict[str, Any] = {}
    cant: str = ""
    notes: str = ""
    active_ms: int = 0


def shuffled_letters(keys: Sequence[str], token: str) -> dict[str, str]:
    """Return letter -> key of an answer, in an order of the token's own, so that letters tell nothing across raters."""
    order = sorted(keys, key=lambda key: hash_order(token, key))
    return dict(zip(LETTERS, order, strict=False))


def hash_order(token: str, key: str) -> str:
    """Return a sort key that looks random and is the same each time."""
    from percuss.core.ids import b2

    return b2(token, key)


def applies(question: Question, answer: Mapping[str, Any]) -> bool:
    """Return whether a question is asked, given the other answers."""
    return all(str(answer.get(other, "")) in values for other, values in question.when.items())


def _choice(question: Question, raw: Sequence[str], problems: list[Said], letter: str) -> str | None:
    value = raw[0] if raw else ""
    if value in question.values:
        return value
    where = {"ask": question.ask, "letter": letter}
    if value:
        problems.append(
            Said(sentence="{ask} “{value}” is not one of the choices.", values={**where, "value": value[:60]})
        )
    elif not question.optional and letter:
        problems.append(Said(sentence="{ask} Please choose for answer {letter}.", values=where))
    elif not question.optional:
        problems.append(Said(sentence="{ask} Please choose.", values=where))
    return None


def _ranks(
    question: Question, form: Mapping[str, list[str]], letters: Mapping[str, str], problems: list[Said]
) -> Any:
    raw = {letter: (form.get(f"q.{question.name}.{letter}") or [""])[0] for letter in letters}
    if sorted(raw.values()) != sorted(str(n + 1) for n in range(len(letters))):
        told = {"ask": question.ask, "n": str(len(letters))}
        problems.append(Said(sentence="{ask}: give each answer its own place, 1 to {n}.", values=told))
        return None
    return {letters[letter]: int(place) for letter, place in raw.items()}


def _span(entry: Any, length: int) -> dict[str, Any] | None:
    if not isinstance(entry, dict):
        return None
    start, stop, reference = entry.get("start"), entry.get("stop"), entry.get("reference", "")
    if not (isinstance(start, int) and isinstance(stop, int) and isinstance(reference, str)):
        return None
    return (
        {"start": start, "stop": stop, "reference": reference.strip()[:300]}
        if 0 <= start < stop <= length
        else None
    )


def _spans(question: Question, form: Mapping[str, list[str]], length: int, problems: list[Said]) -> Any:
    told = {"ask": question.ask}
    try:
        entries = json.loads((form.get(f"q.{question.name}") or ["[]"])[0] or "[]")
    except json.JSONDecodeError:
        entries = None
    if not isinstance(entries, list) or len(entries) > MAX_SPANS:
        problems.append(Said(sentence="{ask}: the marks could not be read.", values=told))
        return None
    spans = [_span(entry, length) for entry in entries]
    if any(span is None for span in spans):
        problems.append(Said(sentence="{ask}: a mark lies outside the text.", values=told))
        return None
    if not spans and not form.get(f"q.{question.name}.none"):
        problems.append(
            Said(sentence="{ask}: mark something, or tick that there is nothing to mark.", values=told)
        )
        return None
    return sorted((span for span in spans if span), key=lambda span: (span["start"], span["stop"]))


def _one(
    question: Question,
    form: Mapping[str, list[str]],
    letters: Mapping[str, str],
    length: int,
    problems: list[Said],
) -> Any:
    name = f"q.{question.name}"
    if question.kind == "rank":
        return _ranks(question, form, letters, problems)
    if question.kind == "spans":
        return _spans(question, form, length, problems)
    if question.kind == "text":
        return (form.get(name) or [""])[0].strip()[:MAX_NOTES]
    if question.kind == "multi":
        return [value for value in question.values if value in (form.get(name) or [])]
    if question.per:
        each = {
            key: _choice(question, form.get(f"{name}.{letter}") or [], problems, letter)
            for letter, key in letters.items()
        }
        return each if all(value is not None for value in each.values()) else None
    return _choice(question, form.get(name) or [], problems, "")


def read_answer(
    design: Design,
    form: Mapping[str, list[str]],
    *,
    letters: Mapping[str, str],
    length: int = 0,
    questions: Sequence[Question] | None = None,
) -> tuple[Given, tuple[Said, ...]]:
    """Read an answer from a submitted form.

    Args:
        form: field -> values, as sent; anything that the design does not ask for is left out.
        letters: letter -> key of the answers of this item, for designs that judge several; else empty.
        length: characters of the text in which spans are marked.
        questions: the questions asked; None for all of the design.

    Returns: the answer and what is wrong with it, one sentence each; store it only where nothing is wrong.
    """
    notes = (form.get("notes") or [""])[0].replace("\r\n", "\n").strip()[:MAX_NOTES]
    active = (form.get("active_ms") or ["0"])[0]
    active_ms = min(whole(active[:15], 0), MAX_ACTIVE_MS)
    cant = (form.get("cant") or [""])[0].strip()
    if cant:
        if cant not in design.cant:
            return Given(), (
                Said(sentence="“{value}” is not one of the reasons offered.", values={"value": cant[:60]}),
            )
        return Given(cant=cant, notes=notes, active_ms=active_ms), ()
    answer: dict[str, Any] = {}
    problems: list[Said] = []
    for question in design.question if questions is None else questions:
        if not applies(question, answer):
            continue
        value = _one(question, form, letters, length, problems)
        if value is not None:
            answer[question.name] = value
    return Given(answer=answer, notes=notes, active_ms=active_ms), tuple(problems)


def same_spans(
    one: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]], least: float = SAME_SPAN
) -> int:
    """Count marks of one list that match a mark of the other, one to one.

    Args:
        one, other: marks in the same text. least: intersection over union from which on two marks are the same.
    """
    free = list(other)
    matched = 0
    for span in one:
        best = max(free, key=lambda mark: _iou(span, mark), default=None)
        if best is not None and _iou(span, best) >= least:
            free.remove(best)
            matched += 1
    return matched


def _iou(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    return overlap((one["start"], one["stop"]), (other["start"], other["stop"]))


def differs(design: Design, one: Given, other: Given) -> tuple[str, ...]:
    """Return the names of the questions on which two answers differ enough to need a third person."""
    if bool(one.cant) != bool(other.cant):
        return (design.primary.name,)
    found = []
    for question in design.question:
        mine, theirs = one.answer.get(question.name), other.answer.get(question.name)
        if not question.adjudicated or mine == theirs or mine is None or theirs is None:
            continue
        if question.kind == "spans" and len(mine) == len(theirs) == same_spans(mine, theirs):
            continue
        if question.kind == "scale" and _steps(mine, theirs) < question.apart:
            continue
        found.append(question.name)
    return tuple(found)


def _steps(one: Any, other: Any) -> int:
    """Return how far two answers on a scale lie apart, at most, where each of several things was asked for."""
    if isinstance(one, dict):
        return max((abs(int(one[key]) - int(other[key])) for key in one if key in other), default=0)
    return abs(int(one) - int(other))


def any_differ(design: Design, given: Sequence[Given]) -> bool:
    """Return whether any two of several answers differ enough to need a third person."""
    wide = any(question.kind in ("spans", "scale") for question in design.question)
    if wide:  # two answers may each be near a third and not near each other
        return any(differs(design, one, two) for n, one in enumerate(given) for two in given[:n])
    return any(differs(design, given[0], other) for other in given[1:])
