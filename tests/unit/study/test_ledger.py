"""The ledger under attack: every tampering is found with the public key alone; withdrawal is not one."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import Connection

from percuss.core.errors import RunError
from percuss.study.answers import Given
from percuss.study.checking import verify_folder
from percuss.study.settings import read_settings
from percuss.study.store import people, work
from percuss.study.store.database import Database, open_engine
from percuss.study.store.signing import PRIVATE, read_signer
from percuss.study.store.tables import contents
from percuss.study.store.verifying import verify
from percuss.study.study import Study, database_url, open_study
from tests.studies import make
from tests.unit.study.tampering import TAMPERINGS, unguard


def save(study: Study, rater: str, answer: str) -> str:
    """Answer the next item of a rater and return its token."""
    with study.database.read() as connection:
        slot = work.next_slot(connection, rater)
    assert slot is not None
    given = Given(answer={"support": answer}, active_ms=1000)
    study.database.write(lambda c: work.save_label(c, rater, slot.token, given))
    return slot.token


def lived(folder: Path, database: str) -> None:
    """Make a study with consent, labels, a revision, a settled item and pictures, and close it."""
    with make(folder, "reader-study", 6, overlap=0.0, repeats=0.0, database=database) as study:
        study.database.write(lambda c: people.join(c, "r1", name="R", login="r1", consent="words"))
        save(study, "r1", "supported")
        save(study, "r1", "supported")
        token = save(study, "r2", "supported")
        changed = Given(answer={"support": "partial"}, active_ms=1000)
        study.database.write(lambda c: work.save_label(c, "r2", token, changed))
        decided = Given(answer={"support": "partial"})
        study.database.write(lambda c: work.save_consensus(c, "a1", 0, decided, "the table says so"))


@pytest.mark.parametrize("how", TAMPERINGS)
def test_every_tampering_is_found_offline_with_the_public_key_alone(
    folder: Path, database: str, how: str
) -> None:
    tamper, words = TAMPERINGS[how]
    lived(folder, database)
    for name in (PRIVATE, "secret"):  # whoever verifies has neither
        (folder / name).unlink()
    assert verify_folder(folder).ok, verify_folder(folder).problems

    def behind(connection: Connection) -> None:
        unguard(connection)
        tamper(connection)

    enemy = Database(open_engine(database_url(folder, read_settings(folder))))
    enemy.write(behind)
    enemy.close()
    found = verify_folder(folder)
    assert any(words in problem for problem in found.problems), found.problems


def test_there_are_at_least_twenty_tamperings() -> None:
    assert len(TAMPERINGS) >= 20


def test_withdrawal_deletes_what_was_said_and_the_chain_still_verifies(folder: Path, database: str) -> None:
    lived(folder, database)
    with open_study(folder) as study:
        assert study.database.write(lambda c: people.withdraw(c, "r1", by="c1")) == 2
        with study.database.read() as connection:
            assert {label.rater for label in work.labelled(connection)} == {"r2"}
            person = people.by_code(connection, "r1")
            found = verify(connection, key=study.public_key, expect=study.anchored)
    assert found.ok, found.problems
    assert person is not None
    assert (person.name, person.login, person.joined) == ("", "", False)


def test_what_was_withdrawn_and_is_still_there_is_found(folder: Path, database: str) -> None:
    lived(folder, database)
    with open_study(folder) as study:
        with study.database.read() as connection:
            kept = dict(connection.execute(contents.select().where(contents.c.seq == 3)).one()._mapping)
        study.database.write(lambda c: people.withdraw(c, "r1", by="c1"))
        study.database.write(lambda c: c.execute(contents.insert().values(**kept)) and None)
        with study.database.read() as connection:
            assert any("still there" in problem for problem in verify(connection).problems)


def test_a_study_without_its_key_is_refused_and_still_verifies(folder: Path, database: str) -> None:
    lived(folder, database)
    (folder / PRIVATE).rename(folder / "elsewhere")
    with pytest.raises(RunError, match="restore both"):
        open_study(folder)
    assert verify_folder(folder).ok


def test_another_studys_key_verifies_nothing(folder: Path, tmp_path: Path) -> None:
    lived(folder, "")
    make(tmp_path / "other").close()
    found = verify_folder(folder, key=tmp_path / "other" / "ledger.pub")
    assert any("names the key" in problem for problem in found.problems)
    shutil.copy(tmp_path / "other" / PRIVATE, folder / PRIVATE)
    with pytest.raises(RunError, match="not the key"):
        read_signer(folder)


def test_a_database_rolled_back_whole_is_found_by_the_head_beside_it(folder: Path) -> None:
    lived(folder, "")
    before = (folder / "study.sqlite").read_bytes()
    with open_study(folder) as study:
        save(study, "r1", "supported")
    for path in folder.glob("study.sqlite*"):
        path.unlink()
    (folder / "study.sqlite").write_bytes(before)
    assert any("written down" in problem for problem in verify_folder(folder).problems)


def test_contents_are_salted(folder: Path) -> None:
    """Equal answers have digests of their own, so that a digest tells nobody what was said."""
    lived(folder, "")
    with open_study(folder) as study, study.database.read() as connection:
        salts = list(connection.scalars(contents.select().with_only_columns(contents.c.salt)))
        assert len(set(salts)) == len(salts)
