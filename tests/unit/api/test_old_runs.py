"""Run folders written by 0.1, one of each protocol: opened, re-checked, compared, exported, verified; never misread."""

import asyncio
import hashlib
import multiprocessing
import os
import resource
import shutil
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from percuss.api.catalog import load
from percuss.api.report.comparing import compare
from percuss.api.report.exporting import export
from percuss.api.report.reporting import open_report
from percuss.api.run.prepare import prepare
from percuss.api.run.recheck import Recheck, recheck
from percuss.api.run.request import RunRequest
from percuss.api.run.run import start
from percuss.core.errors import RunError, UsageError
from percuss.engine.identity import reading_of
from percuss.store import RunStore, schema, verify
from percuss.store.upgrade import migrated_copy, version_on_disk

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "runs_0_1"
PROTOCOLS = ("grounding", "explanation", "stressors")
ASKING = 1
"""Of every protocol in 0.1."""

each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


def content(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


@pytest.fixture
def old(tmp_path: Path, protocol: str) -> Path:
    """A copy of the folder, with nothing beside the two files that are committed."""
    (tmp_path / "old").mkdir()
    for name in ("run.sqlite", "manifest.json"):
        shutil.copy(FIXTURES / protocol / name, tmp_path / "old" / name)
    return tmp_path / "old"


@each_protocol
def test_reading_writes_nothing(old: Path, protocol: str) -> None:
    before = content(old)
    assert version_on_disk(old / "run.sqlite") == 1
    with open_report(old) as held:
        assert held.estimates
        assert all(estimate.simulated for estimate in held.estimates)
        assert sum(account.done for account in held.answers) > 0
        assert "simulated" in held.text("md")
        assert all(one.claims or one.verdicts for one in held.store.view(held.scoring.id).assessed())
    assert all(finding.ok for finding in verify(old))
    assert content(old) == before


@each_protocol
def test_a_check_reads_the_answers_again_beside_the_old_scoring(old: Path, protocol: str) -> None:
    with RunStore.open(old) as store:
        first, answers = store.latest_scoring(), [one.response for one in store.view("").assessed()]
        calls = store.read(
            lambda db: db.execute("SELECT key FROM calls WHERE model NOT LIKE '%judge%'").fetchall()
        )
        numbers = store.estimates(first.id)
    again = asyncio.run(recheck(Recheck(run=str(old), settings={"resamples": 200})))
    with RunStore.open(old) as store:
        assert reading_of(first) == 1
        assert reading_of(again.scoring) == load(protocol).reading > 1
        assert [made.id for made in store.scorings()] == [first.id, again.scoring.id]
        assert [one.response for one in store.view("").assessed()] == answers
        assert store.estimates(first.id) == numbers, "the old numbers stay"
        kept = store.read(
            lambda db: db.execute("SELECT key FROM calls WHERE model NOT LIKE '%judge%'").fetchall()
        )
        assert kept == calls, "nobody under test was asked"
    for scoring, estimates in ((first.id, numbers), (again.scoring.id, again.estimates)):
        with open_report(old, scoring[:8]) as held:
            assert held.estimates == estimates
    kept_file = old / "run.sqlite.v1"
    assert kept_file.read_bytes() == (FIXTURES / protocol / "run.sqlite").read_bytes()
    assert all(finding.ok for finding in verify(old))


@each_protocol
def test_the_same_start_extends_it_and_pays_no_answer_twice(
    old: Path, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(old.parent)
    with RunStore.open(old) as store:
        asked = store.manifest()["starts"][0]
    request = RunRequest(
        protocol=protocol, models=tuple(asked["models"]), judge=asked["judge"], limit=asked["limit"],
        arms=tuple(asked["arms"]), out="old", settings={"resamples": 200},
    )  # fmt: skip
    seen: list[int] = []
    if load(protocol).asking > ASKING:
        before = content(old)
        with pytest.raises(UsageError, match="old holds another run: protocol"):
            asyncio.run(start(prepare(request)))
        assert content(old) == before, "answers that do not compare are never mixed"
        return
    asyncio.run(
        start(prepare(request), watcher=lambda step: seen.append(step.total) if step.stage == "ask" else None)
    )
    assert not any(seen), "every answer was there"


@each_protocol
def test_exports(old: Path, protocol: str) -> None:
    before = content(old)
    for table in ("responses", "claims", "estimates"):
        done = export(old, table, "jsonl", old.parent / f"{table}.jsonl")
        assert done.file.read_text().count("\n") >= 1
    assert content(old) == before


def test_two_readings_are_not_compared(tmp_path: Path) -> None:
    for name in ("one", "two"):
        shutil.copytree(FIXTURES / "grounding", tmp_path / name)
    sources = [tmp_path / "one", tmp_path / "two"]
    assert compare(sources, resamples=200).singles
    asyncio.run(recheck(Recheck(run=str(sources[1]), settings={"resamples": 200})))
    with pytest.raises(
        UsageError, match=r"one was read by reading 1 and .*two by reading [2-9]\d*, .*percuss check .*one"
    ):
        compare(sources, resamples=200)
    asyncio.run(recheck(Recheck(run=str(sources[0]), settings={"resamples": 200})))
    assert compare(sources, resamples=200).singles


def _open_to_write(folder: Path, limit: int | None) -> None:
    """Open a run to write; the target of a process that is killed, or that may write no more than so many bytes."""
    if limit is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        RunStore.open(folder, writable=True).close()
    except RunError:
        os._exit(7)


@pytest.mark.parametrize("protocol", ["stressors"])
@pytest.mark.parametrize("limit", [4_096, 40_000, 300_000])
def test_a_full_disk_leaves_the_old_file_whole(old: Path, limit: int) -> None:
    data = (old / "run.sqlite").read_bytes()
    child = multiprocessing.get_context("fork").Process(target=_open_to_write, args=(old, limit))
    child.start()
    child.join()
    assert child.exitcode == 7, "one sentence"
    assert (old / "run.sqlite").read_bytes() == data
    assert not (old / "run.sqlite.migrating").exists()
    with open_report(old) as held:
        assert held.estimates


@pytest.mark.parametrize("protocol", ["grounding"])
def test_killed_while_migrating_the_file_is_whole(old: Path) -> None:
    data = (old / "run.sqlite").read_bytes()
    for wait in (0.0, 0.002, 0.005, 0.01, 0.02, 0.04):
        child = multiprocessing.get_context("fork").Process(target=_open_to_write, args=(old, None))
        child.start()
        time.sleep(wait)
        child.kill()
        child.join()
        if version_on_disk(old / "run.sqlite") == 1:
            assert (old / "run.sqlite").read_bytes() == data
        with open_report(old) as held:
            assert held.estimates
    RunStore.open(old, writable=True).close()
    assert version_on_disk(old / "run.sqlite") == schema.VERSION
    assert (old / "run.sqlite.v1").read_bytes() == data
    assert all(finding.ok for finding in verify(old))


@pytest.mark.parametrize("protocol", ["explanation"])
def test_a_copy_left_by_a_killed_start_is_made_anew(old: Path) -> None:
    data = (old / "run.sqlite").read_bytes()
    copy = migrated_copy(old / "run.sqlite")
    copy.write_bytes(copy.read_bytes()[:5_000])
    assert (old / "run.sqlite").read_bytes() == data
    RunStore.open(old, writable=True).close()
    assert not copy.exists()
    db = sqlite3.connect(old / "run.sqlite")
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
