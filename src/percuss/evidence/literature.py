"""Literature: a small offline index of topic notes of ours, and a client of PubMed's E-utilities."""

import asyncio
import re
import time
from importlib import resources
from typing import Any
from urllib.parse import urlencode

import msgspec

from percuss.core.errors import FetchError
from percuss.core.ports import Hit
from percuss.evidence.search import Corpus
from percuss.net.client import Client, NetError

__all__ = ["EUTILS", "PubMed", "topics"]

EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
INTERVAL_S = 0.34
"""Seconds between calls without a key: NCBI allows three a second (E-utilities usage guidelines); with one, ten."""
INTERVAL_KEYED_S = 0.1
_LONGEST_ABSTRACT = 4000
_BLANKS = re.compile(r"\n{2,}")


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
        self._client = client
        self._base_url = base_url.rstrip("/")
        self._named = {"db": "pubmed", "tool": tool}
        self._named |= {"email": email} if email else {}
        self._key = {"api_key": api_key} if api_key else {}
        self._interval_s = INTERVAL_KEYED_S if api_key else INTERVAL_S
        self._next = 0.0
        self._turn = asyncio.Lock()

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
        async with self._turn:  # one at a time, at NCBI's pace
            await asyncio.sleep(max(0.0, self._next - time.monotonic()))
            try:
                answer = await self._client.get(url)
            except NetError as error:
                raise FetchError(f"PubMed could not be asked: {error}") from None
            finally:
                self._next = time.monotonic() + self._interval_s
        if answer.status != 200:
            raise FetchError(f"PubMed's {call} answered with status {answer.status}; try again later")
        return answer.body


def _at(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _abstract(text: str) -> str:
    """Return the longest block of efetch's text: citation, title, authors and notes are shorter than the abstract."""
    blocks = _BLANKS.split(text.replace("\r\n", "\n").strip())
    longest = max(blocks, key=len, default="")
    return " ".join(longest.split())[:_LONGEST_ABSTRACT]
