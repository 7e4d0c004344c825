"""A whole study in a real browser, for every design: two people judge, one settles, one coordinates."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from percuss.study.design import design_names
from percuss.study.store import ledger, work
from tests.browser.study_people import Person, chromium
from tests.studies import make, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.mark.parametrize("design", design_names())
def test_two_people_and_an_adjudicator_finish_a_study(browser: Any, tmp_path: Path, design: str) -> None:
    with make(tmp_path / "s", design, 2) as study, serving(study) as url:
        first = Person(browser, study, url, "r1", shots=design)
        first.join()
        first.practise(design)
        first.work(design, 2, {})
        first.page.wait_for_selector("text=Thank you")
        first.look("8-done")
        first.finish()

        second = Person(browser, study, url, "r2")
        second.enter()
        second.work(design, 2, {0: 1})
        second.page.wait_for_selector("text=Thank you")
        second.finish()

        judge = Person(browser, study, url, "a1", shots=design)
        judge.join() if design == "claim-adjudication" else judge.enter()
        judge.page.wait_for_selector("text=Label A")
        judge.look("9-settle")
        judge.page.keyboard.press("a")
        judge.page.keyboard.type("The evidence says so.")
        judge.save()
        judge.page.wait_for_selector("text=All settled")
        judge.look("9-settled")
        judge.finish()

        coordinator = Person(browser, study, url, "c1", shots=design)
        coordinator.join() if design == "claim-adjudication" else coordinator.enter()
        coordinator.page.click("text=Verify now")
        coordinator.page.wait_for_selector("text=entries verified")
        coordinator.look("10-coordinator")
        coordinator.finish()

        with study.database.read() as connection:
            labels, settled = work.labelled(connection), work.agreed(connection)
            assert ledger.verify(connection).ok
        assert len(labels) == 4
        assert len(settled) == 1
        item = next(iter(settled))
        assert settled[item].reason == "The evidence says so."
        given = [label.given.answer for label in labels if label.item == item]
        asked = {q.name for q in study.design.settled}
        assert {k: v for k, v in settled[item].given.answer.items() if k in asked} in [
            {k: v for k, v in one.items() if k in asked} for one in given
        ]
