"""The record: durable, append-only, sealed; the same on SQLite and PostgreSQL."""

import stat
import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from percuss.core.errors import RunError, UsageError
from percuss.study.answers import Given
from percuss.study.store import ledger, work
from percuss.study.store.migrate import make_tables
from percuss.study.store.tables import metadata
from percuss.study.store.verifying import verify
from percuss.study.study import Study, open_study
from tests.studies import make
from tests.unit.study.tampering import unguard


def label(study: Study, rater: str, answer: str, count: int = 1, reason: str = "") -> list[str]:
    """Answer the next items of a rater, and return their tokens."""
    tokens = []
    for _ in range(count):
        with study.database.read() as connection:
            slot = work.next_slot(connection, rater)
        assert slot is not None
        given = Given(answer={"support": answer}, active_ms=1000)
        study.database.write(lambda c, t=slot.token, g=given: work.save_label(c, rater, t, g, reason=reason))  # type: ignore[misc]
        tokens.append(slot.token)
    return tokens


def test_what_is_saved_is_there_after_opening_again(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        label(study, "r1", "supported", 2)
    with open_study(folder) as study, study.database.read() as connection:
        assert work.progress(connection, "r1").done == 2
        assert work.progress(connection, "r2").done == 0
        found = verify(connection)
    assert found.ok, found.problems
    assert found.entries == 3


def test_a_change_keeps_the_previous_value_and_a_repetition_changes_nothing(
    folder: Path, database: str
) -> None:
    with make(folder, database=database) as study:
        token = label(study, "r1", "supported")[0]
        changed = Given(answer={"support": "partial"}, notes="on second thoughts")
        for _ in range(2):
            study.database.write(lambda c: work.save_label(c, "r1", token, changed, reason="undo"))
        with study.database.read() as connection:
            entries = list(ledger.entries(connection))
    assert len(entries) == 3
    assert entries[-1].previous["answer"] == {"support": "supported"}
    assert entries[-1].value["answer"] == {"support": "partial"}
    assert (entries[-1].who, entries[-1].what, entries[-1].reason) == ("r1", "revised", "undo")


def test_nobody_saves_to_another_ones_place(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        with study.database.read() as connection:
            slot = work.next_slot(connection, "r1")
        assert slot is not None
        with pytest.raises(UsageError, match="not on your list"):
            study.database.write(
                lambda c: work.save_label(c, "r2", slot.token, Given(answer={"support": "partial"}))
            )


def test_the_ledger_refuses_changes(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        label(study, "r1", "supported")
        for statement in ("UPDATE ledger SET who = 'r2' WHERE seq = 2", "DELETE FROM ledger WHERE seq = 2"):
            with pytest.raises(SQLAlchemyError, match="append-only"):
                study.database.write(lambda c, s=statement: c.execute(text(s)) and None)  # type: ignore[misc]


def test_a_ledger_that_was_cut_off_is_found_by_the_head_that_was_written_down(
    folder: Path, database: str
) -> None:
    with make(folder, database=database) as study:
        label(study, "r1", "supported", 2)
        with study.database.read() as connection:
            _, head = ledger.head(connection)
            assert verify(connection, expect=head).ok

        def cut(connection: Connection) -> None:
            unguard(connection)
            connection.execute(text("DELETE FROM labels WHERE seq = 3"))
            connection.execute(text("DELETE FROM contents WHERE seq = 3"))
            connection.execute(text("DELETE FROM ledger WHERE seq = 3"))

        study.database.write(cut)
        with study.database.read() as connection:
            assert verify(connection).ok
            assert "written down" in verify(connection, expect=head).problems[0]


def test_many_writers_share_commits_and_make_one_chain(folder: Path, database: str) -> None:
    with make(folder, count=40, raters=8, overlap=1.0, depth=8, repeats=0.0, database=database) as study:
        threads = [
            threading.Thread(target=label, args=(study, f"r{n + 1}", "supported", 10)) for n in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with study.database.read() as connection:
            assert len(work.labelled(connection)) == 80
            found = verify(connection)
    assert found.ok
    assert found.entries == 81


def test_a_job_that_fails_undoes_only_itself(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:

        def bad(connection: Connection) -> None:
            ledger.append(connection, "r1", "half", "x", {})
            raise UsageError("no")

        with pytest.raises(UsageError, match="no"):
            study.database.write(bad)
        label(study, "r1", "supported")
        with study.database.read() as connection:
            assert [entry.what for entry in ledger.entries(connection)] == ["created", "label"]


def test_the_migrations_make_the_tables_that_the_code_knows(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        with pytest.raises(UsageError, match="already holds"):
            make_tables(study.database)
        with study.database.read() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, metadata) == []


def test_a_newer_database_is_refused_in_one_sentence(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        study.database.write(
            lambda c: c.execute(text("UPDATE alembic_version SET version_num = '9999'")) and None
        )
    with pytest.raises(RunError, match="newer than this release"):
        open_study(folder)


def test_a_database_that_holds_a_study_is_not_taken_for_another(
    folder: Path, database: str, tmp_path: Path
) -> None:
    if not database:
        database = f"sqlite:///{tmp_path / 'shared.sqlite'}"
    make(folder, database=database).close()
    with pytest.raises(UsageError, match="already holds a study"):
        make(tmp_path / "other", database=database)
    assert not (tmp_path / "other").exists()


def test_a_design_that_was_changed_afterwards_is_refused(folder: Path, database: str) -> None:
    make(folder, database=database).close()
    path = folder / "design.toml"
    path.write_text(path.read_text().replace("Partly", "Half"))
    with pytest.raises(RunError, match="not the one"):
        open_study(folder)


def test_only_the_owner_can_read_a_study(folder: Path) -> None:
    with make(folder) as study:
        label(study, "r1", "supported")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in folder.iterdir())
