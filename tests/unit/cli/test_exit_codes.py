"""What a run returns: 130, 2, 1, 3, 4, 0, the first that applies; and the report is written in every case but 2."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Percuss = Callable[..., Any]
CASES = 4
TEXT = "Haemoglobin is 9.1 g/dL. The patient is pale."
FAILING_GATE = ("--fail-if", "unsupported_rate[model=scripted/s].value>=0")


def _script(*lines: dict[str, Any], name: str = "s.jsonl") -> str:
    Path(name).write_text("\n".join(map(json.dumps, lines)))
    return f"scripted/{name}"


def _run(percuss: Percuss, model: str, *words: str, number: int = CASES) -> Any:
    rows = [
        {"id": f"c{n}", "question": "?", "evidence": f"Haemoglobin is 9.1 g/dL, case {n}."}
        for n in range(number)
    ]
    Path("cases.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return percuss("run", "grounding", "-m", model, "--cases", "cases.jsonl", "--out", "r", *words)


def _refusing(some: int) -> Sequence[dict[str, Any]]:
    """Refuse the first so many answers with evidence; the rest is answered."""
    refused = [{"when": "9.1 g/dL", "finish": "refused", "text": "blocked"}] * some
    return (*refused, {"text": TEXT, "repeat": True})


def test_some_refused_is_said_in_the_first_line_and_returns_0(percuss: Percuss) -> None:
    said = _run(percuss, _script(*_refusing(2)))
    assert said.code == 0
    panel = [
        line for line in said.out.splitlines() if not line.startswith(("data", "folder", "primary", "cases"))
    ]
    assert panel[0] == "2 of 8 answers failed (2 of 4 with evidence): 2 refused by the provider"
    assert said.out.count("refused by the provider") == 1, "once, in the first line"
    assert "can be used" not in said.out
    assert Path("r/report.html").exists()
    held = json.loads(Path("r/manifest.json").read_text())["answers"]
    assert [(row["arm"], row["asked"], row["refused"]) for row in held if row["refused"]] == [("full", 4, 2)]


def _refused_in_evidence(some: int) -> Sequence[dict[str, Any]]:
    """Refuse so many of twelve answers with evidence; what is answered is right with it and made up without."""
    refused = [{"when": "Haemoglobin is 9.1", "finish": "refused", "text": "blocked"}] * some
    right = {"when": "Haemoglobin is 9.1", "text": "Haemoglobin is 9.1 g/dL.", "repeat": True}
    wrong = {"when": "case 11.", "text": "Haemoglobin is 15.2 g/dL.", "repeat": True}
    return (
        *([wrong] if some < 12 else []),
        *refused,
        right,
        {"text": "Haemoglobin is 15.2 g/dL.", "repeat": True},
    )


def test_six_of_twelve_refused_leave_both_arms_pairs_move_the_bounds_and_stand_first(
    percuss: Percuss,
) -> None:
    said = _run(percuss, _script(*_refused_in_evidence(6)), "--limit", "12", number=12)
    first = next(line for line in said.out.splitlines() if "answers failed" in line)
    assert first == "6 of 24 answers failed (6 of 12 with evidence): 6 refused by the provider"
    assert said.code == 0
    found = json.loads(percuss("report", "r", "--json").out)["estimates"]
    rates = {
        e["arm"]: e for e in found if e["name"] == "unsupported_rate" and not e["stratum"] and not e["versus"]
    }
    assert (rates["full"]["clusters"], rates["ungrounded"]["clusters"]) == (6, 6), "out of both arms' pairs"
    for arm in ("full", "ungrounded"):
        assert "6 of 12 cases answered and scored on every side" in rates[arm]["note"]
        assert "full 6 refused" in rates[arm]["note"]
    assert rates["full"]["value"] == pytest.approx(1 / 6)
    assert rates["full"]["bounds"] == pytest.approx([1 / 12, 7 / 12]), "each missing answer right, or wrong"
    index = next(e for e in found if e["name"] == "hdi_pooled")
    assert index["clusters"] == 6
    answered = {e["arm"]: e["value"] for e in found if e["name"] == "answered_share" and not e["versus"]}
    assert answered == {"full": 0.5, "ungrounded": 1.0}


def test_all_refused_is_undefined_by_that_reason_and_returns_1(percuss: Percuss) -> None:
    said = _run(percuss, _script(*_refused_in_evidence(12)), "--limit", "12", number=12)
    assert said.code == 1
    found = json.loads(percuss("report", "r", "--json").out)["estimates"]
    index = next(e for e in found if e["name"] == "hdi_pooled")
    assert index["value"] is None
    assert "refused" in index["undefined"]


def test_json_holds_the_accounts_beside_the_estimates(percuss: Percuss) -> None:
    said = _run(percuss, _script(*_refusing(2)), "--json")
    found = json.loads(said.out)
    assert sum(row["refused"] for row in found["answers"]) == 2
    assert {row["usable"] for row in found["answers"] if row["asked"]} == {2, 4}
    assert any(row["primary"] for row in found["estimates"])


def test_an_arm_without_a_usable_answer_returns_1(percuss: Percuss) -> None:
    said = _run(percuss, _script(*_refusing(4)))
    assert said.code == 1
    assert "has no usable answer in arm full" in said.err
    assert Path("r/report.html").exists()
    assert _run(percuss, _script(*_refusing(4)), *FAILING_GATE).code == 1, "before a gate"


@pytest.mark.parametrize("protocol", ["grounding", "explanation", "stressors"])
@pytest.mark.parametrize(
    "line", [{"finish": "refused", "text": "blocked"}, {"error": "bad_request", "text": "no"}, {"finish": "length", "text": "The"}],
    ids=["refused", "rejected", "cut"],
)  # fmt: skip
def test_every_answer_lost_returns_1_with_a_word(
    percuss: Percuss, protocol: str, line: dict[str, Any]
) -> None:
    model = _script({**line, "repeat": True})
    said = percuss("run", protocol, "-m", model, "--limit", "1", "--out", "r")
    assert said.code == 1
    assert "has no usable answer" in said.err
    assert Path("r/report.html").exists()
    said = percuss("report", "r")
    assert "answers failed" in said.out.splitlines()[0] or "were cut" in said.out.splitlines()[0]


@pytest.mark.parametrize(("share", "code"), [("0.5", 1), ("0.51", 0)])
def test_fail_on_error_is_a_share_of_a_model_in_an_arm(percuss: Percuss, share: str, code: int) -> None:
    said = _run(percuss, _script(*_refusing(2)), "--fail-on-error", share)
    assert said.code == code
    assert ("--fail-on-error is 0.5" in said.err) is (code == 1)


def test_gates_come_after_answers(percuss: Percuss) -> None:
    assert _run(percuss, _script({"text": TEXT, "repeat": True}), *FAILING_GATE).code == 3
    assert Path("r/report.html").exists()


def test_a_share_that_is_none_is_bad_usage_and_writes_nothing(percuss: Percuss) -> None:
    said = _run(percuss, _script(*_refusing(0)), "--fail-on-error", "0")
    assert (said.code, Path("r").exists()) == (2, False)


def test_a_refused_start_leaves_nothing(percuss: Percuss) -> None:
    said = _run(percuss, "openai-api/nowhere/m")
    assert (said.code, Path("r").exists()) == (2, False), said.err


def test_a_refused_start_or_check_changes_nothing_of_a_run(percuss: Percuss) -> None:
    _run(percuss, _script({"text": TEXT, "repeat": True}))

    def content() -> dict[str, bytes]:
        return {
            path.name: path.read_bytes() for path in Path("r").iterdir() if not path.name.endswith("-shm")
        }

    before = content()
    assert _run(percuss, "openai-api/nowhere/m").code == 2
    assert _run(percuss, "scripted/nothing.jsonl").code == 2
    assert percuss("check", "r", "--judge", "openai-api/nowhere/m").code == 2
    assert percuss("check", "r", "--role", "friend=phantom/copier").code == 2
    assert percuss("check", "r", "--set", "nonsense=1").code == 2
    assert content() == before


def test_a_model_that_is_not_to_be_had_returns_1_with_a_report(percuss: Percuss) -> None:
    line = {"error": "bad_request", "text": "no such model", "repeat": True}
    said = percuss("run", "grounding", "-m", _script(line), "--out", "r")
    assert said.code == 1
    assert "no such model" in said.err
    assert Path("r/report.html").exists()


def test_a_budget_met_returns_1_with_a_report(percuss: Percuss) -> None:
    said = _run(percuss, "phantom/copier", "--max-calls", "3")
    assert said.code == 1
    assert "resume with" in said.err
    assert Path("r/report.html").exists()


async def test_an_interrupted_run_returns_130_with_a_report(tmp_path: Path) -> None:
    from percuss.models.loopback import Loopback

    async with Loopback(lambda body: TEXT, latency_s=0.2) as server:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "percuss", "run", "grounding", "-m", "openai-api/ward/m", "--base-url", server.url,
            "--concurrency", "1", "--out", "r",
            cwd=tmp_path, env={**os.environ, "WARD_API_KEY": "none"}, stdout=-1, stderr=-1,
        )  # fmt: skip
        while server.answered.total() < 3:  # noqa: ASYNC110 - a process, no event
            await asyncio.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = await process.communicate()
    assert process.returncode == 130, err.decode()
    assert "Resume with" in err.decode()
    assert (tmp_path / "r/report.html").exists(), err.decode()
