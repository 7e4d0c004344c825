"""Pictures of whole pages for eyes: desk and phone, light and dark, long ones in parts."""

import io
import os
from pathlib import Path
from typing import Any

from PIL import Image

from percuss.study.portal.visit import cookie_name
from percuss.study.study import Study
from tests.browser.rater_screens import CUT
from tests.browser.study_people import DESK, PHONE, Person
from tests.study_load import seated

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


def go(person: Person, path: str) -> None:
    """Open a page and wait until it hears keys."""
    person.page.goto(f"{person.url}{path}")
    person.ready()


def press(person: Person, selector: str) -> None:
    """Press what sends a form, and wait for the page that answers."""
    person.page.evaluate("() => { document.getElementById('work').dataset.old = '1' }")
    person.page.click(selector)
    person.page.wait_for_selector("#work[data-ready]:not([data-old])")
