"""Geometry of a rater's screens in the longest of the languages, German: one row of actions, nothing cut, pictures that leave room."""

from pathlib import Path
from typing import Any

import pytest

from percuss.core.records import AnnotationItem
from percuss.study.links import links
from percuss.study.study import Study
from tests.browser.study_people import DESK, PASSWORD, PHONE, Person
from tests.browser.test_study_pictures import item as pictured
from tests.browser.test_study_pictures import marked
from tests.browser.test_study_screens import claims, seated
from tests.browser.waiting import until
from tests.studies import answer_all, make, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROWS = """() => {
  const middle = one => { const box = one.getBoundingClientRect(); return (box.top + box.bottom) / 2 };
  const shown = one => one.getClientRects().length;
  const tops = [...document.querySelectorAll('.foot .save, .foot .acts > *')].filter(shown).map(middle);
  return [Math.max(...tops) - Math.min(...tops), document.querySelector('.foot').getBoundingClientRect().height];
}"""
CUT = """selector => [...document.querySelectorAll(selector)].filter(one => one.checkVisibility())
  .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent.trim().replace(/\\s+/g, ' '))"""
BROKEN = """selector => [...document.querySelectorAll(selector)].filter(one => {
  const text = one.firstChild, range = document.createRange();
  return [...text.data.matchAll(/\\S+/g)].some(word => {
    range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1;
  });
}).map(one => one.textContent)"""


def german(browser: Any, study: Study, url: str) -> Person:
    """Return a rater at the first item."""
    person = seated(browser, study, url)
    assert person.page.evaluate("document.documentElement.lang") == "de"
    return person


def in_one_row(person: Person, where: str) -> None:
    """Assert that what one can press in the bar stands in one row, and that the bar is low."""
    apart, height = person.page.evaluate(ROWS)
    assert apart < 10, f"{where}: the actions are {apart} px apart"
    assert height < 96, f"{where}: the bar is {height} px high"
    assert not person.page.evaluate(CUT, ".foot, .foot *"), where


def test_two_labels_beside_each_other_fit_a_phone(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=4, raters=2, language="de", repeats=0.0) as study, serving(study) as url:
        for code, said in (("r1", "supported"), ("r2", "partial")):
            answer_all(study, code, lambda n, again, said=said: {"support": said})
        person = Person(browser, study, url, "a1")
        page = person.page
        page.goto(dict(links(study, url))["a1"])
        page.check("[name=consent]")
        for name, value in (("name", "Ada"), ("login", "ada@example.org"), ("password", PASSWORD)):
            page.fill(f"[name={name}]", value)
        page.click("button:has-text('Teilnehmen')")
        page.wait_for_selector(".beside .chip")
        page.set_viewport_size(PHONE)
        assert not page.evaluate(CUT, ".beside, .beside th, .beside .chip")
        edge = page.evaluate(
            "Math.max(...[...document.querySelectorAll('.beside .chip')].map(one => one.getBoundingClientRect().right))"
        )
        assert edge <= PHONE["width"] - 10
        person.finish()


def test_the_actions_stand_in_one_row(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=4, raters=1, language="de") as study, serving(study) as url:
        person = german(browser, study, url)
        page = person.page
        person.keys("1")
        person.save()
        page.wait_for_selector(".state time")
        in_one_row(person, "1440")
        page.keyboard.press("h")
        in_one_row(person, "1440 with the guide")
        page.keyboard.press("h")
        page.set_viewport_size(PHONE)
        in_one_row(person, "390")
        person.finish()


def test_a_sentence_in_the_bar_takes_the_whole_width(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=2, raters=1, language="de") as study, serving(study) as url:
        person = german(browser, study, url)
        page = person.page
        person.keys("t")
        page.keyboard.type("half a thought")
        until(page, "Object.keys(localStorage).some(key => key.startsWith('percuss-draft'))")
        page.wait_for_timeout(200)
        page.reload()
        person.ready()
        page.wait_for_selector(".state:has-text('wieder da')")
        state, foot = page.locator(".foot .state").bounding_box(), page.locator(".foot").bounding_box()
        assert state["width"] > 0.9 * (foot["width"] - 40)
        in_one_row(person, "a draft that is there again")
        person.finish()


def two_pictures() -> list[AnnotationItem]:
    """Return an item with two pictures."""
    return [pictured(marked(500, 500), marked(500, 500))]


def test_two_pictures_leave_room_for_the_questions(browser: Any, tmp_path: Path) -> None:
    with (
        make(tmp_path / "s", "reader-study", listed=two_pictures(), raters=1, language="de") as study,
        serving(study) as url,
    ):
        person = german(browser, study, url)
        page = person.page
        page.wait_for_selector("[data-viewer][data-ready]")
        assert page.inner_text("[data-readout] >> nth=0") == "Mitte 128, Breite 256, 100 %"
        for guide in (False, True):
            if guide:
                page.keyboard.press("h")
            ends = page.evaluate(
                "() => [...document.querySelectorAll('[data-readout]')].map(one => one.getBoundingClientRect().bottom)"
            )
            assert max(ends) <= DESK["height"], (
                f"with the guide: {guide}; what is told of a picture ends at {ends}"
            )
        page.keyboard.press("h")
        page.set_viewport_size(PHONE)
        page.wait_for_timeout(200)
        box = page.locator(".judge .left").bounding_box()
        assert box["height"] <= 0.5 * PHONE["height"], "the pictures stay above the questions and cover them"
        one, other = (page.locator(".canvas").nth(n).bounding_box() for n in (0, 1))
        assert one["y"] == other["y"]
        assert other["x"] + other["width"] <= PHONE["width"]
        person.finish()


def test_words_of_a_scale_stay_whole_beside_the_guide(browser: Any, tmp_path: Path) -> None:
    with (
        make(tmp_path / "s", "reader-study", listed=two_pictures(), raters=1, language="de") as study,
        serving(study) as url,
    ):
        person = german(browser, study, url)
        page = person.page
        person.keys("44444h")
        assert page.locator("#guide").is_visible()
        assert not page.evaluate(CUT, ".q-scale .face")
        assert not page.evaluate(BROKEN, ".q-scale .face span")
        person.keys("h")
        person.save()
        page.goto(f"{url}/list")
        person.ready()
        assert not page.evaluate(CUT, ".places li, .spot")
        person.finish()


def test_statements_of_a_case_fit_beside_the_guide(browser: Any, tmp_path: Path) -> None:
    listed = claims(1, 3)
    with (
        make(tmp_path / "s", listed=listed, raters=1, page_by="case", repeats=0.0, language="de") as study,
        serving(study) as url,
    ):
        person = german(browser, study, url)
        page = person.page
        person.keys("1h")
        assert page.locator("#guide").is_visible()
        assert not page.evaluate(CUT, ".claims .options, .claims .q")
        page.keyboard.press("Escape")
        page.keyboard.press("/")
        page.keyboard.type("0.55")
        assert page.locator("[data-cell]:visible").all_inner_texts() == ["Reinheit\n0,55 (55 %)"]
        person.finish()


def test_the_comparison_of_marks_fits_a_phone(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", "extraction", 1, raters=1, language="de") as study, serving(study) as url:
        person = Person(browser, study, url, "r1")
        page = person.page
        page.goto(dict(links(study, url))["r1"])
        page.check("[name=consent]")
        for name, value in (("name", "Eva"), ("login", "eva@example.org"), ("password", PASSWORD)):
            page.fill(f"[name={name}]", value)
        page.click("button:has-text('Teilnehmen')")
        page.wait_for_selector("form[action*='logout']")
        page.goto(f"{url}/practice")
        person.ready("Übung 1")
        person.answer("extraction")
        person.save()
        page.wait_for_selector("table.compare")
        assert "„Ascorbinsäure" in page.inner_text("table.compare")
        page.set_viewport_size(PHONE)
        assert not page.evaluate(CUT, ".scroll")
        assert not page.evaluate(CUT, ".compare td, .compare th")
        person.finish()


def test_a_mark_is_asked_for_and_has_room_before_its_source(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", "extraction", 1, raters=1, language="de") as study, serving(study) as url:
        person = german(browser, study, url)
        page = person.page
        page.keyboard.press("Enter")
        page.wait_for_selector(
            "text=Quelle beruht. Markieren Sie etwas, oder bestätigen Sie, dass es nichts zu markieren gibt."
        )
        assert not page.locator("#help dt:has-text('/')").count(), "there is no record to search in"
        person.answer("extraction")
        row, source = (page.locator(one).bounding_box() for one in (".marks .row", ".marks li > label"))
        assert source["y"] - row["y"] - row["height"] >= 4
        person.save()
        page.goto(f"{url}/list")
        person.ready()
        page.set_viewport_size(PHONE)
        assert page.inner_text(".spot >> nth=0").split() == ["1", "beantwortet"]
        assert not page.evaluate(BROKEN, ".spot > span")
        person.finish()


def test_where_two_labels_differ_neither_of_them_is_marked(browser: Any, tmp_path: Path) -> None:
    """A bar in the colour of one answer stood at the cell of label A, and pushed its text out of line."""
    with make(tmp_path / "s", count=1, raters=2, repeats=0.0) as study, serving(study) as url:
        for code, said in (("r1", "supported"), ("r2", "unsupported")):
            answer_all(study, code, lambda n, again, said=said: {"support": said})
        person = Person(browser, study, url, "a1")
        person.join()
        for view in (DESK, PHONE):
            person.page.set_viewport_size(view)
            person.page.wait_for_selector(".beside .differ")
            told = person.page.evaluate(
                """() => [...document.querySelectorAll('.beside .differ td')].map(one => {
                  const { borderLeft, boxShadow, paddingLeft, backgroundColor } = getComputedStyle(one);
                  return JSON.stringify([borderLeft, boxShadow, paddingLeft, backgroundColor]);
                })"""
            )
            assert len(told) == 2
            assert len(set(told)) == 1, told
        person.finish()
