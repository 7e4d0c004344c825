"""Pictures of the coordinator's, the adjudicator's and the account's screens: `python -m tests.browser.other_screens FOLDER [LANGUAGE [PART ...]]`.

Parts are `states`, `account`, `front` and the names of designs. Each file shows one whole page at its real size: the desk of 1440 px
in one theme, or the phone of 390 px in both, side by side; a long page comes in parts. What geometry can say, and with
`AXE=1` what axe-core finds, is printed.
"""

import io
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from PIL import Image

from percuss.study import lifecycle
from percuss.study.answers import Given
from percuss.study.create import create
from percuss.study.design import design_names
from percuss.study.portal.many import portals
from percuss.study.portal.visit import cookie_name
from percuss.study.sealing import seal
from percuss.study.serve import links
from percuss.study.settings import Settings
from percuss.study.store import factor
from percuss.study.study import Study
from tests.browser.rater_screens import CUT, _listed
from tests.browser.study_people import DESK, PASSWORD, PHONE, Person, chromium
from tests.studies import CHEAP, answer_all, items, make, serving, serving_app
from tests.study_load import seat, seated

PART = {"desk": 900, "phone": 1500}


class Eyes:
    """Takes screens into a folder."""

    def __init__(self, folder: Path, person: Person, tag: str) -> None:
        self.folder = folder
        self.person = person
        self.page = person.page
        self.tag = tag

    def _taken(self, name: str, theme: str, place: str) -> Image.Image:
        self.page.evaluate("t => { document.documentElement.dataset.theme = t }", theme)
        if os.environ.get("AXE"):
            try:
                self.person.axe(f"{name} {place} {theme}", colours_only=theme == "dark")
            except AssertionError as error:
                print(f"{name} {place} {theme}: axe: {error}", flush=True)
        return Image.open(io.BytesIO(self.page.screenshot(full_page=True))).convert("RGB")

    def see(self, name: str) -> None:
        """Take one screen: desk and phone, light and dark."""
        name = f"{self.tag}-{name}"
        before = self.page.evaluate("document.documentElement.dataset.theme")
        taken: dict[str, list[Image.Image]] = {}
        for place, size in (("desk", DESK), ("phone", PHONE)):
            self.page.set_viewport_size(size)
            self.page.wait_for_timeout(100)
            for said in self.page.evaluate(CUT):
                print(f"{name} {place}: {said}", flush=True)
            taken[place] = [self._taken(name, theme, place) for theme in ("light", "dark")]
        self.page.set_viewport_size(DESK)
        self.page.evaluate("t => { document.documentElement.dataset.theme = t }", before)
        for theme, sheet in zip(("light", "dark"), taken["desk"], strict=True):
            self._keep(f"{name}-desk-{theme}", sheet)
        light, dark = taken["phone"]
        both = Image.new("RGB", (2 * PHONE["width"] + 12, max(light.height, dark.height)), "magenta")
        both.paste(light, (0, 0))
        both.paste(dark, (PHONE["width"] + 12, 0))
        self._keep(f"{name}-phone", both)

    def _keep(self, name: str, sheet: Image.Image) -> None:
        high = PART["desk" if "desk" in name else "phone"]
        for n, top in enumerate(range(0, sheet.height, high)):
            part = sheet.crop((0, top, sheet.width, min(top + high, sheet.height)))
            part.save(self.folder / (f"{name}.png" if sheet.height <= high else f"{name}-{n + 1}.png"))


def came(browser: Any, study: Study, url: str, code: str) -> Person:
    """Return the coordinator or an adjudicator, signed in."""
    cookie = study.database.write(lambda c: seated(c, code))
    person = Person(browser, study, url, code)
    person.context.add_cookies(
        [{"name": cookie_name(study.secret, secure=False), "value": cookie, "url": url}]
    )
    person.page.on("dialog", lambda dialog: dialog.accept())
    person.page.goto(f"{url}/")
    person.ready()
    return person


def _go(person: Person, path: str) -> None:
    person.page.goto(f"{person.url}{path}")
    person.ready()


def _press(person: Person, selector: str) -> None:
    person.page.evaluate("() => { document.getElementById('work').dataset.old = '1' }")
    person.page.click(selector)
    person.page.wait_for_selector("#work[data-ready]:not([data-old])")


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
    _press(person, "form[action$='/state'] >> nth=0")
    eyes.see("02-pilot")


def _move(study: Study, to: str) -> None:
    study.database.write(lambda c: lifecycle.move(c, to, by="c1"))
    study.memo = {}


def _under_way(eyes: Eyes) -> None:
    person, study = eyes.person, eyes.person.study
    answer_all(study, "r1", _said(1))
    _press(person, "form[action$='/state'] button")
    eyes.see("03-opened-pilot-set-aside")
    answer_all(study, "r1", _said(1))
    answer_all(study, "r2", _said(2))
    study.memo = {}
    _go(person, "/coordinate")
    person.page.wait_for_timeout(2500)
    _go(person, "/coordinate")
    _press(person, "form[action$='/verify'] button")
    eyes.see("04-open-alarms-verified")
    _press(person, "form[action$='/invite/r2'] button")
    eyes.see("05-new-link")
    _press(person, "form[action$='/reassign'] button")
    eyes.see("06-given")
    _press(person, "form[action$='/replace'] button >> nth=-1")
    eyes.see("07-replaced")
    person.page.fill("[name=count]", "2")
    _press(person, "form[action$='/extend'] button")
    eyes.see("08-extended")
    _go(person, "/coordinate/people")
    eyes.see("09-people-reminders")
    _go(person, "/coordinate/item/0")
    eyes.see("10-preview")
    _go(person, "/coordinate/item/999")
    eyes.see("11-no-such-item")
    _go(person, "/account")
    eyes.see("12-account")


def _end(eyes: Eyes, scratch: Path) -> None:
    person, study = eyes.person, eyes.person.study
    _move(study, "paused")
    _go(person, "/coordinate")
    eyes.see("13-paused")
    _go(person, "/coordinate/people")
    eyes.see("14-people-paused")
    _move(study, "locked")
    _go(person, "/coordinate")
    eyes.see("15-locked")
    for n in (0, 4):
        _go(person, f"/coordinate/item/{n}")
        eyes.see(f"16-drill-{n}")
    seal(study, scratch / "sealed.zip", by="c1")
    _move(study, "archived")
    _go(person, "/coordinate")
    eyes.see("17-archived")


def design(browser: Any, folder: Path, name: str, language: str) -> None:
    """Take the settling of a design, and an item of it as the coordinator sees it before and after the lock."""
    with tempfile.TemporaryDirectory() as scratch:
        study = make(Path(scratch) / "s", name, listed=_listed(name)[:2], language=language, repeats=0.0)
        with study, serving(study) as url:
            lead = came(browser, study, url, "c1")
            eyes = Eyes(folder, lead, f"{language}-d-{name}")
            _go(lead, "/coordinate/item/1")
            eyes.see("1-preview")
            for cookie, variant in zip(seat(study, 2), (0, 1), strict=True):
                person = Person(browser, study, url, "r")
                person.context.add_cookies(
                    [{"name": cookie_name(study.secret, secure=False), "value": cookie, "url": url}]
                )
                _go(person, "/work")
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
            judge.keys("a")
            judge.page.keyboard.type("The record says so.")
            judge.page.keyboard.press("Escape")
            judge.save()
            mine.see("5-settled")
            _go(judge, "/list")
            mine.see("6-list")
            _move(study, "locked")
            for n in (0, 1):
                _go(lead, f"/coordinate/item/{n}")
                eyes.see(f"7-drill-{n}")
            _go(lead, "/coordinate")
            lead.page.wait_for_timeout(2000)
            _go(lead, "/coordinate")
            eyes.see("8-study")


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
    _go(person, "/login")
    eyes.see("01-sign-in")
    page.fill("[name=login]", "nobody@example.org")
    page.fill("[name=password]", "not the password")
    _press(person, ".stack .button")
    eyes.see("02-wrong-password")
    _go(person, f"/join#{'0' * 40}")
    eyes.see("03-no-invitation")
    page.goto(dict(links(person.study, person.url))["r1"])
    person.ready()
    eyes.see("04-invitation-consent")
    page.check("[name=consent]")
    for name, value in (("name", "Eva"), ("login", "eva@example.org"), ("password", "password123")):
        page.fill(f"[name={name}]", value)
    _press(person, "form.stack .button")
    eyes.see("05-weak-password")
    page.fill("[name=password]", PASSWORD)
    if not page.is_checked("[name=consent]"):
        page.check("[name=consent]")
    page.click("form.stack .button")
    page.wait_for_selector("form[action*='logout']")
    person.ready()
    eyes.see("06-guide")
    _go(person, "/practice")
    eyes.see("07-practice")
    person.answer("claim-adjudication")
    person.save()
    eyes.see("08-feedback")
    _go(person, "/pause")
    eyes.see("09-pause")


def _factor(eyes: Eyes) -> None:
    import pyotp

    person, page = eyes.person, eyes.page
    _go(person, "/account")
    eyes.see("10-account")
    change = "form:has(input[value='password']) "
    for known, new, name in (
        ("not it", "another long sentence", "11-change-wrong"),
        (PASSWORD, "another long sentence", "12-changed"),
    ):
        page.fill(f"{change}[name=known]", known)
        page.fill(f"{change}[name=password]", new)
        _press(person, f"{change}.button")
        eyes.see(name)
    page.fill("form:has(input[value='factor']) [name=known]", "another long sentence")
    _press(person, "form:has(input[value='factor']) .button")
    page.wait_for_selector("code.seed")
    eyes.see("13-factor")
    seed = "".join(page.inner_text("code.seed").split())
    page.fill("[name=code]", "000000")
    _press(person, ".stack .button")
    eyes.see("14-factor-wrong")
    page.fill("[name=code]", pyotp.TOTP(seed).now())
    _press(person, ".stack .button")
    eyes.see("15-factor-on")
    _go(person, "/account")
    eyes.see("16-account-factor")
    page.click("form[action*='logout'] button")
    page.wait_for_selector("[autocomplete=username]")
    person.ready()
    page.fill("[name=login]", "eva@example.org")
    page.fill("[name=password]", "another long sentence")
    _press(person, ".stack .button")
    eyes.see("17-code")
    page.fill("[name=code]", "000000")
    _press(person, ".stack .button")
    eyes.see("18-code-wrong")
    with person.study.database.read() as connection:
        used = factor.last_step(connection, "r1")
    page.fill("[name=code]", pyotp.HOTP(seed).at(max(used + 1, int(time.time()) // 30)))
    _press(person, ".stack .button")


def _strays(eyes: Eyes) -> None:
    person = eyes.person
    for path, name in (
        ("/coordinate", "19-not-yours"),
        ("/nowhere", "20-not-found"),
        (f"/work/{'0' * 20}", "21-no-such-item"),
    ):
        _go(person, path)
        eyes.see(name)
    person.page.goto(dict(links(person.study, person.url))["r2"])
    person.ready()
    eyes.see("22-second-invitation")


def _leave(eyes: Eyes) -> None:
    person, page = eyes.person, eyes.page
    page.on("dialog", lambda dialog: dialog.accept())
    _go(person, "/account")
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
    _go(person, "/joint")
    eyes.see("1-sit-down")
    page.fill("[name=login]", "r3@example.org")
    page.fill("[name=password]", "not it at all")
    _press(person, ".stack .button")
    eyes.see("2-wrong")
    page.fill("[name=password]", PASSWORD)
    _press(person, ".stack .button")
    eyes.see("3-settle")
    while page.locator("[data-reason]").count():
        page.keyboard.press("b")
        page.keyboard.type("We read it again.")
        person.save()
    eyes.see("4-settled")


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
