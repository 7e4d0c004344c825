"""How much of what a rule flags is wrong at a run's own rates, and that it takes the index away (reading.md, section 2)."""

import pytest

from percuss.core.records import Estimate
from percuss.kit.report.context import Report
from percuss.protocols.grounding.estimate.sections.trust import _flags_wrongly, wrong_flags
from tests.protocols.grounding.runs import MAIN
from tests.unit.kit.views import Held, answer

GROUNDED, UNGROUNDED = MAIN
MODEL, RULE = "vendor/m", "rule:support-2"


def _report(unsupported: float, *, simulated: bool = False) -> Report:
    """A run whose rule decides half of what is said, and calls that share of it unsupported with evidence, half without."""
    found = [
        Estimate(
            name=name, label=name, better="lower", model=MODEL, arm=arm, labels=RULE, value=value, low=value, high=value, n=100,
            primary=(name, arm) == ("unsupported_rate", GROUNDED), baseline=UNGROUNDED if arm == GROUNDED else None, simulated=simulated,
        )
        for arm, rate in ((GROUNDED, unsupported), (UNGROUNDED, 0.5))
        for name, value in (("unsupported_rate", rate), ("decided_share", 0.5))
    ]  # fmt: skip
    return Report(Held([answer(1, GROUNDED), answer(1, UNGROUNDED)]), found, None)


@pytest.mark.parametrize(("unsupported", "withheld"), [(0.02, True), (0.3, False)])
def test_flags_that_are_mostly_wrong_take_the_index_away(unsupported: float, withheld: bool) -> None:
    """The trap: false alarms of .003 look like nothing, and are most of what is flagged where next to nothing is unsupported."""
    said = _flags_wrongly(_report(unsupported))
    assert bool(said) is withheld
    if withheld:
        assert said.startswith(f"of what the rule flags of {MODEL} with evidence, about ")


def test_simulated_models_are_read_by_their_own_sentences() -> None:
    assert not list(wrong_flags(_report(0.02, simulated=True)))
