"""What left the screen of an item so that it is read in fifteen seconds stands in the guide; nothing that is told apart is lost."""

import re
from pathlib import Path

from percuss.study.store import people
from percuss.study.study import Study
from tests.studies import answer_all, make
from tests.unit.study.conftest import Browser


def _rater(study: Study) -> Browser:
    """Return a rater who has practised."""
    rater = Browser(study)
    rater.join("r1")
    study.database.write(lambda c: people.set_practised(c, "r1", 4, {}))
    return rater


def test_the_guide_asks_in_full_and_every_step_keeps_its_name(tmp_path: Path) -> None:
    """The reader study took 33 seconds to read: five questions in long sentences, and 25 named steps."""
    with make(tmp_path / "s", "reader-study", 1, raters=1) as study:
        rater = _rater(study)
        page, guide = rater.get("/work").text, rater.get("/guide").text
        work = page.partition('<aside id="guide"')[0]
        for question in study.design.question:
            assert question.about
            assert question.about in guide
            assert question.about not in work
            first, *inner, last = question.option
            for one in (first, last):
                assert f"<span>{one.label}</span></span>" in work
            for one in inner:
                assert f'aria-label="{one.value} {one.label}"' in work
                assert f"<span>{one.label}</span></span>" not in work
            for one in question.option:
                assert f'data-anchor="{one.label}: {one.anchor}"' in work.replace("&#39;", "'")
                assert f"{one.value} · {one.label}" in guide


def test_the_heading_of_an_item_says_which_one_it_is(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1, raters=1) as study:
        page = _rater(study).get("/work").text
        assert re.findall(r"<h1[^>]*>(.*?)</h1>", page) == ["Item 1 of 1"]
        assert len(re.findall("<h1", page)) == 1


def test_keys_of_a_ranking_stand_in_its_guide(tmp_path: Path) -> None:
    with make(tmp_path / "s", "ranking", 1, raters=1) as study:
        rater = _rater(study)
        assert "v compares two by two" in rater.get("/guide").text
        css = rater.client.get("/static/portal.css").text
    assert ".cards > .small .by-key { display: none; }" in css


def test_an_adjudicator_reads_every_step_of_a_scale(tmp_path: Path) -> None:
    """What two people chose is named in the table above: a bare 3 can't be matched with "Named, no influence"."""
    with make(tmp_path / "s", "reader-study", 1, raters=2, repeats=0.0) as study:
        far = {question.name: question.values[0] for question in study.design.question}
        near = {question.name: question.values[-1] for question in study.design.question}
        for code, given in (("r1", far), ("r2", near)):
            answer_all(study, code, lambda n, again, given=given: given)
        said = Browser(study).join("a1").text
        for question in study.design.question:
            for one in question.option:
                assert f"<span>{one.label}</span></span>" in said.replace("&#39;", "'")
