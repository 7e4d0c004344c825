"""What a study's state and people who leave do to what is said and settled: locked is locked, a pilot is set aside, nobody waits for who left."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec import structs

from percuss.cli.study_life import state
from percuss.core.errors import UsageError
from percuss.study import lifecycle
from percuss.study.agreement import agreement
from percuss.study.answers import Given
from percuss.study.export import rows
from percuss.study.labelstudio import import_labels
from percuss.study.papers import checklist, flow, methods
from percuss.study.reference import human_labels
from percuss.study.retention import forget
from percuss.study.sealing import seal, verify_archive
from percuss.study.status import status
from percuss.study.store import ledger, people, work
from percuss.study.study import Study
from tests.studies import answer_all, make
from tests.unit.study.conftest import Browser
from tests.unit.study.test_lifecycle import drafted, move, verified


def differing(study: Study) -> None:
    """Let two people differ on every item."""
    answer_all(study, "r1", lambda n, again: {"support": "supported"})
    answer_all(study, "r2", lambda n, again: {"support": "partial"})


def entries(study: Study) -> list[tuple[str, str, str]]:
    """Return who, what and subject of the ledger's entries, those that were noted included."""
    study.database.write(lambda c: None)
    with study.database.read() as connection:
        return [(one.who, one.what, one.subject) for one in ledger.entries(connection)]


DECISION = {"q.support": "partial", "reason": "The table says so.", "seen": ""}


@pytest.mark.parametrize("to", [("locked",), ("locked", "archived")])
def test_nothing_changes_once_a_study_is_locked(folder: Path, database: str, to: tuple[str, ...]) -> None:
    """What was sealed would else not be what the study says."""
    with make(folder, count=2, repeats=0.0, database=database) as study:
        differing(study)
        browser = Browser(study)
        action = browser.here(browser.join("a1"))
        for one in to:
            move(study, one)
        for page in (browser.post(action, DECISION), browser.get("/adjudicate"), browser.get(action)):
            assert "This study is closed" in page.text
        acts: list[Callable[[Any], object]] = [
            lambda c: work.save_consensus(c, "a1", 0, Given(answer={"support": "partial"}), "reason"),
            lambda c: lifecycle.replace(c, study, "r1", by="c1"),
            lambda c: lifecycle.add(c, "rater", by="c1"),
        ]
        before = entries(study)
        for act in acts:
            with pytest.raises(UsageError, match=f"the study is {to[-1]}; nothing in it changes any more"):
                study.database.write(act)
        with study.database.read() as connection:
            assert work.agreed(connection) == {}
        assert entries(study) == before


def test_labels_of_another_tool_come_into_no_locked_study(folder: Path, tmp_path: Path) -> None:
    with make(folder, count=1, repeats=0.0) as study:
        annotation = {
            "completed_by": 1,
            "result": [
                {"from_name": "support", "type": "choices", "value": {"choices": ["Supported"]}},
            ],
        }
        file = tmp_path / "labels.json"
        file.write_text(json.dumps([{"data": {"id": "zz-item-0"}, "annotations": [annotation]}]))
        move(study, "locked")
        with pytest.raises(UsageError, match="nothing in it changes any more"):
            import_labels(study, file)


def test_who_locks_is_told_which_differences_stay(folder: Path) -> None:
    with make(folder, count=3, repeats=0.0) as study:
        differing(study)
        decided = Given(answer={"support": "partial"})
        study.database.write(lambda c: work.save_consensus(c, "a1", 0, decided, "the table says so"))
    said = CliRunner().invoke(state, [str(folder), "locked"]).output
    assert "2 differences between people stay unsettled" in said


def test_what_was_settled_in_the_pilot_is_set_aside_too(folder: Path, database: str) -> None:
    """Else it would be exported as a decision on answers that nobody gave, and nobody would settle the item again."""
    with drafted(folder, database) as study:
        move(study, "pilot")
        differing(study)
        decided = Given(answer={"support": "partial"})
        study.database.write(lambda c: work.save_consensus(c, "a1", 0, decided, "the table says so"))
        assert verified(study)
        move(study, "open")
        assert list(rows(study)) == []
        assert verified(study)
        differing(study)
        study.database.write(lambda c: work.save_consensus(c, "a1", 0, decided, "as in the pilot"))
        with study.database.read() as connection:
            assert work.agreed(connection)[0].reason == "as in the pilot"
        assert verified(study)


def test_nobody_waits_for_who_withdrew(folder: Path, database: str) -> None:
    """The others' items would stay unanswered for good: no agreement, no differences to settle, no lock."""
    with make(folder, count=6, raters=3, depth=3, repeats=0.0, database=database) as study:
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        answer_all(study, "r2", lambda n, again: {"support": ("supported", "partial")[n % 2]})
        answer_all(study, "r3", lambda n, again: {"support": ("supported", "partial")[n % 2]})
        study.database.write(lambda c: people.withdraw(c, "r1", by="c1"))
        (question,) = agreement(study, B=50).questions
        assert (question.between.value, question.between.n) == (1.0, 6)
        now = status(study)
        assert (now.answered_twice, now.labels_done, now.labels_total) == (6, 12, 12)
        with study.database.read() as connection:
            slot = work.slots_of(connection, "r2")[0]
        with pytest.raises(work.Locked):
            study.database.write(
                lambda c: work.save_label(c, "r2", slot.token, Given(answer={"support": "unknown"}))
            )


def test_who_settles_and_who_looks_on_leave_a_trace(folder: Path) -> None:
    """The record has every view of an item: by raters, adjudicators and the coordinator."""
    with make(folder, count=1, repeats=0.0) as study:
        rater, other, lead = Browser(study), Browser(study), Browser(study)
        rater.join("r1")
        rater.practise()
        rater.get("/work")
        with study.database.read() as connection:
            (token,) = [slot.token for slot in work.slots_of(connection, "r1")]
        differing(study)
        other.join("a1")
        lead.join("c1")
        lead.get("/coordinate/item/0")
        viewed = {(who, subject) for who, what, subject in entries(study) if what == "viewed"}
        assert viewed == {("r1", token), ("a1", "zz-item-0"), ("c1", "zz-item-0")}


def test_a_name_that_is_in_an_archive_twice_is_found(folder: Path, tmp_path: Path) -> None:
    """Of two files of one name one program opens the first, another the last."""
    with make(folder, count=2) as study:
        differing(study)
        move(study, "locked")
        seal(study, tmp_path / "sealed.zip")
    with zipfile.ZipFile(tmp_path / "sealed.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(tmp_path / "twice.zip", "w") as out:
        for name, data in {**files, "answers.csv": b"forged"}.items():
            out.writestr(name, data)
        with pytest.warns(UserWarning, match="Duplicate name"):
            out.writestr("answers.csv", files["answers.csv"])
    assert verify_archive(tmp_path / "sealed.zip").ok
    assert verify_archive(tmp_path / "twice.zip").problems == (
        "answers.csv is in the archive more than once",
    )


def test_methods_and_flow_count_who_judged_and_who_left(folder: Path) -> None:
    """A place that nobody took, or that somebody left, is no rater who judged."""
    with make(folder, count=30, raters=3, depth=3) as study:
        answer_all(study, "r2", lambda n, again: {"support": "supported"})
        answer_all(study, "r3", lambda n, again: {"support": ("supported", "partial")[n % 2]})
        study.database.write(lambda c: people.withdraw(c, "r1", by="c1"))
        study.database.write(lambda c: lifecycle.add(c, "rater", by="c1"))
        report = agreement(study, B=50)
        told, rows_ = methods(study, report), flow(study, report)
        assert "2 raters judged 30 items" in told
        study.design = structs.replace(study.design, practice=())
        assert ("Practice items" in told, "Practice items" in methods(study, report)) == (True, False)
        assert "6 answers are to items that came to the same rater a second time" in told
        for row in (
            "| raters who judged | 2 |",
            "| raters who withdrew or were replaced | 1 |",
            "| places on raters' lists | 99 |",
            "| answers given | 66 |",
            "| places not answered | 33 |",
        ):
            assert row in rows_
        assert "| 11 Numbers of raters and subjects | 2 and 30; 66 of 66 answers |" in checklist(
            study, report
        )


def test_one_of_two_is_not_unanimous(folder: Path) -> None:
    """Until everybody who was asked has answered, nobody knows whether they agree."""
    with make(folder, count=4, repeats=0.0) as study:
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        assert human_labels(study, "unanimous") == {}
        assert agreement(study, B=50).questions[0].open == 4
        answer_all(study, "r2", lambda n, again: {"support": ("supported", "partial")[n % 2]})
        assert set(human_labels(study, "unanimous")) == {0, 2}
        assert agreement(study, B=50).questions[0].open == 2


def test_what_was_withdrawn_stands_in_no_file_of_the_study(folder: Path) -> None:
    """A deleted row stays readable in SQLite's files until something is written over it."""
    with make(folder, count=4, repeats=0.0) as study:
        with study.database.peek() as connection:
            assert connection.exec_driver_sql("PRAGMA secure_delete").scalar() == 1
        rater = Browser(study)
        rater.join("r1")
        answer_all(study, "r1", lambda n, again: Given(answer={"support": "partial"}, notes=f"zz remark {n}"))

        def said(word: bytes) -> bool:
            return any(word in path.read_bytes() for path in folder.glob("study.sqlite*"))

        assert said(b"zz remark")
        assert said(b"Person r1")
        rater.get("/account")
        assert "You have withdrawn" in rater.post("/account/withdraw", {"sure": "yes"}).text
        for word in (b"zz remark", b"Person r1", b"r1@example.org"):
            assert not said(word), word


def test_forgetting_names_moves_no_figure(folder: Path) -> None:
    """Who is forgotten after the end has not left: an item that one of three never answered stays unanswered."""
    with make(folder, count=6, raters=3, depth=3, repeats=0.0) as study:
        for rater in ("r1", "r2"):
            answer_all(study, rater, lambda n, again: {"support": ("supported", "partial")[n % 2]})
        move(study, "locked")
        move(study, "archived")
        before, whole = agreement(study, B=50), human_labels(study, "unanimous")
        study.database.write(lambda c: forget(c, by="c1"))
        assert (before.several, whole) == (0, {})
        assert (agreement(study, B=50), human_labels(study, "unanimous")) == (before, whole)
