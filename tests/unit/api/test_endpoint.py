"""A run over the real wire format, against the shipped loopback server: keys, hosts, offline, concurrency, answers."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from percuss.api.library import Run
from percuss.api.report.exporting import export
from percuss.api.run.forecast import forecast
from percuss.api.run.prepare import prepare
from percuss.api.run.recheck import Recheck, recheck
from percuss.api.run.request import RunRequest
from percuss.api.run.run import run
from percuss.core.errors import UsageError
from percuss.models.faults import Faults
from percuss.models.loopback import Loopback
from percuss.phantoms import phantom
from percuss.store import RunStore

CANARY = "sk-canary-7d1b5f2a9c"
MODEL = "openai-api/ward/served"


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("WARD_API_KEY", CANARY)
    return CANARY


def _request(url: str, out: Path, **fields: Any) -> RunRequest:
    return RunRequest(protocol="grounding", models=(MODEL,), base_url=url, out=str(out), limit=4, **fields)


async def test_no_key_in_any_file_of_the_run(tmp_path: Path, key: str) -> None:
    async with Loopback(phantom("phantom/confabulator", seed=1), api_key=key) as server:
        finished = await run(_request(server.url, tmp_path / "r"))
    Run(finished.folder).report()
    for path in finished.folder.rglob("*"):
        if path.is_file():
            assert key.encode() not in path.read_bytes(), path.name


async def test_the_manifest_counts_the_hosts_that_were_contacted(tmp_path: Path, key: str) -> None:
    async with Loopback(phantom("phantom/copier", seed=1)) as server:
        finished = await run(_request(server.url, tmp_path / "r"))
        total = sum(server.answered.values())
    manifest = json.loads((finished.folder / "manifest.json").read_text())
    (count,) = manifest["contacted"].values()
    assert count == total == 16
    assert key


async def test_rows_are_equal_at_concurrency_1_and_100(tmp_path: Path, key: str) -> None:
    rows = []
    for concurrency in (1, 100):
        async with Loopback(phantom("phantom/confabulator", seed=1)) as server:
            out = tmp_path / str(concurrency)
            finished = await run(_request(server.url, out, concurrency=concurrency))
        with RunStore.open(finished.folder) as store:
            queries = (
                "SELECT response_id, status, turns FROM responses ORDER BY response_id",
                "SELECT claim_id, text, kind FROM claims ORDER BY claim_id",
                "SELECT subject, rater, label, unscored FROM verdicts ORDER BY subject, rater",
                "SELECT ordinal, body FROM estimates ORDER BY ordinal",
            )
            rows.append([store.read(_all, query) for query in queries])
    # The loopback server's port is in the model's pin, hence in no response, claim, verdict or estimate.
    assert rows[0] == rows[1]
    assert key


def _all(db: sqlite3.Connection, query: str) -> list[Any]:
    return db.execute(query).fetchall()


async def test_only_the_evidence_differs_between_arms(tmp_path: Path, key: str) -> None:
    async with Loopback(phantom("phantom/copier", seed=1)) as server:
        await run(_request(server.url, tmp_path / "r", arms=("full_multimodal", "ungrounded")))
        bodies = list(server.requests)
    stripped = {json.dumps(_without_evidence(body), sort_keys=True) for body in bodies}
    cases = {json.dumps(body, sort_keys=True) for body in bodies}
    assert len(bodies) == len(cases) == 8
    assert len(stripped) == 4, "a case's requests differ in more than their evidence (and seed)"
    assert key


def _without_evidence(body: dict[str, Any]) -> dict[str, Any]:
    """Cut the block of evidence with its heading; an arm without evidence has no such block."""
    text = json.dumps({name: value for name, value in body.items() if name != "seed"})
    return dict(json.loads(re.sub(r"\\nEvidence:\\n<evidence>.*?</evidence>", "", text)))


async def test_answers_made_elsewhere_ask_only_the_missing_arm(tmp_path: Path, key: str) -> None:
    prepared = prepare(RunRequest(protocol="grounding", models=(MODEL,), base_url="http://127.0.0.1:9/v1"))
    case = next(iter(prepared.protocol.cases(None, prepared.options, 42)))
    given = tmp_path / "answers.jsonl"
    row = {"id": case.id, "arm": "full_multimodal", "model": MODEL, "text": "The stage is not given."}
    given.write_text(json.dumps(row) + "\n")
    async with Loopback(phantom("phantom/copier", seed=1)) as server:
        asked = _request(
            server.url, tmp_path / "r", responses=str(given), arms=("full_multimodal", "ungrounded")
        )
        finished = await run(asked)
        assert sum(server.answered.values()) == 4 * 2 - 1
    with RunStore.open(finished.folder) as store:
        texts = [a.response.text for a in store.view("").assessed(arm="full_multimodal")]
    assert "The stage is not given." in texts
    assert key


async def test_failures_refusals_and_cut_answers_are_counted_by_name(tmp_path: Path, key: str) -> None:
    kinds = ("refusal", "content_filter", "bad_request", "truncation", "malformed", "server_error")
    faults = Faults(dict.fromkeys(kinds, 0.06), seed=3)
    async with Loopback(phantom("phantom/confabulator", seed=1), faults=faults) as server:
        asked = msgspec.structs.replace(_request(server.url, tmp_path / "r", concurrency=50), limit=40)
        finished = await run(asked)
    assert set(server.made) == set(kinds)
    with RunStore.open(finished.folder) as store:
        assessed = [a for a in store.view(finished.scoring.id).assessed() if a.response.arm != "full"]
        cells = [c for c in store.cells(finished.scoring.id) if c.name == "unsupported_rate"]
    lost = [a for a in assessed if a.left_out]
    assert len(assessed) == 4 * 40
    assert {str(a.left_out).partition(":")[0] for a in lost} == {"refused", "error"}
    claims = {(a.case.id, a.response.arm): len(a.claims) for a in assessed}
    assert cells
    assert all(c.den + sum(c.excluded.values()) == claims[c.case_id, c.arm] for c in cells)
    assert any("truncated" in c.excluded for c in cells)
    shares = [e for e in finished.estimates if e.name == "case_unsupported_rate" and e.stratum is None]
    assert sum(sum(e.excluded.values()) for e in shares) >= len(lost)
    assert key


@pytest.mark.parametrize(
    ("row", "needle"),
    [
        ({"id": "x", "arm": "nowhere", "model": "m", "text": "t"}, "got the arm 'nowhere'"),
        ({"id": "x", "arm": "ungrounded", "model": "m"}, "got text NoneType; expected a text or turns"),
        ({"id": "x", "arm": "ungrounded", "model": "m", "text": "t", "label": 1}, "got the field 'label'"),
        ({"arm": "ungrounded", "model": "m", "text": "t"}, "got id None"),
    ],
)
async def test_bad_answers_name_their_line(tmp_path: Path, row: dict[str, Any], needle: str) -> None:
    given = tmp_path / "answers.jsonl"
    given.write_text("\n" + json.dumps(row) + "\n")
    request = RunRequest(protocol="grounding", responses=str(given), out=str(tmp_path / "r"), limit=2)
    with pytest.raises(UsageError, match="line 2: " + needle):
        await run(request)


async def test_an_endpoint_embeds_each_text_once_whatever_is_checked_again(
    tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Loopback(phantom("phantom/copier", seed=1)) as server:
        monkeypatch.setenv("WARD_BASE_URL", server.url)
        finished = await run(_request(server.url, tmp_path / "r", embedder="openai-api/ward/vectors"))
        await recheck(
            Recheck(
                run=str(finished.folder), embedder="openai-api/ward/vectors", settings={"rules": "extended"}
            )
        )
    assert server.embedded
    assert len(server.embedded) == len(set(server.embedded))
    assert any(e.name == "overlap_80" and e.value is not None for e in Run(finished.folder).estimates)
    assert key


@pytest.mark.parametrize(("protocol", "limit"), [("grounding", 3), ("stressors", 2)])
async def test_a_dry_run_counts_the_calls_that_the_run_makes(
    tmp_path: Path, key: str, protocol: str, limit: int
) -> None:
    """Turns and what paired arms share are counted: a conversation of four turns is four calls, not one."""
    async with Loopback() as server:
        asked = RunRequest(
            protocol=protocol, models=(MODEL,), base_url=server.url, out=str(tmp_path / "r"), limit=limit
        )
        counted = await forecast(prepare(asked))
        assert not server.requests
        await run(asked)
        assert counted.models[0].calls == sum(server.answered.values())
    assert key


async def test_what_a_card_states_is_kept_shown_and_exported_and_the_rest_is_not_stated(
    tmp_path: Path, key: str
) -> None:
    cards = tmp_path / "cards.json"
    cards.write_text(json.dumps({MODEL: {"knowledge_cutoff": "May 2024", "weights": "open"}}))
    async with Loopback(phantom("phantom/copier", seed=1), api_key=key) as server:
        stated = await run(_request(server.url, tmp_path / "r", model_cards=str(cards)))
        again = await run(_request(server.url, tmp_path / "r"))
        bare = await run(_request(server.url, tmp_path / "bare"))
    assert again.folder == stated.folder
    kept = json.loads((stated.folder / "manifest.json").read_text())["model_cards"]
    assert kept[MODEL]["knowledge_cutoff"] == "May 2024"
    page = Run(stated.folder).report().read_text()
    assert "Model cards" in page
    assert "May 2024" in page
    unstated = Run(bare.folder).report().read_text()
    assert "May 2024" not in unstated
    assert "not stated" in unstated
    written = export(stated.folder, "models", "jsonl", tmp_path / "models.jsonl")
    (row,) = [json.loads(line) for line in written.file.read_text().splitlines()]
    assert (row["id"], row["weights"], row["released"]) == (MODEL, "open", "not stated")
