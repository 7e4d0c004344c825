"""What one item's screen shows: fields by side, answers under letters of the screen's own, pictures by number."""

from collections.abc import Mapping, Sequence
from typing import Any

from percuss.study.answers import Given, shuffled_letters
from percuss.study.design import Design, Field, Question
from percuss.study.portal.visit import Visit
from percuss.study.portal.words import Words
from percuss.study.saying import Said

NO_WINDOW = {"caption": "", "depth": "", "low": 0, "span": 255, "step": 1, "window": None, "spacing": None}

__all__ = ["letters_of", "said", "screen", "text_length", "told"]


def letters_of(design: Design, shown: Mapping[str, Any], token: str) -> dict[str, str]:
    """Return letter -> key of the answers of an item; empty where the design has none."""
    name = design.answers_field
    if name is None or name not in shown:
        return {}
    return shuffled_letters([answer["key"] for answer in shown[name]], token)


def text_length(design: Design, shown: Mapping[str, Any]) -> int:
    """Return the length of the text in which spans are marked; 0 where there is none."""
    return len(str(shown.get(design.marked_field or "", "")))


def _value(field: Field, shown: Mapping[str, Any], letters: Mapping[str, str], pictures: str) -> Any:
    value = shown[field.name]
    if field.kind == "answers":
        texts = {answer["key"]: answer["text"] for answer in value}
        return [{"letter": letter, "text": texts[key]} for letter, key in letters.items()]
    if field.kind == "image":
        return [{**NO_WINDOW, **entry, "src": f"{pictures}/{entry['n']}"} for entry in value]
    if field.kind == "verdict" and isinstance(value, dict):
        return {CHECKED.get(name, name): one for name, one in value.items()}
    return value


CHECKED = {"reference": "source_exists", "content": "source_says_so", "rationale": "reason"}
"""What a program's check of a source calls its parts -> what people who confirm it read."""


def screen(
    visit: Visit,
    shown: Mapping[str, Any],
    *,
    token: str,
    pictures: str,
    given: Given | None = None,
    questions: Sequence[Question] | None = None,
) -> dict[str, Any]:
    """Return what the item templates need.

    Args:
        visit: of the person who judges.
        shown: the item's declared fields, masked.
        token: the opaque id of this person's item; it orders the answers of a ranking.
        pictures: address of the item's pictures, without the number.
        given: an answer to fill in; None for an empty form.
        questions: the questions asked; None for all.
    """
    design = visit.study.design
    letters = letters_of(design, shown, token)
    fields = [
        {"field": field, "value": _value(field, shown, letters, pictures)}
        for field in design.field
        if field.name in shown
    ]
    asked = design.question if questions is None else tuple(questions)
    per_answer = design.answers_field
    return {
        "left": [entry for entry in fields if entry["field"].side == "left"],
        "right": [entry for entry in fields if entry["field"].side == "right"],
        "single": [q for q in asked if q.kind != "spans" and (not q.per or q.per != per_answer)],
        "each": [q for q in asked if per_answer is not None and q.per == per_answer and q.kind != "rank"],
        "rank": next((q for q in asked if q.kind == "rank"), None),
        "spans": next((q for q in asked if q.kind == "spans"), None),
        "letters": letters,
        "given": given or Given(),
    }


def told(visit: Visit, problems: Sequence[Said]) -> tuple[str, ...]:
    """Return what is wrong with an answer in the reader's language."""
    return tuple(visit.tell(one) for one in problems)


def _word(question: Question, value: Any, t: Words) -> str:
    labels = {option.value: t.plain(option.label) for option in question.option}
    if isinstance(value, list):
        return ", ".join(labels.get(str(entry), str(entry)) for entry in value) or t.plain("none")
    label = labels.get(str(value), str(value))
    return f"{value} · {label}" if question.kind == "scale" else label


def said(
    visit: Visit,
    given: Given,
    letters: Mapping[str, str],
    text: str = "",
    only: Sequence[Question] | None = None,
) -> list[tuple[str, str]]:
    """Return an answer in words of the reader's language, as rows of question and answer.

    Args:
        visit: of who reads.
        given: the answers of one item.
        letters: letter -> key of the screen on which it is shown.
        text: the text in which spans were marked.
        only: the questions to tell; None for all.
    """
    t = visit.t
    if given.cant:
        return [(t.plain("Can't judge"), t.plain(given.cant))]
    rows: list[tuple[str, str]] = []
    for question in visit.study.design.question if only is None else only:
        ask = t.plain(question.ask)
        value = given.answer.get(question.name)
        if value is None:
            continue
        if question.kind == "spans":
            rows += [
                (
                    t.plain("“{quote}”", quote=text[s["start"] : s["stop"]]),
                    s["reference"] or t.plain("no source written"),
                )
                for s in value
            ] or [(ask, t.plain("nothing to mark"))]
        elif question.kind == "rank":
            rows.append((ask, ", ".join(sorted(letters, key=lambda letter: value[letters[letter]]))))
        elif isinstance(value, dict):
            each = [f"{letter} {_word(question, value[key], t).lower()}" for letter, key in letters.items()]
            rows.append((ask, ", ".join(each)))
        else:
            rows.append((ask, _word(question, value, t)))
    return rows
