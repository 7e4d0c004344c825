"""Several studies on one address: paths, cookies, people and records of their own; the front page names none to strangers."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from percuss.study.links import links
from percuss.study.portal.many import portals, slugs
from tests.studies import CHEAP, make
from tests.unit.study.conftest import PASSWORD

ADDRESS = "http://127.0.0.1:8780"


def join(browser: Any, path: str, code: str) -> Any:
    """Accept an invitation."""
    return accept(browser, path, code, PASSWORD)


def accept(browser: Any, link: str, code: str, password: str) -> Any:
    """Hand an invitation in and accept it."""
    path, _, secret = link.partition("#")
    held = {"csrf": token_in(browser.get(path)), "invitation": secret}
    told = {"step": "accept", "consent": "yes", "name": code, "login": code, "password": password}
    return browser.post(path, data={**held, **told})


@pytest.mark.parametrize("public_url", [ADDRESS, f"{ADDRESS}/trials"])
def test_each_study_has_its_path_and_its_people(tmp_path: Path, public_url: str) -> None:
    base = public_url.removeprefix(ADDRESS)
    with make(tmp_path / "a", name="ward/7", title="First") as one, make(tmp_path / "b", name="研究") as two:
        app = portals((one, two), public_url=public_url, passwords=CHEAP)
        browser = TestClient(app, base_url=ADDRESS)
        assert "First" not in browser.get(f"{base}/").text, "strangers are not told which studies there are"
        paths = [
            dict(links(study, f"{base}/{slug}"))["r1"]
            for study, slug in zip((one, two), slugs(["ward/7", "研究"]), strict=True)
        ]
        assert "How to judge" in join(browser, paths[0], "anna").text
        assert browser.get(f"{base}/ward-7/guide").status_code == 200
        assert browser.get(f"{base}/study/guide").status_code == 401, "one study's session opens no other"
        assert "How to judge" in join(browser, paths[1], "anna").text
        assert browser.get(f"{base}/ward-7/guide").status_code == 200, "and ends none"
        front = browser.get(f"{base}/")
        assert "First" in front.text
        assert f'href="{base}/study/"' in front.text
        assert "default-src 'none'" in front.headers["content-security-policy"]
        static = re.search(r'href="([^"]+portal.css[^"]*)"', front.text).group(1)  # type: ignore[union-attr]
        assert browser.get(static).status_code == 200
        assert browser.get(f"{base}/other/guide").status_code == 404


def test_an_address_of_no_study_gets_a_page_of_its_own(tmp_path: Path) -> None:
    with make(tmp_path / "a", count=1, language="de") as one, make(tmp_path / "b", name="other") as two:
        lost = TestClient(portals((one, two), public_url=ADDRESS, passwords=CHEAP), base_url=ADDRESS).get(
            "/nowhere"
        )
    assert lost.status_code == 404
    assert '<html lang="de"' in lost.text
    assert "<title>Nicht gefunden</title>" in lost.text
    assert "Diese Seite gibt es nicht." in lost.text


def test_a_broken_cookie_is_nobodys(tmp_path: Path) -> None:
    with make(tmp_path / "a") as one, make(tmp_path / "b", name="other") as two:
        browser = TestClient(portals((one, two), public_url=ADDRESS, passwords=CHEAP), base_url=ADDRESS)
        assert "Please use the link" in browser.get("/", headers={"cookie": 'a="; \x01=b'}).text


def token_in(page: Any) -> str:
    """Return the token of the forms on a page."""
    return re.search(r'name="csrf" value="([0-9a-f]+)"', page.text).group(1)  # type: ignore[union-attr]


def sign_in(app: Any, slug: str, login: str, password: str) -> Any:
    """Sign in to one study in a fresh browser, and return the browser."""
    browser = TestClient(app, base_url=ADDRESS)
    form = {"csrf": token_in(browser.get(f"/{slug}/login")), "login": login, "password": password}
    browser.post(f"/{slug}/login", data=form)
    return browser


def test_one_account_opens_every_study_in_which_name_and_password_are_the_same(tmp_path: Path) -> None:
    with make(tmp_path / "a", name="one") as one, make(tmp_path / "b", name="two") as two:
        app = portals((one, two), public_url=ADDRESS, passwords=CHEAP)
        for study, slug in ((one, "one"), (two, "two")):
            join(TestClient(app, base_url=ADDRESS), dict(links(study, f"/{slug}"))["r1"], "anna")
        browser = sign_in(app, "one", "anna", PASSWORD)
        assert [browser.get(f"/{slug}/guide").status_code for slug in ("one", "two")] == [200, 200]
        fresh = "another long sentence"
        form = {"csrf": token_in(browser.get("/one/account")), "known": PASSWORD, "password": fresh}
        assert "is changed" in browser.post("/one/account", data=form).text
        assert browser.get("/two/guide").status_code == 401, "a new password ends the sessions elsewhere"
        again = sign_in(app, "two", "anna", fresh)
        assert [again.get(f"/{slug}/guide").status_code for slug in ("one", "two")] == [200, 200]


def test_a_namesake_with_another_password_stays_apart_and_guessing_through_another_study_is_limited(
    tmp_path: Path,
) -> None:
    with make(tmp_path / "a", name="one") as one, make(tmp_path / "b", name="two") as two:
        app = portals((one, two), public_url=ADDRESS, passwords=CHEAP)
        join(TestClient(app, base_url=ADDRESS), dict(links(one, "/one"))["r1"], "anna")
        theirs = "quite another sentence"
        path = dict(links(two, "/two"))["r1"]
        browser = TestClient(app, base_url=ADDRESS)
        assert accept(browser, path, "anna", theirs).status_code == 200
        for _ in range(10):
            stranger = sign_in(app, "one", "anna", PASSWORD)
            assert stranger.get("/one/guide").status_code == 200
            assert stranger.get("/two/guide").status_code == 401
        late = TestClient(app, base_url=ADDRESS)
        form = {"csrf": token_in(late.get("/two/login")), "login": "anna", "password": theirs}
        assert late.post("/two/login", data=form).status_code == 429, (
            "ten wrong guesses, wherever they came from"
        )
