"""What rows share stands once in the file, and comes back as if it stood in each of them."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.core.errors import RunError
from percuss.core.ids import digest, response_id
from percuss.core.records import Case, Reply, Response, Scoring, Text, Turn, Verdict
from percuss.core.sections import Prose, Section
from percuss.store import Checked, Identity, RunStore, schema, verify
from percuss.store.calls import Call, find_call, put_call
from percuss.store.dictionaries import MADE_AT, unpack_call
from percuss.store.dropping import drop_model
from percuss.store.packed import pack
from percuss.store.responses import put_response
from percuss.store.results import PACKED_FROM, put_results
from percuss.store.said_once import TEXTS
from percuss.store.scorings import put_checked, put_scoring

IDENTITY = Identity(protocol="tiny", version="1", prompts={}, cases="c", n_cases=3, policy={}, seed=42)
CASES = [Case(id=name, cluster=name) for name in ("z", "a", "m")]
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "runs_0_1"
ONCE = ("responses", "claims", "verdicts", "uses", "checks", "sections", "calls")
SHARED = ("texts", "verdict_words", "claim_words")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore.create(tmp_path / "r", IDENTITY) as made:
        made.add_cases(CASES)
        made.write_now(put_scoring, Scoring(id="s", raters=("rule:strict",), made_at="2026-01-01"))
        yield made


def count(store: RunStore, table: str) -> int:
    return int(store.read(lambda db: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]))


def answered(store: RunStore, model: str, case: str, text: str) -> Response:
    turns = (Turn(index=0, role="assistant", parts=(Text(text=text),)),)
    made = Response(
        id=response_id(model, case, "with", 0), case_id=case, arm="with", model=model, turns=turns
    )
    store.write_now(put_response, made)
    said = Verdict(
        subject=made.id, response_id=made.id, aspect="support", rater="rule:strict", label="supported",
        rationale="the same words", evidence=({"kind": "quote", "start": 0},),
    )  # fmt: skip
    store.write_now(put_checked, "s", Checked(response_id=made.id, verdicts=(said,)))
    return made


def test_equal_answers_and_verdicts_are_written_once_and_read_in_each(store: RunStore) -> None:
    made = [answered(store, "m/1", case.id, "One and the same answer.") for case in CASES]
    assert (count(store, "verdict_words"), count(store, "verdict_rows")) == (1, 3)
    assert count(store, "texts") == 2, "the turns, and artifacts that nobody has"
    seen = list(store.view("s").assessed())
    assert [one.response for one in seen] == made
    for one in seen:
        (said,) = one.verdicts
        assert (said.rationale, said.evidence) == ("the same words", ({"kind": "quote", "start": 0},))
        assert said.subject == one.response.id


def test_what_nobody_says_any_more_goes_with_its_model(store: RunStore) -> None:
    answered(store, "m/1", "z", "An answer.")
    answered(store, "m/2", "z", "Another answer.")
    store.write_now(drop_model, "m/1")
    held = store.read(lambda db: [row[0] for row in db.execute("SELECT text FROM texts")])
    assert not any("An answer." in text for text in held)
    store.write_now(drop_model, "m/2")
    assert [count(store, table) for table in SHARED] == [0, 0, 0]


@given(st.lists(st.text(max_size=8), max_size=12))
def test_a_text_has_one_number_whatever_it_is(texts: list[str]) -> None:
    with closing(sqlite3.connect(":memory:")) as db:
        for step in schema.MIGRATIONS:
            step(db)
        numbers = [TEXTS(db, text) for text in texts]
        assert [
            db.execute("SELECT text FROM texts WHERE id = ?", (n,)).fetchone()[0] for n in numbers
        ] == texts
        assert len(set(numbers)) == len(set(texts))


def asked(number: int, model: str = "m/1") -> Call:
    request = b'{"messages":["%s"],"seed":%d}' % (b"You are a radiologist. " * 30, number)
    reply = Reply(parts=(Text(text=f"The heart is normal in size in film {number}."),), finish="stop")
    return Call(key=digest(request), model=model, epoch=0, request=request, reply=reply)


def test_calls_are_packed_with_what_earlier_ones_of_their_model_said(store: RunStore) -> None:
    first = min(MADE_AT)
    calls = [asked(number) for number in range(2 * first)] + [asked(7_000, "m/2")]
    for call in calls:
        store.write_now(put_call, call)
    assert count(store, "dictionaries") == 1
    sizes = dict(store.read(lambda db: db.execute("SELECT key, length(request) FROM calls").fetchall()))
    assert sizes[calls[first].key] < 0.6 * sizes[calls[0].key]
    assert sizes[calls[-1].key] == len(pack(calls[-1].request)), "another model has none yet"
    held = store.read(
        lambda db: [unpack_call(db, row[0]) for row in db.execute("SELECT request FROM calls ORDER BY rowid")]
    )
    assert held == [call.request for call in calls]
    for call in calls:
        found = store.read(find_call, call.key)
        assert found is not None
        assert found.reply == call.reply


def test_a_dictionary_that_is_gone_is_one_sentence(store: RunStore) -> None:
    for number in range(min(MADE_AT) + 1):
        store.write_now(put_call, asked(number))
    store.write_now(lambda db: db.execute("DELETE FROM dictionaries"))
    with pytest.raises(RunError, match="dictionary is missing"):
        store.read(find_call, asked(min(MADE_AT)).key)


def test_a_long_section_is_packed_and_a_short_one_is_text(store: RunStore) -> None:
    made = [Section.of("how", "", Prose(markdown=text)) for text in ("short", "long " * PACKED_FROM)]
    store.write_now(put_results, "s", [], [], made)
    assert store.sections("s") == tuple(made)
    kinds = store.read(lambda db: db.execute("SELECT typeof(body) FROM sections ORDER BY ordinal").fetchall())
    assert kinds == [("text",), ("blob",)]


@pytest.mark.parametrize("protocol", ["grounding", "explanation", "stressors"])
def test_an_older_file_keeps_every_row(tmp_path: Path, protocol: str) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    for name in ("run.sqlite", "manifest.json"):
        shutil.copy(FIXTURES / protocol / name, folder / name)

    def rows() -> dict[str, list[tuple[object, ...]]]:
        with closing(sqlite3.connect(folder / "run.sqlite")) as db:
            return {table: sorted(db.execute(f"SELECT * FROM {table}"), key=repr) for table in ONCE}

    before = rows()
    RunStore.open(folder, writable=True).close()
    after = rows()
    after["responses"] = [row[1:] for row in after["responses"]]  # the view counts its rows, too
    for table in ONCE:
        assert sorted(after[table], key=repr) == before[table], table
    assert sum(map(len, before.values())) > 50
    assert all(finding.ok for finding in verify(folder))
