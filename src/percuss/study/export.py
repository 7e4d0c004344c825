"""What leaves a study: verdicts by code of rater, tables, Label Studio JSON. Names of people never do."""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import select

from percuss.core.errors import RunError, UsageError
from percuss.core.records import Verdict
from percuss.study import labelstudio
from percuss.study.about import about_item, about_label, answer_name, models_of
from percuss.study.answers import Given
from percuss.study.design import Question
from percuss.study.items import Prepared, machine_verdicts
from percuss.study.marks import as_written
from percuss.study.reference import Source, human_labels, mean_z
from percuss.study.store import ledger, work
from percuss.study.store.tables import assignments
from percuss.study.store.work import Labelled
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
    response = answer_name(item, key)
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
            marks = tuple(as_written(item, question.per, value))
            yield _verdict(
                question, str(len(marks)), item.subject, item.response_id, rater, given.notes, marks
            )
        elif isinstance(value, dict):
            for key, inner in value.items():
                subject, response = _owner(item, key)
                yield _verdict(question, inner, subject, response, rater, given.notes, ({"item": item.id},))
        else:
            yield _verdict(question, value, item.subject, item.response_id, rater, given.notes, details)


def verdicts(study: Study, *, repeats: bool = False, source: Source | None = None) -> Iterator[Verdict]:
    """Yield everything people said as verdicts: each rater as `human:r1`, what was settled as `human:adjudicated`.

    Args:
        study: whose labels are exported.
        repeats: also the hidden repeats, as `human:r1#2`.
        source: only this source, e.g. `unanimous`; None: every person and what was settled.
    """
    for verdict, _, _ in _told(study, repeats=repeats, source=source):
        yield verdict


def _told(
    study: Study, *, repeats: bool, source: Source | None
) -> Iterator[tuple[Verdict, Prepared, Labelled | None]]:
    """Yield verdicts with the item and, where one person said it, the label behind each."""
    with study.database.read() as connection:
        labels = work.labelled(connection)
        settled = work.agreed(connection)
        items = study.all_items(connection)
    if source not in (None, "persons"):
        for number, held in human_labels(study, source).items():
            for rater, given in held:
                yield from ((v, items[number], None) for v in _of(study, items[number], given, rater))
        return
    for label in labels:
        if repeats or not label.again:
            rater = f"human:{label.rater}{'#2' if label.again else ''}"
            for verdict in _of(study, items[label.item], label.given, rater):
                yield verdict, items[label.item], label
    if source is None:
        for number, one in settled.items():
            for verdict in _of(study, items[number], one.given, "human:adjudicated"):
                yield verdict, items[number], None


def rows(study: Study) -> Iterator[dict[str, Any]]:
    """Yield one flat row a label, hidden repeats and what was settled included."""
    with study.database.read() as connection:
        labels = work.labelled(connection)
        settled = work.agreed(connection)
        items = study.all_items(connection)
    shape = _Shape(items, [question.name for question in study.design.question])
    for label in labels:
        yield shape.row(label.item, label.rater, label.given, label.first, about_label(label))
    for number, one in settled.items():
        more: dict[str, Any] = {"repeat": False, "revision": "1", "active_s": 0.0}
        more |= {"saved_at": one.saved_at, "reason": one.reason, "settled_by": one.by}
        yield shape.row(number, "adjudicated", one.given, None, more)


class _Shape:
    """One shape for all rows: what is known of an item, then the answers, first and as they stand.

    Args:
        items: by number. names: of the design's questions.
    """

    def __init__(self, items: Mapping[int, Prepared], names: Sequence[str]) -> None:
        self._items, self._names = items, names
        self._about = {number: about_item(item) for number, item in items.items()}
        self._beside = dict.fromkeys(sorted({name for one in self._about.values() for name in one}), "")

    def row(
        self, number: int, rater: str, given: Given, first: Given | None, more: dict[str, Any]
    ) -> dict[str, Any]:
        """Return one row."""
        item = self._items[number]
        return {
            "item": item.id,
            "subject": item.subject,
            "response_id": item.response_id,
            "rater": rater,
            **self._beside,
            **self._about[number],
            **_cells(item, given, self._names, ""),
            **_cells(item, first, self._names, ".first"),
            "cant": given.cant,
            "notes": given.notes,
            "reason": "",
            "settled_by": "",
            "names_masked": len(item.masks),
            **more,
        }


def _cells(item: Prepared, given: Given | None, names: Sequence[str], ending: str) -> dict[str, Any]:
    """Return one cell a question; those of a label that was not given are empty."""
    if given is None:
        return {f"{name}{ending}": "" for name in names}
    return {f"{name}{ending}": _flat(_named(item, given.answer.get(name))) for name in names}


def _named(item: Prepared, value: Any) -> Any:
    """Return an answer to something asked of each of several answers under the answers' own ids, not their places."""
    return (
        {answer_name(item, key): inner for key, inner in value.items()} if isinstance(value, dict) else value
    )


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
        raise RunError("Parquet needs pyarrow; pip install 'percuss[tables]', or export csv") from None
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([dict(row) for row in listed]), sink)
    return sink.getvalue()


def _lines(values: Iterable[Any]) -> bytes:
    return b"".join(msgspec.json.encode(value) + b"\n" for value in values)


def _labels(study: Study, source: Source) -> bytes:
    """Return item, rater, label or score, stratum, cluster: the table that `percuss judge validate` reads."""
    out = [
        _label_row(verdict, item, label)
        for verdict, item, label in _told(study, repeats=False, source=source)
    ]
    with study.database.read() as connection:
        items = study.all_items(connection)
    if source == "mean_z":
        out = list(_means(study, items))
    for item in items.values():
        for rater, said in machine_verdicts(item).items():
            for question, value in _said(study, said):
                scale = question.kind == "scale" and value in question.values
                label = value if value in question.values and not scale else None
                score = float(value) if scale else None
                # What the form does not offer is no label: the machine's own reason for not judging stands there.
                fields: dict[str, Any] = {"label": label, "score": score}
                fields["unscored"] = None if scale or label is not None else value
                out.append(_label_row(_bare(item, question, rater, fields), item, None))
    return _csv(out)


def _bare(item: Prepared, question: Question, rater: str, fields: dict[str, Any]) -> Verdict:
    aspect = question.aspect or question.name
    return Verdict(subject=item.subject, response_id=item.response_id, aspect=aspect, rater=rater, **fields)


def _means(study: Study, items: dict[int, Prepared]) -> Iterator[dict[str, Any]]:
    held = human_labels(study, "mean_z")
    for question in study.design.question:
        if question.kind == "scale":
            for (number, _), score in sorted(mean_z(question, held).items()):
                verdict = _bare(items[number], question, "human:mean_z", {"score": score})
                yield _label_row(verdict, items[number], None)


def _said(study: Study, verdict: Any) -> list[tuple[Question, str]]:
    """Return what a machine said, question by question; a bare label belongs to the first."""
    if isinstance(verdict, dict):
        bare = next((verdict[k] for k in ("label", "score", "unscored") if verdict.get(k) is not None), None)
        if bare is None:
            found = [(study.design.asked(str(k)), v) for k, v in verdict.items()]
            return [(q, str(v)) for q, v in found if q is not None and isinstance(v, str | int | float)]
        verdict = bare
    return [(study.design.primary, str(verdict))]


def _label_row(verdict: Verdict, item: Prepared, label: Labelled | None) -> dict[str, Any]:
    models = models_of(item)
    return {
        "item": verdict.subject,
        "aspect": verdict.aspect,
        "rater": verdict.rater,
        "label": verdict.label or "",
        "score": "" if verdict.score is None else verdict.score,
        "unscored": verdict.unscored or "",
        "stratum": " | ".join(item.stratum.values()),
        "cluster": item.subject,
        "model": models.get(verdict.response_id) or next(iter(models.values())),
        "arm": item.hidden.get("arm") or item.stratum.get("arm") or "",
        "revision": about_label(label)["revision"] if label else "",
        "active_s": label.given.active_ms / 1000 if label else "",
        "saved_at": label.saved_at if label else "",
        "hidden": json.dumps(item.hidden, ensure_ascii=False),
    }


def _verdict_lines(study: Study, source: Source | None) -> Iterator[dict[str, Any]]:
    """Yield verdict records, each with `about`: item, models, arm, strata, hidden fields, revision, seconds."""
    for verdict, item, label in _told(study, repeats=True, source=source):
        models = models_of(item)
        model = models.get(verdict.response_id) or next(iter(models.values()))
        about = {"item": item.id, **about_item(item), "model": model}
        yield {**msgspec.to_builtins(verdict), "about": about | (about_label(label) if label else {})}


def _ledger_lines(study: Study) -> Iterator[dict[str, Any]]:
    """Yield the ledger's entries; those of labels with the item and whose text it is."""
    with study.database.read() as connection:
        items = study.all_items(connection)
        of = {row.token: items[row.item] for row in connection.execute(select(assignments))}
        for entry in ledger.entries(connection):
            item = of.get(entry.subject)
            about = {} if item is None else {"about": {"item": item.id, **about_item(item)}}
            yield {**msgspec.to_builtins(entry), **about}


def _data(study: Study, kind: str, source: Source | None) -> bytes:
    if kind == "csv":
        return _csv(list(rows(study)))
    if kind == "parquet":
        return _parquet(list(rows(study)))
    if kind == "verdicts":
        return _lines(_verdict_lines(study, source))
    if kind == "labels":
        return _labels(study, source or "persons")
    if kind == "label-studio":
        return json.dumps(labelstudio.tasks(study), ensure_ascii=False, indent=1).encode()
    return _lines(_ledger_lines(study))


def export_file(
    study: Study, path: Path, kind: str, *, source: Source | None = None, who: str = "system"
) -> Path:
    """Write an export and return its path; a half-written file is never left. The ledger notes who took which.

    Args:
        study: whose labels are exported.
        kind: one of `FORMATS`.
        source: whose labels stand for people in `labels` and `verdicts`; None: every person.
        who: code of who asked for it.

    Raises:
        UsageError: another kind.
        RunError: Parquet without pyarrow.
    """
    if kind not in FORMATS:
        raise UsageError(f"no export {kind!r}; there are {', '.join(FORMATS)}")
    data = _data(study, kind, source)
    study.database.write(
        lambda c: ledger.append(
            c,
            who,
            "exported",
            kind,
            {"bytes": len(data), "digest": hashlib.blake2b(data, digest_size=16).hexdigest()},
        )
    )
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)
    return path
