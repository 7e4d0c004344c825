"""Marks in a text: in the words as the model wrote them, against what a machine extracted, and as items to be checked."""

from collections.abc import Mapping, Sequence
from typing import Any

from percuss.core.errors import UsageError
from percuss.core.ids import b2
from percuss.core.records import AnnotationItem
from percuss.study.answers import Given, same_spans
from percuss.study.blinding import original_offset, unmask_text
from percuss.study.design import Question
from percuss.study.figures import Figure, figure_of, no_figure, renamed
from percuss.study.items import Prepared
from percuss.study.store import work
from percuss.study.stored import AS_GIVEN, given_places, stored
from percuss.study.study import Study
from percuss.study.units import share

__all__ = [
    "EXTRACTED",
    "as_written",
    "found_by_machine",
    "is_chained",
    "items_of_marks",
    "marks_f1",
    "text_as_written",
]

EXTRACTED = "extracted"
"""Hidden field of an item, and name of the machine rater: what the protocol extracted from the text."""
Mark = Mapping[str, Any]


def text_as_written(item: Prepared, field: str) -> str:
    """Return a text as the model wrote it, before names were masked and line ends made one."""
    kept = unmask_text(str(item.shown[field]), [mask for mask in item.masks if mask.path == field])
    beside = item.hidden.get(AS_GIVEN)
    given = beside.get(field) if isinstance(beside, dict) else None
    return given if isinstance(given, str) and stored(given) == kept else kept


def as_written(item: Prepared, field: str, spans: Sequence[Mark]) -> list[dict[str, Any]]:
    """Return marks in the offsets of `text_as_written`."""
    masks = [mask for mask in item.masks if mask.path == field]
    text = text_as_written(item, field)
    places = given_places(text)
    out = []
    for span in spans:
        start, stop = (places[original_offset(span[end], masks)] for end in ("start", "stop"))
        out.append({"start": start, "stop": stop, "text": text[start:stop], "reference": span["reference"]})
    return out


def marks_f1(one: Sequence[Mark], other: Sequence[Mark]) -> tuple[float, float]:
    """Return numerator and denominator of F1: marks matched at half overlap, twice, over all marks."""
    return 2.0 * same_spans(one, other), float(len(one) + len(other))


def found_by_machine(
    question: Question,
    items: Mapping[int, Prepared],
    people: Mapping[int, Sequence[tuple[str, Given]]],
    *,
    seed: int,
    B: int,
) -> tuple[dict[str, Figure], dict[str, int]]:
    """Return F1 of people's marks and what the machine extracted, and the number of items; nothing where it extracted nothing.

    Args:
        question: asks for marks. items: by number. people: item -> (rater, answer) of the source that stands for people.
        seed, B: of the interval, over items.
    """
    parts, clusters = list[tuple[float, float]](), list[int]()
    for number, held in sorted(people.items()):
        machine = items[number].hidden.get(EXTRACTED)
        if not isinstance(machine, list):
            continue
        for _, given in held:
            if question.name in given.answer:
                marks = as_written(items[number], question.per, given.answer[question.name])
                parts.append(marks_f1(marks, machine))
                clusters.append(number)
    if not parts:
        return {}, {}
    if not any(den for _, den in parts):
        return {EXTRACTED: no_figure("nobody marked anything", len(parts))}, {EXTRACTED: len(set(clusters))}
    found = share([n for n, _ in parts], [d for _, d in parts], seed=seed, clusters=clusters, B=B)
    figure = renamed(figure_of(found), "F1 of marks, overlap of at least one half")
    return {EXTRACTED: figure}, {EXTRACTED: len(set(clusters))}


def is_chained(study: Study, design: str) -> bool:
    """Return whether the marks of a study can be the items of a design."""
    return study.design.marked_field is not None and design == "source-grounding"


def items_of_marks(study: Study) -> list[AnnotationItem]:
    """Return every marked statement as an item: what was settled, else what anybody marked, each statement once.

    Raises:
        UsageError: the study asks for no marks, or nobody marked anything.
    """
    question = next((q for q in study.design.question if q.kind == "spans"), None)
    if question is None:
        raise UsageError(
            f"{study.settings.name} ({study.design.name}) asks for no marks; give an extraction study"
        )
    with study.database.read() as connection:
        labels = [one for one in study.labels(connection) if not one.again]
        settled = work.agreed(connection)
        items = study.all_items(connection)
    marks: dict[int, list[tuple[str, Mark]]] = {n: [] for n in items}
    for number, one in settled.items():
        marks[number] = [(one.by, mark) for mark in one.given.answer.get(question.name, ())]
    for label in labels:
        known = marks[label.item]
        for mark in () if label.item in settled else label.given.answer.get(question.name, ()):
            if not same_spans([mark], [other for _, other in known]):
                known.append((label.rater, mark))
    listed = [
        _item(study, question, items[n], who, mark)
        for n, found in sorted(marks.items())
        for who, mark in found
    ]
    if not listed:
        raise UsageError(f"nobody has marked anything in {study.settings.name} yet")
    return listed


def _item(study: Study, question: Question, item: Prepared, who: str, mark: Mark) -> AnnotationItem:
    (told,) = as_written(item, question.per, [mark])
    masks = [mask for mask in item.masks if mask.path == question.per]
    text, reference = (
        unmask_text(str(item.shown[question.per]), masks),
        told["reference"] or "no source written",
    )
    return AnnotationItem(
        id=b2("mark", item.id, told["start"], told["stop"]),
        subject=item.subject,
        response_id=item.response_id,
        model=str(item.hidden.get("model") or ""),
        arm=str(item.hidden.get("arm") or ""),
        stratum={name: value for name, value in item.stratum.items() if name not in ("model", "arm")},
        shown={},
        content={
            "claim": told["text"],
            "reference": reference,
            "sources": [{"title": reference, "text": "", "url": ""}],
            "context": {"text": text, "start": told["start"], "stop": told["stop"]},
        },
        hidden={
            "case": item.hidden.get("case") or item.subject,
            "marked_by": who,
            "marked_in": study.settings.name,
        },
    )
