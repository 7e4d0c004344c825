"""A local authority: records in memory, found by identifier, by title, and by author and year."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.extras import needed
from percuss.protocols.citations.references.bibtex import from_fields, read_bibtex
from percuss.protocols.citations.references.csl import from_csl, read_csl
from percuss.protocols.citations.references.identity import with_derived
from percuss.protocols.citations.references.names import surname
from percuss.protocols.citations.references.record import IDENTIFIERS, Known, Reference
from percuss.protocols.citations.references.status import Answer
from percuss.protocols.citations.references.tagged import read_nbib, read_ris
from percuss.protocols.citations.references.titles import ratio, title_words

__all__ = ["Library", "read_library"]

_WEAK_FLOOR = 0.6
_STATES = {"retracted", "superseded", "corrected", "concern"}


class Library:
    """Records of a local authority.

    Args:
        records: what it holds. complete: it holds every record there is, so that what it lacks doesn't exist.
        name: how notes call it.
    """

    def __init__(self, records: Iterable[Known], *, complete: bool = False, name: str = "library") -> None:
        self.records = tuple(records)
        self.complete = complete
        self.name = name
        self._by_id: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._by_title: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._by_author: dict[tuple[str, int | None], list[int]] = defaultdict(list)
        for number, known in enumerate(self.records):
            self._index(number, known.reference)
        self._registrants = Counter(
            known.reference.ids["doi"].partition("/")[0]
            for known in self.records
            if known.reference.ids.get("doi")
        )

    def __len__(self) -> int:
        return len(self.records)

    def _index(self, number: int, reference: Reference) -> None:
        for kind, value in with_derived(reference.ids).items():
            if kind in IDENTIFIERS:
                self._by_id[kind, value].append(number)
        words = title_words(reference.title)
        self._by_title["".join(words)].append(number)
        for word in set(words):
            self._by_word[word].append(number)
        if reference.authors:
            self._by_author[surname(reference.authors[0]), reference.year].append(number)

    def ask(self, cited: Reference) -> tuple[Answer, ...]:
        """Answer about one reference: one answer per identifier that decides something, one for the search."""
        answers = []
        ids = with_derived(cited.ids)
        for kind in ("doi", "pmid", "pmcid", "arxiv", "isbn", "pel", "legal", "url"):
            numbers = self._by_id.get((kind, ids.get(kind, "")), ())
            if numbers:
                records = tuple(self.records[number] for number in numbers[:3])
                answers.append(Answer(source=self.name, by=kind, state="found", records=records))
            elif ids.get(kind) and self.complete and kind not in {"url", "isbn"}:
                answers.append(Answer(source=self.name, by=kind, state="absent", authority=True))
        found = tuple(self.records[number] for number in self.search(cited))
        answers.append(
            Answer(
                source=self.name,
                by="search",
                state="found" if found else "absent",
                records=found,
                authority=self.complete and not found,
            )
        )
        return tuple(answers)

    def search(self, cited: Reference, *, k: int = 5) -> list[int]:
        """Return the numbers of records that may be a reference, best first."""
        if not cited.title:
            if not cited.authors or cited.year is None:
                return []
            return self._by_author.get((surname(cited.authors[0]), cited.year), [])[:k]
        words = title_words(cited.title)
        exact = self._by_title.get("".join(words), [])
        if exact:
            return exact[:k]
        shared: Counter[int] = Counter()
        rare = sorted(
            {word for word in words if word in self._by_word}, key=lambda word: len(self._by_word[word])
        )
        for word in rare[:6]:
            weight = 1 + 50 // len(self._by_word[word])
            for number in self._by_word[word][:500]:
                shared[number] += weight
        for number in (
            self._by_author.get((surname(cited.authors[0]), cited.year), []) if cited.authors else ()
        ):
            shared[number] += 5
        scored = [
            (ratio(cited.title, self.records[number].reference.title), number)
            for number, _ in shared.most_common(25)
        ]
        return [number for score, number in sorted(scored, reverse=True) if score >= _WEAK_FLOOR][:k]

    def strange_registrant(self, doi: str) -> bool:
        """Say whether no record has a DOI of the same registrant, though 50 records or more have DOIs of several."""
        known = self._registrants
        return known.total() >= 50 and len(known) >= 4 and doi.partition("/")[0] not in known


def read_library(path: str | Path, *, complete: bool = False) -> Library:
    """Read a local authority: a .bib, .ris, .nbib, CSL-JSON, JSONL or Parquet file, or a folder of such files.

    Args:
        path: file or folder. complete: it holds every record there is.

    Raises:
        BadInput: no file, or one of another kind.
    """
    where = Path(path)
    if not where.exists():
        raise BadInput("is not there; expected a file or folder for --library", source=str(path))
    files = (
        sorted(each for each in where.rglob("*") if each.suffix.lower() in _READERS)
        if where.is_dir()
        else [where]
    )
    if not files:
        raise BadInput("holds no .bib, .ris, .nbib, .json, .jsonl or .parquet file", source=str(path))
    records = [known for file in files for known in _read(file)]
    return Library(records, complete=complete, name=where.stem)


def _read(path: Path) -> Iterator[Known]:
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise BadInput(
            "is no library; expected .bib, .ris, .nbib, .json, .jsonl or .parquet", source=str(path)
        )
    yield from reader(path)


def _entries(path: Path) -> Iterator[Known]:
    text = path.read_text(encoding="utf-8", errors="replace")
    read = {".bib": read_bibtex, ".ris": read_ris, ".nbib": read_nbib, ".json": read_csl}[path.suffix.lower()]
    for reference in read(text, path.name):
        yield Known(reference=reference)


def _lines(path: Path) -> Iterator[Known]:
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            reason = "nests without end" if isinstance(error, RecursionError) else f"is no JSON ({error})"
            raise BadInput(reason, source=path.name, line=number) from None
        if not isinstance(row, dict):
            raise BadInput(
                "is no object; expected {bibtex_type, fields} or a CSL item", source=path.name, line=number
            )
        yield known_of_row(row)


def known_of_row(row: Mapping[str, Any]) -> Known:
    """Make a record of one object: `{bibtex_type, fields}`, an item of CSL or Crossref, or a work of OpenAlex."""
    state = str(row.get("state") or "")
    if isinstance(row.get("fields"), dict):
        reference = from_fields(str(row.get("bibtex_type") or "misc"), row["fields"])
    elif "authorships" in row or "display_name" in row:
        from percuss.protocols.citations.sources.openalex import known_of_work

        return known_of_work(row)
    else:
        from percuss.protocols.citations.sources.crossref import known_of_item

        return (
            known_of_item(row)
            if "update-to" in row or "updated-by" in row
            else Known(reference=from_csl(row))
        )
    return Known(
        reference=reference,
        state=state if state in _STATES else "",  # type: ignore[arg-type]
        text=str(row.get("text") or row["fields"].get("abstract") or ""),
        text_whole=bool(row.get("text")),
    )


def _table(path: Path) -> Iterator[Known]:
    parquet = needed("pyarrow.parquet", "reading Parquet")
    for batch in parquet.ParquetFile(path).iter_batches():
        for row in batch.to_pylist():
            yield known_of_row({name: value for name, value in row.items() if value is not None})


_READERS = {
    ".bib": _entries,
    ".ris": _entries,
    ".nbib": _entries,
    ".json": _entries,
    ".jsonl": _lines,
    ".parquet": _table,
}
