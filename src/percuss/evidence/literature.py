"""Literature: a small offline index of topic notes of ours, and searches of PubMed (E-utilities) and Crossref (REST)."""

import asyncio
import os
import re
import time
from collections.abc import Mapping
from importlib import resources
from typing import Any
from urllib.parse import urlencode

import msgspec

from percuss.core.errors import FetchError, UsageError
from percuss.core.ports import Hit, Search
from percuss.evidence.search import Corpus, together
from percuss.net.client import Client, NetError

__all__ = [
    "CROSSREF", "EUTILS", "Crossref", "PubMed", "Registries", "addresses", "matching", "plain_abstract", "topics", "works_of",
]  # fmt: skip

EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
CROSSREF = "https://api.crossref.org"
CROSSREF_INTERVAL_S = 0.2
"""Seconds between calls of Crossref's REST API, five a second (definitions/citations, "Audit", acceptance)."""
_MOST_ASKED = 600
INTERVAL_S = 0.34
"""Seconds between calls without a key: NCBI allows three a second (E-utilities usage guidelines); with one, ten."""
INTERVAL_KEYED_S = 0.1
_LONGEST_ABSTRACT = 4000
_BLANKS = re.compile(r"\n{2,}")
_MARKUP = re.compile(r"</?jats:[^<>]{0,80}>|</?[a-z]{1,12}>")


def topics() -> Corpus:
    """Return the offline index: short notes on immunotherapy of lung cancer, written for this package.

    A note names no paper: it says what is broadly agreed, so that a search tool has something to give without a network
    and nothing is attributed to a publication that doesn't say it. Ids are `topic:<name>`, never a PMID.
    """
    raw = resources.files("percuss.evidence").joinpath("data/topics.jsonl").read_bytes()
    return Corpus(msgspec.json.Decoder(Hit).decode_lines(raw), name="topics")


class PubMed:
    """A search of PubMed by its E-utilities: esearch for ids, esummary for titles, efetch for abstracts.

    Args:
        client: of the run, so that hosts are counted and `--offline` holds.
        base_url: of the E-utilities; a test's loopback server or a mirror.
        api_key: NCBI's; None = at most three calls a second.
        tool, email: how NCBI asks clients to name themselves; an empty e-mail is not sent.
    """

    id = "pubmed"

    def __init__(
        self,
        client: Client,
        *,
        base_url: str = EUTILS,
        api_key: str | None = None,
        tool: str = "percuss",
        email: str = "",
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._named = {"db": "pubmed", "tool": tool}
        self._named |= {"email": email} if email else {}
        self._key = {"api_key": api_key} if api_key else {}
        self._paced = _Paced(client, INTERVAL_KEYED_S if api_key else INTERVAL_S)

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """Return at most k records in PubMed's order of relevance.

        Raises:
            FetchError: no answer, a status other than 200, or an answer that is not what E-utilities send.
        """
        found = await self._json("esearch", term=query, retmax=str(k), sort="relevance", retmode="json")
        ids = _at(found, "esearchresult", "idlist")
        if not isinstance(ids, list) or not all(isinstance(each, str) and each.isdigit() for each in ids):
            raise FetchError("PubMed's esearch answered without a list of ids; try again later")
        if not ids:
            return ()
        summary = await self._json("esummary", id=",".join(ids[:k]), retmode="json")
        records = _at(summary, "result")
        hits = []
        for rank, pmid in enumerate(ids[:k]):
            record = records.get(pmid) if isinstance(records, dict) else None
            if not isinstance(record, dict) or "error" in record:
                continue
            hits.append(await self._hit(pmid, record, score=1 / (1 + rank)))
        return tuple(hits)

    async def _hit(self, pmid: str, record: dict[str, Any], *, score: float) -> Hit:
        body = await self._get("efetch", id=pmid, rettype="abstract", retmode="text")
        abstract = _abstract(body.decode("utf-8", errors="replace"))
        place = ", ".join(str(record[key]) for key in ("source", "pubdate") if record.get(key))
        return Hit(
            id=f"pmid:{pmid}",
            title=str(record.get("title", "")),
            text="\n".join(part for part in (place, abstract) if part),
            url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
            score=score,
        )

    async def _json(self, call: str, **fields: str) -> Any:
        body = await self._get(call, **fields)
        try:
            return msgspec.json.decode(body)
        except msgspec.DecodeError:
            raise FetchError(
                f"PubMed's {call} answered with something that is no JSON; try again later"
            ) from None

    async def _get(self, call: str, **fields: str) -> bytes:
        url = f"{self._base_url}/{call}.fcgi?{urlencode({**self._named, **fields, **self._key})}"
        return await self._paced.get(url, f"PubMed's {call}")


class _Paced:
    """Requests to one registry, one at a time and at its pace.

    Args:
        client: of the run. interval_s: seconds between requests.
    """

    def __init__(self, client: Client, interval_s: float) -> None:
        self._client = client
        self._interval_s = interval_s
        self._next = 0.0
        self._turn = asyncio.Lock()

    async def get(self, url: str, who: str) -> bytes:
        """Return the body of an answer; `who` is named where there is none."""
        async with self._turn:
            await asyncio.sleep(max(0.0, self._next - time.monotonic()))
            try:
                answer = await self._client.get(url)
            except NetError as error:
                raise FetchError(f"{who} could not be asked: {error}") from None
            finally:
                self._next = time.monotonic() + self._interval_s
        if answer.status != 200:
            raise FetchError(f"{who} answered with status {answer.status}; try again later")
        return answer.body


class Crossref:
    """A search of Crossref by bibliographic words; abstracts stand there for a part of the works.

    Args:
        client: of the run, so that hosts are counted and `--offline` holds.
        base_url: of the REST API; a test's loopback server or a mirror.
        email: how Crossref asks clients to name themselves; an empty one is not sent.
    """

    id = "crossref"

    def __init__(self, client: Client, *, base_url: str = CROSSREF, email: str = "") -> None:
        self._base_url = base_url.rstrip("/")
        self._mail = {"mailto": email} if email else {}
        self._paced = _Paced(client, CROSSREF_INTERVAL_S)

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """Return at most k works with a DOI, in Crossref's order of relevance.

        Raises:
            FetchError: no answer, a status other than 200, or an answer that is no JSON.
        """
        body = await self._paced.get(
            f"{self._base_url}/works?{urlencode({**matching(query, k=k), **self._mail})}", "Crossref"
        )
        try:
            found = msgspec.json.decode(body)
        except msgspec.DecodeError:
            raise FetchError("Crossref answered with something that is no JSON; try again later") from None
        works = [work for work in works_of(found, k=k) if isinstance(work.get("DOI"), str)]
        return tuple(_work(work, score=1 / (1 + rank)) for rank, work in enumerate(works))


def matching(words: str, *, k: int) -> dict[str, str]:
    """Return what Crossref is asked for k works that match `words`."""
    return {"query.bibliographic": " ".join(words.split())[:_MOST_ASKED], "rows": str(k)}


def works_of(body: Any, *, k: int) -> list[dict[str, Any]]:
    """Return at most k works of what Crossref answered, whatever `body` is."""
    items = _at(body, "message", "items")
    return [item for item in items[:k] if isinstance(item, dict)] if isinstance(items, list) else []


def plain_abstract(work: Mapping[str, Any]) -> str:
    """Return the abstract of a `work` of Crossref's without its markup; "" where there is none."""
    return " ".join(_MARKUP.sub(" ", str(work.get("abstract") or "")).split())


def _work(work: Mapping[str, Any], *, score: float) -> Hit:
    dates = (
        _at(work, name, "date-parts")
        for name in ("published-print", "published-online", "issued", "published")
    )
    year = next((each[0][0] for each in dates if each and each[0] and each[0][0]), "")
    notices = work.get("updated-by")
    kinds = {str(_at(each, "type")) for each in notices} if isinstance(notices, list) else set()
    title = str(next(iter(work.get("title") or ()), ""))
    flag = (
        "RETRACTED: "
        if kinds & {"retraction", "removal", "withdrawal"} and not title.startswith("RETRACTED")
        else ""
    )
    place = ", ".join(str(part) for part in (next(iter(work.get("container-title") or ()), ""), year) if part)
    text = "\n".join(part for part in (place, plain_abstract(work)[:_LONGEST_ABSTRACT]) if part)
    return Hit(
        id=f"doi:{work['DOI']}",
        title=flag + title,
        text=text,
        url=f"https://doi.org/{work['DOI']}",
        score=score,
    )


def addresses(text: str) -> dict[str, str]:
    """Return name -> address of the registries that a comma list names; `<NAME>_BASE_URL` in the environment names another one.

    Args:
        text: pubmed, crossref or both.

    Raises:
        UsageError: a name that is none.
    """
    known = {"pubmed": EUTILS, "crossref": CROSSREF}
    names = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    strange = [name for name in names if name not in known]
    if strange or not names:
        raise UsageError(
            f"got the search {(strange or [text])[0]!r}; expected topics (offline), or some of {', '.join(known)}"
        )
    return {name: os.environ.get(f"{name.upper()}_BASE_URL") or known[name] for name in names}


class Registries:
    """PubMed, Crossref or both as one search.

    Args:
        text: as `addresses` takes it. client: of the run.

    Raises:
        UsageError: a name that is none.
    """

    def __init__(self, text: str, client: Client) -> None:
        mail, made = os.environ.get("PERCUSS_MAIL", ""), list[Search]()
        for name, base in addresses(text).items():
            kind = PubMed if name == "pubmed" else Crossref
            made.append(kind(client, base_url=base, email=mail))
        self.id = ",".join(each.id for each in made)
        self._searches = tuple(made)

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """Return at most k records of all, in turn.

        Raises:
            FetchError: none of them answered.
        """
        return await together(self._searches, query, k=k)


def _at(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _abstract(text: str) -> str:
    """Return the longest block of efetch's text: citation, title, authors and notes are shorter than the abstract."""
    blocks = _BLANKS.split(text.replace("\r\n", "\n").strip())
    longest = max(blocks, key=len, default="")
    return " ".join(longest.split())[:_LONGEST_ABSTRACT]
