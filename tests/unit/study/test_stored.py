"""Texts are kept with one kind of line end and composed characters, and marks come out in the places of the text as it was given."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from percuss.study.answers import Given
from percuss.study.export import export_file
from percuss.study.items import prepare_all
from percuss.study.store import work
from percuss.study.stored import given_places, stored
from tests.studies import items, make
from tests.unit.study.conftest import Browser

# "é" in two characters, half a syllable of Hangul, an angstrom sign that NFC replaces, both kinds of line end, an emoji.
PIECES = st.sampled_from(
    ["\r\n", "\r", "\n", "e\u0301", "\u0301", "\u1100", "\u1161", "\u212b", "a", "é", "🫀", " "]
)
GIVEN = "Fer, a\u0300 jeun\r\nZinc, dit Quillfin-9\rrepos"


@given(st.lists(PIECES, max_size=30).map("".join))
def test_every_place_of_a_stored_text_is_one_of_the_text_as_given(text: str) -> None:
    kept, places = stored(text), given_places(text)
    assert stored(kept) == kept
    assert "\r" not in kept
    assert len(places) == len(kept) + 1
    assert list(places) == sorted(places)
    assert (places[0] if kept else 0, places[-1]) == (0, len(text))
    for n, at in enumerate(places):
        assert kept.startswith(stored(text[:at]))
        assert len(stored(text[:at])) <= n


def test_marks_are_exported_in_the_places_of_a_text_with_other_line_ends_and_accents(
    folder: Path, tmp_path: Path
) -> None:
    listed = items("extraction", 1, answer=GIVEN)
    with make(folder, "extraction", listed=listed, repeats=0.0) as study:
        browser = Browser(study)
        browser.join("r1")
        browser.practise()
        page = browser.get("/work")
        shown = "Fer, à jeun\nZinc, dit [model]\nrepos"
        assert shown in page.text
        marks = [
            {"start": shown.index(one), "stop": shown.index(one) + len(one), "reference": "1"}
            for one in ("à jeun", "Zinc", "repos")
        ]
        browser.post(browser.here(page), {"q.spans": json.dumps(marks)})
        with study.database.read() as connection:
            (label,) = work.labelled(connection)
        assert label.given == Given(answer={"spans": marks}, active_ms=0)
        path = export_file(study, tmp_path / "out.jsonl", "verdicts")
    (verdict,) = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = [(mark["start"], mark["stop"], mark["text"]) for mark in verdict["evidence"]]
    assert [text for _, _, text in found] == ["a\u0300 jeun", "Zinc", "repos"]
    assert all(GIVEN[start:stop] == text for start, stop, text in found)


def test_a_column_of_that_name_changes_no_mark(folder: Path) -> None:
    from percuss.study.design import load_design
    from percuss.study.marks import as_written

    (item,) = items("extraction", 1, answer="Iron helps.")
    item.hidden["as_given"] = {"answer": "Something else"}
    for beside in ({"answer": "Something else"}, "a cell"):
        item.hidden["as_given"] = beside
        (kept,), _ = prepare_all([item], load_design("extraction"))
        (mark,) = as_written(kept, "answer", [{"start": 0, "stop": 4, "reference": ""}])
        assert mark["text"] == "Iron"


def test_texts_of_every_kind_of_field_are_kept_in_one_form() -> None:
    from percuss.study.design import load_design

    rough, kept = "a\u0300 jeun\r\n", "à jeun\n"
    design = load_design("source-grounding")
    sources = [{"title": rough, "text": rough, "url": ""}]
    (item,), _ = prepare_all(items("source-grounding", 1, claim=rough, sources=sources), design)
    assert item.shown["claim"] == kept
    assert item.shown["sources"][0] == {"title": kept, "text": kept, "url": ""}
