"""A whole study of one design in a real browser: two people judge, one settles, one coordinates; all come by link."""

from pathlib import Path
from typing import Any

from percuss.study.store import work
from percuss.study.store.verifying import verify
from percuss.study.study import Study
from tests.browser.study_people import PASSWORD, Person
from tests.studies import make, serving

__all__ = ["ANSWERS", "STATEMENTS", "whole_study"]

STATEMENTS = ("claim-adjudication", "confirm", "likert5", "qa-verification")
"""Designs that judge one statement or answer."""
ANSWERS = ("extraction", "ranking", "reader-study", "source-grounding")
"""Designs with pictures, several answers, spans or sources. Two files play them, so that two workers share them."""

REASON = "The evidence says so."


def _judge(browser: Any, study: Study, url: str, code: str, variants: dict[int, int]) -> Person:
    design = study.design.name
    person = Person(browser, study, url, code, shots=design if code == "r1" else "")
    person.join(look="1-invitation")
    person.practise(design)
    person.work(design, 2, variants)
    person.ready("Thank you")
    person.look("8-done")
    return person


def _sign_out_and_in_again(person: Person) -> None:
    page = person.page
    page.click("text=Sign out")
    page.wait_for_selector("text=First time here?")
    person.look("0-login")
    page.fill("[name=login]", f"{person.code}@example.org")
    page.fill("[name=password]", PASSWORD)
    page.click("button:has-text('Sign in')")
    person.ready("Thank you")


def _stray(person: Person) -> None:
    """Open somebody else's page."""
    person.page.goto(f"{person.url}/coordinate")
    person.ready("Not your page")
    person.look("11-sorry")
    person.errors = [error for error in person.errors if "status of 403" not in error]


def _settle(browser: Any, study: Study, url: str) -> None:
    judge = Person(browser, study, url, "a1", shots=study.design.name)
    judge.join()
    judge.ready("Label A")
    judge.look("9-settle")
    judge.page.click("[data-take] >> nth=0")
    judge.page.keyboard.type(REASON)
    judge.save()
    judge.ready("All settled")
    judge.look("9-settled")
    judge.finish()


def _coordinate(browser: Any, study: Study, url: str) -> None:
    coordinator = Person(browser, study, url, "c1", shots=study.design.name)
    coordinator.join()
    coordinator.page.click("text=Verify now")
    coordinator.ready("entries verified")
    coordinator.look("10-coordinator")
    coordinator.finish()


def whole_study(browser: Any, folder: Path, design: str, database: str) -> None:
    """Two people judge, one settles, one coordinates; the store then holds what they said, and why."""
    with make(folder, design, 2, break_every=1, database=database) as study, serving(study) as url:
        first = _judge(browser, study, url, "r1", {})
        _sign_out_and_in_again(first)
        _stray(first)
        first.finish()
        _judge(browser, study, url, "r2", {0: 1}).finish()
        _settle(browser, study, url)
        _coordinate(browser, study, url)

        with study.database.read() as connection:
            labels, settled = work.labelled(connection), work.agreed(connection)
            assert verify(connection).ok
        assert len(labels) == 4
        assert len(settled) == 1
        item = next(iter(settled))
        assert settled[item].reason == REASON
        given = [label.given.answer for label in labels if label.item == item]
        asked = {q.name for q in study.design.settled}
        assert {k: v for k, v in settled[item].given.answer.items() if k in asked} in [
            {k: v for k, v in one.items() if k in asked} for one in given
        ]
