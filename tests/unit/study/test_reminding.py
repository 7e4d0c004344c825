"""Reminders to copy or by SMTP, and what is forgotten when a study's days are over."""

from datetime import UTC, datetime, timedelta
from email import message_from_string
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner

from percuss.cli.study import command
from percuss.core.errors import BadInput, RunError, UsageError
from percuss.study import lifecycle
from percuss.study.reminding import read_addresses, reminders, send
from percuss.study.retention import forget, is_due
from percuss.study.serve import keep_promises, serve
from percuss.study.settings import kept_for
from percuss.study.store import ledger, people
from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.smtp_server import mail_server
from tests.studies import answer_all, make
from tests.unit.study.conftest import Browser

HOME = "https://studies.example.org/trial"


def half_done(folder: Path, database: str = "") -> Study:
    """Make a study of three people: one is done, one has begun, one never came."""
    study = make(
        folder, count=4, raters=3, depth=3, repeats=0.0, database=database, contact="ward 7, ext. 12"
    )
    for code in ("r1", "r2"):
        Browser(study).join(code)
    answer_all(study, "r1", lambda n, again: {"support": "supported"})
    return study


def test_whoever_has_items_left_is_reminded_by_their_own_link(folder: Path, database: str) -> None:
    with half_done(folder, database) as study:
        known, stranger = reminders(study, HOME)
        assert (known.code, known.left, stranger.code) == ("r2", 4, "r3")
        assert known.text.startswith("Dear Person r2,")
        assert f"\n{HOME}/\n" in known.text
        assert "ward 7, ext. 12" in known.text
        assert f"\n{HOME}/join#" in stranger.text
        assert "Person" not in known.subject
        assert known.subject == "4 items left: Is each statement supported by the record?"
        assert "you go on where you stopped" not in known.text + stranger.text, "nothing was answered yet"
        assert "\nYou begin here:\n" in stranger.text
        study.database.write(lambda c: lifecycle.move(c, "paused", by="c1"))
        assert reminders(study, HOME) == ()


def test_everybody_is_reminded_in_the_language_they_read(folder: Path) -> None:
    with half_done(folder) as study:
        study.database.write(lambda c: people.set_language(c, "r2", "de"))
        known, stranger = reminders(study, HOME)
        assert (known.language, stranger.language) == ("de", "en")
        assert known.text.startswith("Guten Tag Person r2,")
        assert "Aufgaben" in known.subject
        assert stranger.text.startswith("Hello,")
        page = Browser(study)
        page.join("c1")
        assert 'lang="de"' in page.get("/coordinate/people").text


def test_reminders_go_out_by_smtp_and_no_address_is_kept(folder: Path, tmp_path: Path) -> None:
    listed = tmp_path / "addresses.csv"
    listed.write_text("code,address\nr1,done@example.org\nr2,second@example.org\n")
    half_done(folder).close()
    with mail_server() as (server, got):
        asked = ["remind", str(folder), "--public-url", HOME, "--smtp", server]
        asked += ["--sender", "study@example.org", "--addresses", str(listed)]
        said = CliRunner().invoke(command, asked, catch_exceptions=False).output
    assert said == "1 of 2 reminders sent: r2\n"
    ((to, text),) = got
    message = message_from_string(text)
    assert (to, message["From"], message["To"]) == (
        "second@example.org",
        "study@example.org",
        "second@example.org",
    )
    assert "4 items left" in str(message["Subject"])
    printed = CliRunner().invoke(command, ["remind", str(folder)], catch_exceptions=False).output
    assert "--- r2:" in printed
    assert "--- r3:" in printed
    assert b"second@example.org" not in b"".join(path.read_bytes() for path in folder.iterdir())


def test_what_cannot_be_sent_says_so(folder: Path, tmp_path: Path) -> None:
    listed = tmp_path / "addresses.csv"
    listed.write_text("code,address\nr2,second\n")
    with pytest.raises(BadInput, match="code and a mail address"):
        read_addresses(listed)
    with half_done(folder) as study:
        told = reminders(study, HOME)
        with pytest.raises(UsageError, match="no mail server"):
            send(study, told, {"r2": "a@example.org"}, server="mail.example.org", sender="s@example.org")
        with mail_server() as (server, _), pytest.raises(RunError, match="copy the texts instead"):
            send(study, told, {"r2": "refused@example.org"}, server=server, sender="s@example.org")
        with study.database.read() as connection:
            assert not [entry for entry in ledger.entries(connection) if entry.what == "reminded"]


def test_names_and_accounts_are_forgotten_when_the_days_are_over(folder: Path, database: str) -> None:
    kept = kept_for(30)
    with make(folder, count=2, repeats=0.0, database=database, retention_days=30, kept=kept) as study:
        browser = Browser(study)
        browser.join("r1")
        assert "deleted 30 days after the study is archived" in browser.bytes.decode()
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        with pytest.raises(UsageError, match="archive it first"):
            study.database.write(lambda c: forget(c, by="c1"))
        for state in ("locked", "archived"):
            study.database.write(lambda c, to=state: lifecycle.move(c, to, by="c1"))  # type: ignore[misc]
        later = datetime.now(UTC) + timedelta(days=31)
        with study.database.read() as connection:
            assert not is_due(connection, study.settings)
            assert is_due(connection, study.settings, now=later)
        assert study.database.write(lambda c: forget(c, by="c1")) == 1
        with study.database.read() as connection:
            assert not is_due(connection, study.settings, now=later)
            person = people.by_code(connection, "r1")
            assert verify(connection, key=study.public_key, expect=study.anchored).ok
            assert len(study.labels(connection)) == 2
        assert person is not None
        assert (person.name, person.login, person.password, person.left) == ("", "", "", True)
        assert "not right" in browser.login("r1").text


class _Stop(Exception):
    """Ends a server before it takes a request."""


def _archived(folder: Path, days: int) -> Study:
    study = make(folder, count=2, repeats=0.0, retention_days=days)
    Browser(study).join("r1")
    for state in ("locked", "archived"):
        study.database.write(lambda c, to=state: lifecycle.move(c, to, by="c1"))  # type: ignore[misc]
    return study


def _name(study: Study) -> str:
    with study.database.read() as connection:
        person = people.by_code(connection, "r1")
    assert person is not None
    return person.name


def test_serving_a_study_deletes_names_and_accounts_when_the_days_are_over(folder: Path) -> None:
    def stop(_: int) -> None:
        raise _Stop

    with _archived(folder, 30) as study:
        for days, name in ((29, "Person r1"), (31, "")):
            said: list[str] = []
            later = datetime.now(UTC) + timedelta(days=days)
            with pytest.raises(_Stop):
                serve(study, port=0, say=said.append, ready=stop, clock=lambda at=later: at)  # type: ignore[misc]
            assert _name(study) == name
            assert ("trial: names and accounts are deleted, 30 days after archiving" in said) == (not name)
        with study.database.read() as connection:
            assert verify(connection, key=study.public_key, expect=study.anchored).ok


def test_a_server_that_runs_for_longer_than_the_days_deletes_them_too(folder: Path) -> None:
    start = datetime.now(UTC)
    days = iter(range(20, 60))
    stopped, said = Event(), []

    def say(text: str) -> None:
        said.append(text)
        stopped.set()

    with _archived(folder, 30) as study:
        keep_promises([study], say, lambda: start + timedelta(days=next(days)), stopped, every_s=0)
        assert _name(study) == ""
    assert said == ["trial: names and accounts are deleted, 30 days after archiving"]
    assert next(days) == 32
