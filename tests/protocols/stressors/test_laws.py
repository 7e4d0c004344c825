"""Laws of the metrics, for anything that a model may say."""

import asyncio
from collections import defaultdict
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.core.ports import ScoredResponse
from percuss.core.records import Cell, Reply, Request, Text
from percuss.protocols.stressors.estimate.propagation import claim_counts
from percuss.protocols.stressors.labelled import Entry
from percuss.protocols.stressors.options import RATER
from percuss.protocols.stressors.record import reading, scenario_of
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL
from tests.protocols.stressors.direct import assessed, case_of, cells_of
from tests.protocols.stressors.generator import vignette

V = vignette(6)
PIECES = [
    *(f.text.rstrip(".") + "." for f in V.facts),
    "The serum zinc is 47.3 µg/dL.", "As noted, the serum zinc is 47.3 µg/dL.", "Because the serum zinc is 47.3 µg/dL, we wait.",
    "I withdraw this: the serum zinc is 47.3 µg/dL.", "The patient takes warfarin.", "The patient takes digoxin.",
    "Because the patient takes warfarin, we wait.", "The entries on the Quartz marker contradict each other.",
    "The Quartz marker is explained by a recent transfusion.", "The result of the Corvus biopsy is missing.",
    "The Temperature is missing.", "Any family history?", "Any family history?", "What did the Falcon titre show?",
    "Which colour does she like?", "The Quartz marker was positive.", "The Quartz marker was negative.", "Perhaps.",
    "DIAGNOSIS: Verdigris fever", "DIAGNOSIS: Indigo colic", "CERTAINTY: definite", "CERTAINTY: possible", "EVIDENCE:",
]  # fmt: skip


class Saying:
    id, pin = "test/saying", "1"

    def __init__(self, turns: list[list[str]]) -> None:
        self.turns = turns

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        at = sum(m.role == "assistant" for m in request.messages)
        return Reply(parts=(Text(text="\n".join(self.turns[at])),), finish="stop")


TURNS = st.lists(st.lists(st.sampled_from(PIECES), max_size=8), min_size=4, max_size=4)


def posed(turns: list[list[str]], arm: str) -> ScoredResponse:
    found = asyncio.run(assessed(case_of(V), arm, Saying(turns), 5))
    assert found is not None
    return found


def by_name(cells: list[Cell]) -> dict[str, Cell]:
    return {c.name: c for c in cells if c.labels == RATER}


@given(TURNS, st.sampled_from(FACTORIAL))
@settings(max_examples=60, deadline=None)
def test_complements_order_and_accounting(turns: list[list[str]], arm: str) -> None:
    cells = cells_of([posed(turns, arm)], 5)
    held = by_name(cells)
    for cell in cells:
        assert 0 <= cell.num <= cell.den + 1e-9, cell
        if cell.den and not cell.name.endswith("_pooled"):
            assert 0 <= cell.num / cell.den <= 1
    for one, other in (("pir", "rir"), ("cdr", "cir")):
        assert held[one].den == held[other].den
        if held[one].den:
            assert abs(held[one].num + held[other].num - 1) < 1e-9
    if held["ef"].den:
        assert held["ef"].num + held["fcr"].num <= 1 + 1e-9
    assert held["hccr"].num <= held["hpr"].num + 1e-9
    assert held["dhdr_anchored"].num <= held["dhdr"].num + 1e-9
    for name in ("gdr", "cdr", "hpr", "nfr", "ef", "rur", "cfa"):
        assert held[name].den + sum(held[name].excluded.values()) == 1


@given(TURNS)
@settings(max_examples=40, deadline=None)
def test_statements_scored_and_left_out_are_all_statements(turns: list[list[str]]) -> None:
    found = posed(turns, "omission+contradiction+delay")
    cell = by_name(cells_of([found], 5))["unsupported_rate"]
    assert cell.den + sum(cell.excluded.values()) == len(found.claims)
    texts = {t.index: t.text for t in found.response.turns}
    assert all(texts[c.turn][c.start : c.stop] == c.text for c in found.claims)


@given(TURNS, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_permuting_entries_and_renaming_lines_changes_nothing(turns: list[list[str]], rng: object) -> None:
    import msgspec

    from percuss.protocols.stressors.labelled import labels_of

    found = posed(turns, "contradiction")
    held = labels_of(found, "agreement")[RATER]
    scenario = scenario_of(found.case, "contradiction", 5, 2)
    named: dict[str, str] = defaultdict(lambda: f"renamed-{len(named)}")

    def renamed(entry: Entry) -> Entry:
        claim = msgspec.structs.replace(entry.claim, id=named[entry.claim.id])
        return replace(entry, claim=claim, line=named[entry.line])

    shuffled = [renamed(e) for e in held.entries]
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    before = claim_counts(reading(found.case), scenario, held.entries, held.rows)
    after = claim_counts(reading(found.case), scenario, shuffled, held.rows)
    assert {k: (v.num, v.den) for k, v in before.items()} == {k: (v.num, v.den) for k, v in after.items()}


@given(TURNS)
@settings(max_examples=30, deadline=None)
def test_updated_and_stubborn_exclude_each_other_where_the_first_diagnosis_was_wrong(
    turns: list[list[str]],
) -> None:
    found = posed(turns, "delay")
    rows = {
        (r["metric"], r["item"]): r["hit"] for v in found.verdicts for r in v.evidence if v.aspect == "audit"
    }
    for (metric, item), hit in rows.items():
        if metric == "smr" and hit is not None and rows.get(("rur", item)) is not None:
            assert rows["rur", item] + hit <= 1


@given(TURNS)
@settings(max_examples=30, deadline=None)
def test_each_statement_has_one_line_that_begins_at_or_before_it(turns: list[list[str]]) -> None:
    found = posed(turns, "baseline")
    born = {c.id: c for c in found.claims}
    for claim in found.claims:
        birth = born[claim.payload["line"]]
        assert birth.payload["line"] == birth.id
        assert birth.payload["n"] <= claim.payload["n"]
    adopted = [
        v
        for v in found.verdicts
        if v.aspect == "support" and v.evidence and v.evidence[0].get("origin") == "adopted"
    ]
    assert not adopted
