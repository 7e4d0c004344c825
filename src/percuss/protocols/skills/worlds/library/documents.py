"""The documents of the knowledge base: read from Markdown, with the sentences that support an answer marked, copies made of some."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal

from percuss.core.seeds import generator
from percuss.core.strict import Record

__all__ = ["Document", "Kind", "Mark", "Passage", "Shelf", "Topic", "shelf"]

FOLDER = Path(__file__).parent / "documents"

Kind = Literal["current", "second", "copy", "outdated", "weak", "distractor", "steps"]
"""current: in force; second: another one that agrees with it; copy: of the current one, under another title; outdated: superseded;
weak: newer than the current one but an opinion; distractor: the same words about another matter; steps: passages out of order."""
Strength = Literal["guideline", "review", "trial", "note", "opinion"]

_HEAD = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n(.*)\Z", re.DOTALL)
_ENTRY = re.compile(
    r"^# (?P<id>PKB-\d{4}) (?P<title>[^\n]+)\nkind: (?P<kind>\w+)\ndate: (?P<date>\d{4}-\d\d)\nstrength: (?P<strength>\w+)\n"
    r"(?P<body>.*?)(?=^# |\Z)",
    re.MULTILINE | re.DOTALL,
)
_MARK = re.compile(r"\{(\w+): (.+?)\}")
COPIED = {
    "should not": "must not",
    "should": "ought to",
    "most": "the majority of",
    "is given": "is administered",
    "patients": "people",
    "patient": "person",
    "about": "roughly",
    "begins": "starts",
    "preferred": "favoured",
    "below": "under",
    "holds": "contains",
    "used": "employed",
    "looked": "viewed",
    "every": "each",
    "Put": "Lay",
    "fully": "completely",
}
"""Words that differ between a document and its copy."""


class Mark(Record):
    """A sentence that supports an answer.

    Args:
        name: within the topic; a copy's is the original's with `~copy`. document, passage: where it stands.
        start, stop: its place in the passage.
    """

    name: str
    document: str
    passage: str
    start: int
    stop: int


class Passage(Record):
    """A passage by its label within the document."""

    label: str
    text: str


class Document(Record):
    """A document with its passages in the order in which they are stored.

    Args:
        date: year and month. order: labels in the right order of reading.
    """

    id: str
    topic: str
    kind: Kind
    title: str
    date: str
    strength: Strength
    passages: tuple[Passage, ...]
    order: tuple[str, ...]

    def passage(self, label: str) -> Passage | None:
        """Return the passage with a `label`, or None."""
        return next((each for each in self.passages if each.label == label), None)


class Topic(Record):
    """A topic: what its tasks ask, by kind, and the documents it is about."""

    name: str
    head: dict[str, Any]
    documents: tuple[Document, ...]
    marks: dict[str, Mark]

    def of(self, kind: Kind) -> Document:
        """Return the topic's document of a `kind`."""
        return next(each for each in self.documents if each.kind == kind)


class Shelf(Record):
    """The whole knowledge base as one seed arranges it."""

    topics: tuple[Topic, ...]

    @property
    def documents(self) -> tuple[Document, ...]:
        """All documents by id."""
        return tuple(sorted((d for topic in self.topics for d in topic.documents), key=lambda d: d.id))

    def document(self, name: str) -> Document | None:
        """Return a document by its id (`name`), or None."""
        return next((each for topic in self.topics for each in topic.documents if each.id == name), None)


@cache
def shelf(seed: int) -> Shelf:
    """Return the knowledge base; the `seed` arranges the passages of documents whose passages are out of order."""
    return Shelf(topics=tuple(_topic(path, seed) for path in sorted(FOLDER.glob("*.md"))))


def _topic(path: Path, seed: int) -> Topic:
    matched = _HEAD.match(path.read_text(encoding="utf-8"))
    assert matched is not None, path
    marks: dict[str, Mark] = {}
    documents = []
    for entry in _ENTRY.finditer(matched[2]):
        fields = entry.groupdict()
        texts = [" ".join(each.split()) for each in fields.pop("body").strip().split("\n\n")]
        documents.append(_document(fields, path.stem, texts, seed, marks))
        if fields["kind"] == "current":
            documents.append(_copy(fields, path.stem, texts, marks))
    return Topic(name=path.stem, head=tomllib.loads(matched[1]), documents=tuple(documents), marks=marks)


def _document(
    fields: dict[str, str], topic: str, texts: list[str], seed: int, marks: dict[str, Mark], suffix: str = ""
) -> Document:
    """Make a document of its written passages and add its marks; the place of a passage gives its label."""
    places = list(range(len(texts)))
    if fields["kind"] == "steps":
        generator(seed, "passages", fields["id"]).shuffle(places)
        if places == sorted(places):
            places.reverse()
    labels = {written: f"p{stored + 1}" for stored, written in enumerate(places)}
    passages = {}
    for written, text in enumerate(texts):
        plain, found = _unmarked(text)
        passages[labels[written]] = plain
        for name, start, stop in found:
            key = name + suffix
            marks[key] = Mark(
                name=key, document=fields["id"], passage=labels[written], start=start, stop=stop
            )
    return Document(
        topic=topic,
        passages=tuple(Passage(label=f"p{n + 1}", text=passages[f"p{n + 1}"]) for n in range(len(texts))),
        order=tuple(labels[n] for n in range(len(texts))),
        **fields,  # type: ignore[arg-type]
    )


def _copy(fields: dict[str, str], topic: str, texts: list[str], marks: dict[str, Mark]) -> Document:
    """Make the near-duplicate of a document: another title, a later date, a few other words."""
    year, month = fields["date"].split("-")
    changed = {
        **fields,
        "id": fields["id"][:-1] + "9",
        "kind": "copy",
        "title": f"{fields['title']} (from the newsletter)",
        "date": f"{int(year) + 1}-{month}",
    }
    return _document(changed, topic, [_reworded(each) for each in texts], 0, marks, "~copy")


def _reworded(text: str) -> str:
    for plain, other in COPIED.items():
        text = re.sub(rf"\b{plain}\b", other, text)
    return text


def _unmarked(text: str) -> tuple[str, list[tuple[str, int, int]]]:
    """Return a passage without its braces, and what they mark."""
    out, found, at = "", [], 0
    for mark in _MARK.finditer(text):
        out += text[at : mark.start()]
        found.append((mark[1], len(out), len(out) + len(mark[2])))
        out += mark[2]
        at = mark.end()
    return out + text[at:], found
