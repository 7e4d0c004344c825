"""The tools of the index: plan, search, open, submit."""

from collections.abc import Hashable, Mapping
from functools import cache, lru_cache
from typing import Any, cast

from percuss.core import ids
from percuss.core.messages import Tool
from percuss.core.ports import Embedder, Hit
from percuss.core.strict import Record
from percuss.evidence.search import Corpus
from percuss.protocols.skills.worlds.contract import Result, Task
from percuss.protocols.skills.worlds.desk import Desk, bounded, offered, read
from percuss.protocols.skills.worlds.literature.index import index
from percuss.protocols.skills.worlds.literature.tasks import wording

__all__ = [
    "MOST_EVIDENCE",
    "MOST_OPENED",
    "MOST_RESULTS",
    "MOST_SECTIONS",
    "MOST_TEXT",
    "Evidence",
    "LiteratureDesk",
    "Opening",
    "Searching",
    "Section",
    "Submission",
    "tools",
]

MOST_SECTIONS, MOST_EVIDENCE, MOST_TEXT, MOST_RESULTS, MOST_OPENED = 12, 40, 6000, 10, 8


class Section(Record, forbid_unknown_fields=False):
    """A section of a report."""

    text: str
    heading: str = ""


class Evidence(Record, forbid_unknown_fields=False):
    """A claim with the record that it rests on and the words there."""

    claim: str
    record: str
    quote: str


class Submission(Record, forbid_unknown_fields=False):
    """What is handed in."""

    sections: tuple[Section, ...]
    evidence: tuple[Evidence, ...] = ()


class _Plan(Record, forbid_unknown_fields=False):
    plan: str


class Searching(Record, forbid_unknown_fields=False):
    """What a search is asked for: at most `k` records published from `first` to `last`."""

    query: str
    k: int = 5
    first: int = 0
    last: int = 9999


class Opening(Record, forbid_unknown_fields=False):
    """Ids of records to read."""

    record: str = ""
    records: tuple[str, ...] = ()


@lru_cache(maxsize=4)
def _corpus(embedder: Hashable) -> Corpus:
    """Index titles and abstracts once for an embedder (None: words alone)."""
    hits = [Hit(id=each.id, title=each.title, text=each.text) for each in index().entries.values()]
    return Corpus(hits, name="literature", embedder=cast("Embedder | None", embedder))


@cache
def _content() -> str:
    return ids.b2([[each.id, each.year, each.text] for each in index().entries.values()])


class LiteratureDesk(Desk):
    """The index as one task's agent reads it.

    Args:
        task: what is asked. seed: of the world. embedder: where given, meaning is ranked beside words.
    """

    def __init__(self, task: Task, seed: int, embedder: Embedder | None) -> None:
        self._corpus = _corpus(cast("Hashable", embedder))
        handlers = {"plan": self._plan, "search": self._search, "open": self._open, "submit": self._submit}
        super().__init__(ids.b2(task.id, seed, _content()), handlers)

    async def _plan(self, arguments: Mapping[str, Any]) -> Result:
        asked = read(arguments, _Plan)
        if isinstance(asked, Result):
            return asked
        self.note(asked.plan[:MOST_TEXT])
        return Result(text="Noted.", effect="planned")

    async def _search(self, arguments: Mapping[str, Any]) -> Result:
        asked = read(arguments, Searching)
        if isinstance(asked, Result):
            return asked
        entries = index().entries
        hits = await self._corpus.search(asked.query[:MOST_TEXT], k=len(entries))
        found = [entries[hit.id] for hit in hits if asked.first <= entries[hit.id].year <= asked.last]
        shown = found[: max(1, min(asked.k, MOST_RESULTS))]
        lines = [f"{each.id} | {each.year} | {each.design} | {each.title}" for each in shown]
        return Result(text="\n".join(lines) or "Nothing was found.")

    async def _open(self, arguments: Mapping[str, Any]) -> Result:
        asked = read(arguments, Opening)
        if isinstance(asked, Result):
            return asked
        names = list(dict.fromkeys(name for name in (asked.record, *asked.records) if name))
        if not 0 < len(names) <= MOST_OPENED:
            return Result(text=f"Expected 1 to {MOST_OPENED} ids of records.", outcome="error")
        failed = not any(name in index().entries for name in names)
        return Result(text="\n\n".join(map(_opened, names)), outcome="error" if failed else "ok")

    async def _submit(self, arguments: Mapping[str, Any]) -> Result:
        submission = read(arguments, Submission)
        if isinstance(submission, Result):
            return submission
        faults = [bounded("text", each.text, MOST_TEXT) for each in submission.sections]
        if len(submission.sections) > MOST_SECTIONS or len(submission.evidence) > MOST_EVIDENCE:
            faults.append(
                f"At most {MOST_SECTIONS} sections and {MOST_EVIDENCE} pieces of evidence are taken."
            )
        fault = next((each for each in faults if each), "")
        return Result(text=fault, outcome="error") if fault else self.hand_in(submission)


def _opened(name: str) -> str:
    entry = index().entries.get(name)
    if entry is None:
        return f"There is no record {name[:40]!r}."
    linked = f"\nLinked record: {entry.linked}" if entry.linked else ""
    return (
        f"{entry.id} | {entry.title} | {entry.year}-{entry.month:02d} | {entry.design}\n{entry.text}{linked}"
    )


def _list_of(*fields: str) -> dict[str, Any]:
    item = {
        "type": "object",
        "properties": {each: {"type": "string"} for each in fields},
        "required": list(fields),
    }
    return {"type": "array", "items": item}


def tools() -> tuple[Tool, ...]:
    """Return the tools as they are offered."""
    text, number = {"type": "string"}, {"type": "integer"}
    shapes: dict[str, tuple[dict[str, dict[str, Any]], tuple[str, ...]]] = {
        "plan": ({"plan": text}, ("plan",)),
        "search": ({"query": text, "k": number, "first": number, "last": number}, ("query",)),
        "open": ({"record": text, "records": {"type": "array", "items": text}}, ()),
        "submit": (
            {"sections": _list_of("heading", "text"), "evidence": _list_of("claim", "record", "quote")},
            ("sections", "evidence"),
        ),
    }
    return offered(shapes, wording()["tools"], wording()["fields"])
