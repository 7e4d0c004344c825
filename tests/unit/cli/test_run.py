"""`percuss run grounding` on phantoms: estimates, gates, extension, verification, exports."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Percuss = Callable[..., Any]
RUN = ("run", "grounding", "--model", "phantom/confabulator", "--model", "phantom/calibrated", "--out", "r")


def _estimate(rows: list[dict[str, Any]], name: str, model: str) -> dict[str, Any]:
    found = [
        row
        for row in rows
        if row["name"] == name and row["model"] == model and row["arm"] == "full_multimodal"
    ]
    return next((row for row in found if row["primary"]), found[0])


def test_json_is_json_and_nothing_else(percuss: Percuss) -> None:
    said = percuss(*RUN, "--limit", "12", "--json")
    assert said.code == 0
    rows = json.loads(said.out)["estimates"]
    hdi = _estimate(rows, "hdi_pooled", "phantom/confabulator")
    assert hdi["primary"]
    # Twelve cases, of which fewer than three have an unsupported claim with evidence: a value and words.
    assert hdi["value"] is not None
    assert hdi["low"] is None or hdi["low"] <= hdi["value"] <= hdi["high"]
    assert hdi["simulated"]
    assert {"supported_rate", "unsupported_rate", "hdi_pooled", "hdi_macro", "delta_u"} <= {
        row["name"] for row in rows
    }


def test_first_lines_say_where_data_goes_the_folder_and_the_primary(percuss: Percuss) -> None:
    said = percuss(*RUN, "--limit", "3")
    first = said.out.splitlines()[:3]
    assert first[0].startswith("data goes to: nowhere")
    assert first[1] == "folder: r"
    assert first[2].startswith("primary: HDI")


def test_a_pilot_is_paid_once(percuss: Percuss) -> None:
    percuss(*RUN, "--limit", "2", "--no-report")
    before = _calls(Path("r"))
    percuss(*RUN, "--limit", "4", "--no-report")
    after = _calls(Path("r"))
    assert before < after
    assert len(after) == 2 * len(before)


def _calls(run: Path) -> set[str]:
    from percuss.store import RunStore

    with RunStore.open(run) as store:
        return {row[0] for row in store.read(lambda db: db.execute("SELECT key FROM calls").fetchall())}


def test_the_folder_is_private_and_verifies(percuss: Percuss) -> None:
    percuss(*RUN, "--limit", "2")
    assert stat.S_IMODE(Path("r").stat().st_mode) == 0o700
    assert Path("r/report.html").exists()
    said = percuss("verify", "r")
    assert said.code == 0
    assert "every hash matches" in said.out


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("unsupported_rate[arm=full_multimodal,model=phantom/confabulator].high>0.9", 0),
        ("unsupported_rate[arm=ungrounded,model=phantom/confabulator].low>0.1", 3),
    ],
)
def test_gates_decide_the_exit_code(percuss: Percuss, gate: str, code: int) -> None:
    assert percuss(*RUN, "--limit", "6", "--no-report", "--fail-if", gate).code == code


def test_a_check_appends_a_scoring_and_asks_nobody(percuss: Percuss) -> None:
    percuss(*RUN, "--limit", "3", "--no-report")
    before = _calls(Path("r"))
    said = percuss("check", "r", "--rules", "extended", "--json")
    assert said.code == 0
    assert {row["labels"] for row in json.loads(said.out)["estimates"] if row["primary"]} == {"rule:extended"}
    assert _calls(Path("r")) == before
    manifest = json.loads(Path("r/manifest.json").read_text())
    assert len(manifest["scorings"]) == 2


def test_a_judge_makes_two_calls_a_claim(percuss: Percuss) -> None:
    percuss(
        "run",
        "grounding",
        "--model",
        "phantom/copier",
        "--judge",
        "phantom/judge",
        "--limit",
        "2",
        "--out",
        "r",
    )
    from percuss.store import RunStore

    with RunStore.open(Path("r")) as store:
        query = "SELECT epoch, count(*) FROM calls WHERE model LIKE 'phantom/judge%' GROUP BY epoch ORDER BY epoch"
        rows = store.read(lambda db: db.execute(query).fetchall())
    assert [epoch for epoch, _ in rows] == [1, 2]
    assert rows[0][1] == rows[1][1] > 0


@pytest.mark.parametrize("form", ["md", "csv", "latex", "junit"])
def test_report_forms(percuss: Percuss, form: str) -> None:
    percuss(*RUN, "--limit", "3", "--no-report")
    said = percuss("report", "r", "--format", form)
    assert said.code == 0
    assert "hdi_pooled" in said.out or "HDI" in said.out
    assert "simulated" in said.out


@pytest.mark.parametrize("table", ["responses", "claims", "estimates"])
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_exports_mark_simulated_rows(percuss: Percuss, table: str, form: str) -> None:
    percuss(*RUN, "--limit", "2", "--no-report")
    assert percuss("export", "r", "--table", table, "--format", form).code == 0
    text = Path(f"r/{table}.{form}").read_text()
    assert "simulated" in text
    assert "phantom/confabulator" in text


def test_dry_run_spends_and_writes_nothing(percuss: Percuss) -> None:
    said = percuss(
        "run", "grounding", "--model", "openai/gpt-4o-mini", "--judge", "openai/gpt-4.1-mini", "--dry-run"
    )
    assert said.code == 0
    assert "api.openai.com (model, judge)" in said.out
    assert "USD expected" in said.out
    assert not Path("runs").exists()


def test_every_figure_of_the_panel_equals_json(percuss: Percuss) -> None:
    import re

    rows = json.loads(percuss(*RUN, "--limit", "12", "--json").out)["estimates"]
    panel = Path("r/report.html").read_text().split("data-panel", 1)[1].split("</section>", 1)[0]
    shown = {float(value) for value in re.findall(r'data-value="([^"]+)"', panel)}
    primary = {row["value"] for row in rows if row["primary"] and row["name"] == "hdi_pooled"}
    main = {
        r["value"]
        for r in rows
        if r["name"] == "unsupported_rate"
        and r["arm"] in {"full_multimodal", "ungrounded"}
        and r["stratum"] is None
    }
    assert len(primary) == 2
    assert primary | main <= shown | {None}
    assert shown <= {row["value"] for row in rows}


def test_a_dry_run_of_given_answers_counts_them_and_writes_nothing(percuss: Percuss) -> None:
    Path("t.csv").write_text(
        "id,question,context,answer\na,How?,Pulse is 80.,Pulse is 80.\nb,How?,Pulse is 90.,Pulse is 9.\n"
    )
    said = percuss("score", "grounding", "--responses", "t.csv", "--cases", "t.csv", "--dry-run")
    assert said.code == 0, said.err
    assert "2 answers are given and would be scored" in said.out
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("protocol", "said"), [("stressors", "leaves undefined here: PIR, PCR and the Brier score"), ("explanation", "accuracy is not shown")]
)  # fmt: skip
def test_the_first_line_of_a_default_run_says_what_a_small_model_leaves_undefined(
    percuss: Percuss, protocol: str, said: str
) -> None:
    assert said in percuss("run", protocol, "--dry-run").out.splitlines()[0]
