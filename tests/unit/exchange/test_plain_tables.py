"""Tables as people have them: any delimiter, encoding or workbook that can be told, one column of answers per model, notes."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.core.errors import BadInput, UsageError
from percuss.exchange.delimited import TableForm
from percuss.exchange.evaluation_sets import mapping_of, split_form
from percuss.exchange.looking import look
from percuss.exchange.plain_columns import plain_layout
from percuss.exchange.rows import rows
from percuss.exchange.sources import is_ours, read_source
from tests.workbooks import workbook

HEADER = ["nr", "question", "context", "answer_gpt", "answer_llama"]
BODY = [
    ["1", "Was ist der Kaliumwert?", "Kalium 4,1 mmol/l, Größe 170 cm.", "Kalium 4,1.", "Kalium 5,0."],
    ["2", "Fieber?", "Temperatur 37,2 °C; Husten seit März.", "Kein Fieber.", ""],
]


def written(path: Path, mark: str, encoding: str) -> Path:
    import csv

    text = io.StringIO()
    csv.writer(text, delimiter=mark).writerows([HEADER, *BODY])
    path.write_bytes(text.getvalue().encode(encoding))
    return path


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"]
)
def test_delimiter_and_encoding_are_told(tmp_path: Path, mark: str, encoding: str) -> None:
    read = [list(row.values()) for _, row in rows(written(tmp_path / "t.csv", mark, encoding))]
    assert read == BODY


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Die Größe des Tumors beträgt 3 cm", "mac_roman"),
        ("Die Größe des Tumors beträgt 3 cm", "cp850"),
        ("Pacjent zgłasza ból głowy, kaszel i gorączkę; żadnych leków", "cp1250"),
        ("Пациент жалуется на кашель", "koi8_r"),
        ("患者は咳を訴えている", "shift_jis"),
    ],
)
def test_another_code_page_is_never_read_as_western(tmp_path: Path, text: str, encoding: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(f'id,context\n1,"{text}"\n'.encode(encoding))
    with pytest.raises(BadInput, match="--map encoding="):
        list(rows(path))


def test_what_cannot_be_told_names_the_setting(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(
        "id;context\n1;Больной жалуется на кашель и лихорадку в течение трёх дней\n".encode("cp1251")
    )
    with pytest.raises(BadInput, match="--map encoding="):
        list(rows(path))
    assert next(rows(path, TableForm(encoding="cp1251")))[1]["context"].startswith("Больной")


def test_two_delimiters_that_fit_alike_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("a,b|c\n1,2|3\n", encoding="utf-8")
    with pytest.raises(BadInput, match="--map delimiter="):
        list(rows(path))
    assert next(rows(path, TableForm(delimiter="|")))[1] == {"a,b": "1,2", "c": "3"}


def test_text_with_the_other_delimiters_inside_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('id,context\n1,"a; b; c"\n2,"d; e"\n', encoding="utf-8")
    assert [row["context"] for _, row in rows(path)] == ["a; b; c", "d; e"]


@pytest.mark.parametrize("ending", [".csv", ".txt"])
def test_a_column_that_stands_twice_is_refused(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"t{ending}"
    path.write_text("id;context;context\n1;a;b\n", encoding="utf-8")
    with pytest.raises(BadInput, match="'context' stands twice"):
        list(rows(path))


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\r\n\x00"), max_size=20),
        min_size=2,
        max_size=2,
    )
)
@settings(max_examples=60)
def test_no_character_of_a_field_is_lost(tmp_path_factory: pytest.TempPathFactory, fields: list[str]) -> None:
    import csv

    path = tmp_path_factory.mktemp("t") / "t.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows([["a", "b"], fields])
    read = list(rows(path, TableForm(delimiter=";", encoding="utf-8")))
    assert [row for _, row in read] == (
        []
        if not any(fields) and fields[0] == "" == fields[1] and not read
        else [dict(zip("ab", fields, strict=True))]
    )


def test_a_wide_workbook_is_cases_and_two_models(tmp_path: Path) -> None:
    cells: list[list[object]] = [list(HEADER), [1, *BODY[0][1:]], [2, *BODY[1][1:]]]
    path = workbook(tmp_path / "answers.xlsx", {"Blatt 1": cells, "leer": []})
    entries = list(read_source(path, {}))
    assert [entry.id for entry in entries] == ["1", "2"]
    assert [answer.model for answer in entries[0].answers] == ["given/gpt", "given/llama"]
    assert [answer.model for answer in entries[1].answers] == ["given/gpt"]


def test_sheets_are_asked_for(tmp_path: Path) -> None:
    path = workbook(
        tmp_path / "a.xlsx", {"one": [["id", "context"], [1, "a"]], "two": [["id", "context"], [2, "b"]]}
    )
    with pytest.raises(BadInput, match="one, two; name one with --map sheet="):
        list(rows(path))
    assert next(rows(path, TableForm(sheet="two")))[1] == {"id": 2, "context": "b"}
    with pytest.raises(BadInput, match="no sheet 'three'"):
        list(rows(path, TableForm(sheet="three")))


def test_form_is_read_from_the_map() -> None:
    columns, form = split_form(mapping_of(("question=q,delimiter=semicolon,encoding=latin-1",)))
    assert columns == {"question": "q"}
    assert form == TableForm(delimiter=";", encoding="latin-1")
    with pytest.raises(UsageError, match="delimiter"):
        split_form(mapping_of(("delimiter=;;",)))
    with pytest.raises(UsageError, match="encoding"):
        split_form(mapping_of(("encoding=klingon",)))


@pytest.mark.parametrize(
    ("columns", "models"),
    [
        (("context", "answer"), {"answer": ""}),
        (("Context", "GPT-4 Answer", "Answer ID"), {"GPT-4 Answer": "given/gpt_4"}),
        (
            ("note", "response_a", "response_b", "gold_answer"),
            {"response_a": "given/a", "response_b": "given/b"},
        ),
        (("evidence", "question"), {}),
    ],
)
def test_columns_of_answers(columns: tuple[str, ...], models: dict[str, str]) -> None:
    layout = plain_layout(dict.fromkeys(columns, "x"))
    assert layout is not None
    assert dict(layout.responses) == models


def test_a_table_without_anything_to_read_from_is_no_layout() -> None:
    assert plain_layout({"question": "?", "answer": "a"}) is None


def test_a_folder_of_notes(tmp_path: Path) -> None:
    (tmp_path / "anna.txt").write_text("Potassium 4.1 mmol/L.", encoding="utf-8")
    (tmp_path / "bert.md").write_bytes("Größe 170 cm, Fieber.".encode("cp1252"))
    (tmp_path / "leer.txt").write_text(" \n", encoding="utf-8")
    entries = read_source(tmp_path, {})
    assert [(entry.id, entry.packet.texts) for entry in entries] == [
        ("anna", ("Potassium 4.1 mmol/L.",)),
        ("bert", ("Größe 170 cm, Fieber.",)),
    ]
    assert entries.notes.left_out == {"empty notes": 1}


def test_our_own_json_stays_ours_and_a_wide_one_does_not(tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    own.write_text('{"id": 3, "evidence": "x", "question": "?"}\n', encoding="utf-8")
    wide = tmp_path / "wide.json"
    wide.write_text('[{"id": 3, "context": "x", "answer_a": "y"}]', encoding="utf-8")
    assert is_ours(own)
    assert not is_ours(wide)


def test_look_says_what_is_there_and_what_to_type(tmp_path: Path) -> None:
    path = written(tmp_path / "my answers.csv", ";", "cp1252")
    found = look(path)
    assert found.cases == 2
    assert found.models == {"given/gpt": 2, "given/llama": 1}
    assert found.fields["evidence"] == "context"
    assert found.command_line == f"percuss score grounding --cases '{path}' --responses '{path}'"


def test_look_at_what_no_reader_knows(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("alpha,beta\n1,2\n", encoding="utf-8")
    found = look(path)
    assert "no reader knows" in found.kind
    assert "--map" in found.command_line
    with pytest.raises(BadInput, match="nothing is at"):
        look(tmp_path / "nowhere.csv")
