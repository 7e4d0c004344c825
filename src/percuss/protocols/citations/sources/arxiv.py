"""arXiv's API: preprints by id and by title."""

import re
from typing import Any

from percuss.core.errors import FetchError
from percuss.core.extras import needed
from percuss.protocols.citations.references.identifiers import normalise
from percuss.protocols.citations.references.identity import with_derived
from percuss.protocols.citations.references.names import parse_name
from percuss.protocols.citations.references.record import Known, Reference
from percuss.protocols.citations.references.status import Answer
from percuss.protocols.citations.sources.polite import Polite

__all__ = ["ARXIV", "Arxiv"]

ARXIV = "https://export.arxiv.org/api"
_ATOM = "{http://www.w3.org/2005/Atom}"
_OURS = "{http://arxiv.org/schemas/atom}"


class Arxiv:
    """Asks arXiv about references; it is the authority for its ids."""

    name = "arxiv"

    def __init__(self, polite: Polite, base_url: str = ARXIV) -> None:
        self._polite = polite
        self._base = base_url

    async def ask(self, cited: Reference) -> tuple[Answer, ...]:
        """Answer about one reference; none where it has neither an arXiv id nor a title."""
        number = with_derived(cited.ids).get("arxiv")
        by = "arxiv" if number else "search"
        if not number and not cited.title:
            return ()
        words = " ".join(re.findall(r"\w+", cited.title))[:300]
        query = {"id_list": number} if number else {"search_query": f'ti:"{words}"', "max_results": "5"}
        try:
            status, body = await self._polite.raw(self.name, self._base, "/query", query)
        except FetchError as error:
            return (Answer(source=self.name, by=by, state="failed", failure=error.kind),)
        records = _entries(body) if status == 200 else ()
        state = "found" if records else "absent"
        authority = bool(number) and not records
        return (Answer(source=self.name, by=by, state=state, records=records, authority=authority),)  # type: ignore[arg-type]


def _entries(body: bytes) -> tuple[Known, ...]:
    etree = needed("lxml.etree", "reading arXiv's answers")
    try:
        root = etree.fromstring(
            body, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        )
    except etree.XMLSyntaxError:
        return ()
    return tuple(known for entry in root.iter(f"{_ATOM}entry") if (known := _known(entry)) is not None)


def _known(entry: Any) -> Known | None:
    address = entry.findtext(f"{_ATOM}id") or ""
    title = " ".join((entry.findtext(f"{_ATOM}title") or "").split())
    match = re.search(r"arxiv\.org/abs/(.+)$", address)
    if not match or title == "Error":
        return None
    doi = normalise("doi", entry.findtext(f"{_OURS}doi") or "")
    venue = " ".join((entry.findtext(f"{_OURS}journal_ref") or "").split())
    year = (entry.findtext(f"{_ATOM}published") or "")[:4]
    later = (entry.findtext(f"{_ATOM}updated") or "")[:4]
    withdrawn = "withdrawn" in (entry.findtext(f"{_OURS}comment") or "").lower()
    ids = {"arxiv": normalise("arxiv", match[1])}
    return Known(
        reference=Reference(
            title=title,
            authors=tuple(parse_name(name.text or "") for name in entry.iter(f"{_ATOM}name")),
            year=int(year) if year.isdigit() else None,
            container="" if venue else "arXiv",
            kind="preprint",
            ids=ids | ({"doi": doi} if doi else {}),
        ),
        source="arxiv",
        state="retracted" if withdrawn else "",
        notice="arXiv: withdrawn" if withdrawn else "",
        years=(int(later),) if later.isdigit() and later != year else (),
    )
