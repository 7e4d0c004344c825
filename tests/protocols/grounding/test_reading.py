"""What a person reads of a run: arms and label sources in words, one walk over the answers, sentences that are true."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from percuss.api.run.extras import phantom_extras
from percuss.core.sections import Section
from percuss.phantoms import phantom
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.cases import cases
from percuss.protocols.grounding.estimate.memory import against_records, matches
from percuss.protocols.grounding.estimate.names import arm_words
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import ARM_LAYERS, reading
from percuss.store import RunStore
from tests.protocols.grounding.runs import Ran, run


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    folder = tmp_path_factory.mktemp("reading") / "run"
    judge = phantom("phantom/judge?sensitivity=1&specificity=1", seed=1, extra=_rule(tmp_path_factory))
    options = GroundingOptions(resamples=200, no_id=True)
    arms = ("full_multimodal", "no_id", "pathology_only", "ungrounded")
    return run(
        folder, ("calibrated?refuse=1", "confabulator"), limit=8, arms=arms, judge=judge, options=options
    )


def _rule(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return dict(phantom_extras(["phantom/judge"], _empty(tmp_path_factory.mktemp("empty") / "run")))


def _empty(folder: Path) -> RunStore:
    from percuss.store import Identity

    identity = Identity(protocol="grounding", version="1", prompts={}, cases="", n_cases=0, policy={}, seed=1)
    return RunStore.create(folder, identity)


def _section(ran: Ran, title: str) -> Section:
    return next(s for s in ran.sections if s.title == title)


def test_no_judge_is_asked_of_an_honest_no_data(ran: Ran) -> None:
    """An honest "no data" without evidence asserts nothing of the case: no judge is asked, and nothing counts."""
    e = ran.one("unsupported_rate", "phantom/calibrated?refuse=1", "ungrounded", labels="agreement")
    assert (e.value, e.n, e.excluded) == (None, 0, {})


def test_arms_stand_from_no_evidence_to_all_of_it(ran: Ran) -> None:
    rows = _section(ran, "Where did claims leave?").body["rows"]
    seen = list(dict.fromkeys(row["arm"] for row in rows))
    assert seen == [arm_words(a) for a in ("no_id", "ungrounded", "pathology_only", "full_multimodal")]


def test_no_section_names_arms_or_sources_by_their_ids(ran: Ran) -> None:
    shown = [s for s in ran.sections if s.place not in {"read", "how"}]
    said = [text for s in shown for text in (s.title, s.answer, *_said(s.body))]
    for word in ("pathology_only", "no_id", "ungrounded", "rule:", "judge:", "agreement"):
        assert not any(word == text or f"{word}," in text for text in said), word
    assert any("rules support-2" in text for text in said)


def _said(value: Any) -> Iterator[str]:
    """Every text of a record but the keys that name its columns."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from () if key == "key" else _said(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _said(part)


def test_simulated_models_say_so_in_the_first_sentence(ran: Ran) -> None:
    answer = _section(ran, "What did we find?").answer
    assert "(simulated)" in answer.partition(":")[0]
    assert "if all were wrong" not in answer  # the panel says it


def test_every_arm_has_words() -> None:
    assert PROTOCOL.manifest["arm_words"] == {arm: arm_words(arm) for arm in ARM_LAYERS}


def test_every_cell_accounts_for_what_was_posed(ran: Ran) -> None:
    posed: dict[tuple[str, str, str, int], set[float]] = {}
    for cell in ran.cells:
        if cell.name == "unsupported_rate":
            key = (cell.model, cell.arm, cell.case_id, cell.epoch)
            posed.setdefault(key, set()).add(cell.den + sum(cell.excluded.values()))
    assert posed
    assert all(len(counts) == 1 for counts in posed.values())


def test_many_records_are_matched_as_one_by_one(ran: Ran) -> None:
    held = [case for case, _ in zip(cases(None, GroundingOptions(), 42), range(6), strict=False)]
    packets = [reading(case).packet for case in held]
    with RunStore.open(ran.folder) as store:
        answers = [a.claims for a in store.view(ran.scoring).assessed() if a.claims]
    counts, totals = against_records(answers, packets)
    for i, claims in enumerate(answers):
        for j, packet in enumerate(packets):
            assert (counts[i, j], totals[i]) == matches(claims, packet)
    assert np.count_nonzero(counts) > len(answers)


def test_asides_stand_in_one_bracket(ran: Ran) -> None:
    rows = _section(ran, "What did we find?").body["rows"]
    said = [row["words"].get("pattern", "") for row in rows]
    assert not any(") (" in word for word in said)


def test_one_arm_alone_is_read_by_the_judge_too(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Answers made elsewhere often have one arm: nothing is primary then, and the panel once fell back to the rules."""
    judge = phantom("phantom/judge", seed=1, extra=_rule(tmp_path_factory))
    one = run(tmp_path / "run", ("confabulator",), limit=4, arms=("full_multimodal",), judge=judge)
    lines = _section(one, "What did we find?").body["lines"]
    assert any(line.startswith("Labels: judge, where both passes agree") for line in lines)


def test_an_index_that_divides_by_next_to_nothing_says_so(tmp_path: Path) -> None:
    names = ("calibrated", "confabulator")
    held = run(
        tmp_path / "run", names, limit=8, arms=("full_multimodal", "ungrounded"),
        options=GroundingOptions(resamples=200),
    )  # fmt: skip
    lines = next(s for s in held.sections if s.kind == "panel").body["lines"]
    said = [line for line in lines if "too few to divide by" in line]
    hdi = held.one("hdi_pooled", "phantom/calibrated", "full_multimodal")
    without = held.one("unsupported_rate", "phantom/calibrated", "ungrounded")
    assert hdi.low is None
    assert without.value is not None
    found = round(without.value * without.n)
    assert len(said) == 1
    assert said[0].startswith(
        f"HDI of phantom/calibrated (simulated) has no interval: without evidence {found} of its {without.n} claims"
    )


def test_a_judge_that_repeats_itself_is_not_called_reliable(
    ran: Ran, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    title = "Does the judge agree with itself?"
    assert "says nothing of how reliable it is" in _section(ran, title).answer
    erring = phantom("phantom/judge?sensitivity=0.7&specificity=0.7", seed=1, extra=_rule(tmp_path_factory))
    held = run(
        tmp_path / "run", ("confabulator",), limit=8, arms=("full_multimodal", "ungrounded"), judge=erring,
        options=GroundingOptions(resamples=200),
    )  # fmt: skip
    said = _section(held, title).answer
    found = re.fullmatch(
        r"In (\d+) of (\d+) claims rated more than once the passes are word for word the same\.", said
    )
    assert found is not None, said
    assert 0.4 < int(found[1]) / int(found[2]) < 0.75  # two passes that err at .3 agree in 58%
