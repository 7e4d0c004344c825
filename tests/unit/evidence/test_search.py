"""Search: BM25 against the formula by hand, fusion with meaning, the topic notes, PubMed over a loopback server."""

import math
from collections.abc import AsyncIterator, Sequence

import numpy as np
import pytest
from aiohttp import web
from numpy.typing import NDArray

from percuss.core.errors import FetchError
from percuss.core.ports import Hit
from percuss.evidence.literature import PubMed, topics
from percuss.evidence.search import K1, B, Corpus, fused, terms
from percuss.net.client import Client

DOCUMENTS = (
    Hit(id="a", title="Stroma", text="Stroma beside the tumor"),
    Hit(id="b", title="Necrosis", text="Dead cells and no stroma at all here"),
    Hit(id="c", title="Smoking", text="Pack-years"),
)


class Letters:
    """An embedder of first letters: near is what starts alike."""

    id = "letters"

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), 26), dtype=np.float32)
        for row, text in enumerate(texts):
            rows[row, ord(text.strip().lower()[0]) - 97] = 1
        return rows


async def test_bm25_is_the_formula() -> None:
    """Robertson & Zaragoza with k1 1.2, b 0.75; the title counts twice."""
    corpus = Corpus(DOCUMENTS)
    lengths = [len(terms(f"{d.title} {d.title} {d.text}")) for d in DOCUMENTS]
    mean = sum(lengths) / 3
    weight = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = weight * 3 * (K1 + 1) / (3 + K1 * (1 - B + B * lengths[0] / mean))
    hits = await corpus.search("stroma")
    assert [hit.id for hit in hits] == ["a", "b"]
    assert hits[0].score == pytest.approx(expected, rel=1e-12)


async def test_no_shared_word_is_no_hit() -> None:
    """Nor is an empty corpus an error."""
    assert await Corpus(DOCUMENTS).search("interferon") == ()
    assert await Corpus(()).search("stroma") == ()


async def test_meaning_is_fused_with_words() -> None:
    """What no word finds, the embedder can."""
    hits = await Corpus(DOCUMENTS, embedder=Letters()).search("sss", k=2)
    assert [hit.id for hit in hits] == ["a", "c"]
    assert fused([[2, 0], [0, 1]])[0][0] == 0


async def test_topic_notes_name_no_paper() -> None:
    """Ours, found by their subject, without PMID or citation."""
    index = topics()
    hits = await index.search("tumor mutational burden and checkpoint inhibitors", k=3)
    assert hits[0].id == "topic:tmb"
    everything = await index.search("tumor cancer immune inhibitors checkpoint expression mutations", k=100)
    assert len(everything) > 15
    assert all(hit.id.startswith("topic:") and not hit.url for hit in everything)
    assert not [hit.id for hit in everything if "et al" in hit.text or "PMID" in hit.text]


async def _esearch(request: web.Request) -> web.Response:
    term = request.query["term"]
    if term == "broken":
        return web.Response(text="<html>busy</html>")
    if term == "down":
        return web.Response(status=503)
    ids = [] if term == "nothing" else ["111", "222"]
    return web.json_response({"esearchresult": {"idlist": ids}})


async def _esummary(request: web.Request) -> web.Response:
    assert request.query["id"] == "111,222"
    good = {"title": "Stroma and outcome", "source": "J Sim", "pubdate": "2020 Jan"}
    return web.json_response({"result": {"111": good, "222": {"error": "cannot get document summary"}}})


async def _efetch(request: web.Request) -> web.Response:
    return web.Response(
        text=f"1. J Sim. 2020.\r\n\r\nStroma and outcome.\r\n\r\nWe looked at stroma in many tumors of record {request.query['id']} and report it."
    )


@pytest.fixture
async def eutils() -> AsyncIterator[str]:
    """A server that speaks the three calls."""
    app = web.Application()
    app.router.add_get("/esearch.fcgi", _esearch)
    app.router.add_get("/esummary.fcgi", _esummary)
    app.router.add_get("/efetch.fcgi", _efetch)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    yield f"http://127.0.0.1:{port}"
    await runner.cleanup()


async def test_pubmed_gives_records_in_its_order(eutils: str) -> None:
    """A record that PubMed can't summarise is left out."""
    async with Client() as client:
        pubmed = PubMed(client, base_url=eutils, api_key="k")
        hits = await pubmed.search("stroma", k=2)
        assert await pubmed.search("nothing") == ()
    assert [(hit.id, hit.title) for hit in hits] == [("pmid:111", "Stroma and outcome")]
    assert hits[0].text == "J Sim, 2020 Jan\nWe looked at stroma in many tumors of record 111 and report it."


@pytest.mark.parametrize(("term", "words"), [("broken", "no JSON"), ("down", "503")])
async def test_a_bad_answer_of_pubmed_is_one_sentence(eutils: str, term: str, words: str) -> None:
    """Never an empty result in silence."""
    async with Client() as client:
        with pytest.raises(FetchError, match=words):
            await PubMed(client, base_url=eutils, api_key="secret-canary").search(term)
