"""Fewer than nine answers in ten: a word must hold had the missing ones been the worst, or the best, that was seen in their arm."""

from pathlib import Path

import pytest

from percuss.core.errors import Refused
from percuss.core.messages import Request
from percuss.core.records import Cell
from percuss.measure.tally import Tally, tallies
from percuss.models.scripted import Scripted
from percuss.protocols.grounding.estimate.missing import survives
from percuss.protocols.grounding.estimate.word import CANT_TELL, CORRECTS
from tests.protocols.grounding.runs import MAIN, run
from tests.protocols.grounding.test_phantoms_of_the_instrument import (
    LABELS,
    MODEL,
    OPTIONS,
    case_of,
    is_shown,
)

ARM, BARE = MAIN
CASES = 40


@pytest.mark.parametrize(
    ("wrong_without", "word"),
    [(10, CORRECTS), (3, f"{CANT_TELL}: fewer than 90% of the answers came")],
    ids=["a great effect", "an effect that the missing could undo"],
)
def test_a_word_must_survive_the_answers_that_did_not_come(
    tmp_path: Path, wrong_without: int, word: str
) -> None:
    """With evidence six of forty are refused and one in ten statements of the rest is wrong; the trap was a flat refusal of any word."""
    order: dict[str, int] = {}

    def say(request: Request, _epoch: int) -> str:
        shown, n = is_shown(request), order.setdefault(case_of(request), len(order))
        if shown and n % 7 == 3:
            raise Refused("declined")
        wrong = (10 if n % 10 == 0 else 0) if shown else wrong_without
        return " ".join(
            f"Ferritin stood at {400 + at}.5." if at < wrong else f"The io score is below {400 + at}."
            for at in range(10)
        )

    made = run(tmp_path / "run", (), limit=CASES, options=OPTIONS, extra=(Scripted(say, id=MODEL),))
    assert made.one("answered_share", MODEL, ARM).value == pytest.approx(34 / 40, abs=0.01)
    assert made.one("hdi_pooled", MODEL, ARM, labels=LABELS).value == pytest.approx(
        1 - 0.1 / (wrong_without / 10), abs=0.1
    )
    assert made.one("pattern", MODEL).note == word


def test_missing_answers_take_the_worst_and_the_best_case_of_their_arm() -> None:
    def cell(arm: str, case: int, num: int | None) -> Cell:
        lost = num is None
        return Cell(
            name="unsupported_rate", labels="rule:x", num=num or 0, den=0 if lost else 4, excluded={"refused": 1} if lost else {},
            model="m", arm=arm, case_id=f"c{case}", cluster=f"c{case}", epoch=0, stratum="", scoring="s",
        )  # fmt: skip

    told = {ARM: [0, 2, None, None], BARE: [4, 3, 4, None]}
    (tally,) = tallies([cell(arm, n, num) for arm, row in told.items() for n, num in enumerate(row)]).values()
    seen: list[list[list[float]]] = []

    def holds(t: Tally) -> bool:
        seen.append([column.tolist() for at in MAIN for column in t.columns("m", at)])
        return True

    assert survives(tally, ARM, holds)
    assert seen == [
        [[0, 2, 2, 2], [4, 4, 4, 4], [4, 3, 4, 3], [4, 4, 4, 4]],
        [[0, 2, 0, 0], [4, 4, 4, 4], [4, 3, 4, 4], [4, 4, 4, 4]],
    ]
