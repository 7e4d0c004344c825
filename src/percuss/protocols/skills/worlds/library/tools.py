"""The tools of the knowledge base: search, re-rank, open, submit."""

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any, cast

from percuss.core import ids
from percuss.core.messages import Tool
from percuss.core.ports import Embedder, Hit
from percuss.core.strict import Record
from percuss.evidence.search import Corpus
from percuss.protocols.skills.worlds.contract import Result, Task
from percuss.protocols.skills.worlds.desk import Desk, bounded, offered, read
from percuss.protocols.skills.worlds.library.documents import Document, Shelf, shelf
from percuss.protocols.skills.worlds.library.tasks import wording

__all__ = ["MOST_CITATIONS", "MOST_RANKED", "Citation", "LibraryDesk", "Submission", "tools"]

MOST_RANKED, MOST_CITATIONS, MOST_RESULTS, MOST_OPENED, MOST_TEXT = 50, 20, 10, 6, 4000
FIRST_WORDS = 24


class Citation(Record, forbid_unknown_fields=False):
    """A quote by its document and passage."""

    document: str
    passage: str
    quote: str


class Submission(Record, forbid_unknown_fields=False):
    """What is handed in; `followed` and `order` only where a task asks for them."""

    ranked: tuple[str, ...]
    answer: str
    citations: tuple[Citation, ...] = ()
    followed: str = ""
    order: tuple[str, ...] = ()


class _Search(Record, forbid_unknown_fields=False):
    query: str
    k: int = 5


class _Rerank(Record, forbid_unknown_fields=False):
    query: str
    ids: tuple[str, ...]


class _Open(Record, forbid_unknown_fields=False):
    document: str = ""
    passage: str = ""
    documents: tuple[str, ...] = ()


@lru_cache(maxsize=4)
def _passages(seed: int, embedder: Hashable) -> Corpus:
    """Index the passages once for a seed and an embedder (None: words alone)."""
    hits = [
        Hit(id=f"{document.id} {passage.label}", title=document.title, text=passage.text)
        for document in shelf(seed).documents
        for passage in document.passages
    ]
    return Corpus(hits, name="library", embedder=cast("Embedder | None", embedder))


@lru_cache(maxsize=8)
def _content(seed: int) -> str:
    return ids.b2([[each.id, each.date, [p.text for p in each.passages]] for each in shelf(seed).documents])


class LibraryDesk(Desk):
    """The knowledge base as one task's agent reads it.

    Args:
        task: its setting says the seed of the documents. seed: of the world, not needed here. embedder: where given,
            meaning is ranked beside words.
    """

    def __init__(self, task: Task, seed: int, embedder: Embedder | None) -> None:
        seed = int(task.setting["seed"])
        self._shelf: Shelf = shelf(seed)
        self._embedder = embedder
        self._corpus = _passages(seed, cast("Hashable", embedder))
        handlers = {
            "search": self._search,
            "rerank": self._rerank,
            "open": self._open,
            "submit": self._submit,
        }
        super().__init__(ids.b2(task.id, _content(seed)), handlers)

    async def _search(self, arguments: Mapping[str, Any]) -> Result:
        asked = read(arguments, _Search)
        if isinstance(asked, Result):
            return asked
        hits = await self._corpus.search(asked.query[:MOST_TEXT], k=max(1, min(asked.k, MOST_RESULTS)))
        return Result(text="\n".join(self._line(hit) for hit in hits) or "Nothing was found.")

    def _line(self, hit: Hit) -> str:
        name, label = hit.id.split()
        document = self._shelf.document(name)
        assert document is not None
        words = hit.text.split()
        opening = " ".join(words[:FIRST_WORDS]) + (" .." if len(words) > FIRST_WORDS else "")
        return f"{name} {label} | {_about(document)} | {opening}"

    async def _rerank(self, arguments: Mapping[str, Any]) -> Result:
        asked = read(arguments, _Rerank)
        if isinstance(asked, Result):
            return asked
        known = [self._shelf.document(each) for each in dict.fromkeys(asked.ids[:MOST_RANKED])]
        hits = [
            Hit(id=each.id, title=each.title, text=" ".join(p.text for p in each.passages))
            for each in known
            if each
        ]
        corpus = Corpus(hits, name="library", embedder=self._embedder)
        ranked = [hit.id for hit in await corpus.search(asked.query[:MOST_TEXT], k=len(hits))]
        ranked += [hit.id for hit in hits if hit.id not in ranked]
        return Result(text=" ".join(ranked) or "None of these ids is in the knowledge base.")

    async def _open(self, arguments: Mapping[str, Any]) -> Result:
        asked = read(arguments, _Open)
        if isinstance(asked, Result):
            return asked
        names = dict.fromkeys(name for name in (asked.document, *asked.documents) if name)
        if not 0 < len(names) <= MOST_OPENED:
            return Result(text=f"Expected 1 to {MOST_OPENED} ids of documents.", outcome="error")
        opened = [self._opened(name, asked.passage) for name in names]
        failed = all(each.outcome == "error" for each in opened)
        return Result(text="\n\n".join(each.text for each in opened), outcome="error" if failed else "ok")

    def _opened(self, name: str, label: str) -> Result:
        document = self._shelf.document(name)
        if document is None:
            return Result(text=f"There is no document {name[:40]!r}.", outcome="error")
        shown = [each for each in document.passages if label in {"", each.label}]
        if not shown:
            labels = ", ".join(each.label for each in document.passages)
            return Result(text=f"{document.id} has the passages {labels}.", outcome="error")
        lines = [f"{document.id} | {_about(document)}", *[f"{p.label}: {p.text}" for p in shown]]
        return Result(text="\n".join(lines))

    async def _submit(self, arguments: Mapping[str, Any]) -> Result:
        submission = read(arguments, Submission)
        if isinstance(submission, Result):
            return submission
        fault = bounded("answer", submission.answer, MOST_TEXT)
        if len(submission.ranked) > MOST_RANKED or len(submission.citations) > MOST_CITATIONS:
            fault = f"At most {MOST_RANKED} ranked ids and {MOST_CITATIONS} citations are taken."
        return Result(text=fault, outcome="error") if fault else self.hand_in(submission)


def _about(document: Document) -> str:
    return f"{document.title} | {document.date} | {document.strength}"


def tools() -> tuple[Tool, ...]:
    """Return the tools as they are offered."""
    text: dict[str, Any] = {"type": "string"}
    texts: dict[str, Any] = {"type": "array", "items": text}
    citation = {
        "type": "object",
        "properties": {"document": text, "passage": text, "quote": text},
        "required": ["document", "passage", "quote"],
    }
    shapes: dict[str, tuple[dict[str, dict[str, Any]], tuple[str, ...]]] = {
        "search": ({"query": text, "k": {"type": "integer"}}, ("query",)),
        "rerank": ({"query": text, "ids": texts}, ("query", "ids")),
        "open": ({"document": text, "passage": text, "documents": texts}, ()),
        "submit": (
            {
                "ranked": texts, "answer": text, "citations": {"type": "array", "items": citation},
                "followed": text, "order": texts,
            },
            ("ranked", "answer", "citations"),
        ),
    }  # fmt: skip
    return offered(shapes, wording()["tools"], wording()["fields"])
