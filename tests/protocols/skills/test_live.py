"""DeepResearch on real topics: PubMed and Crossref by their wire formats on a loopback server, kept in the run and graded without it."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from percuss.api.run.forecast import forecast
from percuss.api.run.prepare import prepare
from percuss.api.run.request import RunRequest
from percuss.api.run.run import run as run_request
from percuss.core.errors import FetchError, UsageError
from percuss.core.ports import Roles
from percuss.evidence.literature import Registries
from percuss.net.client import Client
from percuss.protocols.skills.cases import cases
from percuss.protocols.skills.options import SkillsOptions
from percuss.protocols.skills.worlds.contract import Final, Grade, Script, Step
from percuss.protocols.skills.worlds.literature import Literature
from percuss.protocols.skills.worlds.literature.live import REAL
from tests.protocols.skills.offline_worlds import played

WORLD = Literature()
TASK = next(task for task in WORLD.real_tasks() if "finerenone" in task.says[0])
TRIAL = "In adults with kidney disease, finerenone lowered kidney failure and cardiovascular events. Finerenone raised hyperkalaemia."
OLD = {
    "DOI": "10.5555/old",
    "title": ["Finerenone, an early look"],
    "issued": {"date-parts": [[2012]]},
    "abstract": f"<jats:p>{TRIAL}</jats:p>",
}
WITHDRAWN = {
    "DOI": "10.5555/gone", "title": ["Finerenone and kidney failure"], "container-title": ["J Sim"], "published-print": {"date-parts": [[2022]]},
    "abstract": TRIAL, "updated-by": [{"type": "retraction"}],
}  # fmt: skip
SAYS = (
    "Finerenone lowered kidney failure.", "Finerenone lowered cardiovascular events.", "Finerenone raised hyperkalaemia.",
)  # fmt: skip
QUOTE = "finerenone lowered kidney failure and cardiovascular events"


async def _works(request: web.Request) -> web.Response:
    asked = request.query["query.bibliographic"]
    if asked == "down":
        return web.Response(status=503)
    return web.json_response({"message": {"items": [OLD, WITHDRAWN, {"title": ["no DOI"]}]}})


async def _esearch(request: web.Request) -> web.Response:
    if request.query["term"] == "down":
        return web.Response(status=503)
    return web.json_response({"esearchresult": {"idlist": ["111"]}})


async def _esummary(_: web.Request) -> web.Response:
    return web.json_response(
        {"result": {"111": {"title": "A trial of finerenone", "source": "J Sim", "pubdate": "2021 Jan"}}}
    )


async def _efetch(_: web.Request) -> web.Response:
    return web.Response(text=f"1. J Sim. 2021.\n\nA trial of finerenone.\n\n{TRIAL}")


@pytest.fixture
async def place(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """A server that speaks for both; its host and port."""
    app = web.Application()
    for path, answer in (
        ("/works", _works),
        ("/esearch.fcgi", _esearch),
        ("/esummary.fcgi", _esummary),
        ("/efetch.fcgi", _efetch),
    ):
        app.router.add_get(path, answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    here = f"127.0.0.1:{runner.addresses[0][1]}"
    for name in ("PUBMED_BASE_URL", "CROSSREF_BASE_URL"):
        monkeypatch.setenv(name, f"http://{here}")
    yield here
    await runner.cleanup()


def report(
    record: str = "pmid:111",
    *,
    claims: tuple[str, ...] = SAYS,
    quote: str = QUOTE,
    text: str = " ".join(SAYS),
) -> dict[str, Any]:
    """Return a report whose evidence is all from one record."""
    evidence = [{"claim": claim, "record": record, "quote": quote} for claim in claims]
    return {"sections": [{"heading": "Findings", "text": text}], "evidence": evidence}


async def left(submission: dict[str, Any], *, first: int = 2000) -> Final:
    """Return what is left by an agent that searches both sources, opens what it cites and hands a report in."""
    steps = (
        Step(tool="search", arguments={"query": "finerenone", "k": 10, "first": first}),
        Step(tool="open", arguments={"record": submission["evidence"][0]["record"]}),
        Step(tool="submit", arguments=submission),
    )
    async with Client() as client:
        roles = Roles({}, seed=0, search=Registries("pubmed,crossref", client))
        return await played(WORLD, TASK, Script(steps=(steps,), says=("Done.",)), roles=roles)


async def test_both_sources_answer_one_search_and_the_tool_shows_years(place: str) -> None:
    final = await left(report())
    shown = final.log[0].text.splitlines()
    assert sorted(line.rpartition(" | ")[0] for line in shown) == [
        "doi:10.5555/gone | 2022",
        "doi:10.5555/old | 2012",
        "pmid:111 | 2021",
    ]
    assert final.log[1].text == f"pmid:111 | A trial of finerenone\nJ Sim, 2021 Jan\n{TRIAL}"
    assert "doi:10.5555/old" not in (await left(report(), first=2020)).log[0].text
    assert place


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("changed", "score", "part", "reason"),
    [
        ({}, 100, "semantic_recall", ""),
        ({"claims": SAYS[:1]}, 100 / 3, "reliability", ""),
        ({"record": "pmid:999"}, 0, "semantic_recall", "invented id"),
        ({"record": "doi:10.5555/old"}, 0, "semantic_recall", ""),
        ({"record": "doi:10.5555/gone"}, 0, "semantic_recall", "retracted, unnoticed"),
        ({"quote": "finerenone cured everybody"}, 0, "semantic_recall", ""),
        ({"text": "Finerenone raised kidney failure."}, 0, "reliability", ""),
        ({"claims": ("Finerenone lowered kidney failure by 18%.",)}, 0, "semantic_recall", ""),
    ],
)
async def test_a_report_is_worth_what_it_says_and_backs(
    changed: dict[str, Any], score: float, part: str, reason: str
) -> None:
    grade: Grade = WORLD.grade(TASK, await left(report(**changed)))
    assert grade.score == pytest.approx(score)
    assert grade.reason == reason
    assert grade.parts[part] == 100


@pytest.mark.usefixtures("place")
async def test_a_retraction_that_is_told_is_no_fault() -> None:
    told = report("doi:10.5555/gone", text=" ".join((*SAYS, "One report was retracted.")))
    assert WORLD.grade(TASK, await left(told)).parts["retractions_noticed"] == 100


@pytest.mark.usefixtures("place")
async def test_nobody_answering_is_an_error_of_the_tool_and_one_of_two_is_enough() -> None:
    async with Client() as client:
        with pytest.raises(FetchError, match="503"):
            await Registries("pubmed,crossref", client).search("down")
        with pytest.raises(UsageError, match="got the search 'altavista'"):
            Registries("pubmed,altavista", client)
        down = Script(steps=((Step(tool="search", arguments={"query": "down"}),),), says=("",))
        final = await played(
            WORLD, TASK, down, roles=Roles({}, seed=0, search=Registries("crossref", client))
        )
        assert len(await Registries("crossref", client).search("x", k=2)) == 2
    assert final.log[0].outcome == "error"
    assert "503" in final.log[0].text


async def test_real_topics_and_a_search_go_together() -> None:
    for task, roles in ((TASK, Roles({}, seed=0)), (WORLD.tasks(0)[0], Roles({}, seed=0, search=object()))):  # type: ignore[arg-type]
        with pytest.raises(UsageError, match="go together"):
            await played(WORLD, task, Script(steps=((),), says=("",)), roles=roles)
    with pytest.raises(UsageError, match="only in research"):
        list(cases(None, SkillsOptions(env="rag", topics="real"), 0))
    found = list(cases(None, SkillsOptions(env="research", topics="real"), 0))
    assert len(found) == len(WORLD.real_tasks()) == 8
    assert all(task.kind == REAL for task in WORLD.real_tasks())


async def test_a_run_says_where_searches_go_and_keeps_what_they_answered(place: str, tmp_path: Path) -> None:
    request = RunRequest(
        protocol="skills", models=("phantom/agent-random",), search="pubmed,crossref", out=str(tmp_path / "run"), limit=2,
        settings={"env": "research", "topics": "real", "resamples": 200},
    )  # fmt: skip
    said = str(await forecast(prepare(request)))
    assert place in said
    assert not (tmp_path / "run").exists()
    finished = await run_request(request)
    manifest = json.loads((finished.folder / "manifest.json").read_text())
    assert manifest["contacted"][place] >= 4
