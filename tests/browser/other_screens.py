"""Pictures of the coordinator's, the adjudicator's and the account's screens: `python -m tests.browser.other_screens FOLDER [LANGUAGE [PART ...]]`.

Parts are `states`, `account`, `front` and the names of designs. Each file shows one whole page at its real size: the desk of 1440 px
in one theme, or the phone of 390 px in both, side by side; a long page comes in parts. What geometry can say, and with
`AXE=1` what axe-core finds, is printed.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from percuss.study import lifecycle
from percuss.study.answers import Given
from percuss.study.create import create
from percuss.study.design import design_names
from percuss.study.portal.many import portals
from percuss.study.portal.visit import cookie_name
from percuss.study.sealing import seal
from percuss.study.settings import Settings
from percuss.study.study import Study
from tests.browser.account_screens import account
from tests.browser.eyes import Eyes, came, go, press
from tests.browser.rater_screens import _listed
from tests.browser.study_people import Person, chromium
from tests.studies import CHEAP, answer_all, items, make, serving, serving_app
from tests.study_load import seat


def _said(rater: int, answer: str = "supported") -> Any:
    def given(item: int, again: int) -> Given:
        if rater == 1 and item % 5 == 4:
            return Given(
                answer={},
                cant="Outside my field",
                notes="The stage was given twice, and the two disagree; a pathologist should look at this one.",
                active_ms=900,
            )
        differs = rater == 2 and item % 3 == 0
        return Given(
            answer={"support": "partial" if differs else answer},
            notes="I am not sure of the second half." if differs else "",
            active_ms=900 if rater == 1 else 31_000,
        )

    return given


def states(browser: Any, folder: Path, language: str) -> None:
    """Take the coordinator's pages in each state of a study's life."""
    with tempfile.TemporaryDirectory() as scratch:
        settings = Settings(
            name="Ward 7, statements on tumour records",
            design="claim-adjudication",
            seed=7,
            strata=("model",),
            language=language,
        )
        study, _ = create(
            settings,
            items("claim-adjudication", 24),
            folder=Path(scratch) / "s",
            raters=3,
            adjudicators=1,
            size=18,
            state="draft",
        )
        with study, serving(study) as url:
            person = came(browser, study, url, "c1")
            eyes = Eyes(folder, person, f"{language}-c")
            _begin(eyes)
            seat(study, 2)
            _under_way(eyes)
            _end(eyes, Path(scratch))


def _begin(eyes: Eyes) -> None:
    person = eyes.person
    eyes.see("01-draft")
    press(person, "form[action$='/state'] >> nth=0")
    eyes.see("02-pilot")


def _move(study: Study, to: str) -> None:
    study.database.write(lambda c: lifecycle.move(c, to, by="c1"))
    study.memo = {}


def _under_way(eyes: Eyes) -> None:
    person, study = eyes.person, eyes.person.study
    answer_all(study, "r1", _said(1))
    press(person, "form[action$='/state'] button")
    eyes.see("03-opened-pilot-set-aside")
    answer_all(study, "r1", _said(1))
    answer_all(study, "r2", _said(2))
    study.memo = {}
    go(person, "/coordinate")
    person.page.wait_for_timeout(2500)
    go(person, "/coordinate")
    press(person, "form[action$='/verify'] button")
    eyes.see("04-open-alarms-verified")
    press(person, "form[action$='/invite/r2'] button")
    eyes.see("05-new-link")
    press(person, "form[action$='/reassign'] button")
    eyes.see("06-given")
    press(person, "form[action$='/replace'] button >> nth=-1")
    eyes.see("07-replaced")
    person.page.fill("[name=count]", "2")
    press(person, "form[action$='/extend'] button")
    eyes.see("08-extended")
    go(person, "/coordinate/people")
    eyes.see("09-people-reminders")
    go(person, "/coordinate/item/0")
    eyes.see("10-preview")
    go(person, "/coordinate/item/999")
    eyes.see("11-no-such-item")
    go(person, "/account")
    eyes.see("12-account")


def _end(eyes: Eyes, scratch: Path) -> None:
    person, study = eyes.person, eyes.person.study
    _move(study, "paused")
    go(person, "/coordinate")
    eyes.see("13-paused")
    go(person, "/coordinate/people")
    eyes.see("14-people-paused")
    _move(study, "locked")
    go(person, "/coordinate")
    eyes.see("15-locked")
    for n in (0, 4):
        go(person, f"/coordinate/item/{n}")
        eyes.see(f"16-drill-{n}")
    seal(study, scratch / "sealed.zip", by="c1")
    _move(study, "archived")
    go(person, "/coordinate")
    eyes.see("17-archived")


def design(browser: Any, folder: Path, name: str, language: str) -> None:
    """Take the settling of a design, and an item of it as the coordinator sees it before and after the lock."""
    with tempfile.TemporaryDirectory() as scratch:
        study = make(Path(scratch) / "s", name, listed=_listed(name)[:2], language=language, repeats=0.0)
        with study, serving(study) as url:
            lead = came(browser, study, url, "c1")
            eyes = Eyes(folder, lead, f"{language}-d-{name}")
            go(lead, "/coordinate/item/1")
            eyes.see("1-preview")
            for cookie, variant in zip(seat(study, 2), (0, 1), strict=True):
                person = Person(browser, study, url, "r")
                person.context.add_cookies(
                    [{"name": cookie_name(study.secret, secure=False), "value": cookie, "url": url}]
                )
                go(person, "/work")
                for n in range(2):
                    person.answer(name, variant if n == 0 else 0)
                    person.save()
                if variant == 0:
                    Eyes(folder, person, f"{language}-d-{name}").see("2-done")
                person.context.close()
            judge = came(browser, study, url, "a1")
            mine = Eyes(folder, judge, f"{language}-d-{name}")
            mine.see("3-settle")
            judge.page.keyboard.press("Enter")
            judge.page.wait_for_timeout(300)
            mine.see("4-settle-missing")
            judge.page.click("[data-take] >> nth=0")
            judge.page.keyboard.type("The record says so.")
            judge.page.keyboard.press("Escape")
            judge.save()
            mine.see("5-settled")
            go(judge, "/list")
            mine.see("6-list")
            _move(study, "locked")
            for n in (0, 1):
                go(lead, f"/coordinate/item/{n}")
                eyes.see(f"7-drill-{n}")
            go(lead, "/coordinate")
            lead.page.wait_for_timeout(2000)
            go(lead, "/coordinate")
            eyes.see("8-study")


def front(browser: Any, folder: Path, language: str) -> None:
    """Take the front page of several studies."""
    with (
        tempfile.TemporaryDirectory() as scratch,
        make(Path(scratch) / "a", count=1, language=language) as one,
        make(Path(scratch) / "b", "ranking", 1, name="other", language=language) as two,
        serving_app(lambda url: portals((one, two), public_url=url, passwords=CHEAP)) as url,
    ):
        person = Person(browser, one, f"{url}/trial", "r1")
        eyes = Eyes(folder, person, f"{language}-f")
        for path, name in (("/", "1-nobody"), ("/nowhere", "2-no-study"), ("/trial/nowhere", "3-nowhere")):
            person.page.goto(f"{url}{path}")
            eyes.see(name)
        for study in (one, two):
            cookie = seat(study, 1)[0]
            name = cookie_name(study.secret, secure=False)
            person.context.add_cookies([{"name": name, "value": cookie, "url": url}])
        person.page.goto(f"{url}/")
        eyes.see("4-front")


def main() -> None:
    """Take all of them."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    language = sys.argv[2] if len(sys.argv) > 2 else "en"
    parts = {"states": states, "account": account, "front": front}
    with chromium() as browser:
        for name in sys.argv[3:] or [*parts, *design_names()]:
            if name in parts:
                parts[name](browser, folder, language)
            else:
                design(browser, folder, name, language)


if __name__ == "__main__":
    main()
