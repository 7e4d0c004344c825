"""What several test folders share: real Inspect logs, and a judged run with people's labels. Each is made once."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.logs import inspect_log

JUDGE = "phantom/judge?sensitivity=0.75&specificity=0.9"
TRUTH = "phantom/judge?sensitivity=1&specificity=1"


@pytest.fixture(scope="session")
def eval_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of logs of one model and dataset: a.eval (9 of 10 right), b and d (8 of 10, others) and c (4 of 10)."""
    pytest.importorskip("inspect_ai", reason="needs percuss[inspect]")
    folder = tmp_path_factory.mktemp("logs")
    for name, right, shift in (("a", 9, 0), ("b", 8, 0), ("c", 4, 0), ("d", 8, 5)):
        inspect_log(folder, name, right, shift)
    return folder


class Judged(NamedTuple):
    """A run by a judge with planted errors; labels of two people who never err, on every claim."""

    run: Path
    labels: Path
    truth: dict[str, str]


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """The judge that never errs tells what people would say: it asks the same rule as the one that errs."""
    import percuss

    folder = tmp_path_factory.mktemp("judged")
    common: dict[str, Any] = {
        "limit": 25, "seed": 7, "arms": ("full_multimodal", "ungrounded"), "resamples": 300,
    }  # fmt: skip
    model = "phantom/confabulator?with=0.25&without=0.6"
    percuss.run("grounding", model, judge=JUDGE, out=str(folder / "run"), **common)
    percuss.run("grounding", model, judge=TRUTH, out=str(folder / "truth"), **common)
    truth = _labels(folder / "truth", f"judge:{TRUTH}#1")
    rows = [{"claim_id": c, "rater": r, "label": label} for c, label in truth.items() for r in ("a", "b")]
    labels = folder / "people.jsonl"
    labels.write_text("\n".join(map(json.dumps, rows)))
    return Judged(folder / "run", labels, truth)


def _labels(run: Path, rater: str) -> dict[str, str]:
    from percuss.api.report.exporting import export

    file = export(run, "claims", "jsonl", None).file
    rows = map(json.loads, file.read_text().splitlines())
    return {row["claim_id"]: row["label"] for row in rows if row["rater"] == rater and row["label"]}
