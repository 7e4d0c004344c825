"""People at a study's portal, played by Chromium: they join, practise, judge, settle and coordinate."""

import base64
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from percuss.study.links import links
from percuss.study.study import Study

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "screenshots" / "study"
AXE = (ROOT / "tests" / "vendor" / "axe.min.js").read_text(encoding="utf-8")
PASSWORD = "a long sentence here"
CHROMIUM = os.environ.get("PERCUSS_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE_MS = 30_000  # a machine under load is slow, not wrong
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
READY = "#work[data-ready]"

JARGON = re.compile(
    r"\b(?:arms?|verdicts?|scorings?|runs?)\b", re.IGNORECASE
)  # words of ours, not of readers

# design -> keys of an answer, and of one that differs from it.
KEYS = {
    "claim-adjudication": ("1", "3"),
    "reader-study": ("43333", "11111"),
    "qa-verification": ("5nk", "2nk"),
    "likert5": ("4", "1"),
    "source-grounding": ("14", "34"),
    "confirm": ("13", "24"),
}


@contextmanager
def chromium() -> Iterator[Any]:
    """Start Debian's Chromium, or skip."""
    if not os.environ.get("PERCUSS_TEST_BROWSER"):
        pytest.skip("screens are tested by .ci/run, and with PERCUSS_TEST_BROWSER=1")
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium; install Debian's package `chromium` or set PERCUSS_CHROMIUM")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
            timeout=4 * PATIENCE_MS,
        )
        try:
            yield browser
        finally:
            browser.close()


SAME = frozenset({"login", "invitation", "break", "done", "settled", "coordinator", "sorry"})


class Person:
    """One person in a browser of their own; every console error is kept, and `finish` refuses any.

    Args:
        shots: name of the folder for pictures of what this person sees; empty: none are taken.
    """

    def __init__(
        self, browser: Any, study: Study, url: str, code: str, *, shots: str = "", **context: Any
    ) -> None:
        self.study = study
        self.url = url
        self.code = code
        self.shots = shots
        self.errors: list[str] = []
        self.context = browser.new_context(viewport=DESK, reduced_motion="reduce", **context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.on(
            "console", lambda m: self.errors.append(m.text) if m.type in ("error", "warning") else None
        )
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))

    def ready(self, text: str = "") -> None:
        """Wait until the screen hears keys, and shows a text where one is named."""
        self.page.wait_for_selector(f"{READY}:has-text({text!r})" if text else READY)

    def at(self, place: int, total: int) -> None:
        """Wait until the item of a place is on the screen and hears keys."""
        self.page.wait_for_selector(f"{READY} .where:has-text('{place} of {total}')")

    def look(self, name: str) -> None:
        """Take the screen at 1440 and 390 px, in light and dark, and let axe-core look at light and dark.

        Screens that are one page in every design (`SAME`) are audited in claim adjudication alone.
        """
        if not self.shots:
            return
        jargon = JARGON.findall(self.page.inner_text("body"))
        assert not jargon, f"{name} says {jargon}"
        folder = SHOTS / self.shots
        folder.mkdir(parents=True, exist_ok=True)
        before = self.page.evaluate("document.documentElement.dataset.theme")
        audited = self.shots == "claim-adjudication" or name.partition("-")[2] not in SAME
        for theme in ("light", "dark"):
            self.page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            self._shoot(folder / f"{name}-{theme}.png")
            if audited:
                self.axe(f"{name} {theme}", colours_only=theme == "dark")
        self.page.set_viewport_size(PHONE)
        for theme in ("dark", "light"):
            self.page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            self._shoot(folder / f"{name}-390-{theme}.png", whole=True)
        wide, foot = self.page.evaluate(
            "() => [document.documentElement.scrollWidth,"
            " document.querySelector('.foot')?.getBoundingClientRect().bottom ?? 0]"
        )
        cut = self.page.evaluate(
            "() => [...document.querySelectorAll('.table')].filter(one => one.scrollWidth > one.clientWidth + 1)"
            ".map(one => one.getAttribute('aria-label'))"
        )
        assert not cut, f"{name} cuts the tables {cut} on a phone of 390"
        assert wide <= PHONE["width"], f"{name} is {wide} px wide on a phone of 390"
        assert foot <= PHONE["height"], f"{name}: the bar ends at {foot} px on a phone of 844"
        self.page.set_viewport_size(DESK)
        self.page.evaluate("theme => { document.documentElement.dataset.theme = theme }", before)

    def _shoot(self, path: Path, *, whole: bool = False) -> None:
        """Take a picture by the browser's own protocol: half the time of Playwright's, which waits for fonts we have not."""
        if whole:
            self.page.screenshot(path=str(path), full_page=True)
            return
        session = self.context.new_cdp_session(self.page)
        taken = session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        session.detach()
        path.write_bytes(base64.b64decode(taken["data"]))

    def axe(self, name: str, *, colours_only: bool) -> None:
        """Assert that axe-core finds nothing at all; a theme changes colours and nothing else."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(f"() => {{ {AXE} }}")
        options = {
            "resultTypes": ["violations"],
            **({"runOnly": ["color-contrast", "link-in-text-block"]} if colours_only else {}),
        }
        found = self.page.evaluate("options => axe.run(document, options)", options)
        bad = [
            f"{v['id']} ({v['impact']}): {v['nodes'][0]['html'][:160]} {v['nodes'][0].get('failureSummary', '')[:200]}"
            for v in found["violations"]
        ]
        assert not bad, f"{self.shots} {name}: " + "\n".join(bad)

    def join(self, look: str = "") -> None:
        """Accept the invitation; `look` names the pictures of it."""
        self.page.goto(dict(links(self.study, self.url))[self.code])
        if look:
            self.look(look)
        self.page.check("[name=consent]")
        self.page.fill("[name=name]", f"Person {self.code}")
        self.page.fill("[name=login]", f"{self.code}@example.org")
        self.page.fill("[name=password]", PASSWORD)
        self.page.click("button:has-text('Take part')")
        self.page.wait_for_selector("form[action*='logout']")
        self.ready()

    def keys(self, keys: str) -> None:
        """Press keys one by one."""
        for key in keys:
            self.page.keyboard.press(f"Shift+{key}" if key.isupper() else key)

    def answer(self, design: str, variant: int = 0) -> None:
        """Answer the item on the screen without the mouse; saving is left to `save`."""
        if design != "extraction":
            self.keys(
                _for_cards(self.page.locator(".card").count(), variant)
                if design == "ranking"
                else KEYS[design][variant]
            )
            return
        self.page.focus(".markable")
        for _ in range(6 * variant):
            self.page.keyboard.press("ArrowRight")
        for _ in range(2):
            self.page.keyboard.press("Shift+ArrowRight")
        self.page.keyboard.press("m")
        self.page.keyboard.type("[1]")
        self.page.keyboard.press("Enter")

    def save(self) -> None:
        """Press Enter and wait until another screen hears keys."""
        self.ready()
        self.page.evaluate("() => { document.getElementById('work').dataset.old = '1' }")
        self.page.keyboard.press("Enter")
        try:
            self.page.wait_for_selector(f"{READY}:not([data-old])")
        except Exception:
            SHOTS.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=str(SHOTS / "stuck.png"))
            raise

    def practise(self, design: str) -> None:
        """Go through the guide and the practice items."""
        self.ready()
        self.look("2-guide")
        self.page.click("text=for practice")
        for n in range(len(self.study.design.practice)):
            self.ready(f"Practice {n + 1} of")
            if n == 0:
                self.look("3-practice")
            self.answer(design)
            self.save()
            assert self.page.locator(".compare tbody tr").count() >= 1
            if n == 0:
                self.look("4-feedback")
            self.save()

    def work(self, design: str, count: int, variants: dict[int, int]) -> None:
        """Answer `count` items, with a break where one is offered; `variants` says which answer the n-th gets."""
        for n in range(count):
            self.at(n + 1, count)
            self.answer(design, variants.get(n, 0))
            if n == 0:
                self.look("5-item")
            self.save()
            if self.page.locator("text=Time for a break").count():
                self.look("7-break")
                self.save()

    def finish(self) -> None:
        """Close the browser; nothing may have gone to the console."""
        self.context.close()
        assert not self.errors, self.errors


def _for_cards(cards: int, variant: int) -> str:
    """Keep the order and call each card good without an unsupported claim; or move the last one up and call it bad."""
    return "c" + "jgn" * (cards - 1) + ("jbyK" if variant else "jgn")
