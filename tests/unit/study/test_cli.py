"""percuss study on the command line: from a file and from a run, to a served study and back into the run."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from percuss.cli.study import command
from percuss.core.errors import PercussError
from percuss.study.study import open_study
from tests.studies import answer_all, jsonl


def rows(count: int = 30) -> list[dict[str, Any]]:
    return [
        {
            "id": f"c{n}",
            "claim": f"Stage IB, patient {n}.",
            "evidence": {"clinical": {"stage": "IB"}},
            "model": f"acme/m{n % 2}",
            "arm": "full",
            "judge:g#1": "supported",
        }
        for n in range(count)
    ]


def call(*words: str | Path) -> str:
    result = CliRunner().invoke(command, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_whole_way_from_a_file(tmp_path: Path, database: str) -> None:
    folder = tmp_path / "demo"
    source = jsonl(tmp_path / "items.jsonl", rows())
    said = call(
        "create", "demo", "--design", "claim-adjudication", "--from", source, "--sample", "24", "--strata", "model,arm",
        "--overlap", "0.5", "--raters", "2", "--database-url", database, "--out", folder,
    )  # fmt: skip
    assert "24 of 30 items" in said
    assert "12 items are judged by several people" in said
    more = call(
        "create",
        "more",
        "--design",
        "claim-adjudication",
        "--from",
        source,
        "--sample",
        "60",
        "--out",
        tmp_path / "m",
    )
    assert "--sample 60: 30 items are there, all were taken" in more
    with open_study(folder) as study:
        for rater in ("r1", "r2"):
            answer_all(study, rater, lambda n, again: {"support": "supported" if n % 3 else "partial"})
    assert "36 of 36 answers" in call("status", folder)
    assert json.loads(call("status", folder, "--json"))["labels_done"] == 36
    agreement = call("agreement", folder, "-B", "200")
    for words in (
        "before consensus       1.00",
        "people and judge:g#1",
        "repeats, same answer",
        "time an item",
        "ceiling",
    ):
        assert words in agreement
    assert json.loads(call("agreement", folder, "-B", "200", "--json"))["blinded"] is True
    assert "verified; head" in call("verify-ledger", folder)
    out = tmp_path / "labels.csv"
    call("export", folder, "--format", "labels", "--out", out)
    assert out.read_text().startswith("item,aspect,rater,label,score,unscored,stratum,cluster")
    from percuss.cli.judge import validate

    result = CliRunner().invoke(
        validate, [str(out), "--resamples", "200"], catch_exceptions=False, standalone_mode=False
    )
    assert "judge:g" in result.output


def test_a_ledger_that_does_not_verify_fails_the_command(tmp_path: Path, database: str) -> None:
    folder = tmp_path / "demo"
    call(
        "create",
        "demo",
        "-d",
        "claim-adjudication",
        "--from",
        jsonl(tmp_path / "i.jsonl", rows(3)),
        "--database-url",
        database,
        "--out",
        folder,
    )
    with open_study(folder) as study:
        change = text("UPDATE items SET body = replace(body, 'Stage IB', 'Stage IV')")
        study.database.write(lambda connection: connection.execute(change) and None)
    with pytest.raises(PercussError, match="does not verify"):
        call("verify-ledger", folder)


def test_what_cannot_be_meant_is_said_in_one_sentence(tmp_path: Path) -> None:
    source = jsonl(tmp_path / "i.jsonl", rows(3))
    for words, match in (
        (("create", "x", "-d", "dance", "--from", source, "--out", tmp_path / "x"), "no design"),
        (
            ("create", "x", "-d", "likert5", "--from", tmp_path / "none.csv", "--out", tmp_path / "x"),
            "not a file",
        ),
        (
            (
                "create",
                "x",
                "-d",
                "claim-adjudication",
                "--from",
                source,
                "--per-item",
                3,
                "--out",
                tmp_path / "x",
            ),
            "needs 2 to 2 raters an item, got 3; add raters",
        ),
        (("status", tmp_path / "nothing"), "no study in"),
    ):
        with pytest.raises(PercussError, match=match):
            call(*words)


def test_labels_of_label_studio_come_in(tmp_path: Path, database: str) -> None:
    folder = tmp_path / "demo"
    call(
        "create",
        "demo",
        "-d",
        "claim-adjudication",
        "--from",
        jsonl(tmp_path / "i.jsonl", rows(3)),
        "--database-url",
        database,
        "--out",
        folder,
    )
    chosen = {"from_name": "support", "type": "choices", "value": {"choices": ["partial"]}}
    path = tmp_path / "ls.json"
    path.write_text(
        json.dumps([{"data": {"id": "c1"}, "annotations": [{"completed_by": 1, "result": [chosen]}]}])
    )
    assert "1 labels of x1" in call("import", folder, path)


def test_from_a_run_and_back_into_it(tmp_path: Path, database: str) -> None:
    from percuss.store.run import RunStore
    from tests.protocols.grounding.runs import run as run_phantoms

    run = tmp_path / "run"
    run_phantoms(run, ("confabulator?with=0.2&without=0.6",), limit=4)
    folder = tmp_path / "demo"
    said = call(
        "create",
        "demo",
        "-d",
        "claim-adjudication",
        "--from",
        run,
        "--sample",
        "12",
        "--strata",
        "model,arm",
        "--database-url",
        database,
        "--out",
        folder,
    )
    assert "12 of" in said
    with open_study(folder) as study:
        answer_all(study, "r1", lambda n, again: {"support": "supported"})
        answer_all(study, "r2", lambda n, again: {"support": "supported"})
    assert "rule:" in call("agreement", folder, "-B", "200")
    assert "24 human verdicts" in call("export", folder, "--to-run", run)
    with RunStore.open(run) as store:
        view = store.view(store.latest_scoring().id)
        raters = {v.rater for one in view.assessed() for v in one.verdicts if v.rater.startswith("human:")}
    assert raters == {"human:r1", "human:r2"}


def test_a_reader_study_comes_from_a_run_with_its_pictures_and_machine_scores(
    tmp_path: Path, database: str
) -> None:
    from percuss.protocols.explanation.options import ExplanationOptions
    from tests.protocols.explanation.runs import run as run_reader

    run, folder = tmp_path / "run", tmp_path / "demo"
    run_reader(
        run,
        ("reader",),
        options=ExplanationOptions(resamples=100, chests=1),
        arms=("none", "tb_rad:misleading"),
    )
    call(
        "create", "demo", "-d", "reader-study", "--from", run, "--sample", "6", "--strata", "model,arm,flip", "--database-url", database, "--out", folder
    )  # fmt: skip
    with open_study(folder) as study:
        with study.database.read() as connection:
            item = study.item(connection, 0)
        given = dict.fromkeys(("cf", "ca", "ct", "helpfulness", "trust"), "3")
        for rater in ("r1", "r2"):
            answer_all(study, rater, lambda n, again: given)
    assert len(item.pictures) == 1
    assert {"alignment", "truth", "baseline_answer", "flip", "scores"} <= set(item.hidden)
    assert "people and rule:" in call("agreement", folder, "-B", "200")
