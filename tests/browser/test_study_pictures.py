"""Pictures in Chromium: whole at six viewports, one finger scrolls the page, the grey window shows what 8 bits can't."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from percuss.core.records import AnnotationItem, Blob
from percuss.study.portal.visit import cookie_name
from percuss.study.study import Study
from tests.browser.study_people import Person
from tests.browser.waiting import until
from tests.studies import make, serving
from tests.study_load import seat
from tests.unit.study.dicoms import dicom

pytestmark = [pytest.mark.browser, pytest.mark.slow]

VIEWPORTS = ((390, 844), (768, 1024), (1366, 768), (1440, 900), (1920, 1080), (2560, 1440))
CORNERS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "yellow": (255, 255, 0)}
READY = "document.querySelector('.viewer').hasAttribute('data-ready')"


def marked(width: int, height: int) -> bytes:
    """Return a grey picture with a square of another colour in each corner."""
    picture = Image.new("RGB", (width, height), (90, 90, 90))
    side = min(width, height) // 12
    places = ((0, 0), (width - side, 0), (0, height - side), (width - side, height - side))
    for colour, (x, y) in zip(CORNERS.values(), places, strict=True):
        picture.paste(colour, (x, y, x + side, y + side))
    out = io.BytesIO()
    picture.save(out, format="PNG")
    return out.getvalue()


def item(*pictures: bytes) -> AnnotationItem:
    """Return an item of a reader study with pictures."""
    blobs = tuple(Blob.of(data, "application/octet-stream") for data in pictures)
    return AnnotationItem(
        id="i",
        subject="i",
        response_id="i",
        stratum={"model": "acme/one"},
        shown={
            "question": "Is there an effusion?",
            "options": ["yes", "no"],
            "modification": "A box was drawn.",
        },
        content={"image": [blob.digest for blob in blobs], "answer": "yes", "reasoning": "It is seen. " * 60},
        blobs=blobs,
    )


def opened(browser: Any, study: Study, url: str, **context: Any) -> Person:
    """Return a rater with the item on the screen and the picture drawn."""
    cookie = seat(study, 1)[0]
    person = Person(browser, study, url, "r1", **context)
    person.context.add_cookies(
        [{"name": cookie_name(study.secret, secure=False), "value": cookie, "url": url}]
    )
    person.page.goto(f"{url}/work")
    person.ready()
    until(person.page, READY)
    return person


def screen(person: Person) -> Any:
    """Return the pixels of the viewport as they are, nothing scrolled."""
    return np.asarray(Image.open(io.BytesIO(person.page.screenshot())).convert("RGB")).astype(int)


def seen(pixels: Any, colour: tuple[int, int, int]) -> int:
    """Count the pixels of a colour."""
    return int((np.abs(pixels - np.array(colour)).sum(axis=2) < 40).sum())


def corners(person: Person) -> dict[str, int]:
    """Return how many pixels of each corner are in sight, once the picture has been drawn at this size."""
    for _ in range(40):
        pixels = screen(person)
        counts = {name: seen(pixels, colour) for name, colour in CORNERS.items()}
        if min(counts.values()) > 20 and max(counts.values()) < 1.6 * min(counts.values()):
            break
        person.page.wait_for_timeout(250)
    return counts


@pytest.mark.parametrize("size", [(900, 1200), (1600, 700)], ids=["tall", "wide"])
def test_the_whole_picture_is_in_sight_at_six_viewports(
    browser: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    with (
        make(tmp_path / "s", "reader-study", listed=[item(marked(*size))], raters=1) as study,
        serving(study) as url,
    ):
        person = opened(browser, study, url)
        for width, height in VIEWPORTS:
            person.page.set_viewport_size({"width": width, "height": height})
            counts = corners(person)
            assert min(counts.values()) > 20, (width, height, counts)
            assert max(counts.values()) < 1.6 * min(counts.values()), ("cropped", width, height, counts)
        person.finish()


def test_one_finger_scrolls_the_page_and_the_picture_stays_in_sight(browser: Any, tmp_path: Path) -> None:
    listed = [item(marked(900, 900))]
    with make(tmp_path / "s", "reader-study", listed=listed, raters=1) as study, serving(study) as url:
        person = opened(browser, study, url, has_touch=True, is_mobile=True, device_scale_factor=1)
        page = person.page
        page.set_viewport_size({"width": 390, "height": 844})
        page.wait_for_timeout(300)
        box = page.locator(".canvas").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8
        touch = page.context.new_cdp_session(page)

        def send(kind: str, points: list[dict[str, float]]) -> None:
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        before = page.inner_text("[data-readout]")
        send("touchStart", [{"x": x, "y": y}])
        for step in range(1, 11):
            send("touchMove", [{"x": x, "y": y - 22 * step}])
        send("touchEnd", [])
        until(page, "window.scrollY > 100")
        assert page.inner_text("[data-readout]") == before, "a finger that scrolls changed the grey window"
        pixels = screen(person)
        assert min(seen(pixels, colour) for colour in CORNERS.values()) > 20, "the picture left the screen"
        person.finish()


def mean_grey(person: Person, left: bool) -> float:
    """Return the mean grey of the middle of one half of the picture on the screen."""
    box = person.page.locator(".pixels").bounding_box()
    pixels = screen(person)
    x = int(box["x"] + box["width"] * (0.25 if left else 0.75))
    y = int(box["y"] + box["height"] / 2)
    return float(pixels[y - 5 : y + 5, x - 5 : x + 5].mean())


def test_the_grey_window_of_a_twelve_bit_dicom_changes_what_is_seen(browser: Any, tmp_path: Path) -> None:
    """Two halves differ by 6 of 4,096 grey levels, less than one of 8 bits: alike over the whole range, black and white when narrow."""
    values = np.full((200, 300), 1000, dtype=np.uint16)
    values[:, 150:] = 1006
    values[0, 0], values[0, 1] = 0, 4095
    with (
        make(tmp_path / "s", "reader-study", listed=[item(dicom(values))], raters=1) as study,
        serving(study) as url,
    ):
        person = opened(browser, study, url)
        page = person.page
        page.click("[data-centre='128']")
        page.wait_for_timeout(200)
        alike = (mean_grey(person, True), mean_grey(person, False))
        assert abs(alike[0] - alike[1]) <= 1
        page.evaluate(
            "() => { const own = document.querySelector('[data-centre]'); own.dataset.own = ''; own.dataset.centre = '1003'; own.dataset.width = '4'; }"
        )
        page.click("[data-centre='1003']")
        page.wait_for_timeout(200)
        assert mean_grey(person, True) < 5
        assert mean_grey(person, False) > 250
        page.keyboard.press("i")
        page.wait_for_timeout(200)
        assert mean_grey(person, True) > 250
        assert "inverted" in page.inner_text("[data-readout]")
        person.finish()


def test_the_picture_zooms_windows_measures_and_keeps_its_settings(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", "reader-study", 2, raters=1) as study, serving(study) as url:
        person = opened(browser, study, url)
        page = person.page
        page.keyboard.press("w")
        assert "C 90, W 150" in page.inner_text("[data-readout]")
        box = page.locator(".canvas").bounding_box()
        page.mouse.move(box["x"] + 200, box["y"] + 200)
        page.mouse.wheel(0, -500)
        until(page, "!document.querySelector('[data-readout]').textContent.includes('100 %')")
        page.mouse.down()
        page.mouse.move(box["x"] + 240, box["y"] + 180, steps=4)
        page.mouse.up()
        readout = page.inner_text("[data-readout]")
        assert "W 190" in readout
        page.click("[data-ruler]")
        page.mouse.move(box["x"] + 100, box["y"] + 100)
        page.mouse.down()
        page.mouse.move(box["x"] + 200, box["y"] + 100, steps=3)
        page.mouse.up()
        assert "pixels" in page.inner_text("[data-readout]")
        for key in "55555":
            page.keyboard.press(key)
        person.save()
        until(page, READY)
        assert "W 190" in page.inner_text("[data-readout]")
        page.keyboard.press("0")
        assert "C 128, W 256, 100 %" in page.inner_text("[data-readout]")
        person.finish()


def test_two_pictures_stand_side_by_side(browser: Any, tmp_path: Path) -> None:
    listed = [item(marked(400, 500), marked(500, 400))]
    with make(tmp_path / "s", "reader-study", listed=listed, raters=1) as study, serving(study) as url:
        person = opened(browser, study, url)
        person.page.set_viewport_size({"width": 1440, "height": 900})
        one, other = (person.page.locator(".canvas").nth(n).bounding_box() for n in (0, 1))
        assert one["y"] == other["y"]
        assert one["x"] + one["width"] <= other["x"]
        person.finish()
