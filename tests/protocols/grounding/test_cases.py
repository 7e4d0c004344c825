"""Cases of a file: what is read, and one sentence with a line for what is not."""

import json
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import BadInput, UsageError
from percuss.core.records import Case
from percuss.protocols.grounding.cases import LINE_LIMIT, cases
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import reading

GOOD = {"id": "a", "evidence": "Creatinine was 92 umol/L."}


def read(folder: Path, *lines: Any, **options: Any) -> list[Case]:
    file = folder / "cases.jsonl"
    file.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines), encoding="utf-8")
    return list(cases(str(file), GroundingOptions(**options), 42))


def test_every_form_of_evidence(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        GOOD,
        {"id": "b", "evidence": ["One.", "Two."], "cluster": "p1", "stratum": "x", "question": "Why?"},
        {"id": "c", "evidence": [{"path": "clinical.age", "value": 61, "unit": "years"}]},
        {
            "id": "d",
            "evidence": {"pathology": {"purity": 0.6}, "transcriptomics": None},
            "reference": "Other.",
        },
    )
    contents = [reading(case) for case in found]
    assert [c.packet.texts for c in contents[:2]] == [("Creatinine was 92 umol/L.",), ("One.", "Two.")]
    assert (found[1].cluster, found[1].stratum, contents[1].question) == ("p1", "x", "Why?")
    assert contents[2].packet.facts[0].value == 61
    assert contents[2].layered
    assert contents[3].packet.filled == {"pathology"}
    assert contents[3].record is not None
    assert found[0].cluster == "a"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{not json", "not JSON"),
        ('["a"]', "a list; an object with `id` and `evidence`"),
        ({"evidence": "x"}, "`id` is missing"),
        ({"id": "b"}, "`evidence` is missing"),
        ({"id": 7.5, "evidence": "x"}, "`id` is a number; text was expected"),
        ({"id": "b", "evidence": 3.5}, "`evidence` is a number"),
        ({"id": "b", "evidence": [1, 2]}, "neither of texts nor of facts"),
        ({"id": "b", "evidence": [{"path": "x", "valu": 1}]}, "neither of texts nor of facts"),
        ({"id": "b", "evidence": "x", "stratum": ["y"]}, "`stratum` is a list"),
        ({"id": "b", "evidence": "x", "evidnce": "y"}, "unknown field `evidnce`"),
        ({"id": "a", "evidence": "x"}, "id 'a' was given on line 1 already"),
    ],
)
def test_a_bad_third_line_is_named(tmp_path: Path, line: Any, says: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(tmp_path, GOOD, {"id": "z", "evidence": "y"}, line)
    assert caught.value.line == 3
    assert "cases.jsonl, line 3: " in str(caught.value)
    assert says in str(caught.value)
    assert str(caught.value).count("\n") == 0


def test_a_line_of_100_megabytes_is_refused_without_being_held(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    with file.open("wb") as out:
        out.write(b'{"id": "a", "evidence": "x"}\n{"id": "b", "evidence": "')
        out.seek(100 * 2**20)
        out.write(b'"}\n')
    with pytest.raises(BadInput, match=f"line 2: longer than {LINE_LIMIT // 2**20} MB"):
        list(cases(str(file), GoodOptions, 42))


GoodOptions = GroundingOptions()


def test_cases_are_read_lazily(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps(GOOD) + "\nnot json\n", encoding="utf-8")
    walk = cases(str(file), GoodOptions, 42)
    assert next(walk).id == "a"
    with pytest.raises(BadInput):
        next(walk)


def test_no_file_and_no_cases(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no cases at"):
        list(cases(str(tmp_path / "none.jsonl"), GoodOptions, 42))
    with pytest.raises(BadInput, match="no cases; one JSON object a line"):
        read(tmp_path, "")


def test_a_byte_order_mark_and_empty_lines_do_no_harm(tmp_path: Path) -> None:
    assert [case.id for case in read(tmp_path, "\ufeff" + json.dumps(GOOD), "", "   ")] == ["a"]


def test_donors_of_a_file(tmp_path: Path) -> None:
    lines = [{"id": str(i), "evidence": f"Value {i}.", "stratum": "xy"[i % 2]} for i in range(8)]
    for case in read(tmp_path, *lines, shuffled=True):
        content = reading(case)
        assert content.donor is not None
        assert content.donor_packet is not None
        assert content.donor_packet.texts == (f"Value {content.donor}.",)
        assert int(content.donor) % 2 != int(case.id) % 2


@pytest.mark.parametrize(
    "row",
    [
        {"user_input": "Why?", "retrieved_contexts": ["One.", "Two."], "response": "x", "reference": "R."},
        {
            "input": "Why?",
            "retrieval_context": ["One.", "Two."],
            "actual_output": "x",
            "expected_output": "R.",
        },
        {"Question": "Why?", "Knowledge": ["One.", "Two."], "Ground Truth": "R.", "Hallucinated Answer": "x"},
    ],
    ids=["ragas", "deepeval", "medhallu"],
)
def test_columns_of_other_tools_are_recognised(tmp_path: Path, row: dict[str, Any]) -> None:
    first, second = read(tmp_path, row, {**row, "id": "own"})
    content = reading(first)
    assert (content.question, content.packet.texts) == ("Why?", ("One.", "Two."))
    assert content.record is not None
    assert content.record.texts == ("R.",)
    assert (first.id, second.id) == ("row-1", "own")


def test_any_columns_by_map(tmp_path: Path) -> None:
    row = {"ask": "Why?", "note": "Sodium 140.", "patient": "p1", "more": 1}
    (case,) = read(tmp_path, row, map=("question=ask,evidence=note", "cluster=patient"))
    assert (reading(case).question, case.cluster, case.id) == ("Why?", "p1", "row-1")
    with pytest.raises(UsageError, match="is not field=column"):
        read(tmp_path, row, map=("evidnce=note",))


def test_donors_of_mapped_files(tmp_path: Path) -> None:
    rows = [{"note": f"Value {i}."} for i in range(5)]
    for case in read(tmp_path, *rows, shuffled=True, map=("evidence=note",)):
        content = reading(case)
        assert content.donor_packet is not None
        assert content.donor is not None
        assert content.donor_packet.texts == (f"Value {int(content.donor.partition('-')[2]) - 1}.",)
