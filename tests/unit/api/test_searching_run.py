"""A run with a judge and searches over the real wire formats, then checked again offline with every server gone."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from percuss.api.run.forecast import forecast
from percuss.api.run.prepare import prepare
from percuss.api.run.request import RunRequest
from percuss.api.run.run import run
from percuss.core.errors import UsageError
from percuss.models.loopback import Loopback
from percuss.store import RunStore
from tests.citing import Web, vancouver, work
from tests.citing_people import Reader, Writer

WORKS = [work(n) for n in range(1, 10)]
HTML, PDF = work(4), work(3)
ANSWER = (
    f"{HTML.facts[1].removesuffix('.')} [1]. {PDF.facts[2].removesuffix('.')} [2].\n\n"
    f"References\n[1] {vancouver(HTML.record)}\n[2] {vancouver(PDF.record)}"
)


def _request(tmp_path: Path, **fields: object) -> RunRequest:
    source = tmp_path / "questions.jsonl"
    source.write_bytes(
        msgspec.json.encode(
            {"id": "alpha", "question": "What is known of alpha?", "domain": "research_questions"}
        )
    )
    asked = RunRequest(
        protocol="citations", models=("openai-api/ward/served",), judge="openai-api/bench/reader", cases=str(source),
        search="serper,crossref,web", arms=("closed_book",), settings={"turns": 1, "resamples": 200}, out=str(tmp_path / "run"),
    )  # fmt: skip
    return msgspec.structs.replace(asked, **fields)


def _environment(monkeypatch: pytest.MonkeyPatch, **where: str) -> dict[str, str]:
    held = {"WARD_API_KEY": "a", "BENCH_API_KEY": "b", "PERCUSS_REQUESTS_PER_SECOND": "1000", **where}
    for name, value in held.items():
        monkeypatch.setenv(name, value)
    return held


async def test_a_searching_run_and_its_offline_check_have_the_same_verdict_inputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Web(WORKS) as web, Loopback(Writer({"alpha": ANSWER})) as writer, Loopback(Reader()) as reader:
        where = {**web.environment(), "WARD_BASE_URL": writer.url, "BENCH_BASE_URL": reader.url}
        held = _environment(monkeypatch, **where)
        finished = await run(_request(tmp_path, allow_hosts=(web.place,)))
        assert any(path.startswith("/page/4") for path in web.asked), "the web page was read"
        assert any(path.startswith("/page/3") for path in web.asked), "the PDF was read"
    manifest = json.loads((finished.folder / "manifest.json").read_text())
    assert manifest["contacted"][web.place] >= 4
    words = [
        "-m",
        "percuss",
        "check",
        str(finished.folder),
        "--offline",
        "--set",
        "claims_per_turn=0",
        "--json",
    ]
    told = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, *words],
        env={**os.environ, **held},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    with RunStore.open(finished.folder) as store:
        scorings = [scoring.id for scoring in store.scorings()]
        assert len(scorings) == 2
        calls = [
            [
                (v.subject, v.aspect, v.rater, v.label, v.call)
                for each in store.view(one).assessed()
                for v in each.verdicts
            ]
            for one in scorings
        ]
    assert calls[0] == calls[1]
    assert {label for _, aspect, _, label, _ in calls[0] if aspect == "support"} == {"supported"}


async def test_a_dry_run_says_where_references_go_and_a_strange_search_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _environment(monkeypatch, WARD_BASE_URL="http://127.0.0.1:9/v1", BENCH_BASE_URL="http://127.0.0.1:9/v1")
    prepared = prepare(_request(tmp_path, search="crossref,corpus"))
    assert [host.host for host in prepared.hosts if "search" in host.roles] == ["api.crossref.org"]
    assert await forecast(prepared)
    with pytest.raises(UsageError, match="--search got 'altavista'"):
        prepare(_request(tmp_path, search="altavista"))
    alone = prepare(_request(tmp_path, search=None))
    assert prepared.identity.digest == alone.identity.digest, (
        "a search of judging is no part of the run's identity"
    )
