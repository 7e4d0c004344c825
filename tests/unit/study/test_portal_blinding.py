"""Blinding, byte by byte: a whole session of every design holds no hidden field, nobody else's answer, no id that maps."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from percuss.study.design import design_names, load_design
from percuss.study.export import FORMATS
from percuss.study.files import read_items
from percuss.study.items import Prepared
from percuss.study.store import work
from tests.studies import SECRETS, SOME_DESIGNS, jsonl, make
from tests.unit.study.conftest import Browser, form_of


def _words(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {word for inner in value.values() for word in _words(inner)}
    if isinstance(value, list):
        return {word for inner in value for word in _words(inner)}
    return {str(value)} if len(str(value)) > 3 else set()


def _judge(browser: Browser, code: str, answers: list[dict[str, Any]], note: str) -> None:
    study = browser.study
    browser.join(code)
    browser.get("/guide")
    browser.practise()
    while True:
        page = browser.get("/work")
        if "Thank you" in page.text:
            return
        path = browser.here(page)
        token = path.rsplit("/", 1)[1]
        with study.database.read() as connection:
            slot = work.slot_of(connection, code, token)
            assert slot is not None
            shown = study.item(connection, slot.item).shown
        for n in range(9):
            picture = browser.get(f"/picture/{token}/{n}")
            if picture.status_code != 200:
                break
        answer = answers[slot.item % len(answers)]
        assert browser.post(path, {**form_of(study, answer, token, shown), "notes": note}).status_code == 200
        browser.get(path)


@pytest.mark.parametrize("name", SOME_DESIGNS)
def test_no_byte_of_a_session_says_what_is_hidden(folder: Any, database: str, name: str) -> None:
    design = load_design(name)
    answers = [practice.answer for practice in design.practice[:2]]
    with make(folder, name, 3, database=database) as study:
        if name == "ranking":
            answers = [
                {
                    "rank": {"a1": 1, "a2": 2, "a3": 3},
                    "quality": dict.fromkeys(("a1", "a2", "a3"), quality),
                    "unsupported": dict.fromkeys(("a1", "a2", "a3"), "no"),
                }
                for quality in ("good", "bad")
            ]
        if name == "extraction":
            answers = [{"spans": [{"start": 0, "stop": stop, "reference": "zzref"}]} for stop in (4, 40)]
        first, second, judge = Browser(study), Browser(study), Browser(study)
        _judge(first, "r1", answers, "zz-note-of-r1")
        _judge(second, "r2", answers[::-1], "zz-note-of-r2")
        judge.join("a1")
        judge.get("/adjudicate")
        with study.database.read() as connection:
            listed: dict[int, Prepared] = study.all_items(connection)
            tokens = {
                one.rater: [x.token for x in work.labelled(connection) if x.rater == one.rater]
                for one in work.labelled(connection)
            }
        hidden = {name_: value for item in listed.values() for name_, value in item.hidden.items()}
        assert set(SECRETS) <= set(hidden) | {"model"}
        ids = {
            part
            for item in listed.values()
            for part in (item.id, item.subject, item.response_id, *item.pictures)
        }
        originals = {mask.original for item in listed.values() for mask in item.masks}
        forbidden = (
            {word for item in listed.values() for word in _words(msgspec.to_builtins(item.hidden))}
            | ids
            | originals
        )
        forbidden -= {"supported", "unsupported"}  # words of the form itself
        assert originals, "nothing was masked, so the test would not see a name"
        for who, other, browser in (("r1", "r2", first), ("r2", "r1", second), ("a1", "r1", judge)):
            seen = browser.bytes.decode("utf-8", "replace").lower()
            leaks = sorted(word for word in forbidden if word.lower() in seen)
            assert not leaks, f"{who} was sent {leaks}"
            assert not [token for token in tokens[other] if token in seen], f"{who} was sent ids of {other}"
            if who != "a1":
                assert f"zz-note-of-{other}" not in seen
                assert f"person {other}" not in seen
        if name != "confirm":
            assert "person r" not in judge.bytes.decode().lower()
            assert ">r1<" not in judge.bytes.decode()


def test_a_picture_tells_nothing_of_its_file(folder: Path, database: str, tmp_path: Path) -> None:
    told = Image.Exif()
    told[0x010E] = "zz-patient of quillfin-9"
    Image.new("L", (64, 64), 80).save(tmp_path / "zz-quillfin-no-box.jpg", exif=told, comment=b"zz-comment")
    row = {"image": "zz-quillfin-no-box.jpg", "question": "?", "modification": "a box", "answer": "yes"}
    listed = jsonl(
        tmp_path / "items.jsonl", [{"id": "zz-x", **row, "reasoning": "so", "model": "acme/quillfin"}]
    )
    given = list(read_items(listed, load_design("reader-study")))
    with make(folder, "reader-study", listed=given, database=database) as study:
        browser = Browser(study)
        answers = [load_design("reader-study").practice[0].answer]
        _judge(browser, "r1", answers, "nothing")
    assert b"image/png" in browser.bytes
    assert b"zz-" not in browser.bytes
    assert b"quillfin" not in browser.bytes.lower()
    assert b"Exif" not in browser.bytes


def test_exports_are_for_the_coordinator_alone_and_hold_no_name_of_a_person(
    folder: Any, database: str
) -> None:
    with make(folder, database=database) as study:
        answers = [practice.answer for practice in study.design.practice[:2]]
        people = {code: Browser(study) for code in ("r1", "r2", "a1", "c1")}
        _judge(people["r1"], "r1", answers, "a note")
        _judge(people["r2"], "r2", answers[::-1], "a note")
        people["a1"].join("a1")
        people["c1"].join("c1")
        for kind in FORMATS:
            for code in ("r1", "r2", "a1"):
                assert people[code].get(f"/coordinate/export/{kind}").status_code == 403
            sent = people["c1"].get(f"/coordinate/export/{kind}")
            assert sent.status_code == 200
            assert kind != "csv" or b"acme/quillfin-9" in sent.content, "the strata come back in the table"
            assert b"Person r1" not in sent.content
            assert b"r1@example.org" not in sent.content


def test_letters_of_answers_differ_between_people(folder: Any, database: str) -> None:
    from percuss.study.portal.views.shown import letters_of

    with make(folder, "ranking", 12, database=database) as study, study.database.read() as connection:
        orders = set()
        for rater in ("r1", "r2"):
            slots = sorted(_slots(connection, rater), key=lambda row: row.item)
            shown = [(study.item(connection, row.item).shown, row.token) for row in slots]
            orders.add(tuple(tuple(letters_of(study.design, one, token).values()) for one, token in shown))
    assert len(orders) == 2
    assert len({one for order in orders for one in order}) > 2


def _slots(connection: Any, rater: str) -> list[Any]:
    from percuss.study.store.tables import assignments

    return list(connection.execute(assignments.select().where(assignments.c.rater == rater)))


def test_a_field_that_the_design_does_not_declare_is_hidden(folder: Any, database: str) -> None:
    with make(folder, database=database) as study, study.database.read() as connection:
        for item in study.all_items(connection).values():
            assert not set(item.shown) - {field.name for field in study.design.field}


def test_every_shipped_design_hides_the_model_and_says_what_else() -> None:
    for name in design_names():
        design = load_design(name)
        assert "model" in design.hidden
        assert "arm" in design.hidden
        assert 3 <= len(design.practice) <= 5
        assert all(option.anchor for q in design.question if q.kind == "scale" for option in q.option)
    hidden = set(load_design("reader-study").hidden)
    assert {"model", "alignment", "truth", "baseline_answer", "flip", "scores"} <= hidden
    assert load_design("reader-study").shown_field("modification") is not None
    assert not load_design("confirm").blinded
