"""An hour at the portal, in short: 60 claims without the mouse, undo, resume, offline, breaks, the picture viewer."""

from pathlib import Path
from typing import Any

import pytest

from percuss.study.portal.visit import cookie_name
from percuss.study.store import people, work
from percuss.study.study import Study
from tests.browser.study_people import Person
from tests.studies import make, serving
from tests.study_load import seat

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def seated(browser: Any, study: Study, url: str, **context: Any) -> Person:
    """Return a rater who has joined and practised, with the first item on the screen."""
    cookie = seat(study, 1)[0]
    person = Person(browser, study, url, "r1", **context)
    person.context.add_cookies(
        [{"name": cookie_name(study.secret, secure=False), "value": cookie, "url": url}]
    )
    person.page.goto(f"{url}/work")
    person.ready()
    return person


def test_sixty_claims_in_one_sitting_without_the_mouse(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=55, raters=1, repeats=0.09) as study, serving(study) as url:
        person = seated(browser, study, url)
        breaks = 0
        for n in range(60):
            person.at(n + 1, 60)
            person.page.keyboard.press("1234"[n % 4])
            person.save()
            if person.page.locator("text=Time for a break").count():
                breaks += 1
                person.save()
        person.page.wait_for_selector("text=Thank you")
        assert "5 items were shown to you twice" in person.page.inner_text("main")
        person.finish()
        assert breaks == 2
        with study.database.read() as connection:
            labels = work.labelled(connection)
    assert len(labels) == 60
    assert all(label.given.active_ms < 60_000 for label in labels)
    assert sum(label.given.active_ms for label in labels) > 0


def test_a_key_pressed_the_moment_the_next_item_appears_is_its_answer(browser: Any, tmp_path: Path) -> None:
    """The form was wired 20 ms after it was shown: a quick key went to the item before and Enter to nobody."""
    with make(tmp_path / "s", count=3, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url)
        page = person.page
        page.evaluate(
            """() => new MutationObserver(() => {
                for (const key of ["2", "Enter"])
                    document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
            }).observe(document.getElementById("main"), {childList: true})"""
        )
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Thank you")
        person.finish()
        with study.database.read() as connection:
            given = [label.given.answer["support"] for label in work.labelled(connection)]
    assert sorted(given) == ["partial", "partial", "supported"]


def test_keys_pressed_while_saving_answer_nothing(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=2, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url)
        page = person.page
        held: list[Any] = []
        page.route(
            "**/work/**",
            lambda route: held.append(route) if route.request.method == "POST" else route.continue_(),
        )
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=saving")
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        assert page.locator("[name='q.support'][value=supported]").is_checked()
        assert len(held) == 1
        held[0].continue_()
        person.at(2, 2)
        assert page.locator("[name='q.support']:checked").count() == 0
        person.finish()


def test_notes_cant_judge_undo_and_resume(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=4, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url)
        page = person.page
        page.keyboard.press("1")
        page.keyboard.press("t")
        page.keyboard.type("a note with 2 and u in it")
        page.keyboard.press("Escape")
        person.save()
        page.keyboard.press("x")
        page.keyboard.press("2")
        person.save()
        person.at(3, 4)
        for n in (2, 1):
            page.keyboard.press("u")
            person.at(n, 4)
        assert page.locator("[name='q.support'][value=supported]").is_checked()
        assert page.input_value("[name=notes]") == "a note with 2 and u in it"
        page.keyboard.press("3")
        person.save()
        person.at(3, 4)
        state = person.context.storage_state()
        person.finish()

        context = browser.new_context(storage_state=state)
        again = context.new_page()
        again.goto(url)
        again.wait_for_selector(".where:has-text('3 of 4')")
        context.close()
        with study.database.read() as connection:
            given = {label.item: label.given for label in work.labelled(connection)}
            first = next(g for g in given.values() if g.notes)
            second = next(g for g in given.values() if g.cant)
    assert first.answer == {"support": "unsupported"}
    assert second.cant == "Outside my field"
    assert second.answer == {}


def test_nothing_says_saved_while_the_line_is_cut(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", count=3, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url)
        page = person.page
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Please answer this one")
        page.keyboard.press("2")
        person.context.set_offline(True)
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Not saved: no connection")
        assert page.locator("[name='q.support'][value=partial]").is_checked()
        with study.database.read() as connection:
            assert work.progress(connection, "r1").done == 0
        person.context.set_offline(False)
        person.save()
        page.wait_for_selector("text=saved")
        with study.database.read() as connection:
            assert work.progress(connection, "r1").done == 1
        person.errors = [
            error
            for error in person.errors
            if "ERR_INTERNET_DISCONNECTED" not in error and "sendError" not in error and "htmx:" not in error
        ]
        person.finish()


def test_a_session_that_ended_keeps_the_answer_and_goes_on_after_signing_in(
    browser: Any, tmp_path: Path
) -> None:
    with make(tmp_path / "s", count=3, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url)
        page = person.page
        page.keyboard.press("1")
        person.context.clear_cookies()
        for told in ("you were signed out", "you are still signed out"):
            page.keyboard.press("Enter")
            page.wait_for_selector(f"text={told}")
            assert page.get_attribute(".state a", "href") == f"{url}/login"
            assert page.get_attribute(".state a", "target") == "_blank"
            assert page.locator("[name='q.support'][value=supported]").is_checked()
        fresh = study.database.write(lambda connection: people.open_session(connection, "r1"))
        person.context.clear_cookies()
        person.context.add_cookies(
            [{"name": cookie_name(study.secret, secure=False), "value": fresh, "url": url}]
        )
        person.save()  # with the token of the new session, not of the one the form was made in
        person.at(2, 3)
        with study.database.read() as connection:
            assert work.progress(connection, "r1").done == 1
        person.context.close()


def test_a_ranking_is_dragged_and_nothing_is_ranked_before(browser: Any, tmp_path: Path) -> None:
    with make(tmp_path / "s", "ranking", 1, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url)
        page = person.page
        assert page.evaluate("[...document.querySelectorAll('.place input')].every(i => i.value === '')")
        for _ in range(3):
            person.keys("jgn")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Please put the answers in order")
        before = page.evaluate("[...document.querySelectorAll('.card')].map(c => c.dataset.letter)")
        page.evaluate("document.querySelector('.right .scroll').scrollTop = 0")
        grip = page.locator(".card >> nth=0 >> [data-grip]").bounding_box()
        last = page.locator(".card >> nth=1").bounding_box()
        page.mouse.move(grip["x"] + 5, grip["y"] + 5)
        page.mouse.down()
        page.mouse.move(last["x"] + 20, last["y"] + last["height"] - 4, steps=6)
        page.mouse.up()
        after = page.evaluate("[...document.querySelectorAll('.card')].map(c => c.dataset.letter)")
        assert after == [before[1], before[0], before[2]]
        person.save()
        page.wait_for_selector("text=Thank you")
        person.finish()


def test_under_a_base_path_everything_stays_under_it(browser: Any, tmp_path: Path) -> None:
    with (
        make(tmp_path / "s", count=1) as study,
        serving(study, public_url="http://127.0.0.1:{port}/trial", path="/trial") as url,
    ):
        person = Person(browser, study, url, "r1")
        asked: list[str] = []
        person.page.on("request", lambda request: asked.append(request.url))
        person.join()
        person.practise("claim-adjudication")
        person.work("claim-adjudication", 1, {})
        person.page.wait_for_selector("text=Thank you")
        person.finish()
    assert all(address.startswith(url) for address in asked), [a for a in asked if not a.startswith(url)]
