"""Pictures of every screen that a rater sees, for eyes: `python -m tests.browser.rater_screens FOLDER [LANGUAGE [DESIGN ...]]`.

Each file shows one screen on a desk of 1440 px beside a phone of 390 px, in one theme; a screen whose panes scroll is shown
twice, the second time with every pane at its end. What geometry can say (cut text, things
that lie on each other, a page wider than its window) is printed as it is found.
"""

import io
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from percuss.core.records import AnnotationItem, Blob
from percuss.study import lifecycle
from percuss.study.design import design_names
from percuss.study.links import links
from percuss.study.study import Study
from tests.browser.study_people import DESK, PHONE, Person, chromium
from tests.browser.test_study_screens import RECORD, seated
from tests.browser.waiting import until
from tests.studies import items, make, picture, serving

CUT = """() => {
  const shown = one => one.getClientRects().length && one.checkVisibility({contentVisibilityAuto: true}) && getComputedStyle(one).visibility !== 'hidden' && !one.closest('.hidden, .skip');
  const all = selector => [...document.querySelectorAll(selector)].filter(shown);
  const said = one => (one.className || one.tagName) + ': ' + one.textContent.trim().replace(/\\s+/g, ' ').slice(0, 40);
  const out = [];
  if (document.documentElement.scrollWidth > innerWidth) out.push('page is ' + document.documentElement.scrollWidth + ' px wide');
  for (const one of all('main *')) {
    const style = getComputedStyle(one);
    if (one.scrollWidth > one.clientWidth + 1 && style.display !== 'inline' && one.clientWidth > 1 && !one.closest('.tools, .canvas')) out.push('cut ' + said(one));
  }
  const pieces = all('.foot > *, .foot .acts > *, .chip, .button, .face, legend').filter(one => !one.closest('.tools, dialog'));
  pieces.forEach((a, i) => pieces.slice(i + 1).forEach(b => {
    if (a.contains(b) || b.contains(a) || a.closest('.foot') !== b.closest('.foot') || a.closest('.drawer') !== b.closest('.drawer')) return;
    const p = a.getBoundingClientRect(), q = b.getBoundingClientRect();
    if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1) out.push(said(a) + ' lies on ' + said(b));
  }));
  for (const foot of all('.foot')) {
    const tops = [...foot.children, ...foot.querySelectorAll('.acts > *')].filter(shown).filter(one => one.textContent.trim() && !one.matches('.state')).map(one => one.getBoundingClientRect()).map(box => (box.top + box.bottom) / 2);
    if (Math.max(...tops) - Math.min(...tops) > 14) out.push('the bar has two rows');
  }
  return [...new Set(out)];
}"""


END = """() => {
  const inner = [...document.querySelectorAll('main, main *')].filter(one => one.scrollHeight > one.clientHeight + 8 && /auto|scroll/.test(getComputedStyle(one).overflowY));
  const more = inner.some(one => one.scrollTop + one.clientHeight < one.scrollHeight - 8);
  inner.forEach(one => { one.dataset.before = one.scrollTop; one.scrollTop = one.scrollHeight; });
  return more;
}"""

BACK = """() => document.querySelectorAll('[data-before]').forEach(one => { one.scrollTop = +one.dataset.before; delete one.dataset.before; })"""


def _below(upper: Image.Image, lower: Image.Image) -> Image.Image:
    """Return two pictures of one width, one below the other."""
    both = Image.new("RGB", (upper.width, upper.height + 20 + lower.height), "magenta")
    both.paste(upper, (0, 0))
    both.paste(lower, (0, upper.height + 20))
    return both


class Eyes:
    """Takes a rater's screens into a folder."""

    def __init__(self, folder: Path, person: Person) -> None:
        self.folder = folder
        self.person = person
        self.page = person.page

    def _axe(self, name: str, theme: str) -> None:
        try:
            self.person.axe(f"{name} {theme}", colours_only=theme == "dark")
        except AssertionError as error:
            print(f"{name} {theme}: axe: {error}", flush=True)

    def _shot(self) -> Image.Image:
        """Take the page; below it once more with its panes at their ends, where something lies further down in one."""
        shot = Image.open(io.BytesIO(self.page.screenshot(full_page=True)))
        if self.page.evaluate(END):
            self.page.wait_for_timeout(100)
            shot = _below(shot, Image.open(io.BytesIO(self.page.screenshot(full_page=True))))
        self.page.evaluate(BACK)
        return shot

    def see(self, name: str) -> None:
        """Take one screen: desk and phone side by side, light and dark."""
        before = self.page.evaluate("document.documentElement.dataset.theme")
        taken: dict[tuple[str, str], Image.Image] = {}
        for place, size in (("desk", DESK), ("phone", PHONE)):
            self.page.set_viewport_size(size)
            self.page.wait_for_timeout(150)
            for said in self.page.evaluate(CUT):
                print(f"{name} {place}: {said}", flush=True)
            for theme in ("light", "dark"):
                self.page.evaluate("t => { document.documentElement.dataset.theme = t }", theme)
                if os.environ.get("AXE"):
                    self._axe(f"{name} {place}", theme)
                taken[place, theme] = self._shot()
        self.page.set_viewport_size(DESK)
        self.page.evaluate("t => { document.documentElement.dataset.theme = t }", before)
        for theme in ("light", "dark"):
            pair = [taken[place, theme] for place in ("desk", "phone")]
            sheet = Image.new(
                "RGB", (DESK["width"] + PHONE["width"] + 20, max(one.height for one in pair)), "magenta"
            )
            sheet.paste(pair[0], (0, 0))
            sheet.paste(pair[1], (DESK["width"] + 20, 0))
            sheet.save(self.folder / f"{name}-{theme}.png")


def _listed(design: str) -> list[AnnotationItem]:
    long = "The patient of this record is a woman of 64 years with a tumour of stage IIA, 31 mm wide; its purity is 0.55, and the expression of CD274 is high (1.2)."
    if design == "claim-adjudication":
        return items(
            design,
            6,
            claim=long,
            evidence=RECORD,
            context=f"She came in spring. {long} She smoked 12.5 pack years.",
        )
    if design == "reader-study":
        one, two = picture(70, 512), picture(120, 512)
        blobs = (Blob.of(one, "image/png"), Blob.of(two, "image/png"))
        shown = {
            "question": "Is there an effusion?",
            "options": ["yes", "no"],
            "modification": "A box was drawn at the upper left.",
        }
        return [
            AnnotationItem(
                id=f"i{n}",
                subject=f"i{n}",
                response_id=f"i{n}",
                stratum={"model": "acme/one"},
                shown=shown,
                blobs=blobs[: 1 + n % 2],
                content={
                    "image": [blob.digest for blob in blobs[: 1 + n % 2]],
                    "answer": "yes",
                    "reasoning": "The angle is blunt on the left. " * 9,
                },
            )
            for n in range(6)
        ]
    return items(design, 6)


def _answered(eyes: Eyes, tag: str) -> None:
    eyes.person.answer(eyes.person.study.design.name)
    eyes.see(f"{tag}-22-answered")


def design(browser: Any, folder: Path, name: str, language: str) -> None:
    """Take what differs from design to design."""
    tag = f"{language}-{name}"
    with tempfile.TemporaryDirectory() as scratch:
        study = make(
            Path(scratch) / "s", name, listed=_listed(name), raters=2, language=language, break_every=3
        )
        with study, serving(study) as url:
            person = Person(browser, study, url, "r1")
            eyes, page = Eyes(folder, person), person.page
            page.goto(dict(links(study, url))["r1"])
            person.ready()
            eyes.see(f"{tag}-10-invitation")
            page.check("[name=consent]")
            for field, value in (
                ("name", "Eva"),
                ("login", "eva@example.org"),
                ("password", "a long sentence here"),
            ):
                page.fill(f"[name={field}]", value)
            page.click("form.stack .button")
            page.wait_for_selector("form[action*='logout']")
            person.ready()
            eyes.see(f"{tag}-11-guide")
            page.goto(f"{url}/practice")
            person.ready()
            eyes.see(f"{tag}-12-practice")
            person.answer(name)
            person.save()
            eyes.see(f"{tag}-13-feedback")
            person.context.close()
            person = seated(browser, study, url)
            eyes, page = Eyes(folder, person), person.page
            eyes.see(f"{tag}-20-item")
            page.keyboard.press("Enter")
            page.wait_for_timeout(150)
            eyes.see(f"{tag}-21-missing")
            _answered(eyes, tag)
            page.keyboard.press("h")
            eyes.see(f"{tag}-23-guide-beside")
            page.keyboard.press("h")
            person.save()
            if name in ("ranking", "reader-study"):
                if name == "ranking":
                    page.keyboard.press("v")
                eyes.see(f"{tag}-24-second")
                if name == "ranking":
                    page.keyboard.press("v")
            person.keys("t")
            page.keyboard.type("A thought that I want to keep.")
            page.keyboard.press("Escape")
            person.keys("x")
            eyes.see(f"{tag}-25-cant-and-note")
            person.keys("2")
            eyes.see(f"{tag}-25-reason")
            person.save()
            page.goto(f"{url}/list")
            person.ready()
            eyes.see(f"{tag}-26-list")
            page.click(".places a >> nth=0")
            page.wait_for_selector(".notice")
            person.ready()
            eyes.see(f"{tag}-27-looked-at-again")
            page.goto(f"{url}/work")
            person.ready()
            page.keyboard.press("?")
            eyes.see(f"{tag}-28-keys")
            person.context.close()


def common(browser: Any, folder: Path, language: str) -> None:
    """Take what is one page in every design."""
    tag = f"{language}-x"
    with tempfile.TemporaryDirectory() as scratch:
        study = make(
            Path(scratch) / "s",
            listed=_listed("claim-adjudication")[:4],
            raters=3,
            language=language,
            break_every=2,
            repeats=0.0,
        )
        with study, serving(study) as url:
            for step in _states(browser, folder, study, url, tag):
                print(step, flush=True)


def _states(browser: Any, folder: Path, study: Study, url: str, tag: str) -> Iterator[str]:
    person = Person(browser, study, url, "r2")
    eyes, page = Eyes(folder, person), person.page
    page.goto(f"{url}/join#{'0' * 40}")
    person.ready()
    eyes.see(f"{tag}-01-no-invitation")
    page.goto(f"{url}/work")
    person.ready()
    page.fill("[name=login]", "nobody@example.org")
    page.fill("[name=password]", "not the password")
    page.click("form .button")
    page.wait_for_selector("[role=alert]")
    eyes.see(f"{tag}-02-wrong-password")
    yield "signed in"
    person = seated(browser, study, url)
    eyes, page = Eyes(folder, person), person.page
    person.keys("1t")
    page.keyboard.type("half a thought")
    until(page, "Object.keys(localStorage).some(key => key.startsWith('percuss-draft'))")
    page.wait_for_timeout(300)
    page.reload()
    person.ready()
    eyes.see(f"{tag}-03-resumed-draft")
    page.keyboard.press("Escape")
    person.context.set_offline(True)
    page.keyboard.press("Enter")
    page.wait_for_selector(".state.warn")
    eyes.see(f"{tag}-04-offline")
    person.context.set_offline(False)
    cookies = person.context.cookies()
    person.context.clear_cookies()
    page.keyboard.press("Enter")
    page.wait_for_timeout(800)
    eyes.see(f"{tag}-05-signed-out-meanwhile")
    person.context.add_cookies(cookies)
    page.reload()
    person.ready()
    person.save()
    person.keys("1")
    person.save()
    eyes.see(f"{tag}-06-break")
    page.goto(f"{url}/pause")
    person.ready()
    eyes.see(f"{tag}-07-pause")
    page.goto(f"{url}/account")
    person.ready()
    eyes.see(f"{tag}-08-account")
    page.goto(f"{url}/joint")
    person.ready()
    eyes.see(f"{tag}-09-joint")
    page.goto(f"{url}/work/{'0' * 20}")
    person.ready()
    eyes.see(f"{tag}-30-not-found")
    page.goto(f"{url}/coordinate")
    person.ready()
    eyes.see(f"{tag}-31-not-yours")
    page.goto(f"{url}/work")
    person.ready()
    while page.locator("[data-form]").count():
        person.keys("1")
        person.save()
        yield "answered one more"
    eyes.see(f"{tag}-32-done")
    for state in ("paused", "locked"):
        study.database.write(lambda c, s=state: lifecycle.move(c, s, by="c1"))  # type: ignore[misc]
        page.goto(f"{url}/work")
        person.ready()
        eyes.see(f"{tag}-33-{state}")
    yield "done"


def case(browser: Any, folder: Path, language: str) -> None:
    """Take the page of all statements of a case."""
    from tests.browser.test_study_screens import claims

    with tempfile.TemporaryDirectory() as scratch:
        study = make(
            Path(scratch) / "s", listed=claims(2, 3), raters=1, page_by="case", repeats=0.0, language=language
        )
        with study, serving(study) as url:
            person = seated(browser, study, url)
            eyes = Eyes(folder, person)
            eyes.see(f"{language}-case-40")
            person.keys("13")
            person.page.keyboard.press("h")
            eyes.see(f"{language}-case-41-guide")
            person.page.keyboard.press("h")
            person.save()
            eyes.see(f"{language}-case-42-still-open")
            person.context.close()


def main() -> None:
    """Take all of them."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    language = sys.argv[2] if len(sys.argv) > 2 else "en"
    wanted = sys.argv[3:] or [*design_names(), "common", "case"]
    with chromium() as browser:
        for name in wanted:
            if name in ("common", "case"):
                {"common": common, "case": case}[name](browser, folder, language)
            else:
                design(browser, folder, name, language)


if __name__ == "__main__":
    main()
