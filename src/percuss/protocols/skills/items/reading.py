"""A JSONL of items, ours or a user's: `{question, answer, other{id, source, task, ..}}`, each fault named with its line."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput, UsageError
from percuss.core.records import Blob, Case
from percuss.exchange.rows import rows
from percuss.protocols.skills.case import Item
from percuss.protocols.skills.catalogue import FORMATS, CatalogueTask, task_named
from percuss.protocols.skills.items.fitting import image_kind, unfit
from percuss.protocols.skills.scorers.points import points_of
from percuss.protocols.skills.scorers.rubric import criteria_of
from percuss.protocols.skills.scorers.score import Score

__all__ = ["OTHER", "OWN", "read"]

OWN = Path(__file__).parent / "own.jsonl"
COLUMNS = frozenset({"question", "answer", "other"})
OTHER = frozenset(
    {
        "id", "source", "task", "format", "options", "labels", "points", "criteria", "tolerance", "coordinates", "size", "images",
        "cluster",
    }
)  # fmt: skip
"""Keys of `other` that are read; all others are passed over."""
LAYOUT = '{"question": .., "answer": .., "other": {"id": .., "task": ..}}'
TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}


def read(path: Path, task: str) -> Iterator[Case]:
    """Yield one case a row.

    Args:
        path: a JSONL; images are found beside it. task: of rows that name none; "" for none.

    Raises:
        BadInput: a row with wrong columns, an unknown task or format, a reference that doesn't fit its format, or an image that isn't
            there or is none, by line.
    """
    seen: set[str] = set()
    for line, row in rows(path):
        try:
            made = _case(row, task, path.parent, line)
        except (UsageError, msgspec.ValidationError) as error:
            raise BadInput(str(error), source=path.name, line=line) from None
        if made.id in seen:
            raise BadInput(
                f"a second item has the id {made.id!r}; each needs its own", source=path.name, line=line
            )
        seen.add(made.id)
        yield made


def _case(row: Mapping[str, Any], task: str, folder: Path, line: int) -> Case:
    other = _other(row)
    question = row.get("question")
    if not isinstance(question, str) or not question.strip():
        raise UsageError(f"has no question; expected {LAYOUT}")
    named = task_named(_task(other, task))
    if named.environment:
        raise UsageError(f"the task {named.name} is an environment; run it with --env {named.environment}")
    blobs = tuple(_image(folder, each) for each in _list(other, "images"))
    answer = row.get("answer")
    shape = _format(other, named, answer)
    item = Item(
        id=str(other.get("id") or f"{named.name.lower()}-{line}"), task=named.name, format=shape, question=question,
        answer=_gold(answer, shape), options=_texts(other, "options"), labels=_texts(other, "labels"),
        points=_checked(points_of, other, "points"), criteria=_checked(criteria_of, other, "criteria"),
        tolerance=other.get("tolerance"), relative=_relative(other, shape, blank=answer in (None, "")),
        size=None if other.get("size") is None else tuple(other["size"]),
        images=tuple((blob.digest, blob.media_type) for blob in blobs), source=str(other.get("source", "")),
    )  # fmt: skip
    msgspec.convert(msgspec.to_builtins(item), Item)
    wrong = unfit(item)
    if wrong:
        raise UsageError(wrong)
    return item.case(str(other.get("cluster") or item.id), blobs)


def _other(row: Mapping[str, Any]) -> Mapping[str, Any]:
    unknown = sorted(set(row) - COLUMNS)
    if unknown:
        raise UsageError(f"has the columns {', '.join(map(repr, unknown))}; expected {LAYOUT}")
    other = row.get("other") or {}
    if isinstance(other, str):
        try:
            other = json.loads(other)
        except json.JSONDecodeError:
            other = None
    if not isinstance(other, dict):
        raise UsageError(f"has something else than an object under other; expected {LAYOUT}")
    return other


def _task(other: Mapping[str, Any], task: str) -> str:
    name = str(other.get("task") or task)
    if not name:
        raise UsageError("names no task; expected one in other.task, or --task NAME (`percuss skills list`)")
    return name


def _format(other: Mapping[str, Any], task: CatalogueTask, answer: Any) -> str:
    """Return the format that a row says, else the one that its options and answer show, else its task's first."""
    said = other.get("format")
    if said is not None:
        if said not in FORMATS or said == "environment":
            known = ", ".join(name for name in FORMATS if name != "environment")
            raise UsageError(f"has the format {said!r}; expected one of {known}")
        return str(said)
    if len(task.formats) > 1:
        if other.get("options"):
            several = isinstance(answer, list) or (
                isinstance(answer, str) and len(answer.strip()) > 1 and answer.isupper()
            )
            return "multi" if several and "multi" in task.formats else task.formats[0]
        if isinstance(answer, str) and "open" in task.formats:
            return "open"
    return task.formats[0]


def _gold(answer: Any, shape: str) -> Any:
    """Return the reference in the shape that its scorer takes: letters of a set apart, an amount as a number."""
    if isinstance(answer, str) and shape == "multi":
        plain = answer.replace(" ", "")
        return (
            list(plain.replace(",", ""))
            if plain.replace(",", "").isupper()
            else [p.strip() for p in answer.split(",")]
        )
    if isinstance(answer, str) and answer and shape in {"extract", "boxes"}:
        try:
            return json.loads(answer)
        except json.JSONDecodeError:
            raise UsageError(f"its answer is no JSON; expected it for the format {shape}") from None
    if isinstance(answer, str) and answer and shape == "calc":
        try:
            return float(answer.replace(",", ""))
        except ValueError:
            raise UsageError(
                f"its answer {answer!r} is no amount; expected a number for the format calc"
            ) from None
    return answer


def _list(other: Mapping[str, Any], name: str) -> list[Any]:
    held = other.get(name) or []
    if not isinstance(held, list):
        raise UsageError(f"has {type(held).__name__} under other.{name}; expected a list")
    return held


def _texts(other: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(map(str, _list(other, name)))


def _checked(parse: Any, other: Mapping[str, Any], name: str) -> tuple[Any, ...]:
    held = _list(other, name)
    made = parse(held) if held else ()
    if isinstance(made, Score):
        raise UsageError(f"other.{name} can't be read: {made.reason.partition(':')[2]}")
    return tuple(msgspec.to_builtins(each) for each in made)


def _relative(other: Mapping[str, Any], shape: str, *, blank: bool) -> bool:
    said = other.get("coordinates")
    if said not in {None, "pixel", "relative"}:
        raise UsageError(f"has the coordinates {said!r}; expected pixel or relative")
    if shape == "boxes" and said is None and not blank:
        raise UsageError("says no coordinates of its boxes; expected other.coordinates as pixel or relative")
    return said == "relative"


def _image(folder: Path, name: Any) -> Blob:
    path = folder / str(name)
    kind = TYPES.get(path.suffix.lower())
    if kind is None:
        raise UsageError(f"names the image {name!r}; expected a file that ends in {', '.join(TYPES)}")
    if not path.is_file():
        raise UsageError(f"names the image {name!r}, which is not there; expected it at {path}")
    data = path.read_bytes()
    if image_kind(data) != kind:
        raise UsageError(
            f"names the image {name!r}, which is {image_kind(data) or 'no image'} by its first bytes; expected {kind}"
        )
    return Blob.of(data, kind)
