"""The account, the second factor and the page of several studies in Chromium: seen in light, dark and 390 px, audited by axe-core."""

import time
from pathlib import Path
from typing import Any

import pytest

from percuss.study.portal.many import portals
from percuss.study.store import factor
from tests.browser.study_people import PASSWORD, Person
from tests.studies import CHEAP, make, serving, serving_app

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_second_factor_is_set_up_and_asked_for(browser: Any, tmp_path: Path) -> None:
    import pyotp

    with make(tmp_path / "s", count=1) as study, serving(study) as url:
        person = Person(browser, study, url, "r1", shots="claim-adjudication")
        page = person.page
        person.join()
        page.click("text=Account")
        page.wait_for_selector("h2:has-text('Second factor')")
        person.look("12-account")
        page.locator("form:has(input[value='factor']) [name=known]").fill(PASSWORD)
        page.click("button:has-text('Set it up')")
        page.wait_for_selector("code.seed")
        person.look("13-factor")
        seed = "".join(page.inner_text("code.seed").split())
        page.fill("[name=code]", pyotp.TOTP(seed).now())
        page.click("button:has-text('Switch it on')")
        page.wait_for_selector("text=How to judge")
        page.click("text=Sign out")
        page.wait_for_selector("text=First time here?")
        page.fill("[name=login]", "r1@example.org")
        page.fill("[name=password]", PASSWORD)
        page.click("button:has-text('Sign in')")
        page.wait_for_selector("text=One more step")
        person.look("14-code")
        with study.database.read() as connection:
            used = factor.last_step(connection, "r1")
        page.fill("[name=code]", pyotp.HOTP(seed).at(max(used + 1, int(time.time()) // 30)))
        page.click("button:has-text('Sign in')")
        page.wait_for_selector("h1:has-text('Is each statement supported')")
        person.finish()


def test_the_front_page_of_several_studies(browser: Any, tmp_path: Path) -> None:
    with (
        make(tmp_path / "a", count=1) as one,
        make(tmp_path / "b", name="other", count=1) as two,
        serving_app(lambda url: portals((one, two), public_url=url, passwords=CHEAP)) as url,
    ):
        person = Person(browser, one, f"{url}/trial", "r1", shots="claim-adjudication")
        person.join()
        person.page.goto(f"{url}/")
        person.page.wait_for_selector("text=You are signed in to")
        person.look("15-front")
        person.finish()
