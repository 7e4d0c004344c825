"""Inspect logs, both ways: what is written can be read by Inspect, and comes back as answers."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from percuss.api.report.exporting import export
from percuss.core.errors import BadInput
from percuss.exchange.inspect_logs import Outcome, pairs, read_answers, read_log, value_of
from percuss.store import RunStore
from tests.logs import EPOCHS, SAMPLES
from tests.unit.conftest import Judged

pytest.importorskip("inspect_ai", reason="needs percuss[inspect]")


def test_a_log_is_one_outcome_a_sample_and_epoch(eval_logs: Path) -> None:
    found = read_log(eval_logs / "a.eval")
    assert len(found) == SAMPLES * EPOCHS
    assert {(one.model, one.task, one.scorer) for one in found} == {("mockllm/model", "mock", "includes")}
    assert {one.epoch for one in found} == {1, 2}
    assert sum(one.value or 0 for one in found) == 0.9 * len(found)


@pytest.mark.parametrize(
    ("value", "number", "reason"),
    [
        (True, 1.0, None), (0.25, 0.25, None), ("C", 1.0, None), ("P", 0.5, None), ("I", 0.0, None), ("3", 3.0, None),
        (float("nan"), None, "unparsable:not finite"), ("nan", None, "unparsable:not finite"),
        ("good", None, "unparsable:text"), ([1, 2], None, "unparsable:several values"), (None, None, "unparsable:several values"),
    ],
)  # fmt: skip
def test_values(value: object, number: float | None, reason: str | None) -> None:
    assert value_of(value) == (number, reason)


def _outcome(sample: str, **fields: str) -> Outcome:
    given: dict[str, Any] = {
        "model": "m",
        "task": "t",
        "epoch": 1,
        "scorer": "s",
        "value": 1.0,
        "asked": sample,
        **fields,
    }
    return Outcome(sample=sample, **given)


def test_logs_of_one_model_are_joined_where_they_share_nothing_and_told_apart_where_they_do() -> None:
    one, two = [_outcome("x")], [_outcome("y")]
    assert set(pairs({"a.eval": one, "b.eval": two})) == {"m"}
    assert set(pairs({"a.eval": one, "b.eval": one})) == {"m in a.eval", "m in b.eval"}


def test_a_sample_twice_and_another_question_under_one_id() -> None:
    with pytest.raises(BadInput, match="stands twice"):
        pairs({"a.eval": [_outcome("x"), _outcome("x")]})
    with pytest.raises(BadInput, match=r"asks something else in a\.eval"):
        pairs({"a.eval": [_outcome("x")], "b.eval": [_outcome("x", asked="other")]})


def test_an_exported_run_is_a_log_and_comes_back_as_answers(judged: Judged, tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log

    import percuss

    written = export(judged.run, "responses", "inspect", tmp_path / "run.eval")
    log = read_eval_log(str(written.file))
    assert log.status == "success"
    assert written.rows == len(log.samples or ())
    sample = (log.samples or [])[0]
    assert {"rule:support-2"} <= set(sample.scores or {})
    assert 0 <= float((sample.scores or {})["rule:support-2"].value) <= 1
    rows = {(row["id"], row["arm"], row["model"]): row["text"] for row in read_answers(written.file)}
    with RunStore.open(judged.run) as store:
        said = {
            (a.case.id, a.response.arm, a.response.model): a.response.text
            for a in store.view(store.latest_scoring().id).assessed()
        }
    assert rows == said
    again = percuss.score(
        "grounding", written.file, out=str(tmp_path / "again"), limit=25, arms=("full_multimodal", "ungrounded"), resamples=200
    )  # fmt: skip
    first = percuss.open(judged.run)
    keys = {"labels": "rule:support-2", "arm": "full_multimodal"}
    assert (
        again.estimate("unsupported_rate", **keys).value == first.estimate("unsupported_rate", **keys).value
    )
    assert not list(tmp_path.glob(".*"))


def test_a_log_packed_with_zstd_is_read_where_inspect_is_not_imported(eval_logs: Path) -> None:
    """Newer versions of Inspect pack their logs so, and teach zipfile to unpack them only while they are imported."""
    script = (
        "import sys; from pathlib import Path; from percuss.exchange.inspect_logs import read_log; "
        "print(len(read_log(Path(sys.argv[1]))), 'inspect_ai' in sys.modules)"
    )
    told = subprocess.run(
        [sys.executable, "-c", script, str(eval_logs / "a.eval")], capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["80", "False"]
