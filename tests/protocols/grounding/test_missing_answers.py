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


def test_models_are_compared_on_cases_that_the_panel_counts(tmp_path: Path) -> None:
    """Two models of which one refused six of forty in both arms: nothing said that the pair rests on 34 cases."""

    def model(name: str, skipped: bool) -> Scripted:
        def say(request: Request, _epoch: int) -> str:
            case = sum(case_of(request).encode())
            if skipped and case % 7 == 3:
                raise Refused("declined")
            return (
                "The io score is below 400."
                if is_shown(request) and case % 3
                else f"Ferritin stood at {case}.5."
            )

        return Scripted(say, id=f"scripted/{name}")

    made = run(
        tmp_path / "run", (), limit=CASES, options=OPTIONS, extra=(model("a", False), model("b", True))
    )
    n = made.one("hdi_pooled", "scripted/b", ARM, labels=LABELS).clusters
    assert n < CASES
    panel = next(s.record for s in made.sections if s.place == "findings" and s.kind == "panel")
    (line,) = [line for line in panel.lines if line.startswith("Models are compared on")]  # type: ignore[union-attr]
    gone = f"scripted/b with evidence {CASES - n} refused; scripted/b without evidence {CASES - n} refused"
    assert line == (
        f"Models are compared on {n} of {CASES} cases answered and scored on every side (left out: {gone})."
    )
    for name in ("unsupported_rate", "u_all", "unsupported_per_answer", "case_unsupported_rate"):
        assert made.one(name, "scripted/b", ARM, labels=LABELS).clusters == n, (
            "beside u stands what rests on its cases"
        )


def test_what_stands_beside_u_rests_on_complete_pairs(tmp_path: Path) -> None:
    """Refused with evidence where all is wrong without it: u left these cases out without evidence, `u_all` counted them."""

    def say(request: Request, _epoch: int) -> str:
        hard = sum(case_of(request).encode()) % 3 == 0
        if hard and is_shown(request):
            raise Refused("declined")
        return "Ferritin stood at 412." if hard else "The io score is below 400. Ferritin stood at 413."

    made = run(tmp_path / "run", (), limit=CASES, options=OPTIONS, extra=(Scripted(say, id=MODEL),))
    for arm in MAIN:
        u, u_all = (made.one(name, MODEL, arm, labels=LABELS).value for name in ("unsupported_rate", "u_all"))
        assert u == u_all == pytest.approx(0.5)
        assert made.one("unsupported_per_answer", MODEL, arm, labels=LABELS).value == pytest.approx(1)
