"""People at a study's portal, played by Chromium: they join, practise, judge, settle and coordinate."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from percuss.study.portal.visit import COOKIE
from percuss.study.serve import links
from percuss.study.store import people
from percuss.study.study import Study

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "screenshots" / "study"
AXE = (ROOT / "tests" / "vendor" / "axe.min.js").read_text(encoding="utf-8")
PASSWORD = "a long sentence here"
CHROMIUM = os.environ.get("PERCUSS_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

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
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium; install Debian's package `chromium` or set PERCUSS_CHROMIUM")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()


class Person:
    """One person in a browser of their own; every console error is kept, and `finish` refuses any."""

    def __init__(
        self, browser: Any, study: Study, url: str, code: str, *, shots: str = "", **context: Any
    ) -> None:
        self.study = study
        self.url = url
        self.code = code
        self.shots = shots
        self.errors: list[str] = []
        self.checked: set[str] = set()
        self.context = browser.new_context(
            viewport={"width": 1280, "height": 800}, reduced_motion="reduce", **context
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(10000)
        self.page.on(
            "console", lambda m: self.errors.append(m.text) if m.type in ("error", "warning") else None
        )
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))

    def look(self, name: str) -> None:
        """Take the screen in light, dark and 390 px, and let axe-core look at light and dark.

        Screens that are the same in every design are taken once, in claim adjudication; the rest in each.
        """
        same = name.split("-", 1)[1] in ("invitation", "guide", "done", "settled", "coordinator")
        if not self.shots or name in self.checked or (same and self.shots != "claim-adjudication"):
            return
        self.checked.add(name)
        folder = SHOTS / self.shots
        folder.mkdir(parents=True, exist_ok=True)
        for theme in ("light", "dark"):
            self.page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            self.page.screenshot(path=str(folder / f"{name}-{theme}.png"))
            if theme == "light" or self.shots in ("claim-adjudication", "reader-study"):
                self.axe(f"{name} {theme}")
        self.page.set_viewport_size({"width": 390, "height": 844})
        self.page.screenshot(path=str(folder / f"{name}-390.png"), full_page=True)
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390, f"{name} is {wide} px wide on a phone of 390"
        self.page.set_viewport_size({"width": 1280, "height": 800})

    def axe(self, name: str) -> None:
        """Assert that axe-core finds nothing serious or critical."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(f"() => {{ {AXE} }}")
        found = self.page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
        bad = [
            f"{v['id']} ({v['impact']}): {v['nodes'][0]['html'][:160]} {v['nodes'][0].get('failureSummary', '')[:200]}"
            for v in found["violations"]
            if v["impact"] in ("serious", "critical")
        ]
        assert not bad, f"{self.shots} {name}: " + "\n".join(bad)

    def join(self) -> None:
        """Accept the invitation."""
        self.page.goto(dict(links(self.study, self.url))[self.code])
        self.look("1-invitation")
        self.page.check("[name=consent]")
        self.page.fill("[name=name]", f"Person {self.code}")
        self.page.fill("[name=login]", f"{self.code}@example.org")
        self.page.fill("[name=password]", PASSWORD)
        self.page.click("button:has-text('Take part')")
        self.page.wait_for_selector("form[action*='logout']")

    def enter(self) -> None:
        """Come in as somebody who joined and practised before."""
        code = self.code

        def joined(connection: Any) -> str:
            people.join(connection, code, name=code, login=code)
            people.set_practised(connection, code, len(self.study.design.practice), {})
            return people.open_session(connection, code)

        cookie = self.study.database.write(joined)
        self.context.add_cookies([{"name": COOKIE, "value": cookie, "url": self.url}])
        self.page.goto(self.url)

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
        """Press Enter and wait until the screen is another one."""
        mark = self.page.evaluate(
            "() => { const w = document.getElementById('work'); w.dataset.old = '1'; return true }"
        )
        assert mark
        self.page.keyboard.press("Enter")
        try:
            self.page.wait_for_selector("#work:not([data-old])")
        except Exception:
            SHOTS.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=str(SHOTS / "stuck.png"))
            raise

    def practise(self, design: str) -> None:
        """Go through the guide and the practice items."""
        self.look("2-guide")
        self.page.click("text=for practice")
        for n in range(len(self.study.design.practice)):
            self.page.wait_for_selector(f"text=Practice {n + 1} of")
            self.answer(design)
            self.save()
            assert self.page.locator(".compare tbody tr").count() >= 1
            if n == 0:
                self.look("4-feedback")
            self.save()

    def work(self, design: str, count: int, variants: dict[int, int]) -> None:
        """Answer `count` items; `variants` says which answer the n-th gets."""
        for n in range(count):
            self.page.wait_for_selector(f".where:has-text('{n + 1} of {count}')")
            self.answer(design, variants.get(n, 0))
            if n == 0:
                self.look("5-item")
            self.save()

    def finish(self) -> None:
        """Close the browser; nothing may have gone to the console."""
        self.context.close()
        assert not self.errors, self.errors


def _for_cards(cards: int, variant: int) -> str:
    """Keep the order and call each card good without an unsupported claim; or move the last one up and call it bad."""
    return "c" + "jgn" * (cards - 1) + ("jbyK" if variant else "jgn")
