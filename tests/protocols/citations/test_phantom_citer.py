"""The simulated writer: what is planted is what the protocol measures, within its interval's error."""

import asyncio
from pathlib import Path

import pytest

from percuss.core.errors import UsageError
from percuss.core.messages import Message, Request
from percuss.phantoms import phantom
from percuss.protocols.citations import PROTOCOL
from percuss.protocols.citations.content.rule import check_content
from percuss.protocols.citations.library import bundled
from percuss.protocols.citations.phantom import PHANTOMS
from percuss.protocols.citations.phantom.citer import _plain, changed
from percuss.protocols.citations.planting import PLAN
from percuss.selftest.planted import PlantedRow, planted
from tests.protocols.citations.conversations import run

ARMS = ("closed_book", "grounded")
TOO_FAR = 3.5
"""Standard errors beyond which one of about eighty numbers is not chance (p < .0005 each)."""


def _request(*texts: str) -> Request:
    return Request(
        messages=tuple(Message.of("assistant" if n % 2 else "user", text) for n, text in enumerate(texts))
    )


def test_the_rule_decides_on_what_is_planted_as_planted() -> None:
    facts = [(d, f) for d in bundled().documents if d.status == "current" for f in d.facts if _plain(f)]
    right = [check_content(fact.sentence, held.text).label for held, fact in facts]
    wrong = [check_content(changed(fact), held.text).label for held, fact in facts]
    assert len(facts) > 100
    assert right.count("no") == wrong.count("yes") == 0
    assert right.count("yes") / len(facts) >= 0.98
    assert wrong.count("no") / len(facts) >= 0.96


def test_it_repeats_what_it_reads_and_nothing_that_was_deleted() -> None:
    writer = phantom("phantom/citer?abstain=0&repeat=1&uncited=0", seed=3, known=PHANTOMS)
    first = writer.plan(_request("Why?")).text
    later = writer.plan(_request("Why?", first, "And then?")).text
    said = first.partition(" [1].")[0]
    assert said in later
    assert said not in writer.plan(_request("Why?", first.partition(" [1].")[2], "And then?")).text
    assert writer.plan(_request("Why?")).text == first


def test_shares_beyond_one_are_refused() -> None:
    with pytest.raises(UsageError, match="expected at most 1"):
        phantom("phantom/citer?nonexistent=0.6&wrong_field=0.6", seed=1, known=PHANTOMS)


def test_a_list_plants_a_share_per_turn() -> None:
    listed, spelt = (
        phantom(f"phantom/citer?{text}", seed=1, known=PHANTOMS)
        for text in (
            "wrong_content=0.1,0.2,0.3&nonexistent=0",
            "wrong_content_1=0.1&wrong_content_2=0.2&wrong_content_3=0.3&nonexistent=0",
        )
    )
    assert listed.id == spelt.id
    assert listed.expected(ARMS) == spelt.expected(ARMS)
    assert listed.plan(_request("Why?")) == spelt.plan(_request("Why?"))
    with pytest.raises(UsageError, match="has 2 shares; expected one, or 3, one per turn"):
        phantom("phantom/citer?wrong_content=0.1,0.2", seed=1, known=PHANTOMS)
    with pytest.raises(UsageError, match=r"'0.1,0.2,0.3' is not a share"):
        phantom("phantom/citer?repeat=0.1,0.2,0.3", seed=1, known=PHANTOMS)


def _far(row: PlantedRow) -> float:
    """Return how many standard errors a measurement is away: of its interval, or of its planted share if that is wider."""
    if row.measured is None or row.low is None or row.high is None or not 0 < row.planted < 1:
        return 0.0
    planted_error = (
        1.3 * (row.planted * (1 - row.planted) / max(1, row.n)) ** 0.5
    )  # citations of a conversation go together
    error: float = max((row.high - row.low) / (2 * 1.96), planted_error)
    return abs(row.measured - row.planted) / error


@pytest.mark.slow
def test_every_planted_number_is_measured_within_error() -> None:
    models = [phantom(text, seed=5, known=PHANTOMS) for text in PLAN.models]
    expected = {model.id: model.expected(ARMS) for model in models}
    rows = asyncio.run(
        planted(PROTOCOL, models, expected, seed=5, limit=PLAN.limit, settings=PLAN.settings, arms=PLAN.arms)
    )
    assert {row.estimate for row in rows} >= set(PLAN.estimates)
    assert [row for row in rows if _far(row) > TOO_FAR] == []
    defined = [row for row in rows if row.holds is not None]
    assert sum(bool(row.holds) for row in defined) / len(defined) >= 0.8


@pytest.mark.slow
def test_own_mistakes_raise_the_last_turn_only_where_they_are_read(tmp_path: Path) -> None:
    text = "phantom/citer?abstain=0&nonexistent=0&repeat=1&retracted=0&uncited=0&wrong_content=0&wrong_content_1=0.5&wrong_content_3=0.2&wrong_field=0"
    writer = phantom(text, seed=7, known=PHANTOMS)
    arms = ("closed_book", "history:own", "history:redacted", "history:control")
    ran = run(tmp_path / "run", writer, limit=77, arms=arms, history=True)
    own, last = ran.one("hallucination_pooled", "history:own"), ran.one("hallucination_turn_3")
    assert own.value == last.value
    effect = ran.one("self_conditioning", "history:redacted")
    redacted, control = (
        ran.one("hallucination_pooled", f"history:{arm}").value for arm in ("redacted", "control")
    )
    assert redacted is not None
    assert control is not None
    assert effect.value == pytest.approx(control - redacted)
    assert effect.low is not None
    assert effect.low > 0
