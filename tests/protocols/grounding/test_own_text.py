"""Whether a rule is within its floors in one model's own text, by people's labels of this run or by the locked corpus."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from percuss.core.records import Estimate, Verdict
from percuss.engine import estimate
from percuss.judging.passport import read_by_origin
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.estimate.owntext import own_text
from percuss.store import RunStore
from tests.protocols.grounding.runs import Ran
from tests.protocols.grounding.test_withheld import OPTIONS, Real, made

RULE = "rule:support-2"


def rated(model: str, **more: Any) -> Estimate:
    return Estimate(name="unsupported_rate", model=model, arm="x", labels=RULE, value=0.1, n=100, **more)


def errors(model: str, **rates: tuple[float, int]) -> list[Estimate]:
    return [
        Estimate(name=f"own_text_false_{read}", model=model, arm="all arms", labels=RULE, value=value, n=n)
        for read, (value, n) in rates.items()
    ]


@pytest.mark.parametrize(
    ("found", "value", "said"),
    [
        (errors("v/m", unsupported=(0, 40), supported=(0, 20)), 1, "on 60 claims labelled by people in this run"),
        (errors("v/m", unsupported=(0, 39), supported=(0, 20)), None, "59 of its own claims were labelled, 60 are needed"),
        (errors("v/m", unsupported=(0.05, 40), supported=(0, 20)), 0, "5.00% of supported ones read unsupported and 0% of"),
        (errors("v/m", unsupported=(0, 40), supported=(0.05, 20)), 0, "5.00% of unsupported ones read supported on 60 claims"),
        (errors("v/m", unsupported=(0, 80)), 0, "no unsupported one on 80 claims"),
        ([], None, "0 of its own claims were labelled, 60 are needed"),
    ],
    ids=["within", "too few", "accuses", "lets pass", "one class alone", "nothing"],
)  # fmt: skip
def test_people_say_how_a_rule_reads_a_model(found: list[Estimate], value: float | None, said: str) -> None:
    (own,) = own_text([rated("v/m"), *found], "structured")
    assert own.value == value
    assert said in (own.note or own.undefined or "")


def test_the_locked_corpus_says_it_of_a_model_that_wrote_a_part_of_it() -> None:
    held = read_by_origin(RULE, "embedded/Qwen2.5-Coder-1.5B-instruct", layout="structured")
    (own,) = own_text([rated("embedded/qwen2.5-coder-1.5b-instruct")], "structured")
    assert own.n == sum(n for _, n in held.values()) >= 60
    assert own.note.endswith(f"on {own.n} claims of it in the locked corpus")
    assert read_by_origin(RULE, "embedded/qwen2.5-coder", layout="structured") == {}, (
        "another model's name begins so"
    )
    assert not read_by_origin(RULE, "embedded/qwen2.5-coder-1.5b-instruct", layout=""), (
        "evidence of two kinds"
    )


def test_simulated_models_say_what_the_rule_knows() -> None:
    assert not list(own_text([rated("phantom/calibrated", simulated=True)], "structured"))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return made(tmp_path_factory.mktemp("own") / "run", Real("one"), Real("two", 2), limit=12)


def test_a_run_compares_no_models_by_a_rule_that_was_not_held_against_their_text(two: Ran) -> None:
    """The trap: one jury or passport of all texts together let the rule compare any two models."""
    pair = two.one("hdi_pooled_difference", "vendor/one")
    assert pair.value is None
    assert (pair.undefined or "").startswith(
        "not comparable by rules support-2: the rule is not known to read both models alike: 0 of its own claims were labelled"
    )


def test_labels_of_people_on_both_make_them_comparable(two: Ran) -> None:
    with RunStore.open(two.folder, writable=True) as store:
        store.put_human(list(_as_ruled(two, store)))
        again = asyncio.run(estimate(store, PROTOCOL, OPTIONS, scoring=two.scoring, seed=42))
    found = {e.model: e for e in again if e.name == "own_text"}
    assert {e.value for e in found.values()} == {1.0}
    assert "labelled by people in this run" in found["vendor/one"].note
    pair = next(e for e in again if e.name == "hdi_pooled_difference" and e.labels == RULE and not e.stratum)
    assert pair.value is not None


def _as_ruled(ran: Ran, store: RunStore) -> Iterator[Verdict]:
    """People who say what the rule says, and call supported what it left undecided."""
    for assessed in store.view(ran.scoring).assessed():
        for v in assessed.verdicts:
            if v.aspect == "support":
                yield Verdict(
                    subject=v.subject, response_id=v.response_id, aspect="support", rater="human:r", label=v.label or "supported"
                )  # fmt: skip
