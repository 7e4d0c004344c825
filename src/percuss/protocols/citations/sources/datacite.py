"""DataCite: DOIs of data sets, preprints and reports."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from percuss.core.errors import FetchError
from percuss.protocols.citations.references.identifiers import normalise
from percuss.protocols.citations.references.names import parse_name
from percuss.protocols.citations.references.record import Known, Name, Reference
from percuss.protocols.citations.references.status import Answer
from percuss.protocols.citations.sources.polite import Polite

__all__ = ["DATACITE", "DataCite"]

DATACITE = "https://api.datacite.org"


class DataCite:
    """Asks DataCite about the DOI of a reference; what it lacks may be Crossref's."""

    name = "datacite"

    def __init__(self, polite: Polite, base_url: str = DATACITE) -> None:
        self._polite = polite
        self._base = base_url

    async def ask(self, cited: Reference) -> tuple[Answer, ...]:
        """Answer about one reference; none without a DOI."""
        doi = cited.ids.get("doi")
        if not doi:
            return ()
        try:
            status, body = await self._polite.json(self.name, self._base, f"/dois/{quote(doi, safe='')}")
        except FetchError as error:
            return (Answer(source=self.name, by="doi", state="failed", failure=error.kind),)
        attributes = ((body or {}).get("data") or {}).get("attributes") if status == 200 else None
        if not attributes:
            return (Answer(source=self.name, by="doi", state="absent"),)
        return (Answer(source=self.name, by="doi", state="found", records=(_known(attributes),)),)


def _known(attributes: Mapping[str, Any]) -> Known:
    titles = [str(each.get("title") or "") for each in attributes.get("titles") or ()]
    container = attributes.get("container") or {}
    year = attributes.get("publicationYear")
    publisher = attributes.get("publisher") or ""
    return Known(
        reference=Reference(
            title=titles[0] if titles else "",
            authors=tuple(_name(each) for each in attributes.get("creators") or ()),
            year=int(year) if year is not None and str(year).isdigit() else None,
            container=str(container.get("title") or (publisher if str(publisher) == "arXiv" else "")),
            publisher=str(publisher.get("name") if isinstance(publisher, dict) else publisher),
            ids={"doi": normalise("doi", str(attributes.get("doi") or ""))},
        ),
        source="datacite",
    )


def _name(each: Mapping[str, Any]) -> Name:
    if each.get("nameType") == "Organizational":
        return Name(family=str(each.get("name") or ""), literal=True)
    if each.get("familyName"):
        return Name(family=str(each["familyName"]), given=str(each.get("givenName") or ""))
    return parse_name(str(each.get("name") or ""))
