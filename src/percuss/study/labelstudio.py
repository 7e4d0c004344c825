"""Label Studio JSON, both ways: our labels as their annotations, theirs as labels of imported raters.

Choices, ratings, text, rankings and marked text have a form of their own there; each of our questions is a `from_name`.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from percuss.core.errors import BadInput
from percuss.core.records import Record
from percuss.study.about import about_item, about_label
from percuss.study.answers import Given
from percuss.study.blinding import opaque
from percuss.study.design import Design, Question
from percuss.study.plain import plain
from percuss.study.store import ledger, work
from percuss.study.store.people import add_people
from percuss.study.store.settling import refuse_closed
from percuss.study.store.tables import assignments, items
from percuss.study.store.verifying import attested
from percuss.study.study import Study

__all__ = ["Imported", "config", "import_labels", "read_labels", "tasks"]


class Imported(Record):
    """What an import brought: labels, raters, and annotations of items that the study does not hold."""

    labels: int
    raters: tuple[str, ...]
    unknown: int


def _result(question: Question, value: Any, text: str) -> Iterator[dict[str, Any]]:
    base = {"from_name": question.name, "to_name": "item"}
    if question.kind == "scale":
        yield {**base, "type": "rating", "value": {"rating": int(value)}}
    elif question.kind == "rank":
        order = sorted(value, key=lambda key: value[key])
        yield {**base, "type": "ranker", "value": {"ranker": {"rank": order}}}
    elif question.kind == "spans":
        for n, span in enumerate(value):
            where = {"start": span["start"], "end": span["stop"], "text": text[span["start"] : span["stop"]]}
            yield {**base, "id": f"m{n}", "type": "labels", "value": {**where, "labels": ["statement"]}}
            yield {**base, "id": f"m{n}", "type": "textarea", "value": {**where, "text": [span["reference"]]}}
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield {
                **base,
                "from_name": f"{question.name}.{key}",
                "type": "choices",
                "value": {"choices": [inner]},
            }
    elif question.kind == "text":
        yield {**base, "type": "textarea", "value": {"text": [value]}}
    else:
        yield {**base, "type": "choices", "value": {"choices": value if isinstance(value, list) else [value]}}


def _results(design: Design, given: Given, text: str) -> list[dict[str, Any]]:
    out = [
        one
        for q in design.question
        if q.name in given.answer
        for one in _result(q, given.answer[q.name], text)
    ]
    for name, written in (("notes", given.notes), ("cant", given.cant)):
        if written:
            out.append(
                {"from_name": name, "to_name": "item", "type": "textarea", "value": {"text": [written]}}
            )
    return out


def tasks(study: Study) -> list[dict[str, Any]]:
    """Return the study as a list of tasks with one annotation a label (hidden repeats are left out)."""
    with study.database.read() as connection:
        labels = [label for label in work.labelled(connection) if not label.again]
        listed = study.all_items(connection)
    by_item: dict[int, list[Any]] = defaultdict(list)
    for label in labels:
        by_item[label.item].append(label)
    field = study.design.marked_field
    return [
        {
            "id": number + 1,
            "data": {"id": item.id, "subject": item.subject, **item.shown},
            "meta": about_item(item),
            "annotations": [
                {
                    "completed_by": {"email": f"{label.rater}@study.invalid"},
                    "created_at": label.saved_at,
                    "lead_time": label.given.active_ms / 1000,
                    "was_cancelled": bool(label.given.cant),
                    "meta": about_label(label),
                    "result": _results(study.design, label.given, str(item.shown.get(field or "", ""))),
                }
                for label in by_item[number]
            ],
        }
        for number, item in listed.items()
    ]


def config(design: Design) -> str:
    """Return a labelling configuration for Label Studio that asks the same questions."""
    from xml.sax.saxutils import quoteattr

    lines = ["<View>"]
    for field in design.field:
        lines += [
            f"  <Header value={quoteattr(field.label)}/>",
            f'  <Text name="{field.name}" value="${field.name}"/>',
        ]
    target = design.marked_field or design.field[0].name
    for question in design.question:
        name = f'name="{question.name}" toName="{target}"'
        lines.append(f"  <Header value={quoteattr(question.ask)}/>")
        if question.kind == "scale":
            lines.append(f'  <Rating {name} maxRating="{max(int(v) for v in question.values)}"/>')
        elif question.option:
            several = ' choice="multiple"' if question.kind == "multi" else ""
            lines.append(f"  <Choices {name}{several}>")
            lines += [
                f"    <Choice value={quoteattr(o.value)} hint={quoteattr(o.anchor)}/>"
                for o in question.option
            ]
            lines.append("  </Choices>")
        elif question.kind == "spans":
            lines.append(f'  <Labels {name}><Label value="statement"/></Labels>')
    lines += [f'  <TextArea name="notes" toName="{target}"/>', "</View>"]
    return "\n".join(lines) + "\n"


def _read_value(question: Question, entry: Mapping[str, Any], where: str) -> Any:
    value = entry.get("value") or {}
    if question.kind == "scale":
        number = value.get("rating", (value.get("choices") or [None])[0])
        if str(number) not in question.values:
            raise BadInput(
                f"{where}: {question.name} is {number!r}; expected one of {', '.join(question.values)}"
            )
        return str(number)
    if question.kind == "rank":
        order = (value.get("ranker") or {}).get("rank") or []
        return {str(key): place for place, key in enumerate(order, 1)}
    if question.kind == "text":
        return "\n".join(value.get("text") or [])
    chosen = [str(choice) for choice in value.get("choices") or []]
    words = {o.label.casefold(): o.value for o in question.option} | {
        o.value.casefold(): o.value for o in question.option
    }
    known = [words.get(choice.casefold()) for choice in chosen]
    if not known or None in known:
        raise BadInput(f"{where}: {question.name} is {chosen!r}; expected {', '.join(question.values)}")
    return [one for one in known if one] if question.kind == "multi" else known[0]


def _given(design: Design, annotation: Mapping[str, Any], where: str) -> Given:
    answer: dict[str, Any] = {}
    marks: dict[str, dict[str, Any]] = {}
    notes = cant = ""
    for entry in annotation.get("result") or []:
        name, _, key = str(entry.get("from_name", "")).partition(".")
        if name in ("notes", "cant"):
            written = "\n".join((entry.get("value") or {}).get("text") or [])
            notes, cant = (written, cant) if name == "notes" else (notes, written)
            continue
        question = design.asked(name)
        if question is None:
            continue
        if question.kind == "spans":
            _mark(marks, entry)
        elif key:
            answer.setdefault(question.name, {})[key] = _read_value(question, entry, where)
        else:
            answer[question.name] = _read_value(question, entry, where)
    spans = next((q for q in design.question if q.kind == "spans"), None)
    if spans is not None:
        answer[spans.name] = sorted(marks.values(), key=lambda mark: (mark["start"], mark["stop"]))
    seconds = annotation.get("lead_time") or 0
    return Given(
        answer={} if cant else answer, cant=cant, notes=notes, active_ms=round(1000 * float(seconds))
    )


def _mark(marks: dict[str, dict[str, Any]], entry: Mapping[str, Any]) -> None:
    value = entry.get("value") or {}
    key = str(entry.get("id") or f"{value.get('start')}-{value.get('end')}")
    mark = marks.setdefault(key, {"start": int(value["start"]), "stop": int(value["end"]), "reference": ""})
    if entry.get("type") == "textarea":
        mark["reference"] = " ".join(value.get("text") or [])


def _rater(annotation: Mapping[str, Any]) -> str:
    by = annotation.get("completed_by")
    name = by.get("email") or by.get("id") if isinstance(by, dict) else by
    return str(name if name is not None else "unknown")


def read_labels(path: Path, design: Design) -> list[tuple[str, str, Given]]:
    """Read annotations as (item id, rater, answer).

    Raises:
        BadInput: not Label Studio's JSON export, or a choice that the design does not know.
    """
    try:
        listed = plain(json.loads(path.read_text(encoding="utf-8")))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"not JSON: {error}", source=path.name) from None
    if not isinstance(listed, list) or not all(isinstance(task, dict) and "data" in task for task in listed):
        raise BadInput(
            "not a Label Studio export: a list of tasks with `data` was expected", source=path.name
        )
    return [
        one
        for n, task in enumerate(listed, 1)
        for one in _annotations(task, design, f"{path.name}, task {n}")
    ]


def _annotations(task: Mapping[str, Any], design: Design, where: str) -> list[tuple[str, str, Given]]:
    try:
        return [
            (_identity(task), _rater(annotation), _given(design, annotation, where))
            for annotation in task.get("annotations") or task.get("completions") or ()
            if not annotation.get("was_cancelled") or _says_why(annotation)
        ]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadInput(
            f"{where}: not annotations as Label Studio writes them ({type(error).__name__}: {error})"
        ) from None


def _identity(task: Mapping[str, Any]) -> str:
    return str(task["data"].get("id", task["data"].get("item", task.get("id"))))


def _says_why(annotation: Mapping[str, Any]) -> bool:
    """Return whether a cancelled annotation is our "can't judge" with its reason."""
    return any(entry.get("from_name") == "cant" for entry in annotation.get("result") or ())


def import_labels(study: Study, path: Path) -> Imported:
    """Take labels made in Label Studio into a study, as those of raters `x1`, `x2` .., in one transaction.

    Raises:
        BadInput: the file can't be read, or none of its items is in the study.
        CantNow: the study is locked or archived.
    """
    found = read_labels(path, study.design)
    return study.database.write(lambda connection: _import(study, connection, path, found))


def _fits(study: Study, connection: Connection, number: int, given: Given) -> None:
    """Refuse an answer that is not of this item: marks outside its text, places of answers that it does not have."""
    item = study.item(connection, number)
    length = len(str(item.shown.get(study.design.marked_field or "", "")))
    keys = {answer["key"] for answer in item.shown.get(study.design.answers_field or "") or ()}
    for question in study.design.question:
        value = given.answer.get(question.name)
        if question.kind == "spans" and not all(0 <= m["start"] < m["stop"] <= length for m in value or ()):
            raise BadInput(f"item {item.id}: a mark lies outside the text of {length} characters")
        if isinstance(value, dict) and set(value) != keys:
            raise BadInput(
                f"item {item.id}: {question.name} speaks of {sorted(value)}; the item has {sorted(keys)}"
            )


def _import(
    study: Study, connection: Connection, path: Path, found: list[tuple[str, str, Given]]
) -> Imported:
    refuse_closed(connection)
    numbers = {row.item: row.id for row in connection.execute(select(items.c.id, items.c.item))}
    usable = [(numbers[item], rater, given) for item, rater, given in found if item in numbers]
    if not usable:
        raise BadInput(f"none of {len(found)} annotations is of an item of this study", source=path.name)
    for item, _, given in usable:
        _fits(study, connection, item, given)
    names = sorted({rater for _, rater, _ in usable})
    codes = dict(zip(names, add_people(connection, "imported", len(names)), strict=True))
    seen: set[tuple[str, int]] = set()
    rows: list[tuple[str, str, Given]] = []
    for ordinal, (item, rater, given) in enumerate(usable):
        code = codes[rater]
        if (code, item) in seen:
            continue
        seen.add((code, item))
        token = opaque(study.secret, "slot", code, item, 0)
        row = {"token": token, "rater": code, "item": item, "ordinal": ordinal, "again": 0}
        connection.execute(insert(assignments).values(**row))
        rows.append((code, token, given))
    decided = attested(connection, {"file": path.name, "people": dict.fromkeys(codes.values(), "imported")})
    ledger.append(connection, "system", "imported items", study.settings.name, decided)
    for code, token, given in rows:
        work.save_label(connection, code, token, given, what="imported")
    return Imported(labels=len(rows), raters=tuple(codes.values()), unknown=len(found) - len(usable))
