"""Passwords: the most used ones and, where the coordinator gave a list, breached ones are refused."""

import hashlib
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.core.errors import UsageError
from percuss.study.links import links
from percuss.study.portal import choosing
from percuss.study.portal.app import PAGES
from percuss.study.portal.choosing import is_breached, password_problem, refuse_unsorted
from percuss.study.serve import serve
from percuss.study.settings import Settings
from tests.studies import make
from tests.unit.study.conftest import PASSWORD, Browser

NONE = Settings(name="trial", design="claim-adjudication", seed=1)
LISTS = Path(choosing.__file__).parent / "passwords"


def listed(path: Path, passwords: set[str], *, counted: bool = False) -> Path:
    """Write a list of breached passwords as the one everybody downloads is: sorted hashes, perhaps with counts."""
    hashes = sorted(
        hashlib.sha1(one.encode(), usedforsecurity=False).hexdigest().upper() for one in passwords
    )
    path.write_text("".join(f"{one}:{n + 1}\r\n" if counted else f"{one}\n" for n, one in enumerate(hashes)))
    return path


def test_none_of_the_3000_most_used_passwords_that_are_long_enough_is_taken() -> None:
    words = (LISTS / "most_used.txt").read_text(encoding="utf-8").split()
    assert len({one for one in words if len(one) >= 10}) >= 3000
    assert all("first that are guessed" in password_problem(one, "ada", "Ada", NONE) for one in words)
    assert "first that are guessed" in password_problem("QwertyUiop", "ada", "Ada", NONE)
    assert password_problem(PASSWORD, "ada", "Ada", NONE) == ""


def test_the_list_of_passwords_is_the_one_whose_source_is_named() -> None:
    told = (LISTS / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256((LISTS / "most_used.txt").read_bytes()).hexdigest() in told
    assert (LISTS / "most_used.LICENSE").read_text(encoding="utf-8").startswith("MIT License")


@settings(max_examples=60, deadline=None)
@given(
    st.sets(st.text(min_size=1, max_size=8, alphabet="abcdé研"), min_size=1, max_size=40),
    st.text(min_size=1, max_size=8, alphabet="abcdé研"),
    st.booleans(),
)
def test_exactly_what_stands_in_the_list_is_breached(
    tmp_path_factory: pytest.TempPathFactory, breached: set[str], other: str, counted: bool
) -> None:
    path = listed(tmp_path_factory.mktemp("breached") / "hashes.txt", breached, counted=counted)
    refuse_unsorted(path)
    assert all(is_breached(path, one) for one in breached)
    assert is_breached(path, other) == (other in breached)


def test_a_password_that_was_breached_elsewhere_is_refused_without_asking_anybody(
    folder: Path, tmp_path: Path
) -> None:
    path = listed(tmp_path / "hashes.txt", {PASSWORD, "another long sentence"})
    with make(folder, breached_passwords=str(path)) as study:
        browser = Browser(study)
        assert "found in a breach elsewhere" in browser.join("r1").text
        assert password_problem(PASSWORD, "", "", NONE) == ""


def test_a_list_in_which_nobody_would_be_found_is_refused_when_the_study_is_served(
    folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "hashes.txt"
    with make(folder, breached_passwords=str(path)) as study:
        with pytest.raises(UsageError, match="is no file"):
            serve(study, port=0)
        path.write_text("letmein12345\n" * 9)
        with pytest.raises(UsageError, match="no list of SHA-1"):
            serve(study, port=0)
        path.write_text("".join(f"{n:040X}\n" for n in range(500, 0, -1)))
        with pytest.raises(UsageError, match="not in order"):
            serve(study, port=0)


@pytest.mark.parametrize(
    ("password", "is_refused"),
    [
        ("Heart-Ward 2026!", True),
        ("percuss-percuss-1", True),
        ("AdaLovelace1815", True),
        ("ada.lovelace99", True),
        ("heart surgeons like tea", False),
        ("1815 1815 1815", False),
        ("trial and error, mostly", False),
    ],
)
def test_words_of_the_context_make_no_password(password: str, is_refused: bool) -> None:
    told = Settings(name="heart ward", design="likert5", seed=1, title="Heart ward trial")
    found = password_problem(password, "ada.lovelace@example.org", "Ada Lovelace", told)
    assert ("made of your name or the study's" in found) == is_refused


@pytest.mark.parametrize(
    "password",
    [
        "            .",
        "aaaaaaaaaab" * 8,
        "研究研究研究研究研究 é",
        "0" * 9 + "1" * 91,
        "ÄÖÜäöüßßßß",
        "\" or ''='" * 2,
    ],
)
def test_any_password_that_is_long_enough_is_taken_and_checked_exactly(folder: Path, password: str) -> None:
    with make(folder) as study:
        browser = Browser(study)
        browser.get(dict(links(study, ""))["r1"])
        form = {"consent": "yes", "name": "Zoe", "login": "zoe@example.org", "password": password}
        assert browser.post(dict(links(study, ""))["r1"], form).status_code == 200
        for wrong in (password.swapcase(), password[:-1], password + " ", password.strip()):
            if wrong != password:
                stranger = Browser(study)
                stranger.get("/login")
                assert (
                    stranger.post("/login", {"login": "zoe@example.org", "password": wrong}).status_code
                    == 401
                )
        again = Browser(study)
        again.get("/login")
        assert again.post("/login", {"login": "zoe@example.org", "password": password}).status_code == 200


def test_passwords_are_masked_and_managers_may_fill_them_in(folder: Path) -> None:
    with make(folder) as study:
        browser = Browser(study)
        pages = [browser.get(dict(links(study, ""))["r1"]).text, browser.get("/login").text]
        browser.join("r1")
        pages.append(browser.get("/account").text)
    inputs = re.findall(r"<input[^>]*name=\"(?:password|known)\"[^>]*>", "".join(pages))
    assert len(inputs) >= 4
    for one in inputs:
        assert 'type="password"' in one
        assert re.search(r'autocomplete="(?:new|current)-password"', one)
        assert "onpaste" not in one
        assert 'maxlength="1000"' in one


def test_no_account_is_there_before_somebody_joins(folder: Path) -> None:
    with make(folder) as study:
        for login in ("admin", "c1", "coordinator", "percuss", ""):
            browser = Browser(study)
            browser.get("/login")
            assert browser.post("/login", {"login": login, "password": ""}).status_code in (401, 429)


def test_every_page_behind_the_sign_in_offers_to_sign_out(folder: Path) -> None:
    seen = 0
    with make(folder, count=4, repeats=0.0) as study:
        for code, role in (("r1", "rater"), ("a1", "adjudicator"), ("c1", "coordinator")):
            browser = Browser(study)
            browser.join(code)
            for page in PAGES:
                if (
                    "GET" not in page.methods
                    or role not in page.roles
                    or "{" in page.path
                    or "visitor" in page.roles
                ):
                    continue
                reply = browser.get(page.path)
                assert 'action="/logout"' in reply.text, page.path
                assert "access-control-allow-origin" not in reply.headers
                seen += 1
    assert seen >= 10


def test_nobody_is_sent_to_another_site(folder: Path) -> None:
    with make(folder) as study:
        browser = Browser(study)
        browser.get("/login")
        for back in (
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "javascript:alert(1)",
            "/login",
        ):
            reply = browser.post("/language", {"language": "de", "back": back}, follow=False)
            assert reply.headers["location"] in ("/", "/login")
