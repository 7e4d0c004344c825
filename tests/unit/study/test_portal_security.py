"""The portal against people who mean harm: forged forms, fixed sessions, guessing, wrong roles, hostile text."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from percuss.study.design import load_design
from percuss.study.files import read_items
from percuss.study.labelstudio import import_labels
from percuss.study.links import links
from percuss.study.portal.app import PAGES
from percuss.study.portal.many import portals
from percuss.study.portal.security import HEADERS, Passwords
from percuss.study.portal.visit import cookie_name
from percuss.study.store import ledger, people, work
from percuss.study.store.verifying import verify
from tests.studies import SOME_DESIGNS, items, jsonl, make
from tests.unit.study.conftest import PASSWORD, Browser

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> javascript:alert(3) {{ 7*7 }} </textarea>"


def test_a_form_without_its_token_is_refused(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        for path in ("/logout", "/practice"):
            browser.csrf = ""
            assert browser.post(path, {"q.support": "supported"}, follow=False).status_code == 403


def test_every_form_of_every_role_is_refused_without_its_token_and_changes_nothing(
    folder: Any, database: str
) -> None:
    with make(folder, database=database) as study:
        browsers = {code: Browser(study) for code in ("r1", "a1", "c1")}
        for code, browser in browsers.items():
            browser.join(code)
        visitor = Browser(study)
        visitor.get("/login")
        with study.database.read() as connection:
            before = ledger.head(connection)
        tried = 0
        for page in PAGES:
            for browser in (*browsers.values(), visitor) if "POST" in page.methods else ():
                browser.csrf = "0" * 64
                path = re.sub(r"\{[^}]*\}", "r2", page.path)
                assert browser.post(path, {"q.support": "supported"}, follow=False).status_code in (401, 403)
                tried += 1
        with study.database.read() as connection:
            since = [one for one in ledger.entries(connection) if one.seq > before[0]]
        assert {one.what for one in since} == {"refused"}
        assert {one.who for one in since} == {"r1", "a1", "c1"}
    assert tried >= 4 * 7


def test_another_browsers_token_does_not_fit(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        one, other = Browser(study), Browser(study)
        one.join("r1")
        other.join("r2")
        one.csrf = other.csrf
        assert one.post("/logout", follow=False).status_code == 403


def test_a_form_from_another_site_is_refused_even_with_the_token(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        browser.get("/guide")
        assert browser.post("/logout", follow=False, origin="https://evil.example").status_code == 403
        assert browser.post("/logout", follow=False, origin="null").status_code == 403
        assert browser.post("/logout", follow=False, origin="http://127.0.0.1").status_code == 303


def test_signing_in_changes_the_cookie_and_a_planted_one_opens_nothing(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        Browser(study).join("r1")
        victim, name = Browser(study), cookie_name(study.secret, secure=False)
        victim.client.cookies.set(name, "planted-by-an-attacker", domain="127.0.0.1", path="/")
        victim.login("r1")
        cookies = [cookie.value for cookie in victim.client.cookies.jar if cookie.name == name]
        attacker = Browser(study)
        attacker.client.cookies.set(name, "planted-by-an-attacker", domain="127.0.0.1", path="/")
        assert "planted-by-an-attacker" not in cookies
        assert attacker.get("/guide").status_code == 401


def test_signing_out_ends_the_session_for_good(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        name = cookie_name(study.secret, secure=False)
        old = browser.client.cookies.get(name)
        browser.get("/guide")
        left = browser.post("/logout", follow=False)
        assert left.headers["clear-site-data"] == '"cache", "storage"', "what the browser kept goes too"
        again = Browser(study)
        again.client.cookies.set(name, str(old), domain="127.0.0.1", path="/")
        assert again.get("/guide").status_code == 401


def test_cookies_are_closed_to_scripts_and_secure_behind_https(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        plain = Browser(study).get("/login").headers["set-cookie"]
        proxied = Browser(study, public_url="https://host.example/trial", base="http://host.example")
        cookie = proxied.get("/trial/login").headers["set-cookie"]
    assert "HttpOnly" in plain
    assert "SameSite=lax" in plain
    assert "Secure" not in plain
    assert "Secure" in cookie
    assert cookie.startswith("__Host-percuss_")
    assert "Path=/;" in cookie
    assert "Domain" not in cookie


def test_guessing_passwords_is_slowed_down_and_told_in_minutes(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        Browser(study).join("r1")
        browser = Browser(study)
        codes = [browser.login("r1", f"wrong password {n}").status_code for n in range(6)]
        assert codes == [401] * 5 + [429]
        right = browser.login("r1")
        assert right.status_code == 429
        assert int(right.headers["retry-after"]) > 0
        assert "Too many attempts" in right.text
        assert browser.login("r2").status_code == 401  # somebody else is not locked out


def test_guessing_names_from_one_place_is_slowed_down_too(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        codes = [browser.login(f"x{n}", "wrong password").status_code for n in range(42)]
    assert codes == [401] * 40 + [429] * 2


def test_a_wrong_name_and_a_wrong_password_look_the_same(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        Browser(study).join("r1")
        one = Browser(study).login("r1", "not the password")
        other = Browser(study).login("nobody", "not the password")
    find = re.compile(r'<div class="problems".*?</div>', re.DOTALL)
    assert find.findall(one.text) == find.findall(other.text)


def test_invitations_that_are_guessed_at_are_slowed_down(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        codes = [browser.get(f"/join#{n:040x}").status_code for n in range(42)]
    assert codes[0] == 404
    assert codes[-1] == 429


@pytest.mark.parametrize("role", ["visitor", "rater", "adjudicator", "coordinator"])
def test_each_role_reaches_its_own_pages_and_no_others(folder: Any, database: str, role: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        if role != "visitor":
            browser.join(f"{role[0]}1")
        for page in PAGES:
            path = re.sub(r"\{[^}]*\}", "x", page.path)
            for method in page.methods:
                if path == "/logout":
                    continue
                browser.get("/guide")
                reply = browser.client.get(path) if method == "GET" else browser.post(path, follow=False)
                refused = reply.status_code in (401, 403) and (
                    "Not your page" in reply.text or "Please sign in" in reply.text
                )
                assert refused == (role not in page.roles), f"{role} {method} {path}: {reply.status_code}"
                assert reply.status_code < 500, f"{role} {method} {path}"


def test_nobody_opens_another_ones_item_or_picture(folder: Any, database: str) -> None:
    with make(folder, "reader-study", database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        browser.practise()
        with study.database.read() as connection:
            other = work.next_slot(connection, "r2")
        assert other is not None
        assert browser.get(f"/work/{other.token}").status_code == 404
        assert browser.get(f"/picture/{other.token}/0").status_code == 404
        assert browser.get("/picture/../../secret/0").status_code == 404
        assert browser.get("/practice/picture/0/0").headers["content-type"] == "image/png"
        assert browser.get("/practice/picture/9/0").status_code == 404


def test_an_address_that_leads_nowhere_gets_a_page_of_the_portal(folder: Any, database: str) -> None:
    with make(folder, database=database, language="de") as study:
        browser = Browser(study)
        for joined in (False, True):
            if joined:
                browser.join("r1")
            for path in ("/nowhere", "/coordinate/nothing/here", "/static/nothing.css"):
                reply = browser.get(path)
                assert reply.status_code == 404
                assert '<html lang="de"' in reply.text
                assert "Diese Seite gibt es nicht." in reply.text


def test_an_item_cannot_be_opened_before_its_turn(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        browser.practise()
        with study.database.read() as connection:
            tokens = [s.token for s in _slots(connection)]
        assert browser.get(f"/work/{tokens[0]}").status_code == 200
        assert browser.get(f"/work/{tokens[2]}").status_code == 404


def _slots(connection: Any) -> list[Any]:
    from percuss.study.store.tables import assignments

    rows = connection.execute(
        assignments.select().where(assignments.c.rater == "r1").order_by(assignments.c.ordinal)
    )
    return list(rows)


def test_text_of_a_model_and_notes_of_people_never_run(folder: Any, database: str) -> None:
    listed = items("claim-adjudication", claim=HOSTILE, context=f"before {HOSTILE} after")
    with make(folder, listed=listed, database=database) as study:
        for code, answer in (("r1", "supported"), ("r2", "unsupported")):
            browser = Browser(study)
            browser.join(code)
            browser.practise()
            for _ in range(3):
                page = browser.get("/work")
                assert "<script>alert" not in page.text
                assert "<img src=x" not in page.text
                browser.post(browser.here(page), {"q.support": answer, "notes": HOSTILE})
        judge = Browser(study)
        page = judge.join("a1")
        assert "Label A" in page.text
        coordinator = Browser(study)
        overview = coordinator.join("c1")
        for text in (page.text, overview.text):
            assert "<script>alert" not in text
            assert "onerror=alert" not in re.sub(r"&lt;.*?&gt;", "", text)
            assert "49" not in text.partition("javascript:alert(3)")[2][:20]


class Markup(HTMLParser):
    """Collects what a browser would run or load."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag in ("iframe", "object", "embed", "base") or (tag == "script" and "src" not in given):
            self.found.append(tag)
        self.found += [f"{tag} {name}" for name in given if name.startswith("on") or name == "style"]
        for name in ("href", "src", "action", "hx-get", "hx-post"):
            if not given.get(name, "/").startswith(("/", "#", "https://example.org/")):
                self.found.append(f"{tag} {name}={given[name]}")


def _hostile(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _hostile(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_hostile(inner) for inner in value]
    return f"{value} {HOSTILE}\"'><svg onload=alert(4)>" if isinstance(value, str) else value


@pytest.mark.parametrize("name", SOME_DESIGNS)
def test_hostile_text_in_any_field_of_any_design_is_text(folder: Any, database: str, name: str) -> None:
    image = load_design(name).shown_field("image")
    listed = [
        msgspec.structs.replace(
            item,
            shown={
                key: value if image and key == "image" else _hostile(value)
                for key, value in item.shown.items()
            },
        )
        for item in items(name, 2)
    ]
    with make(folder, name, listed=listed, title=HOSTILE, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        browser.practise()
        page = browser.get("/work")
    assert page.text.count("&lt;script&gt;alert(1)") >= 3
    markup = Markup()
    markup.feed(page.text)
    assert not markup.found


def test_a_nul_in_an_address_or_a_form_is_text_like_any_other(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        rater, coordinator, visitor = Browser(study), Browser(study), Browser(study)
        rater.join("r1")
        rater.practise()
        for path in ("/work/a%00b", "/picture/a%00b/0", "/join#a\0b"):
            assert rater.get(path).status_code == 404
        page = rater.get("/work")
        assert rater.post(rater.here(page), {"q.support": "supported", "notes": "a\0b"}).status_code == 200
        coordinator.join("c1")
        assert coordinator.post("/coordinate/invite/r1%00").status_code == 404
        visitor.get("/login")
        assert visitor.post("/login", {"login": "a\0b", "password": PASSWORD}).status_code == 401
        invitation = dict(links(study, ""))["r2"]
        visitor.get(invitation)
        form = {"consent": "yes", "name": "A\0b", "login": "ada@example.org", "password": PASSWORD}
        assert visitor.post(invitation, form).status_code == 200
        with study.database.read() as connection:
            person = people.by_code(connection, "r2")
            [label] = work.labelled(connection)
    assert person is not None
    assert (person.name, label.given.notes) == ("A\ufffdb", "a\ufffdb")


def test_a_nul_or_half_a_character_in_items_and_labels_from_elsewhere_is_text_like_any_other(
    tmp_path: Path, database: str
) -> None:
    odd = {"claim": "a\0b", "evidence": {"no\0te": "c\ud800d"}}
    listed = jsonl(tmp_path / "items.jsonl", [{"id": "c1", **odd, "stratum.site": "no\0rth", "model": "m\0"}])
    result = [
        {"from_name": "support", "type": "choices", "value": {"choices": ["Partly"]}},
        {"from_name": "notes", "type": "textarea", "value": {"text": ["e\0f\udfff"]}},
    ]
    by = {"completed_by": "x\0y", "result": result}
    labels = jsonl(tmp_path / "ls.json", [[{"data": {"id": "c1"}, "annotations": [by]}]])
    taken = list(read_items(listed, load_design("claim-adjudication")))
    with make(tmp_path / "s", listed=taken, strata=("site",), title="t\0", database=database) as study:
        assert import_labels(study, labels).labels == 1
        with study.database.read() as connection:
            [label] = work.labelled(connection)
            item = study.item(connection, label.item)
            assert verify(connection).ok
    assert item.shown == {"claim": "a\ufffdb", "evidence": {"no\ufffdte": "c\ufffdd"}}
    assert item.stratum == {"site": "no\ufffdrth"}
    assert label.given.notes == "e\ufffdf\ufffd"


def test_an_address_that_is_no_web_page_is_not_a_link(folder: Any, database: str) -> None:
    with make(folder, "confirm", database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        browser.practise()
        assert "javascript:" not in browser.get("/work").text


def test_every_answer_carries_the_headers_and_no_inline_code(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        for path in ("/guide", "/practice", "/nothing", "/static/portal.css", "/static/portal.js", "/health"):
            reply = browser.get(path)
            for name, value in HEADERS.items():
                assert reply.headers[name] == value, f"{path}: {name}"
            if "html" in reply.headers["content-type"]:
                assert not re.search(
                    r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:", reply.text
                ), path
    assert "unsafe" not in HEADERS["content-security-policy"]


def test_whoever_comes_by_https_is_told_to_come_by_nothing_else(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        plain = Browser(study)
        proxied = Browser(study, public_url="https://host.example/trial", base="http://host.example")
        several = TestClient(
            portals([study], public_url="https://host.example"), base_url="http://host.example"
        )
        for reply in (proxied.get("/trial/login"), proxied.get("/trial/nothing"), several.get("/")):
            assert reply.headers["strict-transport-security"] == "max-age=31536000"
        assert "strict-transport-security" not in plain.get("/login").headers


def test_other_hosts_and_huge_forms_are_refused(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        assert browser.client.get("/login", headers={"host": "evil.example"}).status_code == 421
        browser.join("r1")
        assert browser.post("/practice", {"notes": "x" * 500_000}).status_code == 413
        sent = browser.client.post("/practice", content=b"{}", headers={"content-type": "application/json"})
        assert sent.status_code == 415


def test_a_new_link_ends_the_old_one_and_the_sessions(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        old = dict(links(study, ""))["r1"]
        rater, coordinator = Browser(study), Browser(study)
        rater.join("r1")
        rater.practise()
        rater.post(rater.here(rater.get("/work")), {"q.support": "supported"})
        coordinator.join("c1")
        page = coordinator.post("/coordinate/invite/r1")
        assert "New link for r1" in page.text
        assert rater.get("/work").status_code == 401
        assert Browser(study).get(old).status_code == 404
        again = Browser(study)
        assert again.join("r1").status_code == 200
        with study.database.read() as connection:
            assert work.progress(connection, "r1").done == 1


def test_passwords_are_kept_as_argon2_and_weak_ones_refused(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        path = dict(links(study, ""))["r1"]
        browser.get(path)
        form = {"consent": "yes", "name": "Ada", "login": "ada@example.org", "password": "short"}
        assert browser.post(path, form).status_code == 422
        assert browser.post(path, {**form, "password": PASSWORD, "consent": ""}).status_code == 422
        assert browser.post(path, {**form, "password": PASSWORD}).status_code == 200
        with study.database.read() as connection:
            person = people.by_login(connection, "ADA@example.org")
        assert person is not None
        assert person.password.startswith("$argon2id$")
        assert Passwords().hash(PASSWORD).startswith("$argon2id$v=19$m=65536,t=3,p=4$")  # RFC 9106, section 4
        other = Browser(study)
        path = dict(links(study, ""))["r2"]
        other.get(path)
        assert "taken" in other.post(path, {**form, "password": PASSWORD}).text
