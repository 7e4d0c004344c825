"""What several test folders share: real Inspect logs, and a judged run with people's labels. Each is made once."""

import json
import shutil
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SAMPLES, EPOCHS = 40, 2
JUDGE = "phantom/judge?sensitivity=0.75&specificity=0.9"
TRUTH = "phantom/judge?sensitivity=1&specificity=1"


def _replies(right: int, shift: int) -> Any:
    """Answer `yes` in `right` of ten calls, from the `shift`-th on; without `usage` Inspect would look for a tokenizer to download."""
    from inspect_ai.model import ModelOutput, ModelUsage

    for number in range(SAMPLES * EPOCHS):
        out = ModelOutput.from_content("mockllm/model", "yes" if (number * 7 + shift) % 10 < right else "no")
        out.usage = ModelUsage(input_tokens=3, output_tokens=1, total_tokens=4)
        yield out


def _inspect_log(folder: Path, name: str, right: int, shift: int) -> Path:
    """Run a task of Inspect with its mock model and keep its log as `<name>.eval`."""
    from inspect_ai import Task
    from inspect_ai import eval as run
    from inspect_ai.dataset import Sample
    from inspect_ai.model import get_model
    from inspect_ai.scorer import includes

    samples = [Sample(id=f"s{i}", input=f"Is it {i}?", target="yes") for i in range(SAMPLES)]
    task = Task(dataset=samples, scorer=includes(), name="mock")
    model = get_model("mockllm/model", custom_outputs=_replies(right, shift), memoize=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a library under Inspect, about itself
        (log,) = run(
            task, model=model, epochs=EPOCHS, log_dir=str(folder / "made"), display="none", max_samples=1
        )
    assert log.status == "success", log.error
    return Path(shutil.move(log.location.removeprefix("file://"), folder / f"{name}.eval"))


@pytest.fixture(scope="session")
def eval_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of logs of one model and dataset: a.eval (9 of 10 right), b and d (8 of 10, others) and c (4 of 10)."""
    pytest.importorskip("inspect_ai", reason="needs percuss[inspect]")
    folder = tmp_path_factory.mktemp("logs")
    for name, right, shift in (("a", 9, 0), ("b", 8, 0), ("c", 4, 0), ("d", 8, 5)):
        _inspect_log(folder, name, right, shift)
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
