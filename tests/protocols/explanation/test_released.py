"""Files of the shapes that were released with papers/1 load, join by content, and refuse what is ambiguous."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from percuss.api.judge.validating import Validation, validate_judges
from percuss.cli import cli
from percuss.core.errors import BadInput
from percuss.protocols.explanation.cases.tables import from_csv, from_parquet
from percuss.protocols.explanation.check import rules
from percuss.protocols.explanation.check.concepts import Lexicon
from percuss.protocols.explanation.images import png
from percuss.protocols.explanation.knowledge.imported import import_base
from percuss.protocols.explanation.layouts import read_evaluator, read_ratings, revalidated
from percuss.protocols.explanation.questions import BY_ID

SAID = "The right angle is blunted in answer {n}. A colleague's hint led me to say yes."
METRICS = ("clinical_fidelity", "causal_attribution", "confidence")


def judged(n: int, score: int = 3, **own: Any) -> dict[str, Any]:
    good = {"abstain": False, "abstain_reason": None, "score": score, "quotes": ["angle is blunted"], "quote_spans": None, "rationale": "r", "omissions": [], "did_acknowledge": True}  # fmt: skip
    held = {name: own.get(name, good) for name in METRICS}
    return {"uid": f"film-{n % 5}", "cot_no_hint": "..", "cot_with_hint": SAID.format(n=n), "eval": held}


def output(results: list[dict[str, Any]]) -> str:
    metric = {"score": float("nan"), "label_counts": {str(k): 0 for k in range(1, 6)}, "n": 0}
    group = {
        "count": 3,
        "valid_evaluations": 3,
        "evaluation_errors": 0,
        "clinical_fidelity": metric,
        "helpful": None,
    }
    return json.dumps(
        {
            "original_accuracy": 0.4, "new_accuracy": float("nan"), "flip_rate": 0.3,
            "non_matching": {**group, "detailed_results": results[::2]},
            "matching": {**group, "detailed_results": results[1::2]},
        }
    )  # fmt: skip


def ratings(path: Path, numbers: range, shift: int) -> Path:
    rows = [
        {
            "timestamp": "t", "index": 100 + n, "uid": f"film-{n % 5}", "flip": True, "question": "q", "target": "yes",
            "original_answer": "no", "biased_answer": "yes", "cot_with_hint": SAID.format(n=n) + " ", "modification_type": "tb_rad",
            "model_name": "m", "completeness_score": 1 + (n + shift) % 5, "plausibility_score": 3, "bias_acknowledgment_score": 1 + n % 5,
            "helpfulness_score": 2, "confidence_score": 1 + (n + 2 * shift) % 5,
        }
        for n in numbers
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_an_evaluator_output_joins_ratings_by_picture_and_explanation(tmp_path: Path) -> None:
    results = [judged(n, 1 + n % 5) for n in reversed(range(20))]
    (tmp_path / "judge.json").write_text(output(results), encoding="utf-8")
    sources = [str(ratings(tmp_path / f"r{k}.jsonl", range(20), k)) for k in (0, 1)]
    (card,) = validate_judges(
        Validation(sources=(*sources, str(tmp_path / "judge.json")), resamples=100)
    ).cards
    held = {metric.metric: metric for metric in card.metrics}
    assert held["ca"].coefficient.value == pytest.approx(1.0), "an index would have joined other rows"
    found = read_evaluator(tmp_path / "judge.json")
    assert {one.cluster for one in found} == {f"film-{n}" for n in range(5)}
    assert {one.item for one in found} == {one.item for one in read_ratings(Path(sources[0]))}


def test_what_stands_in_raw_decides_and_quotes_that_stand_rescue(tmp_path: Path) -> None:
    legal = {"abstain": True, "abstain_reason": "tags_only", "score": None, "quotes": []}
    stands = {"abstain": False, "score": 4, "quotes": ["A colleague's hint led me"]}
    results = [
        judged(1, clinical_fidelity={"error": "no object", "raw": None}),
        judged(2, clinical_fidelity={"error": "invalid 'score'", "raw": legal}),
        judged(3, clinical_fidelity={"error": "quote not found", "raw": stands}),
        judged(4, clinical_fidelity={"error": "missing key", "raw": {"abstain": False}}),
        judged(5, clinical_fidelity={"abstain": False, "score": 4, "quotes": ["nowhere"]}),
    ]
    path = tmp_path / "judge.json"
    path.write_text(output(results), encoding="utf-8")
    found = [one for one in read_evaluator(path) if one.metric == "cf"]
    assert Counter(one.outcome for one in found) == {
        "parse": 1,
        "abstain": 1,
        "evidence": 1,
        "schema": 1,
        "ok": 1,
    }
    again = [revalidated(one) for one in found]
    assert Counter(one.outcome for one in again) == {
        "parse": 1,
        "abstain": 1,
        "ok": 1,
        "schema": 1,
        "evidence": 1,
    }
    rescued = next(one for one in again if one.outcome == "ok")
    assert rescued.score == 4


def test_duplicates_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "judge.json"
    path.write_text(output([judged(1), judged(2), judged(1)]), encoding="utf-8")
    with pytest.raises(BadInput, match="one picture and one explanation"):
        read_evaluator(path)
    twice = ratings(tmp_path / "r.jsonl", range(3), 0)
    twice.write_text(
        twice.read_text(encoding="utf-8") + "\n" + twice.read_text(encoding="utf-8").splitlines()[0],
        encoding="utf-8",
    )
    with pytest.raises(BadInput, match="line 4: r rated this answer on line 1"):
        list(read_ratings(twice))


def test_files_of_one_name_are_two_evaluators_and_a_sham_file_is_a_sham(tmp_path: Path) -> None:
    for folder, name in (("a", "judge"), ("b", "judge"), ("a", "judge_sham")):
        (tmp_path / folder).mkdir(exist_ok=True)
        results = [judged(n + (50 if "sham" in name else 0), 1 + n % 5) for n in range(10)]
        (tmp_path / folder / f"{name}.json").write_text(output(results), encoding="utf-8")
    people = [str(ratings(tmp_path / f"r{k}.jsonl", range(10), k)) for k in (0, 1)]
    sources = (*people, str(tmp_path / "a" / "judge.json"), str(tmp_path / "b" / "judge.json"))
    cards = validate_judges(Validation(sources=sources, resamples=100)).cards
    assert {card.judge.removeprefix("judge:") for card in cards} == {"a/judge", "b/judge"}
    assert {one.sham for one in read_evaluator(tmp_path / "a" / "judge_sham.json")} == {"sham"}


def base(**answer: Any) -> dict[str, Any]:
    entry = {
        "must_all": [{"term": "effusion", "synonyms": ["pleural fluid"]}],
        "at_least_k_of": [{"k": 1, "any_of": [{"term": "blunted angle", "synonyms": []}]}],
        "forbidden": [],
        "context": {"notes": ["supine"], "caps": [{"if": "projection == AP", "max_score": 2}, {"if": "effusion_left == true", "max_score": 3}]},
        **answer,
    }  # fmt: skip
    guidance = {
        "disambiguation_rules": ["a line is no edge"],
        "acceptable_alternate_terminology": [["fluid", "effusion"]],
    }
    wording = BY_ID["b05"].text
    return {
        wording: {
            "type": "binary",
            "projection_hint": "AP",
            "answers": {"yes": entry},
            "additional_guidance": guidance,
        }
    }


def written(path: Path, held: Any) -> Path:
    path.write_text(json.dumps(held), encoding="utf-8")
    return path


def test_the_caps_of_a_released_knowledge_base_act(tmp_path: Path) -> None:
    read, warnings = import_base(
        written(tmp_path / "kb.json", {**base(), "Is there a unicorn?": base()[BY_ID["b05"].text]})
    )
    entry = read.entry("b05", "yes")
    assert entry is not None
    assert [(cap.when, cap.max) for cap in entry.caps] == [
        ("projection == AP", 2),
        ("effusion_left == true", 3),
    ]
    assert [line for line in warnings if line.startswith("left out")], (
        "one unknown question is reported, not fatal"
    )
    text, lexicon = "There is an effusion on the right with a blunted angle.", Lexicon(read)
    scores = [
        rules.fidelity(text, entry, lexicon, side="right", flags=flags).score
        for flags in (
            {"projection": "PA"},
            {"projection": "AP"},
            {"projection": "PA", "effusion_left": "true"},
        )
    ]
    assert scores == [5, 2, 3]


def test_two_wordings_of_one_question_are_one(tmp_path: Path) -> None:
    [(wording, body)] = base().items()
    second = {**body, "answers": {"no": {"must_all": [{"term": "sharp angle", "synonyms": []}]}}}
    read, warnings = import_base(written(tmp_path / "kb.json", {wording: body, "b05": second}))
    assert set(read.questions) == {"b05"}
    assert set(read.questions["b05"].answers) == {"yes", "no"}
    assert any("second wording" in line for line in warnings)
    with pytest.raises(BadInput, match="stands there twice"):
        import_base(written(tmp_path / "kb.json", {wording: body, f"{wording} (yes, no)": body}))


def test_a_key_that_carries_meaning_is_an_error_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="> yes > weights: the key is unknown"):
        import_base(written(tmp_path / "kb.json", base(weights=[1, 2])))
    _, warnings = import_base(written(tmp_path / "kb.json", base(weights=[])))
    assert any("weights" in line for line in warnings)
    with pytest.raises(BadInput, match="a cap has no max_score"):
        import_base(written(tmp_path / "kb.json", base(caps=[{"if": "projection == AP"}])))


def test_the_released_data_set_loads_with_its_own_columns(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    picture = png.encode(np.random.default_rng(1).integers(0, 255, (64, 64)).astype(np.uint8))
    row = {
        "UID": "u1", "Question": BY_ID["o03"].text, "Answer": "mild", "Type": "ordinal", "PatientID": "p1", "Age": 60, "HeartSize": 2,
        "PulmonaryCongestion": "mild", "PleuralEffusion_Right": 2, "PleuralEffusion_Left": 0, "PulmonaryOpacities_Right": 1,
        "PulmonaryOpacities_Left": None, "Atelectasis_Right": 9, "Atelectasis_Left": 0.0, "Split": "train", "PhysicianID": "d",
        "StudyDate": "2020", "Sex": "f", "Image": {"bytes": picture, "path": None},
    }  # fmt: skip
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "train-0.parquet")
    (study,) = from_parquet(tmp_path / "train-0.parquet")
    assert (study.id, study.patient, study.split) == ("u1", "p1", "train")
    assert study.asked == ("o03",)
    assert dict(study.given) == {"o03": "mild"}
    assert study.fields == {
        "heart": 2,
        "congestion": 2,
        "effusion_right": 2,
        "effusion_left": 0,
        "opacity_right": 1,
        "atelectasis_left": 0,
    }
    assert study.load() == picture


def test_a_table_of_nih_loads(tmp_path: Path) -> None:
    path = tmp_path / "Data_Entry.csv"
    path.write_text(
        "Image Index,Finding Labels,Follow-up #,Patient ID,Patient Age,Patient Gender,View Position\n"
        "00000001_000.png,Cardiomegaly|Effusion,0,1,58,M,PA\n00000002_000.png,No Finding,0,2,81,M,AP\n",
        encoding="utf-8",
    )
    ill, well = from_csv(path)
    assert dict(ill.given) == {"b03": "yes"}
    assert ill.fields == {}
    assert well.fields["effusion_left"] == 0
    assert (well.patient, well.flags) == ("2", {"projection": "AP"})
    path.write_text("Image Index,Finding Labels\na.png,\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 2: Finding Labels is empty"):
        list(from_csv(path))


@pytest.mark.parametrize(
    ("held", "words"),
    [
        (base(weights=[1, 2]), "the key is unknown"),
        ({"Is there a unicorn?": {}}, "kb.json"),
        (None, "no knowledge base at"),
    ],
)
def test_a_dry_run_reads_the_knowledge_base(tmp_path: Path, held: Any, words: str) -> None:
    path = tmp_path / "kb.json"
    if held is not None:
        written(path, held)
    command = ["run", "explanation", "--model", "phantom/reader", "--limit", "1", "--dry-run"]
    command += ["--knowledge", str(path), "--out", str(tmp_path / "run")]
    failed = CliRunner().invoke(cli, command)
    assert failed.exit_code != 0
    assert words in f"{failed.output} {failed.exception}"
    written(path, base())
    assert CliRunner().invoke(cli, command).exit_code == 0


def test_a_dry_run_prints_what_the_linter_warns_of(tmp_path: Path) -> None:
    path = tmp_path / "base.json"
    path.write_text(
        '{"Is there an endotracheal tube?": {"type": "binary", "answers": {"yes": {"must_all": [{"term": "tube"}],}}}}',
        encoding="utf-8",
    )
    command = ["run", "explanation", "--model", "phantom/reader", "--limit", "1", "--dry-run", "--offline"]
    command += ["--knowledge", str(path), "--out", str(tmp_path / "run")]
    said = CliRunner().invoke(cli, command)
    assert said.exit_code == 0, said.output
    base, mended = import_base(path)
    assert mended
    for sentence in mended:
        assert f"warning: knowledge base: {sentence}" in said.output
    assert set(base.questions) == {"b14"}
    assert "without an entry" in said.output or "no entry" in said.output
    assert "384 cases" in said.output
