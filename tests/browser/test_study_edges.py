"""Screens off the straight way: links that open nothing, wrong passwords, a study that rests, who withdraws, names and reminders, locked."""

from pathlib import Path
from typing import Any

import pytest

from percuss.study import lifecycle
from percuss.study.links import links
from tests.browser.study_people import Person
from tests.browser.test_study_screens import seated
from tests.studies import answer_all, make, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOM = """() => [...document.querySelectorAll('.stack .button')].map(one => {
  const above = one.closest('p, div, form > *').previousElementSibling
  return one.getBoundingClientRect().top - above.getBoundingClientRect().bottom
})"""


def test_a_rater_off_the_straight_way(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=4, raters=2) as study, serving(study) as url:
        stranger = Person(browser, study, url, "r2", shots="edges")
        page = stranger.page
        page.goto(f"{url}/join#{'0' * 40}")
        stranger.ready()
        stranger.look("1-no-invitation")
        page.goto(
            dict(links(study, url))["r2"]
        )  # pasted over the old one: the browser asks the server for nothing
        page.wait_for_selector("[name=consent]")
        page.goto(f"{url}/work")
        stranger.ready("Please sign in first")
        stranger.look("2-sign-in-first")
        page.fill("[name=login]", "nobody@example.org")
        page.fill("[name=password]", "not the password")
        page.click("button:has-text('Sign in')")
        stranger.ready("not right")
        stranger.look("3-wrong-password")
        page.goto(dict(links(study, url))["r2"])
        page.check("[name=consent]")
        for name, value in (("name", "Two"), ("login", "two@example.org"), ("password", "password1234")):
            page.fill(f"[name={name}]", value)
        page.click("button:has-text('Take part')")
        page.wait_for_selector("[role=alert]")
        stranger.look("4-common-password")
        stranger.errors = [error for error in stranger.errors if "status of 4" not in error]
        stranger.finish()
        person = seated(browser, study, url, shots="edges")
        page = person.page
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Please answer this one")
        person.look("5-nothing-answered")
        page.keyboard.press("x")
        person.look("6-cant-judge")
        page.goto(f"{url}/work/{'0' * 20}")
        person.ready("Not found")
        person.look("7-not-found")
        study.database.write(lambda c: lifecycle.move(c, "paused", by="c1"))
        page.goto(f"{url}/work")
        person.ready("paused for the moment")
        person.look("8-paused")
        page.goto(f"{url}/account")
        person.ready("Withdraw")
        room = page.evaluate(ROOM)
        assert room, "the account page has forms"
        assert min(room) >= 10, f"a button is {min(room)} px below its field"
        page.check("[name=sure]")
        page.click("button:has-text('Withdraw')")
        person.ready("You have withdrawn")
        person.look("9-withdrawn")
        person.errors = [error for error in person.errors if "status of 4" not in error]
        person.finish()


def test_an_adjudicator_and_a_coordinator_off_the_straight_way(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=5, raters=3, adjudicators=2) as study, serving(study) as url:
        judge = Person(browser, study, url, "a1", shots="edges")
        judge.join()
        judge.look("20-nothing-to-settle")
        for code, said in (("r1", "supported"), ("r2", "partial")):
            answer_all(study, code, lambda n, again, s=said: {"support": s})
        judge.page.goto(f"{url}/list")
        judge.ready()
        judge.look("21-list-of-differences")
        judge.finish()
        lead = Person(browser, study, url, "c1", shots="edges")
        page = lead.page
        page.on("dialog", lambda dialog: dialog.accept())
        lead.join()
        page.goto(f"{url}/coordinate/people")
        lead.ready("Names behind the codes")
        lead.look("22-names-and-reminders")
        page.goto(f"{url}/coordinate")
        lead.ready()
        page.click("button:has-text('Lock it')")
        page.wait_for_selector("text=State of the study: locked")
        lead.look("23-locked")
        lead.finish()
