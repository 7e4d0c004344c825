"""What an enemy, a slip or a broken clock may try beside the rows of docs/security.md: replays, two tabs, times, uploads, moved places."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from percuss import __version__
from percuss.study import lifecycle
from percuss.study.answers import MAX_ACTIVE_MS
from percuss.study.links import links
from percuss.study.reassigning import reassign
from percuss.study.store import ledger, work
from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.studies import make
from tests.unit.study.conftest import PASSWORD, Browser


def all_places(study: Study) -> list[tuple[object, ...]]:
    """Return all places of all lists."""
    with study.database.read() as connection:
        return [tuple(row) for row in connection.execute(text("SELECT * FROM assignments ORDER BY id"))]


def test_an_invitation_that_was_used_takes_nobody_elses_place(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        path = dict(links(study, ""))["r1"]
        Browser(study).join("r1")
        thief = Browser(study)
        thief.get(path)
        form = {"consent": "yes", "name": "Eve", "login": "eve@example.org", "password": PASSWORD}
        thief.post(path, form)
        assert thief.get("/work").status_code == 401
        assert thief.login("eve").status_code == 401
        assert Browser(study).login("r1").status_code == 200


def test_two_tabs_that_save_one_item_lose_nothing(folder: Path, database: str) -> None:
    with make(folder, count=2, repeats=0.0, database=database) as study:
        first, second = Browser(study), Browser(study)
        first.join("r1")
        first.practise()
        here = first.here(first.get("/work"))
        second.client.cookies = first.client.cookies
        assert second.here(second.get("/work")) == here
        assert first.post(here, {"q.support": "supported"}).status_code == 200
        assert second.post(here, {"q.support": "partial"}).status_code == 200
        with study.database.read() as connection:
            (label,) = work.labelled(connection)
            events = [one for one in ledger.entries(connection) if one.what in ledger.LABELS]
            assert verify(connection, key=study.public_key, expect=study.anchored).ok
        assert (label.first.answer["support"], label.given.answer["support"]) == ("supported", "partial")
        assert [(one.what, one.who, one.value["answer"]["support"]) for one in events] == [
            ("label", "r1", "supported"),
            ("revised", "r1", "partial"),
        ]
        assert all(one.at and one.value["app"] == __version__ and "active_ms" in one.value for one in events)
        assert label.revision == 2
        other = Browser(study)
        other.join("r2")
        other.practise()
        for _ in range(2):
            other.post(other.here(other.get("/work")), {"q.support": "supported"})
        late = second.post(here, {"q.support": "unknown"})
        assert late.status_code == 409
        assert "be changed any more" in late.text
        with study.database.read() as connection:
            kept = next(one for one in work.labelled(connection) if one.token == label.token)
        assert kept.given.answer["support"] == "partial"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("-5", 0),
        ("99999999999999999999", MAX_ACTIVE_MS),
        ("٣", 0),
        ("1e9", 0),
        ("NaN", 0),
        ("", 0),
        ("1200", 1200),
    ],
)
def test_no_clock_of_a_raters_is_believed(folder: Path, told: str, kept: int) -> None:
    with make(folder, count=1, repeats=0.0) as study:
        browser = Browser(study)
        browser.join("r1")
        browser.practise()
        before = datetime.now(UTC)
        here = browser.here(browser.get("/work"))
        form = {"q.support": "supported", "active_ms": told, "saved_at": "2001-01-01T00:00:00+00:00"}
        assert browser.post(here, form, date="Mon, 01 Jan 2001 00:00:00 GMT").status_code == 200
        with study.database.read() as connection:
            (label,) = work.labelled(connection)
    assert label.given.active_ms == kept
    assert abs((datetime.fromisoformat(label.saved_at) - before).total_seconds()) < 3600


def test_nothing_can_be_uploaded(folder: Path) -> None:
    with make(folder, count=1, repeats=0.0) as study:
        browser = Browser(study)
        browser.join("r1")
        browser.practise()
        here = browser.here(browser.get("/work"))
        sent = browser.client.post(here, data={"csrf": browser.csrf}, files={"file": ("x.html", b"<script>")})
        assert sent.status_code == 415
        with study.database.read() as connection:
            assert work.labelled(connection) == ()


def test_places_that_moved_behind_the_records_back_are_found(folder: Path, database: str) -> None:
    with make(folder, count=6, raters=3, repeats=0.0, database=database) as study:
        fresh = study.database.write(lambda c: lifecycle.add(c, "rater", by="c1"))
        study.database.write(lambda c: reassign(c, study, "r1", fresh, by="c1"))
        with study.database.read() as connection:
            assert verify(connection, key=study.public_key).ok
        study.database.write(
            lambda c: c.execute(
                text(
                    "UPDATE assignments SET rater = 'r1', ordinal = 99 WHERE rater = :fresh AND ordinal = 0"
                ),
                {"fresh": fresh},
            )
        )
        with study.database.read() as connection:
            (problem,) = verify(connection, key=study.public_key).problems
        assert problem == "items, pictures or assignments are not those the study was made with"


@pytest.mark.parametrize("code", ["r2", "r9", "c1", "", "r1\x00", "研究", "../r2", "r1' OR '1'='1"])
def test_a_code_that_is_made_up_moves_nothing(folder: Path, code: str) -> None:
    with make(folder, count=4, repeats=0.0) as study:
        browser = Browser(study)
        browser.join("c1")
        browser.get("/coordinate")
        before = all_places(study)
        reply = browser.post("/coordinate/act/reassign", {"code": "r1", "to": code, "item": "<b>nothing</b>"})
        assert reply.status_code == 200
        assert "<b>nothing</b>" not in reply.text
        assert 'role="alert"' in reply.text
        assert all_places(study) == before


def test_what_is_wrong_with_the_record_is_said_in_the_language_of_the_screen(folder: Path) -> None:
    with make(folder, count=4, repeats=0.0, language="de") as study:
        browser = Browser(study)
        browser.join("c1")
        browser.get("/coordinate")
        assert "Einträge sind geprüft" in browser.post("/coordinate/verify").text
        study.database.write(
            lambda c: c.execute(text("UPDATE people SET role = 'adjudicator' WHERE code = 'r2'"))
        )
        found = browser.post("/coordinate/verify").text
        assert "Rolle von r2 in der Tabelle ist nicht, was das Protokoll sagt" in found
        refused = browser.post("/coordinate/act/state", {"to": "archived"}).text
        assert "Die Studie ist offen; darauf kann unterbrochen oder gesperrt folgen" in refused


@pytest.mark.parametrize("number", ["9" * 20, "9" * 5000, "٣", "²", "-1", "1e3", ""])
def test_a_number_that_is_none_breaks_nothing(folder: Path, number: str) -> None:
    """Twenty digits are too many for the database, five thousand for Python; both ended in an error of the server."""
    with make(folder, "reader-study", count=2, repeats=0.0) as study:
        lead, rater = Browser(study), Browser(study)
        lead.join("c1")
        rater.join("r1")
        assert rater.post("/practice", {"step": number}).status_code in (200, 422)
        rater.practise()
        action = rater.here(rater.get("/work"))
        assert rater.post(action, {"active_ms": number}).status_code == 422
        assert lead.post("/coordinate/act/extend", {"count": number}).status_code == 200
        for path in (
            f"/coordinate/item/{number}",
            f"/coordinate/picture/{number}/0",
            f"/coordinate/picture/0/{number}",
        ):
            assert lead.get(path).status_code == 404
        assert rater.get(f"{action.replace('/work', '/picture')}/{number}").status_code == 404
