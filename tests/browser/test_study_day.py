"""A coordinator's day in Chromium: a draft, the pilot, open, somebody replaced, an item reassigned, extended, differences, locked, sealed, verified."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from percuss.study.create import create
from percuss.study.settings import Settings
from percuss.study.store.verifying import verify
from tests.browser.study_people import Person
from tests.studies import answer_all, items, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_coordinators_day(browser: Any, tmp_path: Path) -> None:
    settings = Settings(name="ward/7 研究", design="claim-adjudication", seed=7, strata=("model",))
    listed = items("claim-adjudication", 20)
    study, _ = create(settings, listed, folder=tmp_path / "s", raters=2, size=6, state="draft")
    with study, serving(study) as url:
        person = Person(browser, study, url, "c1", shots="coordinator-day")
        page = person.page
        page.on("dialog", lambda dialog: dialog.accept())
        person.join()

        def press(button: str, text: str) -> None:
            page.click(f"button:has-text('{button}')")
            page.wait_for_selector(f"text={text}")

        page.wait_for_selector("text=Nobody can judge yet")
        person.look("1-draft")
        page.click("text=See the items as people see them")
        page.wait_for_selector("text=As a rater sees it")
        person.look("2-item")
        page.goto(f"{url}/coordinate")
        press("Begin the pilot", "State of the study: pilot")
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        page.reload()
        assert page.input_value("select[name=code]") == "r2", "whose items are open"
        assert page.input_value("select[name=to]") == "r1", (
            "they go to somebody else unless one says otherwise"
        )
        press("Open it", "6 answers of the pilot were set aside")
        answer_all(study, "r1", lambda n, again: {"support": "supported"}, seconds=1)
        page.locator("tr:has(th:text-is('r2')) button:has-text('Replace')").click()
        page.wait_for_selector("text=r3 takes over")
        press("Add a rater", "r4 can judge")
        page.goto(f"{url}/coordinate/item/0")
        page.wait_for_selector("text=Open on the list of r3")
        person.look("2-give")
        press("Give", "1 item of r3 is on the list of r4 now")
        page.fill("[name=count]", "14")
        press("Extend", "14 more items")
        answer_all(study, "r1", lambda n, again: {"support": "supported"}, seconds=1)
        for code in ("r3", "r4"):
            answer_all(study, code, lambda n, again: {"support": "partial" if n % 2 else "supported"})
        page.goto(f"{url}/coordinate")
        page.wait_for_selector("text=Differences to be settled")
        page.wait_for_selector("text=Look at these")
        person.look("3-differences")
        press("Lock it", "State of the study: locked")
        page.locator(".differing a").first.click()
        page.wait_for_selector("h2:has-text('r1')")
        person.look("4-answers")
        page.goto(f"{url}/coordinate")
        with page.expect_download() as waiting:
            page.click("button:has-text('Seal it')")
        archive = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(archive)
        assert archive.name == "ward-7 研究.zip"
        with study.database.read() as connection:
            assert verify(connection, key=study.public_key).ok
        person.finish()
    elsewhere = tmp_path / "another machine"
    elsewhere.mkdir()
    archive = archive.rename(elsewhere / archive.name)
    told = subprocess.run(
        [sys.executable, "-m", "percuss", "study", "verify", archive.name],
        cwd=elsewhere,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(elsewhere), "PERCUSS_OFFLINE": "1"},
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert "every file verified" in told.stdout
