"""Pictures of what has to do with an account; `tests.browser.other_screens` takes them."""

import tempfile
import time
from pathlib import Path
from typing import Any

from percuss.study.portal.visit import cookie_name
from percuss.study.serve import links
from percuss.study.store import factor
from percuss.study.study import Study
from tests.browser.eyes import Eyes, go, press
from tests.browser.study_people import PASSWORD, Person
from tests.studies import CHEAP, answer_all, make, serving
from tests.study_load import seated


def account(browser: Any, folder: Path, language: str) -> None:
    """Take what has to do with an account."""
    with tempfile.TemporaryDirectory() as scratch:
        study = make(Path(scratch) / "s", count=3, raters=3, language=language, settling="together")
        with study, serving(study) as url:
            person = Person(browser, study, url, "r1")
            eyes = Eyes(folder, person, f"{language}-a")
            _enter(eyes)
            _factor(eyes)
            _strays(eyes)
            _leave(eyes)
            _joint(browser, study, url, folder, language)


def _enter(eyes: Eyes) -> None:
    person, page = eyes.person, eyes.page
    go(person, "/login")
    eyes.see("01-sign-in")
    page.fill("[name=login]", "nobody@example.org")
    page.fill("[name=password]", "not the password")
    press(person, ".stack .button")
    eyes.see("02-wrong-password")
    go(person, f"/join#{'0' * 40}")
    eyes.see("03-no-invitation")
    page.goto(dict(links(person.study, person.url))["r1"])
    person.ready()
    eyes.see("04-invitation-consent")
    page.check("[name=consent]")
    for name, value in (("name", "Eva"), ("login", "eva@example.org"), ("password", "password123")):
        page.fill(f"[name={name}]", value)
    press(person, "form.stack .button")
    eyes.see("05-weak-password")
    page.fill("[name=password]", PASSWORD)
    if not page.is_checked("[name=consent]"):
        page.check("[name=consent]")
    page.click("form.stack .button")
    page.wait_for_selector("form[action*='logout']")
    person.ready()
    eyes.see("06-guide")
    go(person, "/practice")
    eyes.see("07-practice")
    person.answer("claim-adjudication")
    person.save()
    eyes.see("08-feedback")
    go(person, "/pause")
    eyes.see("09-pause")


def _factor(eyes: Eyes) -> None:
    import pyotp

    person, page = eyes.person, eyes.page
    go(person, "/account")
    eyes.see("10-account")
    change = "form:has(input[value='password']) "
    for known, new, name in (
        ("not it", "another long sentence", "11-change-wrong"),
        (PASSWORD, "another long sentence", "12-changed"),
    ):
        page.fill(f"{change}[name=known]", known)
        page.fill(f"{change}[name=password]", new)
        press(person, f"{change}.button")
        eyes.see(name)
    page.fill("form:has(input[value='factor']) [name=known]", "another long sentence")
    press(person, "form:has(input[value='factor']) .button")
    page.wait_for_selector("code.seed")
    eyes.see("13-factor")
    seed = "".join(page.inner_text("code.seed").split())
    page.fill("[name=code]", "000000")
    press(person, ".stack .button")
    eyes.see("14-factor-wrong")
    page.fill("[name=code]", pyotp.TOTP(seed).now())
    press(person, ".stack .button")
    eyes.see("15-factor-on")
    go(person, "/account")
    eyes.see("16-account-factor")
    page.click("form[action*='logout'] button")
    page.wait_for_selector("[autocomplete=username]")
    person.ready()
    page.fill("[name=login]", "eva@example.org")
    page.fill("[name=password]", "another long sentence")
    press(person, ".stack .button")
    eyes.see("17-code")
    page.fill("[name=code]", "000000")
    press(person, ".stack .button")
    eyes.see("18-code-wrong")
    with person.study.database.read() as connection:
        used = factor.last_step(connection, "r1")
    page.fill("[name=code]", pyotp.HOTP(seed).at(max(used + 1, int(time.time()) // 30)))
    press(person, ".stack .button")


def _strays(eyes: Eyes) -> None:
    person = eyes.person
    for path, name in (
        ("/coordinate", "19-not-yours"),
        ("/nowhere", "20-not-found"),
        (f"/work/{'0' * 20}", "21-no-such-item"),
    ):
        go(person, path)
        eyes.see(name)
    person.page.goto(dict(links(person.study, person.url))["r2"])
    person.ready()
    eyes.see("22-second-invitation")


def _leave(eyes: Eyes) -> None:
    person, page = eyes.person, eyes.page
    page.on("dialog", lambda dialog: dialog.accept())
    go(person, "/account")
    page.check("[name=sure]")
    page.click(".danger")
    page.wait_for_timeout(1200)
    person.ready()
    eyes.see("23-withdrawn")


def _joint(browser: Any, study: Study, url: str, folder: Path, language: str) -> None:
    code, other = "r2", "r3"

    def both(connection: Any) -> str:
        from percuss.study.store import people

        people.join(connection, other, name="Three", login="r3@example.org", password=CHEAP.hash(PASSWORD))
        cookie = seated(connection, code)
        for one in (code, other):
            people.set_practised(connection, one, len(study.design.practice), {})
        return cookie

    cookie = study.database.write(both)
    person = Person(browser, study, url, code)
    person.context.add_cookies(
        [{"name": cookie_name(study.secret, secure=False), "value": cookie, "url": url}]
    )
    answer_all(study, code, lambda n, again: {"support": "supported"})
    answer_all(study, other, lambda n, again: {"support": "partial"})
    eyes, page = Eyes(folder, person, f"{language}-j"), person.page
    go(person, "/joint")
    eyes.see("1-sit-down")
    page.fill("[name=login]", "r3@example.org")
    page.fill("[name=password]", "not it at all")
    press(person, ".stack .button")
    eyes.see("2-wrong")
    page.fill("[name=password]", PASSWORD)
    press(person, ".stack .button")
    eyes.see("3-settle")
    while page.locator("[data-reason]").count():
        page.keyboard.press("]")
        page.keyboard.type("We read it again.")
        person.save()
    eyes.see("4-settled")
