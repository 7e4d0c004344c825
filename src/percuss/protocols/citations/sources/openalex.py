"""OpenAlex: works by DOI or PMID, works by title."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from percuss.core.errors import FetchError
from percuss.protocols.citations.references.identifiers import normalise
from percuss.protocols.citations.references.names import parse_name
from percuss.protocols.citations.references.record import Known, Reference
from percuss.protocols.citations.references.status import Answer
from percuss.protocols.citations.sources.polite import Polite

__all__ = ["OPENALEX", "OpenAlex", "known_of_work"]

OPENALEX = "https://api.openalex.org"
_KINDS = {
    "article": "article",
    "preprint": "preprint",
    "book": "book",
    "book-chapter": "chapter",
    "dissertation": "thesis",
    "report": "report",
}


class OpenAlex:
    """Asks OpenAlex about references; it is an index, no registry: what it lacks may well exist."""

    name = "openalex"

    def __init__(self, polite: Polite, base_url: str = OPENALEX) -> None:
        self._polite = polite
        self._base = base_url

    async def ask(self, cited: Reference) -> tuple[Answer, ...]:
        """Answer about one reference."""
        answers = []
        for kind in ("doi", "pmid", "pmcid"):
            if cited.ids.get(kind):
                answers.append(await self._by_id(kind, cited.ids[kind]))
                if answers[-1].state == "found":
                    return tuple(answers)
        if cited.title:
            answers.append(await self._search(cited.title))
        return tuple(answers)

    async def _by_id(self, kind: str, value: str) -> Answer:
        try:
            status, body = await self._polite.json(
                self.name, self._base, f"/works/{kind}:{quote(value, safe='/')}", **self._mail()
            )
        except FetchError as error:
            return Answer(source=self.name, by=kind, state="failed", failure=error.kind)
        if status != 200 or not isinstance(body, dict):
            return Answer(source=self.name, by=kind, state="absent")
        return Answer(source=self.name, by=kind, state="found", records=(known_of_work(body),))

    async def _search(self, title: str) -> Answer:
        asked = " ".join(title.replace(",", " ").split())[:300]
        try:
            _, body = await self._polite.json(
                self.name, self._base, "/works", **{"search": asked, "per-page": "5", **self._mail()}
            )
        except FetchError as error:
            return Answer(source=self.name, by="search", state="failed", failure=error.kind)
        rows = (body or {}).get("results") or []
        records = tuple(known_of_work(row) for row in rows[:5] if isinstance(row, dict))
        return Answer(source=self.name, by="search", state="found" if records else "absent", records=records)

    def _mail(self) -> dict[str, str]:
        return {"mailto": self._polite.mail} if self._polite.mail else {}


def known_of_work(row: Mapping[str, Any]) -> Known:
    """Make a record of a work of OpenAlex's."""
    place = (row.get("primary_location") or {}).get("source") or {}
    biblio = row.get("biblio") or {}
    held = {**(row.get("ids") or {}), **({"doi": row["doi"]} if row.get("doi") else {})}
    ids = {kind: normalise(kind, str(held[kind])) for kind in ("doi", "pmid", "pmcid") if held.get(kind)}
    first, last = biblio.get("first_page") or "", biblio.get("last_page") or ""
    names = [
        str((each.get("author") or {}).get("display_name") or "") for each in row.get("authorships") or ()
    ]
    year = row.get("publication_year")
    return Known(
        reference=Reference(
            title=str(row.get("display_name") or row.get("title") or ""),
            authors=tuple(parse_name(name) for name in names if name),
            year=year if isinstance(year, int) else None,
            container=str(place.get("display_name") or ""),
            volume=str(biblio.get("volume") or ""),
            issue=str(biblio.get("issue") or ""),
            pages=f"{first}-{last}" if first and last else str(first),
            kind=_KINDS.get(str(row.get("type") or ""), "other"),
            ids=ids,
        ),
        source="openalex",
        state="retracted" if row.get("is_retracted") else "",
        notice="OpenAlex: is_retracted" if row.get("is_retracted") else "",
        whole=len(names) < 100,  # OpenAlex cuts author lists at one hundred
        text=_abstract(row.get("abstract_inverted_index") or {}),
    )


def _abstract(index: Mapping[str, Any]) -> str:
    """Put an inverted index (word -> places) back into order."""
    places = [
        (place, word) for word, held in index.items() if isinstance(held, list) for place in held[:1000]
    ]
    return " ".join(word for _, word in sorted(places)[:5000])
