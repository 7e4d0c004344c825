"""The judge's path end to end: a simulated auditor reads the simulated clinician, with and without planted errors."""

from collections.abc import Mapping

import pytest

from percuss.core.ports import ScoredResponse
from percuss.core.records import Cell
from percuss.phantoms import phantom
from percuss.protocols.stressors.check.audit import LISTS
from percuss.protocols.stressors.estimate.names import BY_RULE
from percuss.protocols.stressors.estimate.rightness import CELLS
from percuss.protocols.stressors.options import RATER, StressorsOptions
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL
from tests.protocols.stressors.direct import cells_of, clinician, trial
from tests.protocols.stressors.generator import vignette

ALL = "omission+contradiction+delay"
MADE = [vignette(number) for number in range(24)]
NAME = "phantom/clinician?fabricate=0.3&wrong=0.6"
AGREEMENT = StressorsOptions()
MAJORITY = StressorsOptions(judge_policy="majority")


def judged(
    auditor: str, arms: tuple[str, ...] = (ALL,), options: StressorsOptions = AGREEMENT, n: int = 24
) -> list[ScoredResponse]:
    judge = phantom(auditor, seed=7)
    return trial(MADE[:n], arms, clinician(NAME, MADE, 3), 3, judge=judge, options=options)


def by_source(cells: list[Cell]) -> dict[tuple[str, str, str], dict[str, Cell]]:
    held: dict[tuple[str, str, str], dict[str, Cell]] = {}
    for cell in cells:
        held.setdefault((cell.name, cell.arm, cell.case_id), {})[cell.labels] = cell
    return held


def counted(cell: Cell) -> tuple[float, float, Mapping[str, int]]:
    """A cell's counts; what neither source decides is one reason here."""
    excluded = {r.replace("judge undecided", "rule undecided"): n for r, n in cell.excluded.items()}
    return cell.num, cell.den, excluded


def dropped(found: list[ScoredResponse]) -> list[int]:
    notes = [v.rationale for a in found for v in a.verdicts if v.aspect == "audit" and v.rater != RATER]
    return [int(note.partition(" ")[0]) if note else 0 for note in notes]


@pytest.mark.slow
def test_a_judge_that_never_errs_counts_what_the_rules_count_in_every_metric_and_arm() -> None:
    held = by_source(cells_of(judged("phantom/auditor", FACTORIAL, n=10), 3))
    compared = 0
    for key, cells in held.items():
        if key[0].removesuffix("_pooled") in BY_RULE or key[0] in CELLS:
            assert "agreement" not in cells
            continue
        assert counted(cells["agreement"]) == counted(cells[RATER]), key
        compared += cells[RATER].den > 0
    assert {key[0] for key, cells in held.items() if "agreement" in cells and cells["agreement"].den} >= set(
        LISTS.values()
    )
    assert compared > 1_000


def test_planted_rates_come_back_through_the_judge() -> None:
    """Within 3.9 standard errors of the planted share, over 24 vignettes; the seed is fixed."""
    cells = cells_of(judged("phantom/auditor"), 3)
    expected = clinician(NAME, MADE, 3).expected([ALL])
    for name in ("gdr", "cdr", "rur", "pcr", "cho", "cfa", "ir", "pir", "cihgr"):
        held = [c.num for c in cells if (c.name, c.labels) == (name, "agreement") and c.den]
        assert abs(sum(held) / len(held) - expected[name, ALL]) <= 3.9 * 0.5 / len(held) ** 0.5, name


def test_items_with_false_quotes_are_dropped_and_counted_and_score_nothing() -> None:
    found = judged("phantom/auditor?misquote=1")
    listed = [
        sum(r["hit"] for r in v.evidence if r["metric"] in {"gdr", "cdr", "pir"})
        for a in judged("phantom/auditor")
        for v in a.verdicts
        if v.aspect == "audit" and v.rater != RATER
    ]
    assert all(n >= items for n, items in zip(dropped(found), listed, strict=True))
    assert sum(dropped(found)) > 200
    for cell in cells_of(found, 3):
        if cell.labels == "agreement" and cell.name in {"gdr", "cdr", "rur", "pir", "cihgr", "cfa"}:
            assert cell.num == 0
        if cell.labels == "agreement" and cell.name == "cho" and cell.den:
            assert cell.num == 1


def test_an_id_that_nobody_knows_is_dropped_counted_and_changes_nothing() -> None:
    right, strange = judged("phantom/auditor"), judged("phantom/auditor?unknown=1")
    assert dropped(strange) == [n + 1 for n in dropped(right)]
    for one, other in zip(cells_of(right, 3), cells_of(strange, 3), strict=True):
        assert counted(one) == counted(other)


@pytest.mark.parametrize(("options", "source"), [(AGREEMENT, "agreement"), (MAJORITY, "majority")])
def test_passes_that_differ_are_a_conflict_and_most_of_three_settle_it(
    options: StressorsOptions, source: str
) -> None:
    cells = cells_of(judged("phantom/auditor?overlook=0.3", options=options), 3, options)
    held = [c for c in cells if (c.name, c.labels) == ("cdr_pooled", source)]
    left = sum(c.excluded.get("conflict", 0) for c in held)
    assert sum(c.den for c in held) + left == len(held)
    assert (left > 0) == (source == "agreement")
