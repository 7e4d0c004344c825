"""A free-text case becomes a vignette file only with facts whose words stand in the text."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from percuss.cli import main
from percuss.core.errors import BadInput, UsageError
from percuss.core.ports import Roles
from percuss.core.records import Reply, Request, Text
from percuss.models.loopback import Loopback
from percuss.protocols.stressors import PROTOCOL
from percuss.protocols.stressors.cases import cases
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.prepare import PrepareOptions
from percuss.protocols.stressors.record import reading
from percuss.testing import TrialSession

TEXT = """A 40-year-old woman came with thirst. She denies chills. The left ankle is swollen. Heart rate 88/min.
Glucose 412 mg/dL was measured. A pancreas scan showed atrophy. Ketones were positive. A sister has asthma."""


def fact(quote: str, text: str, kind: str, group: str, *, label: str = "", value: str = "", key: bool = False, askable: bool = False) -> dict[str, object]:  # fmt: skip
    return {
        "quote": quote,
        "text": text,
        "kind": kind,
        "group": group,
        "label": label,
        "value": value,
        "key": key,
        "askable": askable,
    }


REPLY = {
    "demographics": "40-year-old woman",
    "opening": "40-year-old woman with thirst.",
    "diagnosis": "Type 1 diabetes",
    "aliases": [],
    "differential": ["Psychogenic thirst", "Type 2 diabetes"],
    "facts": [
        fact("She denies chills", "She denies chills.", "history", "History"),
        fact("The left ankle is swollen", "The left ankle is swollen.", "exam", "Leg examination"),
        fact(
            "Glucose 412 mg/dL",
            "Glucose: 412 mg/dL",
            "lab",
            "Glucose",
            label="Glucose",
            value="412 mg/dL",
            key=True,
        ),
        fact(
            "A pancreas scan showed atrophy",
            "Pancreas scan showed atrophy.",
            "imaging",
            "Pancreas scan",
            key=True,
        ),
        fact(
            "Ketones were positive", "Ketones: positive", "lab", "Ketones", label="Ketones", value="positive"
        ),
        fact("A sister has asthma", "A sister has asthma.", "history", "Family history", askable=True),
        fact("HbA1c was 11 %", "HbA1c: 11 %", "lab", "HbA1c"),
        fact("Heart rate 88/min", "Heart rate: 98/min", "vital", "Vital signs"),
    ],
    "contradictions": [
        {"fact": 2, "original": "left", "flipped": "right", "injected": "The right ankle is swollen."},
        {"fact": 2, "original": "left", "flipped": "right", "injected": "Both ankles hurt."},
    ],
}


class Builder:
    id, pin = "test/builder", "1"

    def __init__(self, says: str) -> None:
        self.says = says

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        assert request.reply_schema is not None
        return Reply(parts=(Text(text=self.says),), finish="stop")


def run(folder: Path, says: str | None) -> str:
    (folder / "case.txt").write_text(TEXT, encoding="utf-8")
    roles = Roles({} if says is None else {"builder": Builder(says)}, seed=1)

    async def whole() -> str:
        options = PrepareOptions(source=str(folder / "case.txt"))
        done = await PROTOCOL.commands["prepare"].run(options, TrialSession(roles))
        assert done.files == (folder / "case.jsonl",)
        return str(done.text)

    return asyncio.run(whole())


def test_only_verified_spans_stay(tmp_path: Path) -> None:
    said = run(tmp_path, json.dumps(REPLY))
    [made] = [reading(c) for c in cases(str(tmp_path / "case.jsonl"), StressorsOptions(), 0)]
    assert [f.id for f in made.facts] == ["f1", "f2", "f3", "f4", "f5", "f6"]
    assert [a.grade for a in made.authored] == ["model"]
    assert "6 facts, 1 contradictions of grade model; 3 items dropped" in said
    start, stop = (int(x) for x in made.facts[2].source_path.removeprefix("text[").rstrip("]").split(":"))
    assert TEXT[start:stop] == "Glucose 412 mg/dL"


def test_what_makes_no_scenario_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no well-formed scenario"):
        run(tmp_path, json.dumps({**REPLY, "facts": REPLY["facts"][:1]}))
    with pytest.raises(BadInput, match="no JSON object"):
        run(tmp_path, "I would rather not.")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["case.txt"]


@contextmanager
def endpoint(answer: str) -> Iterator[str]:
    """A chat-completions server of our own in another thread, answering every request alike; yields its URL."""
    address: Queue[str] = Queue()
    loop = asyncio.new_event_loop()
    done = asyncio.Event()

    async def serve() -> None:
        async with Loopback(lambda body: answer) as server:
            address.put(server.url)
            await done.wait()

    thread = Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    try:
        yield address.get(timeout=30)
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join(timeout=30)
        loop.close()


def test_a_case_is_prepared_and_run_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a user does it: a file, a builder behind an address, a vignette file, and a run on it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "case.txt").write_text(TEXT, encoding="utf-8")

    def call(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            main(list(words))
        assert isinstance(left.value.code, int)
        said = capsys.readouterr()
        return left.value.code, said.out + said.err

    with endpoint(json.dumps(REPLY)) as url:
        words = ("stressors", "prepare", "case.txt", "--role", "builder=vllm/any", "--base-url", url)
        code, said = call(*words)
    assert code == 0, said
    assert "6 facts, 1 contradictions of grade model; 3 items dropped" in said
    [line] = (tmp_path / "case.jsonl").read_text(encoding="utf-8").splitlines()
    made = json.loads(line)
    assert [each["grade"] for each in made["authored"]] == ["model"]
    assert "HbA1c" not in line  # no such words in the text
    assert "98/min" not in line  # its quotation has another number
    code, said = call(
        "run", "stressors", "--cases", "case.jsonl", "--model", "phantom/clinician", "--out", "r"
    )
    assert code == 0, said
    assert "report: r/report.html" in said


def test_a_role_is_needed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--role builder"):
        run(tmp_path, None)
