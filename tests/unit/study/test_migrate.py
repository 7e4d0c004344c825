"""Studies of Percuss 0.1: refused with a sentence, copied by one command, never changed."""

import csv
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import update

from percuss.cli.study import command
from percuss.core.errors import RunError, UsageError
from percuss.study.agreement import agreement
from percuss.study.checking import verify_folder
from percuss.study.export import export_file
from percuss.study.migrate import ATTACHMENT, migrate
from percuss.study.papers import flow, methods
from percuss.study.store import people, work
from percuss.study.store.migrate import VERSION
from percuss.study.store.tables import people as table
from percuss.study.study import open_study
from tests.studies import make

OLD = Path(__file__).parents[2] / "fixtures" / "study_0_1"


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A study of two raters, 7 labels and a settled item, written by 0.1."""
    return Path(shutil.copytree(OLD, tmp_path / "old"))


def test_every_other_command_refuses_an_old_study_and_writes_nothing(old: Path) -> None:
    before = bytes_of(old)
    with pytest.raises(RunError, match="percuss study migrate"):
        open_study(old)
    for args in (
        ["status"],
        ["agreement"],
        ["export"],
        ["export", "--format", "ledger"],
        ["verify-ledger"],
        ["serve", "--port", "0"],
        ["state", "locked"],
        ["seal"],
        ["extend", "1"],
        ["replace", "r1"],
        ["reassign", "r1", "r2"],
        ["remind"],
        ["withdraw", "r1", "--yes"],
        ["forget", "--yes"],
    ):
        found = CliRunner().invoke(command, [args[0], str(old), *args[1:]])
        assert isinstance(found.exception, RunError), (args, found.output)
        assert "copy it with `percuss study migrate" in str(found.exception), args
    assert bytes_of(old) == before


def test_an_old_study_is_copied_with_its_labels_and_its_chain(
    old: Path, tmp_path: Path, database: str
) -> None:
    before = bytes_of(old)
    found = migrate(old, tmp_path / "new", database=database)
    assert (found.labels, found.settled, found.entries) == (7, 1, 11)
    assert bytes_of(old) == before
    assert len((tmp_path / "new" / ATTACHMENT).read_text().splitlines()) == 11
    assert verify_folder(tmp_path / "new").ok, verify_folder(tmp_path / "new").problems
    with open_study(tmp_path / "new") as study:
        with study.database.read() as connection:
            told = work.labelled(connection)
        report = agreement(study, B=200)
        told_of_it = methods(study, report), flow(study, report)
        path = export_file(study, tmp_path / "x.csv", "csv")
    assert {label.revision for label in told} == {0}
    for words in told_of_it:
        assert "0 (of 7 labels made with 0.1 it is unknown)" in words
    assert any("whether they had been revised is unknown" in note for note in report.notes)
    with path.open(newline="", encoding="utf-8") as file:
        revisions = [row["revision"] for row in csv.DictReader(file) if row["rater"] != "adjudicated"]
    assert revisions == ["unknown (0.1)"] * 7


def test_an_account_of_an_old_study_is_held_against_the_ledger_once_it_changes(
    old: Path, tmp_path: Path
) -> None:
    migrate(old, tmp_path / "new")
    with open_study(tmp_path / "new") as study:
        study.database.write(lambda c: people.set_password(c, "r1", "another", keep=""))
        assert verify_folder(tmp_path / "new").ok, verify_folder(tmp_path / "new").problems
        study.database.write(
            lambda c: c.execute(update(table).where(table.c.code == "r1").values(password="enemy")) and None
        )
    assert any("account of r1" in one for one in verify_folder(tmp_path / "new").problems)


def test_only_old_studies_are_copied_and_nothing_is_overwritten(old: Path, tmp_path: Path) -> None:
    make(tmp_path / "fresh").close()
    with pytest.raises(RunError, match=f"version {VERSION}"):
        migrate(tmp_path / "fresh", tmp_path / "new")
    with pytest.raises(UsageError, match="exists"):
        migrate(old, tmp_path / "fresh")
