"""What is seeded beside templates: facts in a model's own sentences, and mutants of claims in their arm's own proportions."""

from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest

from percuss.core.records import Case
from percuss.evidence.packet import Fact, Packet
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.certificate.mutants import Held, changed, quotas
from percuss.protocols.grounding.certificate.seeding import _Pool
from percuss.protocols.grounding.certificate.verbal import Told, accepted, refusal, twin
from percuss.protocols.grounding.record import Grounding
from percuss.store import RunStore
from tests.protocols.grounding.runs import SEED, run

GOOD = (
    ("The patient's potassium is 4.1 mmol/L.", "potassium", "4.1 mmol/L"),
    ("Potassium was measured at 4.1 mmol/L in the patient.", "potassium", "4.1 mmol/L"),
    ("The stage is IIA.", "stage", "IIA"),
    ("The z cd8a value of the patient is -0.3.", "z cd8a", "-0.3"),
)
REFUSED = (
    ("Potassium is 4.1.", "potassium", "4.1 mmol/L", "the value is not in it as given"),
    ("Potassium is 4.12 mmol/L.", "potassium", "4.1 mmol/L", "the value is not in it as given"),
    ("Potassium is 14.1 mmol/L.", "potassium", "4.1 mmol/L", "the value is not in it as given"),
    ("The value is 4.1 mmol/L.", "potassium", "4.1 mmol/L", "the attribute is not in it as given"),
    ("Potassium is 4.1 mmol/L on day 3.", "potassium", "4.1 mmol/L", "another number"),
    ("Potassium is 4.1 mmol/L on day three.", "potassium", "4.1 mmol/L", "another number"),
    ("Potassium is not 4.1 mmol/L.", "potassium", "4.1 mmol/L", "it denies or bounds"),
    ("Potassium is below 4.1 mmol/L.", "potassium", "4.1 mmol/L", "it denies or bounds"),
    ("Potassium is probably 4.1 mmol/L.", "potassium", "4.1 mmol/L", "it is not said as certain"),
    ("Is potassium 4.1 mmol/L?", "potassium", "4.1 mmol/L", "it is not said as certain"),
    ("Potassium is 4.1 mmol/L, a sign of renal failure.", "potassium", "4.1 mmol/L", "it says more than the fact"),
    ("A normal potassium of 4.1 mmol/L.", "potassium", "4.1 mmol/L", "it says more than the fact"),
    ("The stage is IIIA.", "stage", "IIA", "the value is not in it as given"),
)  # fmt: skip


@pytest.mark.parametrize(("sentence", "attribute", "value"), GOOD)
def test_a_sentence_that_says_the_fact_by_its_letters_may_be_seeded(
    sentence: str, attribute: str, value: str
) -> None:
    assert refusal(sentence, attribute, value) == ""
    assert accepted(f' "{sentence}" It is one sentence too many. ', attribute, value) == (sentence, "")


@pytest.mark.parametrize(("sentence", "attribute", "value", "why"), REFUSED)
def test_a_sentence_whose_truth_its_letters_do_not_show_is_refused(
    sentence: str, attribute: str, value: str, why: str
) -> None:
    assert accepted(sentence, attribute, value) == ("", why)


def test_the_error_twin_is_the_same_sentence_with_another_cases_value() -> None:
    fact = Fact(path="labs.potassium", value=4.1, unit="mmol/L")
    told = Told(fact, "potassium", "Potassium was 4.1 mmol/L at visit.", "")
    assert twin(told, 5.6) == "Potassium was 5.6 mmol/L at visit."


def _cohort() -> list[Case]:
    """Three patients with one value each of every attribute."""
    found = []
    for name, age, stage in (("a", 61, "IIA"), ("b", 48, "IV"), ("c", 72, "IB")):
        packet = Packet.of_layers({"clinical": {"age_years": age, "stage": stage}})
        found.append(
            Case(
                id=name, cluster=name, payload=msgspec.to_builtins(Grounding(packet=packet, question="Who?"))
            )
        )
    return found


def test_a_verbalised_fact_makes_a_true_statement_and_an_error_and_a_refused_one_neither() -> None:
    fact = Fact(path="clinical.age_years", value=61)
    refused = Told(Fact(path="clinical.stage", value="IIA"), "stage", "", "another number")
    told = [Told(fact, "age years", "The age years of the patient is 61.", ""), refused]
    pool, rng = _Pool(_cohort(), {"a": told}), np.random.default_rng(1)
    case = _cohort()[0]
    true = [one for one in pool.true(case, rng) if one.source == "model"]
    wrong = [one for one in pool.errors(case, rng) if one.source == "model"]
    assert [one.text for one in true] == ["The age years of the patient is 61."]
    assert [one.text for one in wrong] in (
        [["The age years of the patient is 48."], ["The age years of the patient is 72."]]
    )
    assert not wrong[0].supported
    assert pool.told("a") == (2, 1)
    assert {one.source for one in pool.true(case, rng)[:2]} == {"model", "template"}, "each source in turn"


def test_of_few_seeds_every_class_has_its_share() -> None:
    """The trap: at 119 cases two errors are seeded per answer, and they were always another case's value and a denial."""
    pool = _Pool(_cohort())
    first = Counter(
        seed.of
        for n in range(60)
        for case in _cohort()
        for seed in pool.errors(case, np.random.default_rng(n))[:1]
    )
    assert min(first[name] for name in ("value", "denial", "invention")) >= 20, first


HELD = Held("clinical.age_years 61 meds.drug metformin", [61.0, 0.61], [61.0, 48.0, 72.0])
CLAIMS = (
    ("The patient is 61 years old.", "moved number"),
    ("Creatinine is 1.9 mg/dL.", "moved number"),
    ("A mass lies in the left adrenal gland.", "turned word"),
    ("She takes metformin.", "other drug"),
    ("The nodule measures 14 mm.", "other unit"),
)


@pytest.mark.parametrize(("text", "of"), CLAIMS)
def test_a_mutant_is_wrong_whatever_its_claim_was(text: str, of: str) -> None:
    found = list(changed(text, HELD, "undecided", np.random.default_rng(2)))
    assert of in {one.of for one in found}
    for one in found:
        assert not one.supported
        assert (one.source, one.read) == ("mutant", "undecided")
        assert one.text != text
        assert one.of != "moved number" or "61" not in one.text


OPEN = ("The tumour is malignant.", "Purity is high.", "She takes warfarin.", "It is not in the left lung.")


@pytest.mark.parametrize("text", OPEN)
def test_what_may_be_right_once_changed_makes_no_mutant(text: str) -> None:
    """An unsupported claim turned round may be true: "high" of a low value, "benign"; a drug that isn't recorded under another name."""
    assert list(changed(text, HELD, "unsupported", np.random.default_rng(2))) == []


def test_mutants_keep_the_proportions_of_what_was_read() -> None:
    there = {"supported": 500, "unsupported": 500, "undecided": 500}
    assert quotas({"supported": 70, "unsupported": 10, "undecided": 20}, there, 74) == {
        "supported": 52, "unsupported": 7, "undecided": 15,
    }  # fmt: skip
    few = quotas(
        {"supported": 70, "unsupported": 10, "undecided": 20},
        {"supported": 500, "unsupported": 2, "undecided": 0},
        74,
    )
    assert few == {"supported": 14, "unsupported": 2}, "fewer in all rather than other proportions"


def test_mutants_of_a_run_stand_in_their_claims_places_and_in_its_proportions(tmp_path: Path) -> None:
    made = run(tmp_path / "run", ("confabulator",), limit=20)
    with RunStore.open(tmp_path / "run") as store:
        view = store.view(made.scoring)
        model = view.models[0]
        read = Counter(
            v.label or "undecided"
            for scored in view.assessed(model=model, arm="ungrounded")
            for v in scored.verdicts
            if v.aspect == "support" and not (v.unscored or "").startswith("not_applicable")
        )
        seeds = [
            seed
            for answer in PROTOCOL.seeded(view, [model], SEED)
            if answer.arm == "ungrounded"
            for seed in answer.artifacts["seeds"]
        ]
    mutants = Counter(seed["read"] for seed in seeds if seed["source"] == "mutant")
    errors = [seed for seed in seeds if not seed["supported"]]
    assert 0.2 <= mutants.total() / len(errors) <= 0.4
    for name in mutants:
        assert mutants[name] / mutants.total() == pytest.approx(read[name] / read.total(), abs=0.15), (
            mutants,
            read,
        )
