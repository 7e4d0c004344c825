"""Crossref's REST API: works by DOI, works by bibliographic string, retractions by its update notices."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from percuss.core.errors import FetchError
from percuss.evidence.literature import CROSSREF, matching, plain_abstract, works_of
from percuss.protocols.citations.references.csl import from_csl
from percuss.protocols.citations.references.record import Known, Reference
from percuss.protocols.citations.references.status import Answer
from percuss.protocols.citations.sources.polite import Polite

__all__ = ["CROSSREF", "Crossref", "known_of_item"]

_STATES = {
    "retraction": "retracted", "removal": "retracted", "withdrawal": "retracted", "partial_retraction": "retracted",
    "correction": "corrected", "corrigendum": "corrected", "erratum": "corrected", "addendum": "corrected",
    "expression_of_concern": "concern", "new_version": "superseded", "new_edition": "superseded",
}  # fmt: skip
_ORDER = ("retracted", "concern", "superseded", "corrected")


class Crossref:
    """Asks Crossref about references.

    Args:
        polite: the client. base_url: of the API; a mirror or a test's server.
    """

    name = "crossref"

    def __init__(self, polite: Polite, base_url: str = CROSSREF) -> None:
        self._polite = polite
        self._base = base_url

    async def ask(self, cited: Reference) -> tuple[Answer, ...]:
        """Answer about one reference: its DOI first, then its string where the DOI didn't settle it."""
        answers = []
        doi = cited.ids.get("doi")
        if doi:
            answers.append(await self._by_doi(doi))
            if answers[0].state == "found":
                return tuple(answers)
        if cited.title or cited.raw:
            answers.append(await self._search(cited))
        return tuple(answers)

    async def _by_doi(self, doi: str) -> Answer:
        try:
            status, body = await self._polite.json(
                self.name, self._base, f"/works/{quote(doi, safe='')}", **self._mail()
            )
            if status == 200:
                known = known_of_item(body.get("message") or {})
                return Answer(source=self.name, by="doi", state="found", records=(known,))
            status, _ = await self._polite.json(
                self.name, self._base, f"/works/{quote(doi, safe='')}/agency", **self._mail()
            )
        except FetchError as error:
            return Answer(source=self.name, by="doi", state="failed", failure=error.kind)
        # Another agency's DOI is no work of Crossref's, but it is registered.
        return Answer(source=self.name, by="doi", state="absent", authority=status == 404)

    async def _search(self, cited: Reference) -> Answer:
        try:
            _, body = await self._polite.json(
                self.name, self._base, "/works", **matching(cited.raw or cited.title, k=5), **self._mail()
            )
        except FetchError as error:
            return Answer(source=self.name, by="search", state="failed", failure=error.kind)
        records = tuple(known_of_item(item) for item in works_of(body, k=5))
        return Answer(source=self.name, by="search", state="found" if records else "absent", records=records)

    def _mail(self) -> dict[str, str]:
        return {"mailto": self._polite.mail} if self._polite.mail else {}


def known_of_item(item: Mapping[str, Any]) -> Known:
    """Make a record of a work of Crossref's."""
    reference = from_csl(item)
    years = {
        parts[0][0]
        for name in ("published-print", "published-online", "issued", "published")
        if (parts := (item.get(name) or {}).get("date-parts")) and parts[0] and parts[0][0]
    }
    updates = [
        str(each.get("type") or "").replace("-", "_")
        for each in item.get("updated-by") or ()
        if isinstance(each, dict)
    ]
    states = {_STATES[each] for each in updates if each in _STATES}
    if reference.title.upper().startswith(("RETRACTED:", "RETRACTED ARTICLE:")):
        states.add("retracted")
        reference = Reference(**{**_as_dict(reference), "title": reference.title.partition(":")[2].strip()})
    state = next((each for each in _ORDER if each in states), "")
    subtitle = next(iter(item.get("subtitle") or ()), "")
    if subtitle and subtitle not in reference.title:
        reference = Reference(**{**_as_dict(reference), "title": f"{reference.title}: {subtitle}"})
    relations = item.get("relation") or {}
    versions = tuple(
        str(each.get("id") or "").lower()
        for name in ("has-preprint", "is-preprint-of", "is-version-of", "has-version")
        for each in relations.get(name) or ()
        if isinstance(each, dict)
    )
    return Known(
        reference=reference,
        source="crossref",
        state=state,  # type: ignore[arg-type]
        notice=f"Crossref: {', '.join(updates) or 'marked in its title'}" if state else "",
        years=tuple(sorted(years - {reference.year})),
        versions=versions,
        text=plain_abstract(item),
    )


def _as_dict(reference: Reference) -> dict[str, Any]:
    return {name: getattr(reference, name) for name in reference.__struct_fields__}
