"""How long a screen takes to read, as docs/study.md says, and that the time that a claim took is what is shown and exported."""

import csv
import re
import time
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from percuss.study.design import design_names
from percuss.study.export import export_file
from percuss.study.store import work
from tests.browser.study_people import Person
from tests.browser.test_study_keyboard import seated
from tests.studies import make, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WORDS_A_MINUTE = 238  # silent reading of English non-fiction (Brysbaert 2019, J Mem Lang 109:104047)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "study.md"
PAUSES_MS = (300, 900, 600, 1200, 500)  # what a phantom rater waits before answering


def strings(value: Any) -> list[str]:
    """Return every text in what an item shows."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in strings(one)]
    if isinstance(value, list | tuple):
        return [text for one in value for text in strings(one)]
    return [value] if isinstance(value, str) else []


def own_words(said: str, held: list[str]) -> list[str]:
    """Return the words that a screen says itself: what an item shows left out, each line once, the letters of keys not counted."""
    for text in sorted((one for one in held if len(one) > 3), key=len, reverse=True):
        said = said.replace(text, " ")
    lines = dict.fromkeys(line.strip() for line in said.splitlines())
    return [word for line in lines for word in line.split() if sum(letter.isalpha() for letter in word) > 1]


@pytest.mark.parametrize("design", design_names())
def test_the_page_says_how_long_the_screen_of_each_design_takes_to_read(
    browser: Any, tmp_path: Path, design: str
) -> None:
    with make(tmp_path / "s", design, 2, raters=1) as study, serving(study) as url:
        person = seated(browser, study, url)
        said = person.page.inner_text("main")
        with study.database.read() as connection:
            held = [text for item in study.all_items(connection).values() for text in strings(item.shown)]
        person.finish()
    words = len(own_words(said, held))
    (row,) = re.findall(
        rf"^\| `{design}` \| (\d+) \| (\d+) s \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert row == (str(words), f"{60 * words / WORDS_A_MINUTE:.0f}")


def test_the_time_that_a_claim_took_is_what_is_shown_and_exported(browser: Any, tmp_path: Path) -> None:
    took = []
    count = len(PAUSES_MS)
    with make(tmp_path / "s", count=count, raters=1, repeats=0.0) as study, serving(study) as url:
        began = time.monotonic()
        person = seated(browser, study, url)
        for n, pause in enumerate(PAUSES_MS):
            person.at(n + 1, count)
            person.page.wait_for_timeout(pause)
            person.page.keyboard.press("1")
            person.save()
            took.append(time.monotonic() - began)
            began = time.monotonic() - 1  # the next screen came up while this one was waited for
        person.finish()
        with study.database.read() as connection:
            seconds = [label.given.active_ms / 1000 for label in work.labelled(connection)]
        for measured, pause, longest in zip(seconds, PAUSES_MS, took, strict=True):
            assert 0.8 * pause / 1000 <= measured <= longest
        coordinator = Person(browser, study, url, "c1")
        coordinator.join()
        words = f"An answer takes {median(seconds):.0f} s of active time (median)."
        assert words in coordinator.page.inner_text("main")
        coordinator.finish()
        table = export_file(study, tmp_path / "answers.csv", "csv")
    with table.open(encoding="utf-8", newline="") as file:
        assert [float(row["active_s"]) for row in csv.DictReader(file)] == pytest.approx(seconds, abs=0.06)
