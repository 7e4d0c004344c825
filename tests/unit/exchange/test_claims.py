"""Claims made and labelled elsewhere: tables with their own words, FActScore's file, Label Studio both ways."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from percuss.api.judge.importing import estimate_claims, import_labels
from percuss.api.report.exporting import export
from percuss.core.errors import BadInput, UsageError
from percuss.core.records import Estimate
from percuss.exchange.claims_table import claim_cells
from percuss.exchange.label_studio import config, read_labels
from tests.labelling import annotated
from tests.unit.conftest import Judged

SHARED = Path(os.environ.get("PERCUSS_SHARED", Path(__file__).resolve().parents[4] / "shared"))
FACTSCORE = SHARED / "data" / "factscore" / "factscore_labeled_ChatGPT.jsonl"


def _rows() -> list[dict[str, str]]:
    """Ten cases; with evidence one claim of five is refuted, without it three are."""
    out = []
    for case in range(10):
        for arm, wrong in (("open", 1), ("closed", 3)):
            out += [
                {"id": f"c{case}", "mode": arm, "verdict": "Refuted" if k < wrong else "Entailed"}
                for k in range(5)
            ]
    return out


def _csv(path: Path, rows: list[dict[str, str]]) -> Path:
    path.write_text("\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]))
    return path


MAP = {"case": "id", "arm": "mode", "label": "verdict"}


def _estimates(path: Path, **how: Any) -> dict[tuple[str, str], Estimate]:
    given = {"mapping": MAP, "with_arm": "open", "without_arm": "closed", **how}
    return {(e.name, e.arm): e for e in estimate_claims(path, seed=1, resamples=200, **given)}


def test_hdi_of_a_table_with_its_own_words_and_columns(tmp_path: Path) -> None:
    found = _estimates(_csv(tmp_path / "claims.csv", _rows()))
    assert found["hdi_pooled", "open"].value == pytest.approx(1 - (10 / 50) / (30 / 50))
    assert found["unsupported_rate", "closed"].value == pytest.approx(0.6)
    assert found["supported_rate", "open"].n == 50
    assert {e.labels for e in found.values()} == {"given"}


def test_words_that_nobody_knows_are_named_and_can_be_told(tmp_path: Path) -> None:
    rows = [{**row, "verdict": {"Refuted": "Made up"}.get(row["verdict"], "fine")} for row in _rows()]
    path = _csv(tmp_path / "claims.csv", rows)
    with pytest.raises(BadInput, match="line 2: got the label 'Made up'; expected supported"):
        _estimates(path)
    found = _estimates(path, words={"made up": "unsupported", "Fine": "supported"})
    assert found["unsupported_rate", "open"].value == pytest.approx(0.2)
    with pytest.raises(UsageError, match="--label got 'wrong'"):
        _estimates(path, words={"made up": "wrong"})


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"arm": "x", "label": "supported"}, "has no 'case'"),
        ({"case": "c", "arm": "", "label": "supported"}, "has no 'arm'"),
        ({"case": "c", "arm": "x", "label": None}, "has no 'label'"),
        ({"case": "c", "arm": "x", "label": "supported", "epoch": -1}, "got the epoch -1"),
        ({"case": "c", "arm": "x", "label": "supported", "epoch": 0.5}, "got the epoch 0.5"),
        ({"case": "c", "arm": "x", "label": 1}, "got the label 1"),
        ({"case": "first", "arm": "x", "label": "supported", "cluster": "b"}, "expected one"),
    ],
)
def test_every_bad_row_has_its_line(tmp_path: Path, row: dict[str, object], words: str) -> None:
    path = tmp_path / "claims.jsonl"
    good = {"case": "first", "arm": "x", "label": "supported", "cluster": "a"}
    path.write_text(f"{json.dumps(good)}\n\n{json.dumps(row)}\n")
    with pytest.raises(BadInput, match="line 3") as caught:
        claim_cells(path, mapping={})
    assert words in str(caught.value)


def test_arms_are_asked_for_only_where_there_are_several(tmp_path: Path) -> None:
    path = _csv(tmp_path / "claims.csv", _rows())
    with pytest.raises(UsageError, match="has no arm 'full_multimodal'; it has open, closed"):
        _estimates(path, with_arm=None, without_arm=None)
    one = _csv(tmp_path / "one.csv", [row for row in _rows() if row["mode"] == "open"])
    found = _estimates(one, with_arm=None, without_arm=None)
    assert set(found) == {("unsupported_rate", "open"), ("supported_rate", "open")}
    with pytest.raises(UsageError, match="has no arm 'closed'"):
        _estimates(one)


@pytest.mark.skipif(not FACTSCORE.exists(), reason="needs ../shared/data/factscore")
def test_factscore_file_as_released() -> None:
    """Min et al. 2023, Table 1: ChatGPT 58.3, the mean over answers of supported facts among all, irrelevant ones too."""
    cells = [cell for cell in claim_cells(FACTSCORE, mapping={}) if cell.name == "supported"]
    total: Counter[str] = Counter()
    for cell in cells:
        total.update(supported=int(cell.num), scored=int(cell.den), irrelevant=sum(cell.excluded.values()))
    assert total == {"supported": 3194, "scored": 4886, "irrelevant": 540}
    shares = [cell.num / (cell.den + sum(cell.excluded.values())) for cell in cells]
    assert sum(shares) / len(shares) == pytest.approx(0.583, abs=0.0005)
    found = {e.name: e for e in estimate_claims(FACTSCORE, mapping={}, seed=1, resamples=200)}
    rate = found["supported_rate"]
    assert rate.value == pytest.approx(3194 / 4886)
    assert rate.excluded == {"not_applicable:irrelevant": 540}
    assert rate.clusters == 157
    assert rate.bounds == pytest.approx((3194 / 5426, 3734 / 5426))


def _annotated(judged: Judged, path: Path, label: Callable[[str], str]) -> Path:
    """Export tasks as Label Studio takes them, and answer them as one annotator who cancels once."""
    return annotated(export(judged.run, "claims", "labelstudio", path).file, path, label)


def test_label_studio_tasks_are_blind_and_come_back(judged: Judged, tmp_path: Path) -> None:
    path = _annotated(judged, tmp_path / "tasks.json", lambda claim: judged.truth.get(claim, "can't judge"))
    tasks = json.loads(path.read_text())
    assert all(set(task["data"]) == {"claim", "answer", "evidence"} for task in tasks)
    for hidden in ("phantom", "full_multimodal", "ungrounded"):
        assert hidden not in json.dumps([task["data"] for task in tasks])
    assert all(f'value="{label}"' in config() for label in {*judged.truth.values(), "can't judge"})
    run = Path(shutil.copytree(judged.run, tmp_path / "run"))
    count, finished = import_labels(run, path)
    assert count == len(tasks)
    rate = next(
        e for e in finished.estimates
        if (e.name, e.labels, e.arm, e.stratum) == ("unsupported_rate", "human", "ungrounded", None)
    )  # fmt: skip
    assert rate.value is not None
    assert {v.rater for v in read_labels(path)} == {"human:ann@example.org"}


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda task: task.pop("meta"), "task 1 has no meta.claim_id"),
        (lambda task: task["annotations"][0].pop("completed_by"), "without completed_by"),
        (lambda task: task["annotations"].append(task["annotations"][0]), "two annotations"),
        (
            lambda task: task["annotations"][0]["result"][0]["value"].update(choices=["maybe"]),
            "got the label 'maybe'",
        ),
        (lambda task: task["meta"].update(claim_id="x"), "which the run does not hold"),
    ],
)
def test_a_bad_export_changes_nothing(
    judged: Judged, tmp_path: Path, edit: Callable[[dict[str, Any]], object], words: str
) -> None:
    path = _annotated(judged, tmp_path / "tasks.json", lambda _: "supported")
    tasks = json.loads(path.read_text())[1:]
    edit(tasks[0])
    path.write_text(json.dumps(tasks))
    with pytest.raises(BadInput, match=words):
        import_labels(judged.run, path)


@pytest.mark.skipif(not FACTSCORE.exists(), reason="needs ../shared/data/factscore")
def test_factscore_means_over_responses() -> None:
    """.5830 with irrelevant facts, .6233 without: the released file's own means (layouts, FActScore)."""
    found = {e.name: e for e in estimate_claims(FACTSCORE, mapping={}, seed=1, resamples=200)}
    assert found["factscore"].value == pytest.approx(0.5830, abs=5e-5)
    assert found["factscore_relevant"].value == pytest.approx(0.6233, abs=5e-5)
    assert found["responded"].value == pytest.approx(157 / 183)


def _facts(topic: str, labels: str) -> str:
    facts = [{"text": "x", "label": label} for label in labels.split()]
    annotations = [{"text": "s", "is-relevant": True, "model-atomic-facts": [], "human-atomic-facts": facts}]
    row = {
        "input": "?",
        "output": "..",
        "topic": topic,
        "cat": [],
        "annotations": annotations if labels != "-" else None,
    }
    return json.dumps(row) + "\n"


def test_two_factscore_files_are_two_models(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    one.write_text(_facts("a", "S S NS IR") + _facts("b", "S") + _facts("c", "-"), encoding="utf-8")
    two.write_text(_facts("a", "NS IR") + _facts("b", "IR") + _facts("c", "S S"), encoding="utf-8")
    found = {
        (e.name, e.model): e
        for e in estimate_claims(one, two, mapping={}, seed=1, resamples=200)
        if not e.versus
    }
    assert found["factscore", "one"].value == pytest.approx((2 / 4 + 1) / 2)
    assert found["factscore_relevant", "one"].value == pytest.approx((2 / 3 + 1) / 2)
    assert found["responded", "one"].value == pytest.approx(2 / 3)
    assert found["factscore", "two"].value == pytest.approx((0 + 0 + 1) / 3)
    assert found["factscore_relevant", "two"].value == pytest.approx((0 + 1) / 2)
    assert found["factscore", "one"].excluded == {"not_applicable:no response": 1}


@pytest.mark.parametrize(
    ("text", "says"), [(_facts("a", "S") * 2, "topic 'a' again"), (_facts("a", "Q"), "label 'Q'")]
)
def test_factscore_rows_that_cannot_be_meant(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((BadInput, UsageError), match=says):
        estimate_claims(path, mapping={}, seed=1, resamples=200)
