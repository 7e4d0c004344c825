"""People's labels of what a judge audited: out as a blind sample, in as labels, precision and recall of each source."""

import asyncio
import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from percuss.api.judge.adjudication import write_sample
from percuss.api.judge.importing import import_labels
from percuss.api.run.request import RunRequest
from percuss.api.run.run import run
from percuss.core.errors import BadInput
from percuss.core.records import AnnotationItem
from percuss.protocols.stressors import PROTOCOL
from percuss.protocols.stressors.check.stated import NAMED_BY_HIT
from percuss.protocols.stressors.options import RATER
from percuss.store import RunStore

pytestmark = pytest.mark.slow

ARM = "omission+contradiction+delay"
TITLE = "How precise is each source against people?"
OVERLOOK = 0.4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose judge overlooks 40% of what there is, with the labels of a person who never errs."""
    there = tmp_path_factory.mktemp("people")
    asked = RunRequest(
        protocol="stressors",
        models=("phantom/clinician?fabricate=0.3&wrong=0.6",),
        judge=f"phantom/auditor?overlook={OVERLOOK}",
        arms=(ARM,),
        out=str(there / "run"),
        settings={"resamples": 200},
    )
    asyncio.run(run(asked))
    write_sample(there / "run", there / "sample.csv", per_bucket=10_000)
    with RunStore.open(there / "run") as store:
        held = {item.subject: item for item in _items(store)}
    with (there / "sample.csv").open(encoding="utf-8") as file:
        rows = [
            {**row, "rater": "ann", "label": _truth(held[row["claim_id"]])} for row in csv.DictReader(file)
        ]
    with (there / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(row for row in rows if row["label"])
    import_labels(there / "run", there / "labels.csv")
    return there


def _items(store: RunStore) -> Iterator[AnnotationItem]:
    yield from PROTOCOL.items(store.view(store.latest_scoring().id), "claim-adjudication", PROTOCOL.options())


def _truth(item: AnnotationItem) -> str:
    """The rules read this simulated model without an error; what they leave open this person leaves open too."""
    said = item.hidden["labels"].get(RATER, "")
    kind, _, metric = item.kind.partition(" ")
    if kind != "audited":
        return said if said in {"supported", "unsupported"} else ""
    if said not in {"True", "False"}:
        return ""
    return "supported" if (said == "True") != (metric in NAMED_BY_HIT) else "unsupported"


def _table(folder: Path) -> dict[tuple[str, str], dict[str, dict[str, float]]]:
    with RunStore.open(folder / "run") as store:
        section = next(s for s in store.sections(store.latest_scoring().id) if s.title == TITLE)
    return {(row["node"].rpartition("(")[2].rstrip(")"), row["source"]): row for row in section.body["rows"]}


def test_the_sample_tells_nobody_what_machines_said(folder: Path) -> None:
    with (folder / "sample.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    audited = [row for row in rows if row["question"].startswith("Is this true of the answers")]
    assert len(audited) > 200
    text = (folder / "sample.csv").read_text(encoding="utf-8")
    assert not any(word in text for word in ("phantom", "auditor", ARM, RATER, "agreement"))
    assert all("Turn 4, answer:" in row["evidence"] for row in audited)


def test_a_judge_that_overlooks_is_precise_and_recalls_what_it_does_not_overlook(folder: Path) -> None:
    table = _table(folder)
    judge = "judge, where both passes agree"
    # Passes that overlook independently rarely agree on what one of them overlooked; what they agree on is counted.
    truth, outside = (1 - OVERLOOK) ** 2 / ((1 - OVERLOOK) ** 2 + OVERLOOK**2), []
    for metric in ("GDR", "CDR", "PIR", "RUR"):
        assert table[metric, "rules flow"]["recall"]["value"] == 1.0
        assert table[metric, judge]["precision"]["value"] == 1.0
        recall = table[metric, judge]["recall"]
        outside += [] if recall["low"] <= truth <= recall["high"] else [metric]
    assert len(outside) <= 1, "one of four 95% intervals misses in 17 of 100 such runs, two in 1 of 70"


def test_statements_are_scored_beside_the_nodes(folder: Path) -> None:
    table = _table(folder)
    assert table["unsupported statements", "rules flow"]["precision"]["value"] == 1.0


def test_a_label_of_nothing_is_refused_and_nothing_is_written(folder: Path) -> None:
    (folder / "bad.csv").write_text("claim_id,rater,label\nnothing,ann,supported\n", encoding="utf-8")
    with pytest.raises(BadInput, match="the run does not hold"):
        import_labels(folder / "run", folder / "bad.csv")
