"""PubMed's E-utilities: records by PMID, by DOI and by title, with their abstracts and what is said of them since."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from percuss.core.errors import FetchError
from percuss.core.extras import needed
from percuss.protocols.citations.references.identifiers import normalise
from percuss.protocols.citations.references.names import parse_name
from percuss.protocols.citations.references.record import Known, Name, Reference
from percuss.protocols.citations.references.status import Answer
from percuss.protocols.citations.sources.polite import Polite

__all__ = ["EUTILS", "PubMed", "articles", "known_of_summary"]

EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
_SAID_IN = {
    "RetractionIn": "retracted", "RetractedandRepublishedIn": "retracted", "PartialRetractionIn": "retracted",
    "ExpressionOfConcernIn": "concern", "UpdateIn": "superseded", "ErratumIn": "corrected", "CorrectedandRepublishedIn": "corrected",
}  # fmt: skip
"""`RefType` of a notice about an article -> the article's state; the gravest counts, in this order."""


class PubMed:
    """Asks PubMed about references; it is the authority for PMIDs and for nothing else."""

    name = "pubmed"

    def __init__(self, polite: Polite, base_url: str = EUTILS, *, api_key: str = "") -> None:
        self._polite = polite
        self._base = base_url
        self._named = {"db": "pubmed", "retmode": "json", "tool": "percuss"}
        self._named |= {"email": polite.mail} if polite.mail else {}
        self._named |= {"api_key": api_key} if api_key else {}

    async def ask(self, cited: Reference) -> tuple[Answer, ...]:
        """Answer about one reference."""
        answers = []
        try:
            if cited.ids.get("pmid"):
                records = await self._whole(await self._summaries([cited.ids["pmid"]]))
                state = "found" if records else "absent"
                answers.append(
                    Answer(source=self.name, by="pmid", state=state, records=records, authority=not records)  # type: ignore[arg-type]
                )
                if records:
                    return tuple(answers)
            if cited.ids.get("doi"):
                records = await self._whole(await self._found(f'"{cited.ids["doi"]}"[aid]'))
                if records:
                    return (*answers, Answer(source=self.name, by="doi", state="found", records=records))
            if cited.ids.get("pmcid"):
                records = await self._whole(await self._of_pmc(cited.ids["pmcid"]))
                if records:
                    return (*answers, Answer(source=self.name, by="pmcid", state="found", records=records))
            if cited.title:
                words = " ".join(re.findall(r"[\w-]+", cited.title))[:300]
                records = await self._found(f"{words}[ti]")
                answers.append(
                    Answer(
                        source=self.name, by="search", state="found" if records else "absent", records=records
                    )
                )
        except FetchError as error:
            by = "pmid" if cited.ids.get("pmid") and not answers else "search"
            answers.append(Answer(source=self.name, by=by, state="failed", failure=error.kind))
        return tuple(answers)

    async def _of_pmc(self, pmcid: str) -> tuple[Known, ...]:
        """Return the record of an article of PubMed Central; a search by its number finds others too, which are left out."""
        return tuple(each for each in await self._found(pmcid) if each.reference.ids.get("pmcid") == pmcid)

    async def _found(self, term: str) -> tuple[Known, ...]:
        _, body = await self._polite.json(
            self.name, self._base, "/esearch.fcgi", term=term, retmax="5", **self._named
        )
        ids = ((body or {}).get("esearchresult") or {}).get("idlist") or []
        return await self._summaries([str(each) for each in ids[:5]]) if ids else ()

    async def _summaries(self, pmids: list[str]) -> tuple[Known, ...]:
        _, body = await self._polite.json(
            self.name, self._base, "/esummary.fcgi", id=",".join(pmids), **self._named
        )
        result = (body or {}).get("result") or {}
        rows = [result.get(pmid) for pmid in pmids]
        return tuple(known_of_summary(row) for row in rows if isinstance(row, dict) and "error" not in row)

    async def _whole(self, records: Sequence[Known]) -> tuple[Known, ...]:
        """Return identified records with their abstracts and notices; as they are where PubMed doesn't give these."""
        pmids = [each.reference.ids.get("pmid", "") for each in records]
        query = {**self._named, "retmode": "xml", "id": ",".join(pmids)}
        try:
            status, body = (
                await self._polite.raw(self.name, self._base, "/efetch.fcgi", query) if pmids else (0, b"")
            )
        except FetchError:
            return tuple(records)
        held = articles(body) if status == 200 else {}
        return tuple(
            _with(each, *held[pmid]) if pmid in held else each
            for each, pmid in zip(records, pmids, strict=True)
        )


def _with(known: Known, abstract: str, state: str, notice: str) -> Known:
    if known.state or not state:  # what the summary says already stands
        return structs.replace(known, text=abstract)
    return structs.replace(known, text=abstract, state=state, notice=notice)


def articles(body: bytes) -> dict[str, tuple[str, str, str]]:
    """Return PMID -> (abstract, state, notice) of an answer of `efetch` in XML; {} where it is none.

    Args:
        body: `PubmedArticleSet` as sent; entities are not resolved and nothing is loaded.
    """
    etree = needed("lxml.etree", "reading PubMed's answers")
    try:
        root = etree.fromstring(
            body, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        )
    except etree.XMLSyntaxError:
        return {}
    found = {}
    for each in root.iter("MedlineCitation"):
        notices = [
            (row.get("RefType"), row.findtext("RefSource") or "") for row in each.iter("CommentsCorrections")
        ]
        kind, source = next(((k, said) for k in _SAID_IN for name, said in notices if name == k), ("", ""))
        notice = f"PubMed: {re.sub(r'(?<=[a-z])(?=[A-Z])', ' ', kind)} {source}".strip() if kind else ""
        parts = (
            (row.get("Label") or "", " ".join("".join(row.itertext()).split()))
            for row in each.iterfind("Article/Abstract/AbstractText")
        )
        abstract = " ".join(f"{label}: {text}" if label else text for label, text in parts)
        found[each.findtext("PMID") or ""] = (abstract, _SAID_IN.get(kind, ""), notice)
    return found


def known_of_summary(row: Mapping[str, Any]) -> Known:
    """Make a record of an E-utilities summary."""
    ids = {"pmid": normalise("pmid", str(row.get("uid") or ""))}
    for each in row.get("articleids") or ():
        kind = {"doi": "doi", "pmc": "pmcid", "pmcid": "pmcid"}.get(str(each.get("idtype")))
        if kind and each.get("value"):
            ids[kind] = normalise(kind, str(each["value"]))
    years = [
        int(match[0])
        for field in ("pubdate", "epubdate")
        if (match := re.match(r"\d{4}", str(row.get(field) or "")))
    ]
    kinds = {str(each) for each in row.get("pubtype") or ()}
    retracted = "Retracted Publication" in kinds
    return Known(
        reference=Reference(
            title=str(row.get("title") or "").removesuffix("."),
            authors=tuple(_name(each) for each in row.get("authors") or () if isinstance(each, dict)),
            year=years[0] if years else None,
            container=str(row.get("fulljournalname") or row.get("source") or ""),
            volume=str(row.get("volume") or ""),
            issue=str(row.get("issue") or ""),
            pages=str(row.get("pages") or ""),
            kind="article",
            ids={kind: value for kind, value in ids.items() if value},
        ),
        source="pubmed",
        state="retracted" if retracted else "",
        notice="PubMed: Retracted Publication" if retracted else "",
        years=tuple(years[1:]),
    )


def _name(each: Mapping[str, Any]) -> Name:
    written = str(each.get("name") or "")
    if each.get("authtype") == "CollectiveName":
        return Name(family=written, literal=True)
    return parse_name(written)
