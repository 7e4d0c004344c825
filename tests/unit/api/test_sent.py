"""What was sent: as a table in every form, in the report, and never where no words are wanted."""

import base64
import csv
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

import percuss
from percuss.api.library import Run
from percuss.api.report.exporting import export
from percuss.api.report.reporting import open_report
from percuss.exchange.calls_table import shown_calls

ROWS = [
    {"id": "a", "question": "What is the potassium?", "context": "Potassium 5.9 mmol/L, at 8 in the morning."}
]
JUDGED = '{"rationale": "its value", "label": "supported"}'


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("sent") / "run"
    judge = percuss.own.Judge(lambda text: JUDGED, name="j", version="1")
    return percuss.run(
        cases=ROWS,
        model=lambda text: "It is 5.9 mmol/L.",
        name="m",
        version="1",
        judge=judge,
        out=out,
        resamples=100,
    )


def _in(page: str) -> Any:
    packed = re.search(r"data-sent-calls[^>]*>([A-Za-z0-9+/=]+)<", page)
    return None if packed is None else json.loads(gzip.decompress(base64.b64decode(packed[1])))


def test_every_form_has_the_calls_and_without_text_no_word_of_them(run: Any, tmp_path: Path) -> None:
    for form, read in (
        ("jsonl", lambda f: [json.loads(line) for line in f]),
        ("csv", lambda f: list(csv.DictReader(f))),
    ):
        written = export(run.folder, "calls", form, tmp_path / form)
        with written.file.open() as file:
            rows = read(file)
        assert written.rows == len(rows) == len(run.calls) > 2
        assert "5.9 mmol/L" in rows[0]["messages"]
    assert export(run.folder, "calls", "parquet", tmp_path / "p").rows == len(run.calls)
    bare = export(run.folder, "calls", "jsonl", tmp_path / "bare", text=False)
    assert "mmol" not in bare.file.read_text()
    assert "its value" not in bare.file.read_text()


def test_the_judges_call_names_its_claim(run: Any) -> None:
    claims = {row["claim_id"]: row["text"] for row in run.claims}
    judged = [row for row in run.calls if row["stage"] == "check"]
    assert {row["role"] for row in judged} == {"judge"}
    assert all(claims[row["claims"]] in row["messages"] for row in judged)
    assert {row["claims"] for row in run.calls if row["stage"] == "ask"} == {""}


def test_the_report_carries_them_each_text_once(run: Any) -> None:
    held = _in(run.report().read_text())
    assert len(held["calls"]) == len(run.calls)
    assert len(set(held["texts"])) == len(held["texts"])
    assert held["left"] == 0
    assert [call["stage"] for call in held["calls"]] == sorted(c["stage"] for c in held["calls"])
    assert _in(run.report(no_text=True).read_text()) is None


def test_of_many_calls_the_rest_is_counted(run: Any) -> None:
    with open_report(run.folder) as held:
        shown = shown_calls(held.store, held.scoring.id, most=1)
    assert (len(shown["calls"]), shown["left"]) == (1, len(run.calls) - 1)
