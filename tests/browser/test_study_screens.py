"""What helps people who judge: the guide beside the item, the list, drafts, keys, places and pairs, all statements of a case."""

from pathlib import Path
from typing import Any

import pytest

from percuss.core.records import AnnotationItem
from percuss.study.links import links
from percuss.study.portal.visit import cookie_name
from percuss.study.store import people, work
from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.browser.study_people import PASSWORD, PHONE, Person
from tests.browser.waiting import until
from tests.studies import CHEAP, answer_all, make, serving
from tests.study_load import seat

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RECORD = {
    "clinical": {
        "age_years": 64,
        "sex": "female",
        "stage": "IIA",
        "smoking": "former smoker",
        "pack_years": 12.5,
    },
    "pathology": {"purity_share": 0.55, "grade": "G2", "size_mm": 31},
    "genes": {"z_cd274": 1.2, "egfr": None},
}


def seated(browser: Any, study: Study, url: str, **shots: Any) -> Person:
    """Return a rater who has practised, at the first item."""
    cookie = seat(study, 1)[0]
    person = Person(browser, study, url, "r1", **shots)
    person.context.add_cookies(
        [{"name": cookie_name(study.secret, secure=False), "value": cookie, "url": url}]
    )
    person.page.goto(f"{url}/work")
    person.ready()
    return person


def claims(cases: int, each: int) -> list[AnnotationItem]:
    """Return statements on some cases."""
    return [
        AnnotationItem(
            id=f"i{case}-{n}",
            subject=f"s{case}-{n}",
            response_id=f"r{case}-{n}",
            stratum={"model": f"acme/{'ab'[n % 2]}"},
            shown={
                "claim": f"The patient of case {case} is 64 and has stage II{'AB'[n % 2]} ({n}).",
                "evidence": RECORD,
            },
            content={},
            hidden={"case": f"case-{case}"},
        )
        for case in range(cases)
        for n in range(each)
    ]


def test_the_guide_lies_beside_the_item_and_stays(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=3, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url, shots="guide")
        page = person.page
        assert page.locator("#guide").is_hidden()
        page.keyboard.press("h")
        guide, item = page.locator("#guide").bounding_box(), page.locator(".judge").bounding_box()
        assert guide["x"] >= item["x"] + item["width"] - 1, "the guide covers the item"
        assert "Each specific detail can be read off" in page.inner_text("#guide")
        person.look("1-drawer")
        page.keyboard.press("1")
        person.save()
        assert page.locator("#guide").is_visible()
        page.keyboard.press("h")
        assert page.locator("#guide").is_hidden()
        page.set_viewport_size(PHONE)
        page.click("[data-guide-toggle]")
        box = page.locator("#guide").bounding_box()
        assert box["width"] == PHONE["width"]
        page.click("[data-guide-close]")
        assert page.locator("#guide").is_hidden()
        person.finish()


def test_the_list_jumps_to_what_was_answered_and_no_further(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=6, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url, shots="list")
        page = person.page
        for n, keys in enumerate(("1", "x2", "3")):
            person.keys(keys)
            if n == 0:
                page.keyboard.press("t")
                page.keyboard.type("look again")
                page.keyboard.press("Escape")
            person.save()
        page.keyboard.press("l")
        person.ready("Your items")
        spots = [text.split() for text in page.locator(".places .spot").all_inner_texts()]
        assert [one[0] for one in spots] == ["1", "2", "3", "4", "5", "6"]
        assert " ".join(spots[1][1:]) == "Can't judge"
        assert spots[2][1:] == ["Not", "supported"]
        assert page.locator(".places a").count() == 4
        person.look("1-list")
        page.click("[data-only=cant]")
        assert page.locator(".places li:visible").count() == 1
        page.fill("[data-jump]", "5")
        page.press("[data-jump]", "Enter")
        page.wait_for_selector("text=can't be opened yet")
        page.fill("[data-jump]", "1")
        page.press("[data-jump]", "Enter")
        person.at(1, 6)
        assert page.input_value("[name=notes]") == "look again"
        person.finish()


def test_a_draft_is_there_again_until_it_is_saved_or_one_signs_out(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", "qa-verification", 2, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url)
        page = person.page
        person.keys("4ya")
        page.keyboard.press("t")
        page.keyboard.type("half a thought")
        until(page, "Object.keys(localStorage).some(key => key.startsWith('percuss-draft'))")
        page.wait_for_timeout(200)  # sealing the last key takes a moment
        stored = page.evaluate(
            "JSON.stringify(Object.entries(localStorage)) + JSON.stringify(Object.entries(sessionStorage))"
        )
        assert '\\"sealed\\"' in stored
        assert not [word for word in ("thought", "nonfactual", "relevance") if word in stored]
        assert page.get_attribute("[data-form]", "data-draft") not in stored
        page.reload()
        person.ready()
        page.wait_for_selector("text=it is not saved yet")
        assert page.locator("[name='q.relevance'][value='4']").is_checked()
        assert page.locator("[name='q.reasons'][value=nonfactual]").is_checked()
        assert page.input_value("[name=notes]") == "half a thought"
        with study.database.read() as connection:
            assert work.progress(connection, "r1").done == 0
        page.keyboard.press("Escape")
        person.keys("qk")
        person.save()
        kept = "Object.keys(localStorage).filter(key => key.startsWith('percuss-draft')).length"
        assert page.evaluate(kept) == 0
        person.keys("2")
        until(page, f"{kept} === 1")
        page.click("text=Sign out")
        page.wait_for_selector("text=First time here?")
        assert page.evaluate(kept) == 0
        person.finish()


def test_places_by_number_and_pairs_make_an_order(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", "ranking", 2, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url, shots="ranking-pairs")
        page = person.page
        letters = "[...document.querySelectorAll('.card')].map(c => c.dataset.letter)"
        before = page.evaluate(letters)
        person.keys("j3")
        assert page.evaluate(letters) == [before[1], before[2], before[0]]
        assert page.evaluate("[...document.querySelectorAll('.place input')].map(i => i.value)") == [
            "1",
            "2",
            "3",
        ]
        page.keyboard.press("v")
        person.look("1-pairs")
        seen = 0
        while page.locator("[data-duel]").is_visible():
            both = [page.locator(".side").nth(n).get_attribute("aria-label").split()[-1] for n in (0, 1)]
            page.keyboard.press("ArrowLeft" if both[0] < both[1] else "ArrowRight")
            seen += 1
            assert seen <= 3, "three answers need three comparisons at most"
        assert page.evaluate(letters) == sorted(before)
        person.look("2-ranked")
        person.keys("gnjgnjgn")
        person.save()
        person.at(2, 2)
        person.finish()


def test_all_statements_of_a_case_are_judged_on_one_page(browser: Any, tmp_path: Path) -> None:
    listed = claims(2, 3)
    with (
        make(tmp_path / "s", listed=listed, raters=1, page_by="case", repeats=0.0) as study,
        serving(study) as url,
    ):
        person = seated(browser, study, url, shots="case")
        page = person.page
        assert page.locator(".claims .card").count() == 3
        facts = page.inner_text(".left")
        assert "64 years" in facts
        assert "0.55 (55 %)" in facts
        assert "31 mm" in facts
        assert "not given" in facts
        assert page.locator("[data-to-cell]").count() == 0, "numbers are linked in training alone"
        person.look("1-case")
        page.keyboard.press("/")
        page.keyboard.type("stage")
        assert page.locator("[data-cell]:visible").count() == 1
        page.keyboard.press("Escape")
        assert page.locator("[data-cell]:visible").count() > 5
        person.keys("13")
        person.save()
        page.wait_for_selector("text=still open: 1")
        with study.database.read() as connection:
            assert work.progress(connection, "r1").done == 2
        assert page.locator(".card.answered").count() == 2
        page.locator(".card:not(.answered)").focus()
        person.keys("x2")
        person.save()
        person.keys("111")
        person.save()
        person.ready("Thank you")
        person.finish()
        with study.database.read() as connection:
            labels = work.labelled(connection)
            cases = [study.item(connection, one.item).hidden["case"] for one in labels]
    assert [cases[:3], cases[3:]] in ([["case-0"] * 3, ["case-1"] * 3], [["case-1"] * 3, ["case-0"] * 3])
    assert sorted(one.given.cant or one.given.answer["support"] for one in labels) == [
        "Outside my field",
        *["supported"] * 4,
        "unsupported",
    ]
    assert sum(one.given.active_ms > 0 for one in labels) >= 3


def test_numbers_of_a_practice_statement_lead_to_their_cells_after_the_answer(
    browser: Any, tmp_path: Path
) -> None:
    with make(tmp_path / "s", count=1, raters=1) as study, serving(study) as url:
        person = Person(browser, study, url, "r1", shots="training")
        page = person.page
        person.join()
        page.goto(f"{url}/practice")
        person.ready("Practice 1 of")
        assert page.locator("[data-to-cell]").count() == 0
        page.keyboard.press("1")
        person.save()
        page.click("[data-to-cell]")
        until(page, "document.querySelector('.lit')?.textContent.includes('64') ?? false")
        person.look("1-cells")
        person.finish()


def test_two_people_settle_at_one_screen_and_both_are_recorded(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=3, settling="together") as study, serving(study) as url:
        cheap = CHEAP.hash(PASSWORD)
        study.database.write(
            lambda c: people.join(c, "r2", name="Two", login="r2@example.org", password=cheap)
        )
        person = seated(browser, study, url, shots="joint")
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        answer_all(study, "r2", lambda n, again: {"support": "partial" if n < 2 else "supported"})
        page = person.page
        page.goto(f"{url}/joint")
        person.look("1-sit-down")
        page.fill("[name=login]", "r2@example.org")
        page.fill("[name=password]", "not it at all")
        page.click("button:has-text('Sign in here')")
        page.wait_for_selector("text=is not right")
        page.fill("[name=password]", PASSWORD)
        page.click("button:has-text('Sign in here')")
        person.ready("r1 and r2 settle this together")
        person.look("2-settle")
        for _ in range(2):
            page.keyboard.press("]")
            page.keyboard.type("We read it again.")
            person.save()
        person.ready("All differences between r1 and r2 are settled")
        person.look("3-settled")
        page.click("button:has-text('r2 leaves this screen')")
        page.wait_for_selector("text=The other one signs in here")
        person.errors = [error for error in person.errors if "status of 401" not in error]
        person.finish()
        with study.database.read() as connection:
            settled = work.agreed(connection)
            assert verify(connection, key=study.public_key, expect=study.anchored).ok
    assert [(one.by, one.given.answer["support"]) for one in settled.values()] == [("r1+r2", "partial")] * 2


def test_the_screens_speak_german_and_each_may_choose(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=2, raters=2, language="de", repeats=0.0) as study, serving(study) as url:
        person = Person(browser, study, url, "r1", shots="german")
        page = person.page
        page.goto(dict(links(study, url))["r1"])
        person.look("1-invitation")
        page.check("[name=consent]")
        for name, value in (("name", "Eva"), ("login", "eva@example.org"), ("password", PASSWORD)):
            page.fill(f"[name={name}]", value)
        page.click("button:has-text('Teilnehmen')")
        person.ready("Wählen Sie")
        person.look("2-guide")
        page.click("text=4 zur Übung ausprobieren")
        person.ready("Übung 1 von 4")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Bitte beantworten Sie diese Frage")
        page.keyboard.press("1")
        person.save()
        person.look("3-feedback")
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        answer_all(study, "r2", lambda n, again: {"support": "partial"})
        page.click("[data-tongue] button")
        person.ready("Practice 2 of 4")
        assert page.evaluate("document.documentElement.lang") == "en"
        person.errors = []
        person.finish()
        lead = Person(browser, study, url, "c1", shots="german")
        lead.page.goto(dict(links(study, url))["c1"])
        lead.page.check("[name=consent]")
        for name, value in (("name", "Lea"), ("login", "lea@example.org"), ("password", PASSWORD)):
            lead.page.fill(f"[name={name}]", value)
        lead.page.click("button:has-text('Teilnehmen')")
        lead.ready("Stand der Studie")
        lead.look("4-coordinator")
        lead.page.goto(f"{url}/coordinate/people")
        lead.ready("Namen hinter den Kürzeln")
        lead.look("5-names")
        lead.finish()
