"""Accounts in the ledger: each change is an entry, no entry tells a name, and every way in that is the ledger's verifies."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

from percuss.study import lifecycle
from percuss.study.export import export_file
from percuss.study.retention import forget
from percuss.study.sealing import seal, verify_archive
from percuss.study.store import factor, ledger, people
from percuss.study.store.accounts import SALT
from percuss.study.store.tables import study as known
from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.studies import make


def problems(study: Study) -> tuple[str, ...]:
    """Return what a verification finds."""
    with study.database.read() as connection:
        return verify(connection, key=study.public_key, expect=study.anchored).problems


def salts(study: Study) -> set[str]:
    """Return whose accounts have a salt."""
    with study.database.read() as connection:
        keys = list(connection.scalars(select(known.c.key).where(known.c.key.like(f"{SALT}%"))))
    return {key.removeprefix(SALT) for key in keys}


def joined(study: Study, code: str, **more: Any) -> None:
    """Let somebody join under a name that is looked for afterwards."""
    study.database.write(
        lambda c: people.join(
            c, code, name="Erna Muster", login=f"erna-{code}@example.org", password="argon", **more
        )
    )


def digests(study: Study, what: str) -> list[str]:
    """Return the digests of accounts in the entries of a kind."""
    with study.database.read() as connection:
        return [one.value["account"] for one in ledger.entries(connection) if one.what == what]


def test_every_change_of_an_account_is_an_entry_and_verifies(folder: Path, database: str) -> None:
    with make(folder, count=4, raters=3, database=database) as study:
        joined(study, "r1")
        assert salts(study) == {"r1"}
        assert not problems(study)
        study.database.write(lambda c: people.set_password(c, "r1", "another", keep=""))
        assert not problems(study)
        study.database.write(lambda c: factor.set_factor(c, "r1", "sealed", 3))
        study.database.write(lambda c: factor.take_step(c, "r1", 4))
        assert not problems(study)
        study.database.write(lambda c: factor.remove_factor(c, "r1"))
        assert not problems(study)
        told = [
            *digests(study, "joined"),
            *digests(study, "password changed"),
            *digests(study, "second factor"),
        ]
        assert len(set(told)) == 4, "each under a salt of its own"
        study.database.write(lambda c: people.reinvite(c, "r1", "c1"))
        assert salts(study) == set()
        assert not problems(study)
        joined(study, "r1")
        study.database.write(
            lambda c: people.join(c, "r2", name="Else", identity=("https://id.example.org", "17"))
        )
        assert not problems(study)


def test_who_leaves_leaves_no_salt_and_the_ledger_verifies(folder: Path, database: str) -> None:
    with make(folder, count=4, raters=3, database=database) as study:
        for code in ("r1", "r2", "r3", "c1"):
            joined(study, code)
        study.database.write(lambda c: people.withdraw(c, "r1", by="c1"))
        study.database.write(lambda c: lifecycle.replace(c, study, "r2", by="c1"))
        assert salts(study) == {"r3", "c1"}
        assert not problems(study)
        for state in ("locked", "archived"):
            study.database.write(lambda c, s=state: lifecycle.move(c, s, by="c1"))  # type: ignore[misc]
        study.database.write(lambda c: forget(c, by="c1"))
        assert salts(study) == set()
        assert not problems(study)


def test_no_name_is_in_the_ledger_and_no_salt_in_the_archive(folder: Path, tmp_path: Path) -> None:
    with make(folder, count=4, raters=2) as study:
        joined(study, "r1")
        study.database.write(lambda c: people.set_password(c, "r1", "another", keep=""))
        text = export_file(study, tmp_path / "ledger.jsonl", "ledger").read_text(encoding="utf-8")
        assert "erna" not in text.lower()
        assert "argon" not in text
        study.database.write(lambda c: lifecycle.move(c, "locked", by="c1"))
        seal(study, tmp_path / "sealed.zip")
        found = verify_archive(tmp_path / "sealed.zip")
        assert found.ok, found.problems
        import sqlite3
        import zipfile

        with zipfile.ZipFile(tmp_path / "sealed.zip") as archive:
            archive.extract("study.sqlite", tmp_path)
        rows = sqlite3.connect(tmp_path / "study.sqlite").execute("SELECT key FROM study").fetchall()
        assert rows
        assert not [key for (key,) in rows if key.startswith(SALT)]


@pytest.mark.parametrize("code", ["r1", "c1"])
def test_an_account_whose_salt_is_gone_is_found(folder: Path, code: str) -> None:
    with make(folder, count=4, raters=2) as study:
        joined(study, code)
        study.database.write(
            lambda c: c.execute(delete(known).where(known.c.key == f"{SALT}{code}")) and None
        )
        assert any(f"account of {code}" in one for one in problems(study))
