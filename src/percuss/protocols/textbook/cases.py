"""Where cases come from: the bundled set, a folder of passages and items, a run of generation, or released files."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from percuss.core import seeds
from percuss.core.errors import BadInput
from percuss.core.records import Case
from percuss.exchange.rows import rows
from percuss.protocols.textbook.case import Task, case_of
from percuss.protocols.textbook.contamination import rest_of
from percuss.protocols.textbook.corpus import bundled
from percuss.protocols.textbook.generate.taking import taken
from percuss.protocols.textbook.ingest.passage import Passage
from percuss.protocols.textbook.ingest.reading import PASSAGES, read_passages
from percuss.protocols.textbook.items.item import TYPES, Item
from percuss.protocols.textbook.items.released import item_of, load_released
from percuss.protocols.textbook.items.valid import faults
from percuss.protocols.textbook.options import TextbookOptions, wanted_types
from percuss.protocols.textbook.scoring.overlap import word_cosine

__all__ = ["ITEMS", "cases", "deranged", "read_items"]

ITEMS = "items.jsonl"
FAR = 0.6
"""Cosine to the right passage below which another one is wrong (definitions, "Arms")."""
OTHERS = 20
"""Other rests of the book that a continuation is held against (definitions, "Arms")."""


def cases(source: str | None, options: TextbookOptions, seed: int) -> Iterator[Case]:
    """Yield one case a question.

    Args:
        source: None = bundled; a folder with passages.jsonl and items.jsonl; a run of textbook-generate; items.jsonl; or a
            file or folder of the released layout.
        options: `types`. seed: of the derangement that gives each question another passage of its book.

    Raises:
        BadInput: an item that can't be put, by line, or no item at all.
    """
    wanted = wanted_types(options.types)
    if source is None:
        held = bundled()
        items: Sequence[Item] = held.items
        passages = {passage.id: passage for passage in held.passages}
    else:
        items, passages = _read(Path(source))
    wrong = deranged(list(passages.values()), seed)
    seen: set[str] = set()
    yielded = 0
    for item in items:
        if item.type in wanted:
            yield case_of(_task(item, passages, wrong, seen))
            yielded += 1
            seen.add(item.passage)
    if not yielded:
        raise BadInput(f"holds no item of {', '.join(wanted)}", source=source or "the bundled set")


def _task(item: Item, passages: Mapping[str, Passage], wrong: Mapping[str, str], seen: set[str]) -> Task:
    passage = passages.get(item.passage)
    if passage is None:
        return Task(item=item)
    first = item.passage not in seen
    rests = [
        rest_of(other.text) for other in passages.values()
        if other.book == passage.book and other.id != passage.id
    ][: 4 * OTHERS] if first else []  # fmt: skip
    other = passages.get(wrong.get(passage.id, ""))
    return Task(
        item=item, passage=passage.text, wrong_passage="" if other is None else other.text, book=passage.book, first=first,
        others=tuple(rest for rest in rests if rest)[:OTHERS],
    )  # fmt: skip


def _read(path: Path) -> tuple[Sequence[Item], dict[str, Passage]]:
    if path.is_dir() and (path / "run.sqlite").is_file():
        return taken(path)
    if path.is_dir() and (path / ITEMS).is_file():
        passages = read_passages(path / PASSAGES) if (path / PASSAGES).is_file() else {}
        return read_items(path / ITEMS, passages), passages
    if path.suffix.lower() in {".jsonl", ".ndjson"}:
        beside = path.with_name(PASSAGES)
        passages = read_passages(beside) if beside.is_file() else {}
        return read_items(path, passages), passages
    loaded = load_released(path)
    for file, number, words in loaded.errors:
        raise BadInput(words, source=file, line=number)
    beside = path / PASSAGES
    return loaded.items, read_passages(beside) if beside.is_file() else {}


def read_items(path: Path, passages: Mapping[str, Passage]) -> list[Item]:
    """Return the items of an items.jsonl, ours or released rows.

    Args:
        path: one item a line; a row with `valid: false` was kept for its reasons and is no item. passages: by id.

    Raises:
        BadInput: a row that can't be read or put, by line, or an id that stands twice.
    """
    items, seen = list[Item](), set[str]()
    for line, row in rows(path):
        if row.pop("valid", True) is False:
            continue
        row.pop("faults", None)
        try:
            item = msgspec.convert(row, Item) if "id" in row and _is_ours(row) else item_of(row)
        except (msgspec.ValidationError, ValueError, KeyError) as error:
            raise BadInput(f"is no item: {error}", source=path.name, line=line) from None
        found = faults(item, passages[item.passage].text if item.passage in passages else None)
        if found:
            raise BadInput(f"can't be put: {found[0]}", source=path.name, line=line)
        if item.id in seen:
            raise BadInput(
                f"a second item has the id {item.id!r}; each needs its own", source=path.name, line=line
            )
        seen.add(item.id)
        items.append(item)
    return items


def _is_ours(row: Mapping[str, object]) -> bool:
    return row.get("type") in TYPES and set(row) <= set(Item.__struct_fields__)


def deranged(passages: Sequence[Passage], seed: int) -> dict[str, str]:
    """Return passage id -> id of another passage of its book, each given once where the book is large enough.

    Args:
        passages: of all books. seed: of the order.

    One whose words are too like (cosine .6 and more) is passed over; a book of one passage gives none.
    """
    out: dict[str, str] = {}
    books: dict[str, list[Passage]] = {}
    for passage in passages:
        books.setdefault(passage.book, []).append(passage)
    for book, held in books.items():
        order = [held[int(at)] for at in seeds.generator(seed, "derangement", book).permutation(len(held))]
        for at, passage in enumerate(order):
            after = (order[(at + step) % len(order)] for step in range(1, len(order)))
            other = next((each for each in after if word_cosine(each.text, passage.text) < FAR), None)
            if other is not None:
                out[passage.id] = other.id
    return out
