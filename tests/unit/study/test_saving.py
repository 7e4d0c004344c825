"""What a save costs, in statements: few by itself, next to none where many wait together; nothing is lost or doubled by that."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, update

from percuss.study import lifecycle
from percuss.study.answers import Given
from percuss.study.selftest.raters import judge_all
from percuss.study.store import ledger, people, work
from percuss.study.store.database import Asked
from percuss.study.store.tables import assignments
from percuss.study.store.verifying import verify
from percuss.study.study import Study, open_study
from tests.studies import make
from tests.study_load import ACTION
from tests.unit.study.conftest import Browser

SAID = Given(answer={"support": "supported"}, active_ms=4000)


@contextmanager
def counted(study: Study) -> Iterator[list[str]]:
    """Give the list of statements that the database is asked, as they come."""
    said: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        said.append(statement)

    engines = study.database.engines
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    yield said
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)


@contextmanager
def gathering(study: Study) -> Iterator[None]:
    """Hold the writer, so that what is put meanwhile waits for one commit."""
    holds, go = threading.Event(), threading.Event()

    def wait(_: Connection) -> None:
        holds.set()
        go.wait(60)

    with ThreadPoolExecutor(1) as held:
        held.submit(study.database.write, wait)
        holds.wait(60)
        yield
        go.set()


def save(study: Study, rater: str, token: str, given: Given = SAID) -> str:
    """Save as the portal does."""
    return study.database.write(
        lambda c: work.save_label(c, rater, token, given), asked=Asked(work.slots_by_token, token)
    )


def tokens(study: Study) -> list[tuple[str, str]]:
    """Return rater and token of every place, by rater and order."""
    with study.database.read() as connection:
        listed = connection.exec_driver_sql("SELECT rater, token FROM assignments ORDER BY rater, ordinal")
        return [(row[0], row[1]) for row in listed]


def place_in(page: str) -> str:
    """Return the address to which a page sends its answer."""
    found = ACTION.search(page)
    assert found is not None
    return found.group(1)


def waiting(study: Study, count: int) -> None:
    """Wait until so many jobs are in the writer's queue."""
    while study.database.waiting < count:
        threading.Event().wait(0.005)


def test_a_page_and_its_save_ask_little(folder: Path, database: str) -> None:
    with make(folder, count=20, raters=1, overlap=0.0, repeats=0.0, database=database) as study:
        with counted(study) as said:
            form = {"q.support": "supported", "active_ms": "4000"}
            assert judge_all(study, {"r1": lambda item, token, progress: form}) == 20
        assert (
            len(said) / 20 < 12
        )  # who; slot, ledger, contents, label; turn; what was viewed; the rater's own looks


def test_a_save_asks_eight_things_at_most(folder: Path, database: str) -> None:
    """Who comes; what holds, ledger, contents, label, in a transaction; the turn. What was viewed is written after the answer."""
    with make(folder, count=8, raters=1, repeats=0.0, break_every=0, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        study.database.write(lambda c: people.set_practised(c, "r1", len(study.design.practice), {}))
        page = browser.get("/work").text
        asked: list[list[str]] = []
        htmx: dict[str, Any] = {"HX-Request": "true"}
        for _ in range(8):
            study.database.write(lambda c: None)  # what was viewed is written
            with counted(study) as said:
                form = {"q.support": "supported", "active_ms": "4000"}
                page = browser.post(place_in(page), form, **htmx).text
            told = [one for one in said if "FROM items" not in one]  # each is read once by a served study
            asked.append(told[: 1 + max(n for n, one in enumerate(told) if "FROM assignments" in one)])
        assert max(map(len, asked[1:-1])) <= 8, asked
        with study.database.read() as connection:
            assert verify(connection, key=study.public_key, expect=study.anchored).ok
            assert work.progress(connection, "r1").done == 8


def test_a_place_that_was_given_away_since_it_was_shown_takes_no_answer(folder: Path) -> None:
    with make(folder, count=4, raters=2, repeats=0.0, overlap=0.0) as study:
        browser = Browser(study)
        browser.join("r1")
        study.database.write(lambda c: people.set_practised(c, "r1", len(study.design.practice), {}))
        place = place_in(browser.get("/work").text)
        study.database.write(
            lambda c: c.execute(
                update(assignments)
                .where(assignments.c.rater == "r1")
                .values(rater="r2", ordinal=assignments.c.ordinal + 99)
            )
        )
        reply = browser.post(place, {"q.support": "supported", "active_ms": "4000"})
        assert reply.status_code == 404
        assert "not on your list" in reply.text
        with study.database.read() as connection:
            assert work.labelled(connection) == ()


def test_another_process_may_write_between_two_saves(folder: Path, database: str) -> None:
    """The writer goes on from the last entry that it knows; one that it doesn't know makes it ask, and nothing is lost."""
    with make(folder, count=6, raters=1, repeats=0.0, database=database) as study:
        listed = tokens(study)
        save(study, *listed[0])
        with open_study(folder) as other:
            other.database.write(lambda c: ledger.append(c, "c1", "viewed", "names", None))
        with ThreadPoolExecutor(4) as crowd:
            with gathering(study):
                sent = [crowd.submit(save, study, *one) for one in listed[1:4]]
                waiting(study, 3)
            assert all(one.result() for one in sent)
        with open_study(folder) as other:
            other.database.write(lambda c: ledger.append(c, "c1", "viewed", "names", None))
        save(study, *listed[4])
        with study.database.read() as connection:
            assert verify(connection, key=study.public_key, expect=study.anchored).ok
            said = [entry.what for entry in ledger.entries(connection)]
        assert (said.count("label"), said.count("viewed")) == (5, 2)


def test_saves_that_wait_together_go_out_together(folder: Path, database: str) -> None:
    with make(folder, count=12, raters=4, depth=4, repeats=0.0, database=database) as study:
        listed = tokens(study)
        with ThreadPoolExecutor(len(listed)) as crowd, counted(study) as said:
            with gathering(study):
                sent = [crowd.submit(save, study, rater, token) for rater, token in listed]
                waiting(study, len(listed))
            times = [one.result() for one in sent]
        assert len(listed) == 48
        assert len(said) < 16, (
            said
        )  # 48 saves: what is known, head, ledger, contents, labels; and the writer's own two commits
        with study.database.read() as connection:
            labels = work.labelled(connection)
            assert verify(connection, key=study.public_key, expect=study.anchored).ok
        assert sorted(label.saved_at for label in labels) == sorted(times)


def test_what_waits_together_counts_one_after_the_other(folder: Path, database: str) -> None:
    """The same answer twice, another in its place, a change that came too late, somebody who was replaced meanwhile."""
    with make(folder, count=2, raters=2, repeats=0.0, database=database) as study:
        mine = [token for rater, token in tokens(study) if rater == "r1"]
        other = Given(answer={"support": "partial"})
        with ThreadPoolExecutor(4) as crowd:
            with gathering(study):
                twice = [crowd.submit(save, study, "r1", mine[0]) for _ in range(2)]
                waiting(study, 2)
                changed = crowd.submit(save, study, "r1", mine[0], other)
                waiting(study, 3)
            assert len({one.result() for one in twice}) == 1
            changed.result()
        with study.database.read() as connection:
            (label,) = work.labelled(connection)
        assert (label.first.answer, label.given.answer, label.revision) == (SAID.answer, other.answer, 2)
        theirs = [token for rater, token in tokens(study) if rater == "r2"]
        with ThreadPoolExecutor(8) as crowd:
            with gathering(study):
                done = [crowd.submit(save, study, "r2", token) for token in theirs]
                waiting(study, 2)
                late = crowd.submit(save, study, "r1", mine[0], SAID)
                waiting(study, 3)
                gone = crowd.submit(
                    study.database.write, lambda c: lifecycle.replace(c, study, "r1", by="c1")
                )
                waiting(study, 4)
                moved = crowd.submit(save, study, "r1", mine[1])
                waiting(study, 5)
            assert all(one.result() for one in done)
            assert gone.result() == "r3"
            with pytest.raises(work.Locked):
                late.result()
            with pytest.raises(Exception, match="not on your list"):
                moved.result()
        with study.database.read() as connection:
            assert verify(connection, key=study.public_key, expect=study.anchored).ok
            assert [entry.what for entry in ledger.entries(connection)][-4:] == [
                "revised",
                "label",
                "label",
                "assigned",
            ]
