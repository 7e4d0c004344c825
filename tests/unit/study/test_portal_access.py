"""Who gets in and who is put out: limits on guessing, links that end, passwords, sessions, proxies, what is noted."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import uvicorn
from sqlalchemy import Connection, text, update
from starlette.testclient import TestClient

from percuss.study.links import links
from percuss.study.portal.app import portal
from percuss.study.portal.choosing import common_passwords
from percuss.study.portal.visit import cookie_name
from percuss.study.serve import HOW_SERVED
from percuss.study.settings import Oidc
from percuss.study.store import ledger, people
from percuss.study.store.tables import people as table
from percuss.study.store.tables import sessions
from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.studies import CHEAP, make
from tests.unit.study.conftest import PASSWORD, Browser


def events(study: Study) -> list[tuple[str, str]]:
    """Return (who, what) of the ledger, all that was posted included."""
    study.database.write(lambda c: None)  # what was posted before is written before
    with study.database.read() as connection:
        return [(entry.who, entry.what) for entry in ledger.entries(connection)]


def from_address(study: Study, browser: Browser, address: str) -> None:
    """Let a browser come from another address."""
    app = browser.client.app
    browser.client = TestClient(
        app, base_url="http://127.0.0.1", follow_redirects=False, client=(address, 5000)
    )


def test_twelve_wrong_guesses_from_twelve_addresses_are_stopped(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        Browser(study).join("r1")
        browser = Browser(study)
        codes = []
        for n in range(12):
            from_address(study, browser, f"10.0.0.{n}")
            codes.append(browser.login("r1", f"wrong password {n}").status_code)
        assert codes == [401] * 10 + [429] * 2
        from_address(study, browser, "10.0.1.1")
        assert browser.login("r1").status_code == 429
        assert browser.login("r2", "some other guess").status_code == 401


def test_only_a_declared_proxys_word_on_where_somebody_comes_from_is_taken(folder: Path) -> None:
    with make(folder, proxies=("10.0.0.1",)) as study:
        Browser(study).join("r1")
        browser = Browser(study)

        def guess(address: str, said: str) -> int:
            from_address(study, browser, address)
            browser.get("/login")
            form = {"login": "r9@example.org", "password": "wrong password"}
            headers: dict[str, Any] = {"x-forwarded-for": said}
            return int(browser.post("/login", form, **headers).status_code)

        trusted = [guess("10.0.0.1", f"6.6.6.6, 192.0.2.{n}") for n in range(6)]
        assert trusted == [401] * 6, "six people behind the proxy are six places"
        liar = [guess("192.0.2.99", f"198.51.100.{n}") for n in range(6)]
        assert 429 in liar, "an address that is no proxy may say what it likes"


def test_a_served_study_believes_no_proxy_of_its_own_machine_unless_it_is_declared(folder: Path) -> None:
    with make(folder) as study:
        config = uvicorn.Config(portal(study, passwords=CHEAP), **HOW_SERVED)
        config.load()
        browser = Browser(study)
        browser.client = TestClient(
            config.loaded_app, base_url="http://127.0.0.1", follow_redirects=False, client=("127.0.0.1", 5000)
        )
        codes = []
        for n in range(6):
            browser.get("/login")
            form = {"login": "r9@example.org", "password": "wrong password"}
            headers: dict[str, Any] = {"x-forwarded-for": f"198.51.100.{n}"}
            codes.append(browser.post("/login", form, **headers).status_code)
        assert 429 in codes, "whoever names a new address each time may guess for ever"


def test_a_new_link_ends_password_session_and_link(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        browser, link = Browser(study), ""
        browser.join("r1")
        study.database.write(lambda c: people.reinvite(c, "r1", "c1"))
        assert browser.get("/guide").status_code == 401
        assert Browser(study).login("r1").status_code == 401
        with study.database.read() as connection:
            person = people.by_code(connection, "r1")
            assert verify(connection).ok
        assert person is not None
        assert (person.password, person.login, link) == ("", "", "")


def test_invitations_expire(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        old = (datetime.now(UTC) - timedelta(days=31)).isoformat()
        study.database.write(
            lambda c: c.execute(update(table).where(table.c.code == "r1").values(invited_at=old)) and None
        )
        assert Browser(study).get(dict(links(study, ""))["r1"]).status_code == 410
        assert "How to judge" in Browser(study).join("r2").text


def test_a_session_ends_after_a_day_however_much_it_is_used(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        assert browser.get("/guide").status_code == 200
        day = 24 * 3600 + 5
        study.database.write(
            lambda c: c.execute(update(sessions).values(made_at=sessions.c.made_at - day)) and None
        )
        assert browser.get("/guide").status_code == 401


def test_a_password_is_changed_by_who_knows_it_and_ends_other_sessions(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        one, other = Browser(study), Browser(study)
        one.join("r1")
        other.login("r1")
        one.get("/account")
        wrong = one.post(
            "/account", {"step": "password", "known": "not it at all", "password": "another sentence"}
        )
        assert wrong.status_code == 422
        said = one.post("/account", {"step": "password", "known": PASSWORD, "password": "another sentence"})
        assert "is changed" in said.text
        assert other.get("/guide").status_code == 401
        assert one.get("/guide").status_code == 200
        assert Browser(study).login("r1").status_code == 401
        assert Browser(study).login("r1", "another sentence").status_code == 200


def test_signing_out_everywhere_ends_every_session(folder: Path) -> None:
    with make(folder) as study:
        one, other = Browser(study), Browser(study)
        one.join("r1")
        other.login("r1")
        one.get("/account")
        wrong = one.post("/account", {"step": "sessions", "session": "all", "known": "not it at all"})
        assert wrong.status_code == 422
        assert {one.get("/guide").status_code, other.get("/guide").status_code} == {200}
        one.post("/account", {"step": "sessions", "session": "all", "known": PASSWORD})
        assert {one.get("/guide").status_code, other.get("/guide").status_code} == {401}


def test_sessions_are_listed_and_ended_one_by_one_by_who_shows_again_who_they_are(
    folder: Path, database: str
) -> None:
    with make(folder, database=database) as study:
        one, other, stranger = Browser(study), Browser(study), Browser(study)
        one.join("r1")
        stranger.join("r2")
        other.login("r1")
        handles = re.findall(r'name="session" value="(\w{16})"', one.get("/account").text)
        assert len(handles) == len(set(handles)) == 2
        foreign = re.findall(r'name="session" value="(\w{16})"', stranger.get("/account").text)
        form = {"step": "sessions", "known": PASSWORD}
        assert one.post("/account", {**form, "session": foreign[0]}).status_code == 422
        assert one.post("/account", {**form, "session": handles[1], "known": "no"}).status_code == 422
        assert one.post("/account", {**form, "session": handles[1]}).status_code == 200
        assert [each.get("/guide").status_code for each in (one, other, stranger)] == [200, 401, 200]
        one.get("/account")
        one.post("/account", {**form, "session": handles[0]})
        assert one.get("/guide").status_code == 401


def test_an_invitations_secret_stands_in_no_address_and_in_nothing_that_is_stored(folder: Path) -> None:
    with make(folder) as study:
        link = dict(links(study, "https://portal.example.org"))["r1"]
        address, _, secret = link.partition("#")
        assert address == "https://portal.example.org/join"
        browser, asked = Browser(study), list[str]()
        browser.client.event_hooks["request"].append(lambda request: asked.append(str(request.url)))
        page = browser.get(f"/join#{secret}")
        assert "I have read this" in page.text
        assert "I have read this" in browser.get("/join").text, "the page can be loaded again"
        form = {"step": "accept", "consent": "yes", "name": "A", "login": "ada", "password": PASSWORD}
        assert "How to judge" in browser.post("/join", form).text
        assert len(asked) >= 4
        assert secret.encode() not in browser.bytes + "".join(asked).encode()
        stranger = Browser(study)
        assert "paste it here" in stranger.get("/join").text
        assert stranger.post("/join", {**form, "login": "eve"}).status_code == 200
        assert stranger.get("/guide").status_code == 401, "nobody gets in without an invitation"


def test_common_and_short_passwords_are_refused(folder: Path) -> None:
    with make(folder) as study:
        browser = Browser(study)
        path = f"/join#{people.invitation(study.secret, people.Person(code='r1', role='rater'))}"
        browser.get(path)
        for password, words in (
            ("short", "at least 10"),
            ("password123", "first that are guessed"),
            ("ada@example.org", "not your name"),
        ):
            form = {"consent": "yes", "name": "Ada", "login": "ada@example.org", "password": password}
            assert words in browser.post(path, form).text
    assert all(len(word) >= 10 for word in common_passwords())


def test_a_rater_withdraws_as_the_consent_promises(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        browser.get("/account")
        assert browser.post("/account/withdraw", {}).status_code == 422
        told = browser.post("/account/withdraw", {"sure": "yes"}).text
        assert "are deleted" in told
        assert "Sign out" not in told, "an account that is gone is offered no more"
        assert browser.get("/guide").status_code == 401
        with study.database.read() as connection:
            assert verify(connection).ok
            row = connection.execute(table.select().where(table.c.code == "r1")).one()
        assert (row.name, row.login, row.password, row.consented_at) == (None, None, None, None)
        assert Browser(study).login("r1").status_code == 401


def test_the_security_log_has_sign_ins_failures_and_exports(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        browser.join("c1")
        browser.get("/coordinate/export/csv")
        browser.get("/account")
        browser.post("/logout")
        browser.login("c1", "wrong password")
        found = events(study)
        assert [what for _, what in found] == [
            "created",
            "joined",
            "signed in",
            "exported",
            "signed out",
            "sign-in failed",
        ]
        assert {who for who, what in found if what == "exported"} == {"c1"}
        text_of = str(_entries(study))
        assert PASSWORD not in text_of
        assert "wrong password" not in text_of


def _entries(study: Study) -> list[Any]:
    with study.database.read() as connection:
        return list(ledger.entries(connection))


def test_two_studies_on_one_host_have_cookies_of_their_own(tmp_path: Path) -> None:
    with make(tmp_path / "a") as one, make(tmp_path / "b") as other:
        assert cookie_name(one.secret, secure=True) != cookie_name(other.secret, secure=True)


def test_with_single_sign_on_alone_no_password_opens_anything(folder: Path) -> None:
    oidc = Oidc(issuer="https://login.example.org", client_id="percuss", only=True)
    with make(folder, oidc=oidc) as study:
        browser = Browser(study)
        assert 'name="password"' not in browser.get("/login").text
        assert browser.post("/login", {"login": "x", "password": "y"}).status_code == 403
        path = f"/join#{people.invitation(study.secret, people.Person(code='r1', role='rater'))}"
        assert 'name="password"' not in browser.get(path).text
        form = {"consent": "yes", "name": "A", "login": "ada", "password": PASSWORD}
        assert browser.post(path, form).status_code == 403


def test_pictures_are_not_stored_by_browsers_or_proxies(folder: Path) -> None:
    with make(folder, "reader-study") as study:
        browser = Browser(study)
        browser.join("r1")
        assert browser.get("/practice/picture/0/0").headers["cache-control"] == "no-store"


def test_nothing_that_a_browser_gets_names_the_server_or_its_release(folder: Path) -> None:
    with make(folder) as study:
        reply = Browser(study).get("/login")
        assert "server" not in reply.headers
        assert "x-powered-by" not in reply.headers
        assert portal(study, passwords=CHEAP) is not None


def test_the_database_holds_no_session_that_opens_anything(folder: Path) -> None:
    with make(folder) as study:
        browser = Browser(study)
        browser.join("r1")
        cookie = browser.client.cookies.get(cookie_name(study.secret, secure=False))

        def kept(connection: Connection) -> list[str]:
            return [str(row) for row in connection.execute(text("SELECT id FROM sessions"))]

        with study.database.read() as connection:
            assert not any(str(cookie) in row for row in kept(connection))
