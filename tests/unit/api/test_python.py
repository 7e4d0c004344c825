"""The library with objects in place of names: models, tables, judges, rules, verifiers; in a running loop too."""

import asyncio
import functools
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import percuss
from percuss.api.given import rows_of
from percuss.api.own import Model, Rule, Verifier
from percuss.api.waiting import Cell, cell_of, finish
from percuss.core.errors import BadInput, PercussError, UsageError
from percuss.core.messages import Message, Reply, Request, Text
from percuss.engine.progress import Progress, Watcher

ROWS = [
    {"id": "a", "question": "What is the potassium?", "context": "Potassium 5.9 mmol/L, at 8 in the morning."}
]
WORDS: dict[str, Any] = {"cases": ROWS, "report": False, "resamples": 100}
ASKED = Request(messages=(Message.of("system", "Be short."), Message.of("user", "How high?")))


def answer(text: str) -> str:
    return f"It is {len(text)}."


async def answer_later(text: str) -> str:
    await asyncio.sleep(0)
    return answer(text)


class Answering:
    def generate(self, text: str) -> str:
        return answer(text)


class Late:
    async def generate(self, text: str) -> str:
        return await answer_later(text)


class Port:
    """Speaks the engine's own port."""

    id = "lab/port"
    pin = "7"

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        return Reply(parts=(Text(text="It is 5.9."),), finish="stop", tokens_out=4)


@pytest.mark.parametrize(
    "thing", [answer, answer_later, Answering(), Late(), functools.partial(answer_later)]
)
async def test_a_model_may_be_a_function_or_an_object(thing: Any) -> None:
    model = Model(thing, name="mine", version="1")
    assert (model.id, model.pin) == ("python/mine", "1")
    assert (await model.generate(ASKED)).text == "It is 20."


async def test_messages_in_place_of_a_text() -> None:
    seen: list[Any] = []

    def said(messages: Any) -> str:
        seen.append(messages)
        return "yes"

    model = Model(said, name="m", takes="messages")
    await model.generate(ASKED)
    assert seen == [[{"role": "system", "content": "Be short."}, {"role": "user", "content": "How high?"}]]


def test_a_model_without_a_name_or_a_function_is_one_sentence() -> None:
    with pytest.raises(PercussError, match="needs name="):
        percuss.run(model=answer, **WORDS)
    with pytest.raises(PercussError, match="got a model of type int"):
        percuss.run(model=7, name="x", **WORDS)
    with pytest.raises(PercussError, match=r"wrap each in percuss\.own\.Model"):
        percuss.run(models=[answer, answer_later], name="x", **WORDS)
    with pytest.raises(PercussError, match="two objects are called python/x"):
        percuss.run(models=[Model(answer, name="x"), Model(answer_later, name="x")], **WORDS)
    with pytest.raises(PercussError, match="model= and models="):
        percuss.run(models="phantom/confabulator", model=answer, name="x", **WORDS)


def test_what_a_function_raises_is_said_and_counted(tmp_path: Path) -> None:
    def broken(text: str) -> str:
        raise ValueError("no weights")

    run = percuss.run(model=broken, name="broken", version="1", out=tmp_path / "run", arms="full", **WORDS)
    assert {row["reason"] for row in run.responses} == {"error:bad_reply"}
    assert "python/broken raised ValueError: no weights" in json.dumps(run.manifest["answer_lines"])


def test_without_a_version_every_start_makes_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = percuss.run(model=answer, name="loose", arms="full", **WORDS)
    second = percuss.run(model=answer, name="loose", arms="full", **WORDS)
    assert second.folder.name == f"{first.folder.name}-2"
    with pytest.raises(UsageError, match="python/loose has no version"):
        percuss.run(model=answer, name="loose", arms="full", out=first.folder, **WORDS)


def test_with_a_version_the_run_is_extended_and_another_one_refused(tmp_path: Path) -> None:
    asked: list[str] = []

    def counted(text: str) -> str:
        asked.append(text)
        return answer(text)

    words = {**WORDS, "model": counted, "name": "m", "out": tmp_path / "run", "arms": "full"}
    percuss.run(version="1", **words)
    percuss.run(version="1", **words)
    assert len(asked) == 1
    with pytest.raises(UsageError, match="two models under one name"):
        percuss.run(version="2", **words)


async def test_a_run_works_where_a_loop_is_running(tmp_path: Path) -> None:
    run = percuss.run(model=Port(), out=tmp_path / "run", arms="full", **WORDS)
    assert [row["tokens_out"] for row in run.responses] == [4]
    assert run.responses[0]["model"] == "python/lab-port"


def test_rows_of_a_run_are_frames_and_cells(tmp_path: Path) -> None:
    run = percuss.run(model=answer, name="m", version="1", out=tmp_path / "run", **WORDS)
    frame = run.estimates.frame()
    assert list(frame["name"]) == [estimate.name for estimate in run.estimates]
    assert len(run.claims.frame()) == len(run.claims) > 0
    assert len(run.responses.frame("pyarrow")) == len(run.responses)
    with pytest.raises(UsageError, match=r"frame\('polars'\) needs polars"):
        run.estimates.frame("polars")
    sent = run.calls.rows()[0]
    assert "5.9 mmol/L" in sent["messages"]
    assert sent["latency_s"] >= 0
    assert sent["seed"] is not None
    assert "<table>" in run._repr_html_()
    assert "5 answers" in run.responses._repr_html_()
    assert (
        "118 estimates" in run.estimates._repr_html_()
        or "estimates, the first" in run.estimates._repr_html_()
    )
    assert percuss.open(run).folder == run.folder


class _PandasLike:
    """As much of a pandas frame as is looked at."""

    def __init__(self, *rows: dict[str, Any]) -> None:
        self.columns = list(rows[0])
        self._rows = list(rows)

    def to_dict(self, form: str) -> list[dict[str, Any]]:
        assert form == "records"
        return self._rows


class _Array:
    def tolist(self) -> list[float]:
        return [1.0, float("nan")]


def test_tables_of_any_library_become_rows() -> None:
    import pandas as pd

    frame = pd.DataFrame(
        {"id": [1, 2], "n": [float("nan"), 2.5], "when": [pd.NaT, pd.Timestamp("2026-01-02")]}
    )
    assert rows_of(frame) == [
        {"id": 1, "n": None, "when": None},
        {"id": 2, "n": 2.5, "when": "2026-01-02T00:00:00"},
    ]
    assert rows_of(_PandasLike({"id": "x", "v": _Array()})) == [{"id": "x", "v": [1.0, None]}]
    assert rows_of(SimpleNamespace(to_dicts=lambda: [{"id": "p"}])) == [{"id": "p"}]
    assert rows_of({"id": n} for n in range(2)) == [{"id": 0}, {"id": 1}]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (7, "got cases of type int"),
        ({"id": 1}, "got cases of type dict"),
        ([["id"]], "row 1 is a list"),
        ([{"id": object()}], "row 1, id is a object"),
    ],
)
def test_what_is_no_table_is_one_sentence(table: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        rows_of(table)


def test_given_rows_stay_beside_the_runs_for_their_owner_alone(tmp_path: Path) -> None:
    run = percuss.run(models="phantom/confabulator", out=tmp_path / "run", **WORDS)
    (file,) = (tmp_path / "given").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert json.loads(file.read_text()) == ROWS[0]
    assert any(str(file) in line for line in run.manifest["commands"])


def _rule(read: Callable[[str, list[str]], Any]) -> Rule:
    return Rule(read, name="mine", version="3")


def test_a_rule_of_ones_own_labels_in_place_of_the_protocols(tmp_path: Path) -> None:
    rule = _rule(lambda claim, evidence: ("supported", "said so") if "5.9" in " ".join(evidence) else None)
    run = percuss.run(model=Port(), rules=rule, out=tmp_path / "run", arms="full", **WORDS)
    assert {
        (row["rater"], row["label"], row["rationale"]) for row in run.claims if row["aspect"] == "support"
    } == {("rule:python/mine@3", "supported", "said so")}
    with pytest.raises(UsageError, match="python/mine@3 is a rule of the script"):
        percuss.run(
            "grounding", "phantom/confabulator", cases=ROWS, rules="python/mine@3", out=tmp_path / "b"
        )


@pytest.mark.parametrize(
    ("said", "words"),
    [(lambda c, e: "true", "returned 'true'; expected supported"), (lambda c, e: 1 / 0, "raised Zero")],
)
def test_a_rule_that_gives_no_label_is_one_sentence(said: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        _rule(said).read("Age is 61.", ["Age is 61."], "")


def test_a_verifier_of_ones_own_labels_by_its_thresholds(tmp_path: Path) -> None:
    verifier = Verifier(lambda claim, premises: 0.97, name="v", version="1", thresholds="0.9/0.9@ward notes")
    run = percuss.run(model=Port(), verifier=verifier, out=tmp_path / "run", arms="full", **WORDS)
    assert ("verifier:python/v", "supported") in {(row["rater"], row["label"]) for row in run.claims}


async def test_a_verifier_that_gives_no_probability_is_one_sentence() -> None:
    from percuss.core.verifying import Pair

    with pytest.raises(UsageError, match=r"returned 2; expected a probability"):
        await Verifier(lambda claim, premises: 2, name="v", version="1").verify(
            [Pair(claim="x", premises=())]
        )


def test_a_judge_brings_its_prompt(tmp_path: Path) -> None:
    judge = percuss.own.Judge(
        lambda text: '{"rationale": "r", "label": "supported"}', prompt="OWN {claim}", name="j", version="1"
    )
    run = percuss.run(model=Port(), judge=judge, out=tmp_path / "run", arms="full", **WORDS)
    judged = [row for row in run.calls if row["role"] == "judge"]
    assert judged
    assert all("OWN It is 5.9." in row["messages"] and row["claims"] for row in judged)
    with pytest.raises(UsageError, match="got the prompt 'jugde'"):
        percuss.run(model=Port(), prompts={"jugde": "x"}, out=tmp_path / "b", **WORDS)


def test_records_of_patients_go_to_own_code_only_where_it_says_that_they_stay(tmp_path: Path) -> None:
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [
            {"resource": {"resourceType": "Patient", "id": "p", "birthDate": "1961-01-01"}},
            {"resource": {"resourceType": "Condition", "id": "c", "subject": {"reference": "Patient/p"}, "code": {"text": "Asthma"}}},
        ],
    }  # fmt: skip
    path = tmp_path / "bundle.json"
    path.write_text(json.dumps(bundle))
    words: dict[str, Any] = {"cases": path, "out": tmp_path / "run", "arms": "full", "report": False}
    with pytest.raises(UsageError, match="python/m is not on this machine"):
        percuss.run(model=Model(answer, name="m", version="1"), **words)
    run = percuss.run(model=Model(answer, name="m", version="1", local=True), **words)
    assert run.manifest["hosts"] == []


def test_progress_is_drawn_in_a_notebooks_cell() -> None:
    drawn: list[str] = []
    cell = Cell(drawn.append)
    for step in (None, Progress(stage="ask", done=1, total=4), Progress(stage="ask", done=1, total=4)):
        cell.draw(step)
    assert drawn == ['<progress value="1" max="4"></progress> asking: 1 of 4']


class ZMQInteractiveShell:
    """Called as IPython's own shell of a kernel is."""


def test_only_a_kernel_has_a_cell() -> None:
    shown: list[Any] = []
    handle = SimpleNamespace(update=shown.append)

    def display_it(html: str, *, display_id: bool) -> Any:
        shown.append(html)
        return handle

    display = SimpleNamespace(HTML=str, display=display_it)
    kernel = SimpleNamespace(get_ipython=ZMQInteractiveShell, display=display)
    assert cell_of({}) is None
    assert cell_of({"IPython": SimpleNamespace(get_ipython=lambda: None)}) is None
    cell = cell_of({"IPython": kernel})
    assert cell is not None
    cell.draw(Progress(stage="ask", done=1, total=2))
    cell.draw(Progress(stage="ask", done=2, total=2))
    assert [html[-6:] for html in shown] == ["1 of 2", "2 of 2"]


async def test_a_failure_in_a_running_loop_reaches_the_caller() -> None:
    async def work(watcher: Watcher | None) -> int:
        raise UsageError("no such thing")

    with pytest.raises(UsageError, match="no such thing"):
        finish(work)


def test_a_simulated_model_of_another_protocol_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="answers cases of `textbook` alone"):
        percuss.run("grounding", "phantom/student", limit=2, out=tmp_path / "run")
