"""Does a reader err alike in both arms, by people's labels of the same claims? Who errs more in one leads nothing."""

import asyncio
from collections.abc import Iterator

import numpy as np
import pytest

from percuss.core.records import Cell, Estimate, Reply, Request, Text, Verdict
from percuss.engine import estimate
from percuss.measure.quantity import Plan
from percuss.measure.tally import tallies
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.estimate.alike import ALIKE, DIFFER, errors_alike
from percuss.store import RunStore
from tests.protocols.grounding.ordinary import case_of, stated
from tests.protocols.grounding.runs import MAIN, Ran
from tests.protocols.grounding.test_withheld import OPTIONS, made

ARM, BARE = MAIN
RULE = "rule:support-2"
PLAN = Plan(seed=1, B=300, method="bca", scoring="s", simulated=frozenset())


def planted(rates: dict[str, float], each: int, cases: int = 80) -> list[Cell]:
    """Claims that people call supported, of which a reader calls a share unsupported."""
    rng = np.random.default_rng(7)
    return [
        Cell(
            name="errors_supported", labels=RULE, model="m", arm=arm, case_id=f"c{n}", cluster=f"c{n}", epoch=0,
            num=int(rng.binomial(each, rate)), den=each, excluded={}, stratum="", scoring="s",
        )
        for arm, rate in rates.items() for n in range(cases)
    ]  # fmt: skip


def apart(cells: list[Cell]) -> Estimate:
    return next(e for e in errors_alike(tallies(cells), PLAN, ARM) if e.name == "errors_apart_supported")


@pytest.mark.parametrize(
    ("rates", "each", "note"),
    [
        ({ARM: 0.04, BARE: 0.04}, 20, ALIKE),
        ({ARM: 0.02, BARE: 0.20}, 5, DIFFER),
        ({ARM: 0.20, BARE: 0.02}, 5, DIFFER),
        ({ARM: 0.20, BARE: 0.22}, 2, "can't tell: the interval reaches 5 points"),
        (
            {ARM: 0.02, BARE: 0.40},
            1,
            "can't tell: people call 80 claims supported without evidence, 100 are needed",
        ),
    ],
    ids=["alike", "more without", "more with", "few", "too few"],
)
def test_planted_errors_differ_between_arms_where_they_do(
    rates: dict[str, float], each: int, note: str
) -> None:
    one = apart(planted(rates, each))
    assert one.note == note
    if note in (ALIKE, DIFFER):
        assert one.low is not None
        assert one.high is not None
        assert one.low < rates[BARE] - rates[ARM] < one.high
    assert bool(one.undefined) == (each == 1)


class Mixed:
    """Says three right and two wrong things of each case, in either arm."""

    id, pin = "vendor/mixed", ""

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        case = case_of(request)
        told = [*stated(case)[:3], *stated(case, wrong=True)[3:5]]
        return Reply(parts=(Text(text=" ".join(told)),), finish="stop")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return made(tmp_path_factory.mktemp("alike") / "run", Mixed(), limit=70)


def _people(ran: Ran, store: RunStore, missed: float) -> Iterator[Verdict]:
    """People who call some of what the rule supports unsupported, without evidence alone: there the rule passes errors."""
    rng = np.random.default_rng(5)
    for assessed in store.view(ran.scoring).assessed():
        for v in assessed.verdicts:
            if v.aspect == "support" and v.rater == RULE and v.label:
                other = assessed.response.arm == BARE and v.label == "supported" and rng.random() < missed
                yield Verdict(
                    subject=v.subject, response_id=v.response_id, aspect="support", rater="human:r",
                    label="unsupported" if other else v.label,
                )  # fmt: skip


def test_a_rule_that_passes_errors_in_one_arm_alone_leads_nothing(mixed: Ran) -> None:
    with RunStore.open(mixed.folder, writable=True) as store:
        store.put_human(list(_people(mixed, store, 0.4)))
        found = asyncio.run(estimate(store, PROTOCOL, OPTIONS, scoring=mixed.scoring, seed=42))
        sections = store.sections(mixed.scoring)
    errs = {e.name: e for e in found if e.labels == RULE and e.name.startswith("errors_apart")}
    assert errs["errors_apart_unsupported"].note == DIFFER, errs
    assert errs["errors_apart_supported"].note == ALIKE
    by_rule = next(e for e in found if e.name == "hdi_pooled" and e.labels == RULE)
    assert by_rule.withheld.startswith(
        "rules support-2 err more in one arm: claims of vendor/mixed that people call unsupported are read otherwise"
    )
    assert "more often without evidence" in by_rule.withheld
    lead = next(e for e in found if e.primary)
    assert lead.labels == "human"
    assert not lead.withheld, "people's own labels are not the rule's"
    table = next(s for s in sections if s.title == "Does the reader err alike in both arms?")
    assert {row["verdict"] for row in table.body["rows"]} == {ALIKE, DIFFER}
