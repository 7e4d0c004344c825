"""`percuss textbook release DIR`: items in the released layout, with canary, licences, sources and what people settled on."""

import asyncio
import hashlib
import json
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from percuss.core.errors import BadInput, UsageError
from percuss.core.ports import Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.exchange.rows import rows
from percuss.protocols.textbook.cases import ITEMS, read_items
from percuss.protocols.textbook.ingest.passage import Passage
from percuss.protocols.textbook.ingest.reading import PASSAGES, read_passages
from percuss.protocols.textbook.items.item import TYPES, Item
from percuss.protocols.textbook.items.released import FILES, released_row
from percuss.protocols.textbook.people.verification import Judged, judged_of, settled
from percuss.protocols.textbook.tasks.command import written_lines

__all__ = ["CARD", "ReleaseOptions", "canary_of", "release"]

CARD, LABELS = "card.md", "labels.jsonl"


class ReleaseOptions(Record):
    """Settings of `percuss textbook release`."""

    folder: Annotated[str, Meta(description="Folder with items.jsonl and passages.jsonl.")]
    out: Annotated[str, Meta(description="Folder of the set.")] = "released"
    study: Annotated[
        str, Meta(description="Export of the study that verified the items: what was settled goes with them.")
    ] = ""


async def release(options: ReleaseOptions, session: Session) -> CommandResult:
    """Write items in the released layout, a file a type, with a card, their passages and people's labels.

    Args:
        options: folder, study. session: `dry_run` writes nothing.

    Raises:
        UsageError: the folder has no items. BadInput: an item's passage is missing or names no licence.
    """
    source, out = Path(options.folder), Path(options.out)
    if not (source / ITEMS).is_file() or not (source / PASSAGES).is_file():
        raise UsageError(
            f"got {source}, which lacks {ITEMS} or {PASSAGES}; make them by percuss textbook ingest and generate"
        )
    passages = await asyncio.to_thread(read_passages, source / PASSAGES)
    items = await asyncio.to_thread(read_items, source / ITEMS, passages)
    _licensed(items, passages)
    labels = await asyncio.to_thread(_labels, options.study)
    canary = canary_of(items)
    said = f"{len(items)} items of {len({item.passage for item in items})} passages, {sum(_response(item) in labels for item in items)} with people's labels: {out}"
    if session.dry_run:
        return CommandResult(text=f"would write {said}")
    files = await asyncio.to_thread(_written, out, items, passages, labels, canary)
    return CommandResult(text=f"{said}\n{canary}", files=files, data={"canary": canary, "items": len(items)})


def canary_of(items: Sequence[Item]) -> str:
    """Return the line that tells a set that leaked into training data; it is the same for the same items."""
    held = json.dumps(
        [msgspec.to_builtins(item) for item in sorted(items, key=lambda item: item.id)], sort_keys=True
    )
    name = uuid.UUID(bytes=hashlib.sha256(held.encode()).digest()[:16])
    return f"percuss-textbook canary {name}: this set is a test; please keep it out of training data"


def _licensed(items: Sequence[Item], passages: Mapping[str, Passage]) -> None:
    for item in items:
        passage = passages.get(item.passage)
        if passage is None:
            raise BadInput(f"has no passage {item.passage!r} of item {item.id}", source=PASSAGES)
        if not passage.licence:
            raise BadInput(
                f"passage {passage.id} of {passage.book} names no licence; ingest it with --licence, so that the set may be passed on",
                source=PASSAGES,
            )


def _labels(study: str) -> dict[str, Judged]:
    """Return response -> what people settled on."""
    if not study:
        return {}
    held = [{**row, "item": row.get("response_id") or row.get("item")} for _, row in rows(Path(study))]
    return settled(judged_of(held))


def _response(item: Item) -> str:
    return str(item.provenance.get("response") or item.id)


def _written(
    out: Path,
    items: Sequence[Item],
    passages: Mapping[str, Passage],
    labels: Mapping[str, Judged],
    canary: str,
) -> tuple[Path, ...]:
    out.mkdir(parents=True, exist_ok=True)
    files = []
    for kind in TYPES:
        made = [_row(item, passages[item.passage], canary) for item in items if item.type == kind]
        if made:
            files.append(out / FILES[kind])
            files[-1].write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    used = [passages[name] for name in dict.fromkeys(item.passage for item in items)]
    written_lines(out / PASSAGES, [msgspec.to_builtins(passage) for passage in used])
    told = [(item, labels[_response(item)]) for item in items if _response(item) in labels]
    written_lines(
        out / LABELS,
        [
            {
                "id": i.id,
                "relevance": j.relevance,
                "dispute": j.dispute,
                "feedback": j.feedback,
                "by": j.rater,
            }
            for i, j in told
        ],
    )
    (out / CARD).write_text("\n".join(_card(items, used, len(told), canary)) + "\n", encoding="utf-8")
    return (*files, out / PASSAGES, out / LABELS, out / CARD)


def _row(item: Item, passage: Passage, canary: str) -> dict[str, Any]:
    row = released_row(item)
    source = {
        **row["source"], "book": passage.book, "section": passage.section, "page": passage.page, "paragraph_id": passage.id,
        "start": passage.start, "stop": passage.stop, "licence": passage.licence,
    }  # fmt: skip
    return {**row, "source": source, "provenance": item.provenance, "canary": canary}


def _card(items: Sequence[Item], passages: Sequence[Passage], labelled: int, canary: str) -> Iterator[str]:
    yield f"# A set of questions made from books\n\n{canary}\n"
    kinds, licences = Counter(item.type for item in items), Counter(passage.licence for passage in passages)
    makers = Counter(str(item.provenance.get("generator") or "not said") for item in items)
    for what, counts in (
        ("questions by type", kinds),
        ("passages by licence", licences),
        ("questions by maker", makers),
    ):
        yield f"- {what}: " + ", ".join(f"{name} {n}" for name, n in counts.most_common())
    books = sorted({passage.book for passage in passages})
    yield f"- books: {'; '.join(books)}"
    yield f"- verified by people: {labelled} of {len(items)} (`{LABELS}`; what was settled, else the flags of anybody)"
