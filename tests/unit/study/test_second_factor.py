"""One-time codes beside the password: RFC 6238's own numbers, each code once, guesses limited, the seed nowhere in the open."""

import re
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from percuss.study.store import factor, ledger, people
from percuss.study.store.tables import people as table
from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.studies import make
from tests.unit.study.conftest import PASSWORD, Browser

RFC_SEED = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # "12345678901234567890" in base32


@pytest.mark.parametrize(
    ("at", "code"),
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
    ],
)
def test_codes_are_those_of_rfc_6238(at: int, code: str) -> None:
    """Appendix B, SHA-1, the last six of its eight digits."""
    assert factor.fits(RFC_SEED, code, at=at) == at // 30
    begins = at - at % 30
    assert factor.fits(RFC_SEED, code, at=begins - 30) == at // 30, "a clock may be half a minute fast"
    assert factor.fits(RFC_SEED, code, at=begins + 29) == at // 30
    assert factor.fits(RFC_SEED, code, at=begins + 30) is None, "a code ends with its half minute"
    assert factor.fits(RFC_SEED, "", at=at) is None
    assert factor.fits(RFC_SEED, "\u0661" * 6, at=at) is None


def code_at(seed: str, step: int) -> str:
    """Return the code of a time step."""
    import pyotp

    return str(pyotp.HOTP(seed).at(step))


def last_step(study: Study) -> int:
    """Return the step whose code r1 used last."""
    with study.database.read() as connection:
        return factor.last_step(connection, "r1")


def next_code(study: Study, seed: str) -> str:
    """Return a code that was not used yet: this half minute's, or the next one's."""
    return code_at(seed, max(last_step(study) + 1, int(time.time()) // 30))


def set_up(browser: Browser) -> str:
    """Set a second factor up as a person does, and return its seed."""
    browser.get("/account")
    shown = browser.post("/account", {"step": "factor", "known": PASSWORD})
    seed = "".join(re.search(r'class="seed">([A-Z2-7 ]+)<', shown.text).group(1).split())  # type: ignore[union-attr]
    kept = re.search(r'name="kept" value="([^"]+)"', shown.text).group(1)  # type: ignore[union-attr]
    browser.post(
        "/account", {"step": "factor-code", "kept": kept, "code": code_at(seed, int(time.time()) // 30)}
    )
    return seed


def enter(browser: Browser, page: Any, code: str) -> Any:
    """Answer the page that asks for the code."""
    waiting = re.search(r'name="waiting" value="([^"]+)"', page.text).group(1)  # type: ignore[union-attr]
    return browser.post("/login/code", {"waiting": waiting, "code": code})


def test_with_a_second_factor_the_password_alone_opens_nothing_and_a_code_opens_once(
    folder: Path, database: str
) -> None:
    with make(folder, database=database) as study:
        first, other = Browser(study), Browser(study)
        first.join("r1")
        seed = set_up(first)
        asked = other.login("r1")
        assert "authenticator app" in asked.text
        assert other.get("/guide").status_code == 401, "the password alone opens nothing"
        used = enter(other, asked, code_at(seed, last_step(study)))
        assert used.status_code == 401, "the code that set it up was used"
        assert "How to judge" in enter(other, used, next_code(study, seed)).text
        third = Browser(study)
        assert enter(third, third.login("r1"), code_at(seed, last_step(study))).status_code == 401
        assert [one for one in noted(study) if one[1] == "second factor"] == [("r1", "second factor")]
        with study.database.read() as connection:
            assert verify(connection, key=study.public_key).ok


def noted(study: Study) -> list[tuple[str, str]]:
    """Return (who, what) of the ledger."""
    study.database.write(lambda c: None)
    with study.database.read() as connection:
        return [(entry.who, entry.what) for entry in ledger.entries(connection)]


def test_codes_are_not_guessed(folder: Path) -> None:
    with make(folder) as study:
        browser = Browser(study)
        browser.join("r1")
        seed = set_up(browser)
        page, codes = browser.login("r1"), []
        for _ in range(11):
            page = enter(browser, page, "12345" + "x")
            codes.append(page.status_code)
        assert codes == [401] * 10 + [429]
        assert enter(browser, page, next_code(study, seed)).status_code == 429


def test_the_page_for_the_code_is_of_the_browser_that_gave_the_password(folder: Path) -> None:
    with make(folder) as study:
        browser, thief = Browser(study), Browser(study)
        browser.join("r1")
        seed = set_up(browser)
        page = Browser(study).login("r1")
        thief.get("/login")
        assert enter(thief, page, next_code(study, seed)).status_code == 422


def test_a_study_may_ask_everybody_for_a_second_factor(folder: Path, database: str) -> None:
    with make(folder, database=database, second_factor=True) as study:
        browser = Browser(study)
        page = browser.join("r1")
        assert "please set it up to go on" in page.text
        assert "please set it up to go on" in browser.get("/guide").text
        set_up(browser)
        assert "How to judge" in browser.get("/guide").text
        browser.get("/account")
        refused = browser.post("/account", {"step": "factor-end", "known": PASSWORD})
        assert refused.status_code == 422


def test_a_new_link_ends_the_second_factor_and_its_seed_is_nowhere_in_the_open(
    folder: Path, database: str
) -> None:
    with make(folder, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        seed = set_up(browser)
        with study.database.read() as connection:
            kept = connection.scalar(select(table.c.factor).where(table.c.code == "r1"))
            assert kept
            assert factor.opened(study.secret, kept) == seed
            told = str([dict(row._mapping) for row in connection.execute(select(table))])
            assert seed not in told
            assert not any(seed in str(entry.value) for entry in ledger.entries(connection))
        study.database.write(lambda c: people.reinvite(c, "r1", "c1"))
        with study.database.read() as connection:
            person = people.by_code(connection, "r1")
        assert person is not None
        assert person.factor == ""


def test_who_knows_the_password_switches_it_off(folder: Path) -> None:
    with make(folder) as study:
        browser = Browser(study)
        browser.join("r1")
        set_up(browser)
        browser.get("/account")
        assert browser.post("/account", {"step": "factor-end", "known": "wrong one here"}).status_code == 422
        browser.post("/account", {"step": "factor-end", "known": PASSWORD})
        assert "How to judge" in Browser(study).login("r1").text


def test_two_sessions_at_once_cannot_use_one_code(folder: Path, database: str) -> None:
    with make(folder, database=database) as study:
        study.database.write(lambda c: c.execute(update(table).values(factor_step=7)) and None)
        assert [study.database.write(lambda c: factor.take_step(c, "r1", 8)) for _ in range(2)] == [
            True,
            False,
        ]
