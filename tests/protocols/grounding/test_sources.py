"""Anyone's data through the whole protocol: recognised, said, scored; records of patients stay here."""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import percuss
from percuss.api.run.forecast import forecast
from percuss.api.run.prepare import prepare
from percuss.api.run.recheck import Recheck, recheck
from percuss.api.run.request import RunRequest
from percuss.api.run.run import run
from percuss.core.errors import BadInput, UsageError
from percuss.core.records import Case
from percuss.exchange.case_schema import case_schema
from percuss.models.loopback import Loopback
from percuss.phantoms import phantom
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.cases import cases
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import reading
from percuss.store import RunStore
from tests.unit.exchange.fhir_resources import bundle, coded, observation, patient, resource, written

SCHEMA = Path(percuss.__file__).parent / "protocols" / "grounding" / "data" / "case.schema.json"
MEDHALLU = "data/medhallu/pqa_labeled_first500.jsonl"
ROWS = [
    {"user_input": f"Sodium of {n}?", "retrieved_contexts": [f"Sodium was {130 + n} mmol/L."], "response": f"Sodium was {130 + n} mmol/L."}
    for n in range(6)
]  # fmt: skip


def shared(name: str) -> Path:
    """Return a file of the shared data; skip where it is not there."""
    place = Path(os.environ.get("PERCUSS_SHARED", Path(__file__).parents[4] / "shared"))
    if not (place / name).exists():
        pytest.skip(f"{name} is not there (PERCUSS_SHARED names the folder)")
    return place / name


def jsonl(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def fhir(tmp_path: Path) -> str:
    body = bundle(
        patient(),
        observation("Sodium", 140, "mmol/L", "2024-01-01"),
        resource("Condition", code=coded("Asthma"), clinicalStatus=coded("active")),
        resource("Encounter"),
    )
    return str(written(tmp_path / "records.json", body))


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("WARD_API_KEY", "sk-test")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    return "sk-test"


# --- answers beside their cases --------------------------------------------------------------------------------------


async def test_only_the_arm_without_evidence_is_asked(tmp_path: Path, key: str) -> None:
    table = jsonl(tmp_path / "ragas.jsonl", ROWS)
    model = "openai-api/ward/served"
    async with Loopback(phantom("phantom/confabulator", seed=1)) as server:
        request = RunRequest(
            protocol="grounding",
            models=(model,),
            base_url=server.url,
            cases=table,
            responses=table,
            out=str(tmp_path / "r"),
        )
        planned = await forecast(prepare(request))
        assert (planned.models[0].calls, planned.models[0].held) == (6, 6)
        finished = await run(request)
        assert sum(server.answered.values()) == 6
    with RunStore.open(finished.folder) as store:
        view = store.view("")
        held = {(a.response.arm, a.response.model) for a in view.assessed()}
        texts = [a.response.text for a in view.assessed(arm="full")]
    assert held >= {("full", model), ("ungrounded", model)}
    assert texts == [row["response"] for row in ROWS]
    supported = next(
        e for e in finished.estimates if (e.name, e.arm, e.stratum) == ("supported_rate", "full", None)
    )
    assert supported.value == 1.0
    assert key


def test_a_limit_takes_the_answers_to_its_cases(tmp_path: Path) -> None:
    table = jsonl(tmp_path / "ragas.jsonl", ROWS)
    scored = percuss.score("grounding", table, cases=table, limit=2, out=str(tmp_path / "r"))
    found = scored.estimate("supported_rate", model="given/ragas")
    assert found.n + sum(found.excluded.values()) == 2


def test_whose_answers_they_are_is_said_or_asked(tmp_path: Path) -> None:
    table = jsonl(tmp_path / "ragas.jsonl", ROWS)
    request = RunRequest(
        protocol="grounding",
        models=("phantom/copier", "phantom/garbler"),
        cases=table,
        responses=table,
        out=str(tmp_path / "r"),
    )
    with pytest.raises(BadInput, match="got model None"):
        percuss.run("grounding", **_words(request))


def _words(request: RunRequest) -> dict[str, Any]:
    return {name: getattr(request, name) for name in ("models", "cases", "responses", "out")}


def test_rows_without_ids_belong_to_one_file(tmp_path: Path) -> None:
    table = jsonl(tmp_path / "ragas.jsonl", ROWS)
    other = jsonl(tmp_path / "other.jsonl", ROWS)
    with pytest.raises(
        BadInput, match="rows have no id, so they belong to --cases only if that is the same file"
    ):
        percuss.score("grounding", other, cases=table, out=str(tmp_path / "r"))


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_mapped_answers(tmp_path: Path, ending: str) -> None:
    table = jsonl(
        tmp_path / "cases.jsonl", [{"id": f"c{n}", "evidence": f"Sodium {130 + n}."} for n in range(3)]
    )
    given = tmp_path / f"answers.{ending}"
    if ending == "csv":
        given.write_text("id,output,by\n" + "".join(f"c{n},Sodium {130 + n}.,m1\n" for n in range(3)))
    else:
        jsonl(
            given, [{"id": f"c{n}", "output": f"Sodium {130 + n}.", "by": "m1", "more": 1} for n in range(3)]
        )
    named = ("response=output", "model=by")
    scored = percuss.score("grounding", given, cases=table, out=str(tmp_path / "r"), map=named)
    assert scored.estimate("supported_rate", model="m1").value == 1


def test_answers_in_a_csv_of_our_own_columns(tmp_path: Path) -> None:
    table = jsonl(
        tmp_path / "cases.jsonl", [{"id": f"c{n}", "evidence": f"Sodium {130 + n}."} for n in range(3)]
    )
    given = tmp_path / "answers.csv"
    given.write_text(
        "id,arm,model,text,epoch\n" + "".join(f"c{n},full,m1,Sodium {130 + n}.,0\n" for n in range(3))
    )
    scored = percuss.score("grounding", given, cases=table, out=str(tmp_path / "r"))
    assert scored.estimate("supported_rate", model="m1").value == 1


# --- MedHallu --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_medhallu_is_scored_by_rule_and_judge(tmp_path: Path) -> None:
    table = str(shared(MEDHALLU))
    scored = percuss.score(
        "grounding",
        table,
        cases=table,
        judge="phantom/judge",
        limit=40,
        out=str(tmp_path / "r"),
        resamples=200,
    )
    assert json.loads((scored.folder / "manifest.json").read_text())["source_cases"] == 500
    by_model = {
        e.model: e
        for e in scored
        if e.name == "unsupported_rate" and e.labels == "rule:support-2" and e.stratum is None
    }
    assert set(by_model) == {"medhallu/ground-truth", "medhallu/hallucinated"}
    for estimate in by_model.values():
        assert estimate.decided_share is not None
        assert estimate.decided_share < 0.5
        assert estimate.n + sum(estimate.excluded.values()) > estimate.n
    assert any(e.labels == "agreement" for e in scored)


def test_medhallu_cases_are_all_read() -> None:
    found = cases(str(shared(MEDHALLU)), GroundingOptions(), 42)
    held = list(found)
    assert len(held) == 500
    assert all(reading(case).packet.texts and reading(case).record for case in held)
    assert {case.stratum for case in held} == {"easy", "medium", "hard"}


# --- records of patients ---------------------------------------------------------------------------------------------


def test_fhir_is_posed_with_units_and_dates(fhir: str) -> None:
    options = GroundingOptions()
    (case,) = cases(fhir, options, 42)
    arm = next(arm for arm in PROTOCOL.arms(options) if arm.name == "full")
    posed = PROTOCOL.pose(case, arm, None, options, 42)
    text = posed.messages[-1].text
    assert '"sodium": "140 mmol/L (2024-01-01)"' in text
    assert "Canary" not in text


async def test_records_of_patients_may_go_to_this_machine(tmp_path: Path, fhir: str, key: str) -> None:
    async with Loopback(phantom("phantom/copier", seed=1)) as server:
        request = RunRequest(
            protocol="grounding",
            models=("openai-api/ward/served",),
            base_url=server.url,
            cases=fhir,
            out=str(tmp_path / "r"),
        )
        finished = await run(request)
        assert sum(server.answered.values()) == 2
    manifest = json.loads((finished.folder / "manifest.json").read_text())
    assert manifest["guarded"]
    assert manifest["cases_found"]["left_out"] == {"Encounter resources": 1}
    assert key


AWAY = [
    {"models": ("openai/gpt-4o-mini",)},
    {"models": ("phantom/copier",), "judge": "openai/gpt-4o-mini"},
    {"models": ("phantom/copier",), "embedder": "openai/text-embedding-3-small"},
    {"models": ("phantom/copier",), "roles": {"search": "pubmed"}},
    {"models": ("inspect/anthropic/claude",)},
]


@pytest.mark.parametrize("away", AWAY, ids=["model", "judge", "embedder", "search", "inspect"])
async def test_records_of_patients_go_nowhere_else(
    tmp_path: Path, fhir: str, key: str, away: dict[str, Any]
) -> None:
    request = RunRequest(protocol="grounding", cases=fhir, out=str(tmp_path / "r"), **away)
    with pytest.raises(
        UsageError, match=r"holds records of patients and .* is not on this machine"
    ) as caught:
        await run(request)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "r").exists()
    assert key


async def test_a_check_of_records_of_patients_is_guarded_too(tmp_path: Path, fhir: str, key: str) -> None:
    finished = await run(
        RunRequest(protocol="grounding", models=("phantom/copier",), cases=fhir, out=str(tmp_path / "r"))
    )
    with pytest.raises(UsageError, match=r"holds records of patients and openai/gpt-4o-mini"):
        await recheck(Recheck(run=str(finished.folder), judge="openai/gpt-4o-mini"))
    again = await recheck(Recheck(run=str(finished.folder), judge="phantom/judge"))
    assert again.scoring.id != finished.scoring.id
    assert key


async def test_tables_without_patients_go_where_the_user_says(tmp_path: Path) -> None:
    prepared = prepare(
        RunRequest(protocol="grounding", models=("openai/gpt-4o-mini",), cases=jsonl(tmp_path / "r.jsonl", ROWS), out=str(tmp_path / "o"))
    )  # fmt: skip
    assert prepared.found is not None
    assert not prepared.found.guarded


# --- the schema of our own cases -------------------------------------------------------------------------------------

GOOD: list[dict[str, Any]] = [
    {"id": "a", "evidence": "Text."},
    {
        "id": "a",
        "evidence": ["One.", "Two."],
        "question": "Why?",
        "cluster": "p",
        "stratum": "s",
        "cohort": "c",
    },
    {
        "id": "a",
        "evidence": [
            {"path": "clinical.age", "value": 61, "unit": "years", "source": "s", "date": "2024-01-01"}
        ],
    },
    {
        "id": "a",
        "evidence": {"pathology": {"purity": 0.6}, "transcriptomics": None},
        "reference": {"clinical": {"age": 61}},
    },
    {"id": "a", "evidence": {"labs": {"sodium": [140, 141]}}, "question": None},
]
BAD: list[dict[str, Any]] = [
    {"evidence": "Text."},
    {"id": "a"},
    {"id": 7.5, "evidence": "Text."},
    {"id": "a", "evidence": 3},
    {"id": "a", "evidence": ""},
    {"id": "a", "evidence": []},
    {"id": "a", "evidence": {}},
    {"id": "a", "evidence": [1, 2]},
    {"id": "a", "evidence": [{"value": 1}]},
    {"id": "a", "evidence": [{"path": "x", "valu": 1}]},
    {"id": "a", "evidence": [{"path": "x", "value": [1]}]},
    {"id": "a", "evidence": "x", "evidnce": "y"},
    {"id": "a", "evidence": "x", "stratum": ["y"]},
    {"id": "a", "evidence": "x", "reference": 3},
]


def _read(folder: Path, row: dict[str, Any]) -> list[Case]:
    return list(cases(jsonl(folder / "cases.jsonl", [row]), GroundingOptions(), 42))


def test_the_shipped_schema_is_the_one_that_is_made() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == case_schema()
    jsonschema.Draft202012Validator.check_schema(case_schema())


@pytest.mark.parametrize("row", GOOD)
def test_schema_and_reader_take_the_same(tmp_path: Path, row: dict[str, Any]) -> None:
    jsonschema.validate(row, case_schema())
    assert len(_read(tmp_path, row)) == 1


@pytest.mark.parametrize("row", BAD)
def test_schema_and_reader_refuse_the_same(tmp_path: Path, row: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(row, case_schema())
    with pytest.raises(BadInput, match=r"cases\.jsonl, line 1: "):
        _read(tmp_path, row)


def test_a_json_list_of_our_own_cases(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([{**row, "id": f"c{n}"} for n, row in enumerate(GOOD)]))
    assert [case.id for case in cases(str(path), GroundingOptions(), 42)] == [f"c{n}" for n in range(5)]


def test_other_layouts_lend_each_other_evidence(tmp_path: Path) -> None:
    table = jsonl(tmp_path / "ragas.jsonl", ROWS)
    for case in cases(table, GroundingOptions(shuffled=True), 42):
        content = reading(case)
        assert content.donor not in {None, case.id}
        assert content.donor_packet is not None
        assert content.donor_packet != content.packet
