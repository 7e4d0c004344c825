"""What a page that says no tells to do next, and what is no longer offered once a study is locked."""

from pathlib import Path

import pytest

from percuss.study import lifecycle
from percuss.study.links import links
from percuss.study.portal.words import words_of
from tests.studies import answer_all, make
from tests.unit.study.conftest import Browser


@pytest.mark.parametrize(
    ("contact", "said"), [("study@example.org", "study@example.org"), ("", "whoever sent you this one")]
)
def test_an_invitation_that_does_not_open_says_whom_to_ask(tmp_path: Path, contact: str, said: str) -> None:
    with make(tmp_path / "s", count=2, raters=2, contact=contact) as study:
        page = Browser(study).get(f"/join#{'0' * 40}")
        assert page.status_code == 404
        assert "This link does not work" in page.text
        assert said in page.text
        Browser(study).join("r1")
        again = Browser(study).get(dict(links(study, ""))["r2"])
        assert "used already" not in again.text


def test_an_invitation_that_was_used_says_so_and_whom_to_ask(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=2, raters=2, contact="study@example.org") as study:
        link = dict(links(study, ""))["r1"]
        Browser(study).join("r1")
        page = Browser(study).get(link)
        assert "This invitation was used already" in page.text
        assert "study@example.org" in page.text
        assert 'name="password"' in page.text


def test_where_an_adjudicator_settles_the_page_for_two_says_so(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=2, raters=2) as study:
        rater = Browser(study)
        rater.join("r1")
        page = rater.get("/joint")
        assert "<h1>Nothing to settle together</h1>" in page.text
        assert "To the items" in page.text
        assert "Not found" not in page.text


def test_no_new_link_is_offered_once_the_study_is_locked(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=2, raters=2) as study:
        Browser(study).join("r1")
        lead = Browser(study)
        lead.join("c1")
        assert "New link" in lead.get("/coordinate").text
        assert "/join#" in lead.get("/coordinate").text
        for state in ("locked", "archived"):
            study.database.write(lambda c, s=state: lifecycle.move(c, s, by="c1"))  # type: ignore[misc]
            study.memo = {}
            page = lead.get("/coordinate").text
            assert "New link" not in page
            assert "/join#" not in page


@pytest.mark.parametrize("language", ["en", "de"])
def test_one_answer_throughout_is_named_in_the_words_of_its_button(tmp_path: Path, language: str) -> None:
    with make(tmp_path / "s", count=12, raters=2, language=language, repeats=0.0) as study:
        for code in ("r1", "r2"):
            answer_all(
                study,
                code,
                lambda n, again, c=code: {"support": "partial" if c == "r2" and n else "supported"},
            )
        lead = Browser(study)
        lead.join("c1")
        page = lead.get("/coordinate").text
        label = words_of(language).plain("Supported")
        assert f"“{label}”" in page or f"„{label}“" in page
        assert "'supported'" not in page
        assert "&#39;supported&#39;" not in page
