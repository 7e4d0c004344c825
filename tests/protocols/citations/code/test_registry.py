"""Registries are asked one name at a time; only their clear no makes a package nonexistent."""

import datetime as dt
import json
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from percuss.net.client import Client
from percuss.protocols.citations.code import IndexAnswer, StoredIndex, check_answer, wanted
from percuss.protocols.citations.code.index import ECOSYSTEMS, Ecosystem
from percuss.protocols.citations.code.registry import ask_registries

TODAY = dt.date(2026, 2, 3)
PAGES = {
    "/pypi/flask/json": json.dumps({"releases": {"3.0.0": [], "3.1.0": [{"yanked": True}]}}),
    "/left-pad": json.dumps(
        {"versions": {"1.3.0": {}}, "time": {"created": "2014", "1.2.9": "2016", "1.3.0": "2018"}}
    ),
    "/@types%2Fnode": json.dumps({"versions": {"20.0.0": {}}}),
    "/api/v1/crates/serde": json.dumps({"versions": [{"num": "1.0.0"}]}),
    "/api/packages/jason": json.dumps({"releases": [{"version": "1.4.1"}]}),
    "/survival/all": json.dumps({"versions": {"3.5-7": {}}}),
    "/packages/DESeq2/": "<html></html>",
    "/package/conda-forge/numpy": json.dumps({"versions": ["1.26.0"]}),
    "/maven2/org/typelevel/cats-core_2.13/maven-metadata.xml": "<metadata><version>2.12.0</version></metadata>",
    "/pypi/garbled/json": "not json",
    "/pypi/odd/json": "[]",
}


class Registry:
    def __init__(self, home: str) -> None:
        self.homes: dict[Ecosystem, str] = dict.fromkeys(ECOSYSTEMS, home)
        self.seen: list[str] = []

    async def reply(self, request: web.Request) -> web.Response:
        self.seen.append(request.raw_path)
        if "busy" in request.path:
            return web.Response(status=503)
        text = PAGES.get(request.raw_path)
        return web.Response(text=text) if text is not None else web.Response(status=404)


@pytest.fixture
async def registry() -> AsyncIterator[Registry]:
    here = Registry("")
    app = web.Application()
    app.router.add_get("/{path:.*}", here.reply)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    here.homes = dict.fromkeys(ECOSYSTEMS, f"http://127.0.0.1:{port}")
    yield here
    await runner.cleanup()


async def test_each_registry_is_read(registry: Registry) -> None:
    index = StoredIndex()
    names: list[tuple[Ecosystem, str]] = [
        ("pypi", "flask"), ("npm", "left-pad"), ("npm", "@types/node"), ("cargo", "serde"), ("hex", "jason"),
        ("cran", "survival"), ("bioconductor", "DESeq2"), ("conda", "numpy"), ("maven", "org.typelevel:cats-core"),
    ]  # fmt: skip
    async with Client() as client:
        asked = await ask_registries(names, index, client, today=TODAY, homes=registry.homes, pause_s=0)
    assert asked == (9, {})
    versions = {}
    for ecosystem, name in names:
        answer = index.look(ecosystem, name)
        assert answer is not None
        assert (answer.exists, answer.date) == (True, "2026-02-03")
        versions[name] = answer.versions
    assert versions["flask"] == ("3.0.0", "3.1.0"), "a yanked version was published"
    assert versions["left-pad"] == ("1.3.0", "1.2.9"), "a withdrawn version was published"
    assert versions["org.typelevel:cats-core"] == ("2.12.0",)
    assert versions["DESeq2"] == ()


async def test_only_a_clear_no_is_a_no(registry: Registry) -> None:
    index = StoredIndex()
    names: list[tuple[Ecosystem, str]] = [
        ("pypi", "made-up"), ("pypi", "busy"), ("pypi", "garbled"), ("pypi", "odd"), ("pypi", "../../etc"), ("apt", "x"),
    ]  # fmt: skip
    homes: dict[Ecosystem, str] = dict(registry.homes)
    del homes["apt"]
    async with Client() as client:
        asked = await ask_registries(names, index, client, today=TODAY, homes=homes, pause_s=0)
    assert index.look("pypi", "made-up") == IndexAnswer(
        ecosystem="pypi", name="made-up", exists=False, date="2026-02-03"
    )
    assert asked.answered == 1
    assert asked.unanswered["busy"] == "the registry answered 503"
    assert asked.unanswered["../../etc"] == "this is no package name"
    assert asked.unanswered["x"] == "there is no registry to ask"
    assert all(index.look("pypi", name) is None for name in ("busy", "garbled", "odd"))
    assert len(registry.seen) == 4


async def test_a_server_that_is_gone_says_nothing() -> None:
    index = StoredIndex()
    async with Client() as client:
        asked = await ask_registries(
            [("pypi", "flask")], index, client, homes={"pypi": "http://127.0.0.1:9"}, pause_s=0
        )
    assert asked.answered == 0
    assert index.look("pypi", "flask") is None


async def test_an_answer_is_checked_after_asking(registry: Registry) -> None:
    answer = "```bash\npip install flask==9.9 made-up\n```\n```python\nimport flask\nimport made_up\nfrom numpy import frame\n```"
    index = StoredIndex()
    async with Client() as client:
        await ask_registries(wanted(answer), index, client, today=TODAY, homes=registry.homes, pause_s=0)
        seen = len(registry.seen)
        await ask_registries(wanted(answer), index, client, today=TODAY, homes=registry.homes, pause_s=0)
    assert len(registry.seen) == seen, "a name is asked once"
    found = {
        f.name: (f.status, f.as_of) for f in check_answer(answer, index=index).findings if f.status != "ok"
    }
    assert found["flask ==9.9"] == ("nonexistent", "2026-02-03")
    assert found["made-up"] == ("nonexistent", "2026-02-03")
    assert found["made_up"] == ("nonexistent", "2026-02-03")
    assert found["numpy.frame"][0] == "nonexistent"
