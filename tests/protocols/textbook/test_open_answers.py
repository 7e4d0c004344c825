"""Open answers: a judge's word is the score and overlap is none of it; what fails is an error with its reason, never a zero."""

import asyncio
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from percuss.core.errors import ModelError
from percuss.core.messages import Reply, Request, Text
from percuss.core.ports import Roles
from percuss.core.records import Response, Turn, Verdict
from percuss.engine.prompts import load_prompts
from percuss.phantoms import phantom
from percuss.protocols.textbook import PROTOCOL
from percuss.protocols.textbook.case import Task, case_of
from percuss.protocols.textbook.check import VALUE, claims, verdicts
from percuss.protocols.textbook.items.item import Item
from percuss.protocols.textbook.options import TextbookOptions
from percuss.protocols.textbook.phantom import PHANTOMS
from percuss.protocols.textbook.planting import extras
from tests.protocols.textbook.runs import SEED, Ran, _run

ITEM = Item(
    id="q", type="short_answer", question="Where does the sinus node lie?", answer="In the wall of the right atrium, near the opening of the superior vena cava."
)  # fmt: skip
PARAPHRASE = "High up within the muscle of the upper right chamber, beside the mouth of that great vein which drains head and arms."
OPTIONS = replace(TextbookOptions(resamples=100), prompts=load_prompts(PROTOCOL.folder))


class Judge:
    """Says one label, or fails."""

    id, pin = "test/judge", "1"

    def __init__(self, label: str | None) -> None:
        self._label = label

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del request, epoch
        if self._label is None:
            raise ModelError("the judge is gone")
        return Reply(parts=(Text(text=json.dumps({"rationale": "so", "label": self._label})),), finish="stop")


def judged(text: str, judge: Judge) -> list[Verdict]:
    case = case_of(Task(item=ITEM))
    turn = Turn(index=0, role="assistant", parts=(Text(text=text),), finish="stop")
    response = Response(id="r", case_id=case.id, arm="closed_book", model="m", turns=(turn,), status="done")
    roles = Roles({"judge": judge}, seed=1)

    async def read() -> list[Verdict]:
        held = await claims(case, response, roles, OPTIONS)
        return [one async for one in verdicts(case, response, held, roles, OPTIONS)]

    return asyncio.run(read())


@pytest.mark.parametrize(("label", "value"), [("equivalent", 1.0), ("partial", 0.5), ("wrong", 0.0)])
def test_a_paraphrase_is_worth_what_the_judge_says_and_its_overlap_stands_beside(
    label: str, value: float
) -> None:
    made = judged(PARAPHRASE, Judge(label))
    said = [one for one in made if one.rater.startswith("judge")]
    assert said
    assert all(VALUE[str(one.label)] == value for one in said)
    overlap = next(one for one in made if one.aspect == "overlap")
    assert overlap.evidence[0]["token_f1"] < 0.5
    assert overlap.rater == "rule:overlap-1"


def test_a_judge_that_fails_leaves_the_answer_out_and_gives_no_zero(tmp_path: Path) -> None:
    cases = list(PROTOCOL.cases(None, OPTIONS, SEED))[:6]
    extra = extras({"student"}, lambda: cases, None)  # type: ignore[arg-type]
    made = phantom("phantom/student?closed=0", seed=SEED, extra=extra, known=PHANTOMS)
    ran: Ran = asyncio.run(_run(tmp_path / "run", [made], OPTIONS, cases, ("closed_book",), Roles({"judge": Judge(None)}, seed=SEED)))  # fmt: skip
    rows = [cell for cell in ran.cells if cell.name == "score" and cell.labels != "rule:exact-1"]
    open_ones = [
        cell
        for cell in rows
        if cell.stratum in {"short_answer", "multi_hop", "short_inverse", "multi_hop_inverse"}
    ]
    assert open_ones
    assert all(cell.den == 0 and sum(cell.excluded.values()) == 1 for cell in open_ones)
    assert not [reason for cell in open_ones for reason in cell.excluded if not reason.startswith("error")]
