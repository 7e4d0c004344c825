"""Tables of cases: RAGAS, DeepEval, MedHallu and mapped columns, cBioPortal, GDC, in every kind of file."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import BadInput, UsageError
from percuss.core.sources import Found
from percuss.exchange.entries import Entry
from percuss.exchange.evaluation_sets import mapping_of
from percuss.exchange.sources import is_ours, read_source

RAGAS = [
    {"user_input": "Sodium?", "retrieved_contexts": ["Sodium 140.", "Potassium 4.1."], "response": "140.", "reference": "140"},
    {"user_input": "Age?", "retrieved_contexts": ["She is 61."], "response": "61.", "reference": "61"},
    {"user_input": "Lost?", "retrieved_contexts": [], "response": "?", "reference": "-"},
]  # fmt: skip


def read(path: Path, mapping: Mapping[str, str] | None = None) -> tuple[list[Entry], Found]:
    entries = read_source(path, mapping or {})
    return list(entries), entries.notes.found()


def put(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows in the form that the ending names; lists in a CSV stand as Python writes them, as RAGAS does."""
    if path.suffix == ".parquet":
        pa = pytest.importorskip("pyarrow")
        pq = pytest.importorskip("pyarrow.parquet")
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), delimiter="\t" if path.suffix == ".tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
    return path


@pytest.mark.parametrize("ending", ["jsonl", "json", "csv", "tsv", "parquet"])
def test_one_table_in_five_forms(tmp_path: Path, ending: str) -> None:
    found, notes = read(put(tmp_path / f"ragas.{ending}", RAGAS))
    assert [(entry.id, entry.question, entry.packet.texts) for entry in found] == [
        ("row-1", "Sodium?", ("Sodium 140.", "Potassium 4.1.")),
        ("row-2", "Age?", ("She is 61.",)),
    ]
    assert [answer.text for entry in found for answer in entry.answers] == ["140.", "61."]
    assert found[0].reference is not None
    assert found[0].reference.texts == ("140",)
    assert notes.sentence == (
        "RAGAS columns, 2 cases; question from user_input, evidence from retrieved_contexts, reference from reference; "
        "left out: rows without evidence 1"
    )
    assert "response holds answers" in notes.answers
    assert not notes.guarded


def test_medhallu_holds_two_answers_a_question(tmp_path: Path) -> None:
    row = {
        "Question": "Q?", "Knowledge": ["K."], "Ground Truth": "True.", "Hallucinated Answer": "False.",
        "Difficulty Level": "hard", "Category of Hallucination": "Mechanism",
    }  # fmt: skip
    (entry,), _ = read(put(tmp_path / "m.jsonl", [row]))
    assert entry.stratum == "hard"
    assert [(answer.model, answer.text) for answer in entry.answers] == [
        ("medhallu/ground-truth", "True."),
        ("medhallu/hallucinated", "False."),
    ]
    assert [answer.artifacts for answer in entry.answers] == [{}, {"category": "Mechanism"}]


def test_map_names_columns_joins_and_reaches_into_rows(tmp_path: Path) -> None:
    row = {"pmid": 17, "ask": "Why?", "context": {"texts": ["One.", "Two."]}, "note": "Three.", "said": "So."}
    mapping = mapping_of(("id=pmid,question=ask", "evidence=context.texts+note", "response=said"))
    (entry,), notes = read(put(tmp_path / "x.jsonl", [row]), mapping)
    assert (entry.id, entry.question, entry.packet.texts) == ("17", "Why?", ("One.", "Two.", "Three."))
    assert entry.answers[0].text == "So."
    assert notes.layout == "mapped columns"
    assert notes.fields["evidence"] == "context.texts+note"


def test_map_over_a_layout_that_is_known(tmp_path: Path) -> None:
    rows = [{**row, "patient": f"p{n}"} for n, row in enumerate(RAGAS)]
    found, notes = read(put(tmp_path / "r.jsonl", rows), {"cluster": "patient"})
    assert [entry.cluster for entry in found] == ["p0", "p1"]
    assert notes.layout == "RAGAS columns, some mapped"


@pytest.mark.parametrize(
    ("mapping", "says"),
    [
        ("evidence", "is not field=column"),
        ("evidnce=a", "is not field=column; fields are id, question, evidence"),
        ("evidence=a,evidence=b", "names evidence twice; join columns of evidence with +"),
    ],
)
def test_bad_maps(mapping: str, says: str) -> None:
    with pytest.raises(UsageError, match=says.replace("+", r"\+")):
        mapping_of((mapping,))


@pytest.mark.parametrize(
    ("rows", "mapping", "says"),
    [
        ([{"q": "a", "c": "b"}], {}, "line 1: the columns q, c are of no layout that is known"),
        (
            [{"q": "a", "c": "b"}],
            {"evidence": "ctx"},
            "line 1: no column 'ctx', which --map evidence=ctx names",
        ),
        ([{"c": "b"}, {"d": "b"}], {"evidence": "c"}, "line 2: no column 'c'"),
        (
            [{"c": "b", "id": "x"}, {"c": "b", "id": "x"}],
            {"evidence": "c"},
            "line 2: id 'x' was given on line 1",
        ),
        (
            [{"c": "b", "q": 3}],
            {"evidence": "c", "question": "q"},
            "line 1: `q` is a number; text was expected",
        ),
        (
            [{"c": "b", "r": ["x"]}],
            {"evidence": "c", "response": "r"},
            "line 1: `r` is a list; text was expected",
        ),
    ],
)
def test_a_bad_row_is_named(
    tmp_path: Path, rows: list[dict[str, Any]], mapping: dict[str, str], says: str
) -> None:
    with pytest.raises(BadInput) as caught:
        read(put(tmp_path / "x.jsonl", rows), mapping)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


PATIENT_TABLE = (
    "#Patient Identifier\tDiagnosis Age (Years)\tSex\tOverall Survival (Months)\tCode\n"
    "#Identifier\tAge\tSex\tSurvival\tA code\n"
    "#STRING\tNUMBER\tSTRING\tNUMBER\tSTRING\n"
    "#1\t1\t1\t1\t1\n"
    "PATIENT_ID\tAGE\tSEX\tOS_MONTHS\tCODE\n"
    "P-1\t61\tFemale\t12.5\t007\n"
    "P-2\t[Not Available]\tMale\tNA\t\n"
    "P-3\t\tNA\t\t\n"
)
SAMPLE_TABLE = (
    "#Patient\tSample\tTumor Purity\n#a\tb\tc\n#STRING\tSTRING\tNUMBER\n#1\t1\t1\n"
    "PATIENT_ID\tSAMPLE_ID\tTUMOR_PURITY\nP-1\tP-1-01\t0.61\nP-1\tP-1-02\t0.4\nP-2\tP-2-01\t0.5\n"
)


def test_a_cbioportal_study_joins_its_two_tables(tmp_path: Path) -> None:
    (tmp_path / "data_clinical_patient.txt").write_text(PATIENT_TABLE)
    (tmp_path / "data_clinical_sample.txt").write_text(SAMPLE_TABLE)
    found, notes = read(tmp_path)
    held = {fact.path: (fact.value, fact.unit) for fact in found[0].packet.facts}
    assert [entry.id for entry in found] == ["P-1", "P-2"]
    assert held["patient.age"] == (61, "years")
    assert held["patient.os_months"] == (12.5, "months")
    assert held["patient.code"] == ("007", "")
    assert held["samples.p_1_02.tumor_purity"] == (0.4, "")
    assert {fact.path: fact.value for fact in found[1].packet.facts}["patient.age"] is None
    assert notes.layout == "cBioPortal study"
    assert notes.left_out == {"patients with nothing recorded": 1}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("\t61", "line 8: no PATIENT_ID"),
        ("P-1\t61", "line 8: 'P-1' stands on line 6 already"),
        ("P-9\t1\tx\t2\t3\t4\t5", "line 8: 7 fields under 5 columns"),
    ],
)
def test_a_bad_line_of_cbioportal_is_named(tmp_path: Path, row: str, says: str) -> None:
    path = tmp_path / "clinical.txt"
    path.write_text("".join(PATIENT_TABLE.splitlines(keepends=True)[:7]) + row + "\n")
    with pytest.raises(BadInput) as caught:
        read(path)
    assert says in str(caught.value)


GDC: list[dict[str, Any]] = [
    {
        "case_id": "uuid-1", "submitter_id": "TCGA-XX-0001", "project": {"project_id": "TCGA-LUAD"},
        "demographic": {"gender": "female", "demographic_id": "d", "vital_status": "Alive", "state": "released"},
        "diagnoses": [{"ajcc_pathologic_stage": "Stage IIA", "age_at_diagnosis": 22300, "diagnosis_id": "x"}],
        "exposures": [{"pack_years_smoked": 40, "updated_datetime": "2019"}],
    },
    {"case_id": "uuid-2", "submitter_id": "TCGA-XX-0002", "demographic": {"gender": "Not Reported"}},
]  # fmt: skip


def test_gdc_json(tmp_path: Path) -> None:
    found, notes = read(put(tmp_path / "clinical.json", GDC))
    held = {fact.path: (fact.value, fact.unit) for fact in found[0].packet.facts}
    assert (found[0].id, found[0].cohort) == ("TCGA-XX-0001", "TCGA-LUAD")
    assert held == {
        "demographic.gender": ("female", ""),
        "demographic.vital_status": ("Alive", ""),
        "diagnoses.ajcc_pathologic_stage": ("Stage IIA", ""),
        "diagnoses.age_at_diagnosis": (22300, "days"),
        "exposures.pack_years_smoked": (40, ""),
    }
    assert notes.left_out == {
        "columns of identifiers and bookkeeping": 7,
        "patients with nothing recorded": 1,
    }


@pytest.mark.parametrize(
    "prefix", [("case_id", "case_submitter_id"), ("cases.case_id", "cases.submitter_id")]
)
def test_gdc_tsv_joins_the_rows_of_a_case(tmp_path: Path, prefix: tuple[str, str]) -> None:
    rows = [
        {prefix[0]: "u1", prefix[1]: "T-1", "gender": "male", "ajcc_pathologic_stage": "Stage I", "treatment_type": "Surgery"},
        {prefix[0]: "u1", prefix[1]: "T-1", "gender": "male", "ajcc_pathologic_stage": "Stage I", "treatment_type": "Radiation"},
        {prefix[0]: "u2", prefix[1]: "T-2", "gender": "'--", "ajcc_pathologic_stage": "Stage III", "treatment_type": "'--"},
    ]  # fmt: skip
    found, notes = read(put(tmp_path / "clinical.tsv", rows))
    assert notes.layout == "GDC clinical data"
    assert {fact.path: fact.value for fact in found[0].packet.facts} == {
        "gender": "male",
        "ajcc_pathologic_stage": "Stage I",
        "treatment_type.0": "Surgery",
        "treatment_type.1": "Radiation",
    }
    assert [fact.path for fact in found[1].packet.facts] == ["ajcc_pathologic_stage"]


def test_a_folder_or_file_of_nobodys_layout(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="a folder of no layout that is known"):
        read(tmp_path)
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(BadInput, match=r"empty\.csv: no cases"):
        read(tmp_path / "empty.csv")


@pytest.mark.parametrize(
    ("name", "text", "ours"),
    [
        ("a.jsonl", '{"id": "a", "evidence": "x"}', True),
        ("b.jsonl", "{broken", True),
        ("c.jsonl", '{"user_input": "a", "retrieved_contexts": []}', False),
        ("d.jsonl", '{"resourceType": "Patient"}', False),
        ("e.jsonl", '{"case_id": "a", "submitter_id": "b"}', False),
        ("f.csv", "id,evidence\na,b\n", False),
        ("g.json", '[{"id": "a", "evidence": "x"}]', True),
    ],
)
def test_which_files_are_ours(tmp_path: Path, name: str, text: str, ours: bool) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert is_ours(path) is ours
