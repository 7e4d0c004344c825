"""A free-text case becomes a vignette file only with facts whose words stand in the text."""

import asyncio
import json
from pathlib import Path

import pytest

from percuss.core.errors import BadInput, UsageError
from percuss.core.ports import Cast
from percuss.core.records import Reply, Request, Text
from percuss.protocols.stressors import PROTOCOL
from percuss.protocols.stressors.cases import cases
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.prepare import PrepareOptions
from percuss.protocols.stressors.record import reading

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
    cast = Cast({} if says is None else {"builder": Builder(says)}, seed=1)

    async def whole() -> str:
        return await PROTOCOL.commands["prepare"].run(PrepareOptions(source=str(folder / "case.txt")), cast)

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


def test_a_role_is_needed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--role builder"):
        run(tmp_path, None)
