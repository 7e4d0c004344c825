"""`verify` finds every kind of tampering, and nothing in a run that is whole."""

import sqlite3
from pathlib import Path

import pytest

from percuss.engine import Journal, Journaled
from percuss.store import verify
from percuss.store.packed import pack
from tests.tiny import Echo, TinyOptions, create, whole


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    options = TinyOptions(images=True)
    with create(tmp_path / "r", options, source="3") as store:
        await whole(store, [Journaled(Echo(), Journal(store))], options)
    return tmp_path / "r"


async def test_a_whole_run_matches(folder: Path) -> None:
    findings = verify(folder)
    assert all(found.ok for found in findings)
    checked = {found.what: found.checked for found in findings}
    assert checked["calls"] == 6
    assert checked["cases"] == 4, "three cases and their source"
    assert checked["blobs"] == 3
    assert checked["claims"] == checked["verdicts"] > 6


@pytest.mark.parametrize(
    ("what", "sql"),
    [
        ("calls", "UPDATE calls SET request = :packed WHERE rowid = 1"),
        ("calls", "UPDATE calls SET reply = :packed WHERE rowid = 1"),
        ("blobs", "UPDATE blobs SET data = x'00' WHERE rowid = 1"),
        ("cases", 'UPDATE cases SET payload = \'{"text":"other"}\' WHERE ordinal = 0'),
        ("claims", "UPDATE claim_words SET text = 'other' WHERE rowid = 1"),
        ("claims", "UPDATE claim_rows SET start = start + 1 WHERE rowid = 1"),
        ("responses", "UPDATE response_rows SET epoch = 5 WHERE rowid = 1"),
        ("scorings", "UPDATE scorings SET config = '{}'"),
        (
            "verdicts",
            "UPDATE verdict_rows SET subject = 'nobody' WHERE subject = (SELECT min(subject) FROM verdict_rows)",
        ),
        (
            "identity",
            "UPDATE manifest SET value = replace(value, '\"seed\":42', '\"seed\":43') WHERE key = 'identity'",
        ),
    ],
)
async def test_tampering_is_found(folder: Path, what: str, sql: str) -> None:
    with sqlite3.connect(folder / "run.sqlite") as db:
        db.execute(sql, {"packed": pack(b"{}")} if ":packed" in sql else {})
    db.close()
    wrong = {found.what: found.wrong for found in verify(folder) if not found.ok}
    assert len(wrong[what]) >= 1
