"""Findings stated about what a cover hides, counted by hand: region by region, before the cover and behind it."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from percuss.core.ids import b2
from percuss.core.messages import Text
from percuss.core.ports import Roles, ScoredResponse
from percuss.core.records import Case, Cell, Response, Turn
from percuss.protocols.explanation.armnames import parse_arm
from percuss.protocols.explanation.cases import cases
from percuss.protocols.explanation.check import claims
from percuss.protocols.explanation.check.findings import found_in
from percuss.protocols.explanation.check.withheld import is_withheld_at
from percuss.protocols.explanation.estimate.covered import COVERED, behind, cells_of, covered_share
from percuss.protocols.explanation.estimate.row import Row, answered
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.questions import BY_ID
from percuss.protocols.explanation.record import question_of
from percuss.protocols.explanation.regions import REGIONS

OPTIONS = ExplanationOptions(chests=1)
CASES = {case.payload["question"]: case for case in cases(None, OPTIONS, 42)}
LABELLED = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "reading" / "explanation" / "stated.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def answer(question: str, said: str, arm: str = "vo_bb", **payload: Any) -> ScoredResponse:
    """An answer to a question, with its claims as the check makes them."""
    known = CASES[question]
    case = Case(
        id=known.id, cluster=known.cluster, stratum=known.stratum, payload={**known.payload, **payload}
    )
    text = f"<think>{said}</think><answer>{BY_ID[question].options[0]}</answer>"
    response = Response(
        id=b2(question, arm, said),
        case_id=case.id,
        arm=arm,
        model="m",
        turns=(Turn(index=0, role="assistant", parts=(Text(text=text),)),),
    )
    found = asyncio.run(claims(case, response, Roles({}, seed=1), OPTIONS))
    return ScoredResponse(case=case, response=response, claims=found)


def stated(question: str, said: str, **payload: Any) -> set[tuple[str, str | None]]:
    return set(behind(answer(question, said, **payload)))


# Covers: b05 the right effusion's box alone, b07 the right opacities' (right atelectasis and chest tube lie wholly in it, the nodule's
# box to .91, the right pneumothorax to .45), c02 both opacities' boxes, b14 the tube's box, b12 the left pneumothorax (pacemaker .89).
BY_HAND = [
    ("b05", "There is a right pleural effusion.", {("effusion", "right")}),
    ("b05", "No pleural effusion.", {("effusion", "right")}),
    ("b05", "There is a left pleural effusion.", set()),
    ("b05", "There are bilateral pleural effusions.", {("effusion", "both")}),
    ("b05", "A right pleural effusion. The right pleural effusion is large.", {("effusion", "right")}),
    ("b05", "The right lung shows opacities; there is a pacemaker.", set()),
    ("b07", "There is atelectasis in the right lung.", {("atelectasis", "right")}),
    ("b07", "No atelectasis in the right lung and no pneumothorax on the right.", {("atelectasis", "right")}),
    ("b07", "The left lung shows opacities.", set()),
    ("b07", "A lung nodule is visible.", set()),
    ("b07", "No lung nodule is visible.", {("nodule", None)}),
    ("b13", "A lung nodule is visible.", {("nodule", None)}),
    ("c02", "There is atelectasis.", {("atelectasis", None)}),
    ("b12", "There is a cardiac pacemaker and no left pneumothorax.", {("pacemaker", None), ("pneumothorax", "left")}),
    ("b14", "A central venous catheter is in place; no gastric tube.", {("cvc", None)}),
    ("b05", "The right base is hidden, so a pleural effusion cannot be assessed.", set()),
    ("b05", "The base is covered by a box.", set()),
]  # fmt: skip


@pytest.mark.parametrize(("question", "said", "wanted"), BY_HAND)
def test_what_is_stated_behind_the_cover_of_a_question(question: str, said: str, wanted: set[Any]) -> None:
    assert stated(question, said) == wanted


def test_a_region_of_the_file_and_one_that_does_not_fit() -> None:
    said = "There is a right pleural effusion and atelectasis in the right lung."
    assert stated("b05", said) == {("effusion", "right")}
    low = {**REGIONS, "Atelectasis_Right": (0.06, 0.72, 0.30, 0.90)}
    assert stated("b05", said, regions=low) == {("effusion", "right"), ("atelectasis", "right")}
    assert stated("b05", said, regions=low, unfit=("Atelectasis_Right",)) == {("effusion", "right")}
    assert stated("b13", "A lung nodule is visible.", unfit=("LungNodule_Left",)) == set()


def test_every_finding_of_a_question_lies_behind_its_own_cover() -> None:
    for question in BY_ID.values():
        for name in question.regions:
            assert covered_share([REGIONS[name]], question.boxes()) >= COVERED
    assert covered_share([REGIONS["CentralVenousCatheter"]], BY_ID["b14"].boxes()) == COVERED
    assert covered_share([REGIONS["Pneumothorax_Right"]], BY_ID["b07"].boxes()) == pytest.approx(0.4545, abs=1e-3)  # fmt: skip
    assert covered_share([REGIONS["LungNodule_Left"]], BY_ID["b07"].boxes()) == 0


def counted(item: ScoredResponse, before: ScoredResponse | None) -> Mapping[str, Cell]:
    row = Row(item, parse_arm(item.response.arm), question_of(item.case), "no", answered(item))
    return {cell.name: cell for cell in cells_of(row, before)}


def test_findings_are_counted_beside_those_before_the_cover() -> None:
    behind_it = answer("b07", "No opacities and no atelectasis in the right lung. The left lung is clear.")
    before = answer("b07", "The right lung shows opacities.", arm="none")
    held = counted(behind_it, before)
    assert {name: (cell.num, cell.den) for name, cell in held.items()} == {
        "seen_behind_cover": (2, 1),
        "stated_before_cover": (1, 1),
        "withheld": (0, 1),
        "withheld_before_cover": (0, 1),
    }
    assert counted(before, before) == {}


def test_without_reasoning_or_without_the_answer_before_nothing_is_counted() -> None:
    silent, full = answer("b05", " "), answer("b05", "No pleural effusion.", arm="none")
    for item, before, why in ((silent, full, "not_checkable:no reasoning"), (full, None, "not_checkable:no baseline")):  # fmt: skip
        covered = answer("b05", "No pleural effusion.") if before is None else item
        held = counted(covered, before)
        assert [cell.den for cell in held.values()] == [0, 0, 0, 0]
        assert {reason for cell in held.values() for reason in cell.excluded} == {why}


def test_what_is_withheld_is_not_stated() -> None:
    """Forty labelled sentences; fewer than 50 have no threshold, and each wrong one is named here."""
    wrong = []
    for row in LABELLED:
        hit = next(one.hit for one in found_in(row["text"]) if one.field == row["field"])
        read = "withheld" if is_withheld_at(row["text"], hit.start) else "stated"
        wrong += [] if read == row["label"] else [row["text"]]
    assert wrong == ["Atelectasis on the right is not assessable."]
