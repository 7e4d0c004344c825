"""A study on a phone: the first missing answer in sight, no keys where there is no keyboard, tables with their headings."""

from pathlib import Path
from typing import Any

import pytest

from percuss.study.design import design_names
from tests.browser.study_people import PHONE, Person
from tests.browser.test_study_layout import two_pictures
from tests.browser.test_study_screens import seated
from tests.studies import make, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOM = """() => {
  const q = document.querySelector('.q.wanted').getBoundingClientRect();
  const pane = document.querySelector('.judge .left'), foot = document.querySelector('.foot').getBoundingClientRect();
  const scroll = document.querySelector('.judge .scroll');
  const own = /auto|scroll/.test(getComputedStyle(scroll).overflowY);
  const top = own ? scroll.getBoundingClientRect().top : Math.max(0, pane.getBoundingClientRect().bottom);
  return [top, q.top, q.bottom, Math.min(foot.top, innerHeight)];
}"""
KEYS_SEEN = "[...document.querySelectorAll('main kbd, .by-key, dialog[open]')].filter(one => one.getClientRects().length).map(one => one.textContent)"


def in_sight(person: Person, where: str) -> None:
    """Assert that the question that is asked for lies between what stays above and the bar below."""
    top, begins, ends, foot = person.page.evaluate(ROOM)
    assert top - 1 <= begins < foot, f"{where}: it begins at {begins}, between {top} and {foot}"
    assert ends <= foot + 1, f"{where}: it ends at {ends}, the bar begins at {foot}"


@pytest.mark.parametrize("name", [n for n in design_names() if n != "ranking"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_missing_answer_is_in_sight_on_a_phone(
    browser: Any, tmp_path: Path, name: str, language: str
) -> None:
    listed = two_pictures() if name == "reader-study" else None
    how = {"listed": listed} if listed else {"count": 2}
    with make(tmp_path / "s", name, raters=1, language=language, **how) as study, serving(study) as url:
        person = seated(browser, study, url)
        page = person.page
        page.set_viewport_size(PHONE)
        page.wait_for_timeout(200)
        page.click(".foot .save")
        page.wait_for_selector(".q.wanted")
        in_sight(person, "after save")
        page.set_viewport_size({"width": 844, "height": 390})
        page.wait_for_timeout(200)
        page.set_viewport_size(PHONE)
        page.wait_for_timeout(200)
        in_sight(person, "after the phone was turned and back")
        person.finish()


@pytest.mark.parametrize("name", ["ranking", "extraction", "reader-study"])
def test_a_phone_is_told_of_no_keys(browser: Any, tmp_path: Path, name: str) -> None:
    with make(tmp_path / "s", name, 2, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url)
        page = person.page
        assert page.evaluate(KEYS_SEEN)
        page.keyboard.press("?")
        assert page.locator("#help[open]").count() == 1
        page.set_viewport_size(PHONE)
        page.wait_for_timeout(200)
        assert page.evaluate(KEYS_SEEN) == []
        page.keyboard.press("?")
        assert page.evaluate(KEYS_SEEN) == []
        cut = page.evaluate(
            "[...document.querySelectorAll('.tools')].filter(one => one.scrollWidth > one.clientWidth + 1).length"
        )
        assert cut == 0, "what one can do with a picture is cut"
        person.finish()


def test_the_guide_keeps_its_headings_on_a_phone(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1, raters=1, repeats=0.0) as study, serving(study) as url:
        person = seated(browser, study, url)
        page = person.page
        page.set_viewport_size(PHONE)
        page.goto(f"{url}/guide")
        person.ready()
        said = page.evaluate(
            "[...document.querySelectorAll('#work .anchors td')].map(one => getComputedStyle(one, '::before').content)"
        )
        assert set(said) == {'"when: "', '"for example: "'}
        person.finish()
