"""What leaves a study: verdicts by code of rater, tables, Label Studio JSON. Names of people never do."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import RunError, UsageError
from percuss.core.records import Verdict
from percuss.study import labelstudio
from percuss.study.answers import Given
from percuss.study.blinding import original_offset, unmask_text
from percuss.study.design import Question
from percuss.study.items import Prepared, machine_verdicts
from percuss.study.reference import reference_answers
from percuss.study.store import ledger, work
from percuss.study.study import Study

__all__ = ["FORMATS", "export_file", "rows", "verdicts"]

FORMATS = {
    "csv": "csv",
    "parquet": "parquet",
    "verdicts": "verdicts.jsonl",
    "labels": "labels.csv",
    "label-studio": "label-studio.json",
    "ledger": "ledger.jsonl",
}


def _owner(item: Prepared, key: str) -> tuple[str, str]:
    """Return subject and response id of one answer of a ranking."""
    owner = (item.hidden.get("answer_ids") or {}).get(key) or {}
    response = str(owner.get("response_id") or owner.get("id") or f"{item.subject}/{key}")
    return response, response


def _verdict(
    question: Question, value: Any, subject: str, response: str, rater: str, notes: str, evidence: Any
) -> Verdict:
    aspect = question.aspect or question.name
    fields: dict[str, Any] = {"subject": subject, "response_id": response, "aspect": aspect, "rater": rater}
    if question.kind in ("scale", "rank"):
        return Verdict(**fields, score=float(value), rationale=notes, evidence=evidence)
    text = ",".join(value) if isinstance(value, list) else str(value)
    return Verdict(**fields, label=text, rationale=notes, evidence=evidence)


def _spans(item: Prepared, field: str, spans: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return marks in the offsets of the text as the model wrote it, before names were masked."""
    masks = [mask for mask in item.masks if mask.path == field]
    text = unmask_text(str(item.shown[field]), masks)
    out = []
    for span in spans:
        start, stop = original_offset(span["start"], masks), original_offset(span["stop"], masks)
        out.append({"start": start, "stop": stop, "text": text[start:stop], "reference": span["reference"]})
    return out


def _of(study: Study, item: Prepared, given: Given, rater: str) -> Iterator[Verdict]:
    if given.cant:
        question = study.design.primary
        yield Verdict(
            subject=item.subject,
            response_id=item.response_id,
            aspect=question.aspect or question.name,
            rater=rater,
            unscored=f"abstained:{given.cant}",
            rationale=given.notes,
        )
        return
    more = {
        name: v
        for name, v in given.answer.items()
        if name in {q.name for q in study.design.question if q.when}
    }
    for question in study.design.question:
        value = given.answer.get(question.name)
        if value is None or question.kind == "text" or question.name in more:
            continue
        details = tuple(
            {name: v}
            for name, v in more.items()
            if any(question.name in q.when for q in study.design.question if q.name == name)
        )
        if question.kind == "spans":
            marks = tuple(_spans(item, question.per, value))
            yield _verdict(
                question, str(len(marks)), item.subject, item.response_id, rater, given.notes, marks
            )
        elif isinstance(value, dict):
            for key, inner in value.items():
                subject, response = _owner(item, key)
                yield _verdict(question, inner, subject, response, rater, given.notes, ({"item": item.id},))
        else:
            yield _verdict(question, value, item.subject, item.response_id, rater, given.notes, details)


def verdicts(study: Study, *, repeats: bool = False) -> Iterator[Verdict]:
    """Yield everything people said as verdicts: each rater as `human:r1`, what was settled as `human:consensus`.

    Args:
        study: whose labels are exported.
        repeats: also the hidden repeats, as `human:r1#2`.
    """
    with study.database.read() as connection:
        labels = work.labelled(connection)
        items = study.all_items(connection)
    for label in labels:
        if repeats or not label.again:
            yield from _of(
                study, items[label.item], label.given, f"human:{label.rater}{'#2' if label.again else ''}"
            )
    for number, given in reference_answers(study).items():
        yield from _of(study, items[number], given, "human:consensus")


def rows(study: Study) -> Iterator[dict[str, Any]]:
    """Yield one flat row a label, hidden repeats and what was settled included."""
    with study.database.read() as connection:
        labels = work.labelled(connection)
        settled = work.agreed(connection)
        items = study.all_items(connection)
    names = [question.name for question in study.design.question]
    strata = sorted({name for item in items.values() for name in item.stratum})

    def row(number: int, rater: str, again: bool, given: Given, saved_at: str, reason: str) -> dict[str, Any]:
        item = items[number]
        return {
            "item": item.id,
            "subject": item.subject,
            "response_id": item.response_id,
            "rater": rater,
            "repeat": again,
            **{f"stratum.{name}": item.stratum.get(name, "") for name in strata},
            **{name: _flat(given.answer.get(name)) for name in names},
            "cant": given.cant,
            "notes": given.notes,
            "reason": reason,
            "active_s": given.active_ms / 1000,
            "saved_at": saved_at,
            "names_masked": len(item.masks),
        }

    for label in labels:
        yield row(label.item, label.rater, label.again, label.given, label.saved_at, "")
    for number, one in settled.items():
        yield row(number, "consensus", False, one.given, one.saved_at, one.reason)


def _flat(value: Any) -> Any:
    return (
        value
        if value is None or isinstance(value, str | int | float)
        else json.dumps(value, ensure_ascii=False)
    )


def _safe(value: Any) -> Any:
    """Return a cell that a spreadsheet won't run: text that begins like a formula gets an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _csv(listed: Sequence[dict[str, Any]]) -> bytes:
    out = io.StringIO(newline="")
    names = list(listed[0]) if listed else ["item", "rater"]
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _safe(value) for key, value in row.items()} for row in listed)
    return out.getvalue().encode()


def _parquet(listed: Sequence[dict[str, Any]]) -> bytes:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise RunError("Parquet needs pyarrow; install percuss[tables], or export csv") from None
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([dict(row) for row in listed]), sink)
    return sink.getvalue()


def _lines(values: Iterable[Any]) -> bytes:
    return b"".join(msgspec.json.encode(value) + b"\n" for value in values)


def _labels(study: Study) -> bytes:
    """Return item, rater, label or score, stratum, cluster: the table that `percuss judge validate` reads."""
    with study.database.read() as connection:
        items = study.all_items(connection)
    strata = {item.subject: " | ".join(item.stratum.values()) for item in items.values()}
    out = [
        _label_row(v.subject, v.aspect, v.rater, v.label, v.score, strata.get(v.subject, ""), v.unscored)
        for v in verdicts(study)
    ]
    for item in items.values():
        for rater, said in machine_verdicts(item).items():
            for question, value in _said(study, said):
                scale = question.kind == "scale" and value in question.values
                label = value if value in question.values and not scale else None
                score = float(value) if scale else None
                # What the form does not offer is no label: the machine's own reason for not judging stands there.
                unscored = None if scale or label is not None else value
                aspect = question.aspect or question.name
                out.append(
                    _label_row(item.subject, aspect, rater, label, score, strata[item.subject], unscored)
                )
    return _csv(out)


def _said(study: Study, verdict: Any) -> list[tuple[Question, str]]:
    """Return what a machine said, question by question; a bare label belongs to the first."""
    if isinstance(verdict, dict):
        bare = next((verdict[k] for k in ("label", "score", "unscored") if verdict.get(k) is not None), None)
        if bare is None:
            found = [(study.design.asked(str(k)), v) for k, v in verdict.items()]
            return [(q, str(v)) for q, v in found if q is not None and isinstance(v, str | int | float)]
        verdict = bare
    return [(study.design.primary, str(verdict))]


def _label_row(
    item: str,
    aspect: str,
    rater: str,
    label: str | None,
    score: float | None,
    stratum: str,
    unscored: str | None,
) -> dict[str, Any]:
    return {
        "item": item,
        "aspect": aspect,
        "rater": rater,
        "label": label or "",
        "score": "" if score is None else score,
        "unscored": unscored or "",
        "stratum": stratum,
        "cluster": item,
    }


def _data(study: Study, kind: str) -> bytes:
    if kind == "csv":
        return _csv(list(rows(study)))
    if kind == "parquet":
        return _parquet(list(rows(study)))
    if kind == "verdicts":
        return _lines(verdicts(study, repeats=True))
    if kind == "labels":
        return _labels(study)
    if kind == "label-studio":
        return json.dumps(labelstudio.tasks(study), ensure_ascii=False, indent=1).encode()
    with study.database.read() as connection:
        return _lines(ledger.entries(connection))


def export_file(study: Study, path: Path, kind: str) -> Path:
    """Write an export and return its path; a half-written file is never left.

    Args:
        study: whose labels are exported.
        kind: one of `FORMATS`.

    Raises:
        UsageError: another kind.
        RunError: Parquet without pyarrow.
    """
    if kind not in FORMATS:
        raise UsageError(f"no export {kind!r}; there are {', '.join(FORMATS)}")
    data = _data(study, kind)
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)
    return path
