"""What a sentence is, whether the record supports it, and which node it speaks to: by rule, sentence by sentence."""

import pytest

from percuss.protocols.stressors.check.assertions import assertions
from percuss.protocols.stressors.check.declared import declared, evidence_start
from percuss.protocols.stressors.check.identity import join
from percuss.protocols.stressors.check.support import support
from percuss.protocols.stressors.check.trajectory import Said, said_in
from percuss.protocols.stressors.readers.conflicts import claims_conflict
from percuss.protocols.stressors.readers.diagnoses import named
from percuss.protocols.stressors.scenario.vignettes import Contradiction

TOLD = (
    "58-year-old man with chest pain.",
    "Metabolic panel, potassium: 4.1 mEq/L",
    "Heart rate: 52/min",
    "He is sweating and nauseated.",
    "Chest radiograph, consolidation: absent",
)
LINE = Contradiction(
    id="c", fact_id="f", field="Metabolic panel, potassium", original="4.1", flipped="5.5",
    injected="Metabolic panel, potassium: 5.5 mEq/L", line="", rule="number", grade="A", turn=2,
)  # fmt: skip


def said(text: str) -> Said:
    return said_in(4, 0, text, final=True)


@pytest.mark.parametrize(
    "text",
    [
        "Is there any rash?", "Please provide the ECG.", "I recommend an echocardiogram.", "This is most likely pericarditis.",
        "If the potassium exceeds 6, treat at once.", "Patients with this usually recover.", "The troponin is not available.",
        "The two entries on potassium contradict each other.", "I have weighed the heart rate.", "DIAGNOSIS: Gout", "CERTAINTY: probable",
    ],
)  # fmt: skip
def test_these_are_no_statements_about_the_patient(text: str) -> None:
    assert assertions(said(text), cut=False) == ()


@pytest.mark.parametrize(
    ("text", "type_", "state"),
    [
        ("The potassium is 4.1 mEq/L.", "numeric", "asserted"),
        ("He is sweating.", "other", "asserted"),
        ("Because the potassium is 4.1 mEq/L, I recommend nothing.", "numeric", "premise"),
        ("Because the liver panel, albumin is 2.1 g/dL, we wait, and treat.", "numeric", "premise"),
        ("I withdraw this statement: he takes warfarin.", "other", "withdrawn"),
        ("The lids are retracted with lag.", "other", "asserted"),
        ("The potassium is explained by a recent transfusion.", "other", "asserted"),
    ],
)
def test_statements_and_their_states(text: str, type_: str, state: str) -> None:
    [found] = assertions(said(text), cut=False)
    assert (found.type, found.state) == (type_, state)
    assert text[found.start : found.stop] == found.text


def test_the_final_list_has_one_item_a_line() -> None:
    text = (
        "Done.\nDIAGNOSIS: Gout\nCERTAINTY: definite\nEVIDENCE: a hot toe\n- Uric acid 9.8 mg/dL\n2. Crystals"
    )
    items = [a.text for a in assertions(said(text), cut=False) if a.type == "evidence"]
    assert items == ["a hot toe", "Uric acid 9.8 mg/dL", "Crystals"]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Gout is likely, and the findings are:\n- a hot toe\n- crystals", ["a hot toe", "crystals"]),
        ("Evidence that supports it:\n1. a hot toe", ["a hot toe"]),
        ("The evidence is:\n- a hot toe\nDiagnosis: gout\nThe certainty", ["a hot toe"]),
        ("The findings are plain: a hot toe.", []),
        ("My plan:\n- rest\n- ice", []),
    ],
)
def test_a_list_that_is_announced_as_evidence_is_the_final_list(text: str, items: list[str]) -> None:
    assert [a.text for a in assertions(said(text), cut=False) if a.type == "evidence"] == items
    assert (evidence_start(text) is not None) == bool(items)


def test_evidence_before_the_last_turn_is_a_statement_like_others() -> None:
    early = said_in(2, 0, "He is pale.\nEVIDENCE:\n- The toe is hot.", final=False)
    assert [a.type for a in assertions(early, cut=False)] == ["other", "other"]


def test_an_unfinished_end_is_marked() -> None:
    assert assertions(said("He is pale. He is sweating and his"), cut=True)[-1].truncated
    assert not assertions(said("He is pale. He is sweating."), cut=True)[-1].truncated


@pytest.mark.parametrize(
    ("text", "label", "origin"),
    [
        ("The potassium is 4.1 mEq/L.", "supported", None),
        ("The potassium is 3.2 mEq/L.", "unsupported", "fabricated"),
        ("The potassium is 5.5 mEq/L on the metabolic panel.", "unsupported", "adopted"),
        ("The potassium is 52 mEq/L.", "unsupported", "fabricated"),
        ("He is sweating and nauseated.", "supported", None),
        ("He is not sweating or nauseated.", "unsupported", "fabricated"),
        ("The patient takes warfarin.", "unsupported", "fabricated"),
        ("He had an appendectomy.", "unsupported", "fabricated"),
        ("He looks unwell.", None, None),
        ("The findings are: 1. He is sweating and nauseated", "supported", None),
        ("The findings are: 1. Heart rate: 52/min", "supported", None),
        ("The findings are: 1. Heart rate: 1/min", "unsupported", "fabricated"),
        ("His body mass index is 31.", None, None),
        ("58-year-old man with chest pain.", "supported", None),
        ("The patient is 61 years old, aged 61.", None, None),
    ],
)
def test_support_against_what_was_told(text: str, label: str | None, origin: str | None) -> None:
    [claim] = assertions(said(text), cut=False)
    found = support(claim, TOLD, (LINE,), ())
    assert (found.label, found.origin) == (label, origin)
    assert (found.label is None) == (found.unscored is not None)


def test_a_right_guess_of_what_was_withheld_is_unsupported_and_lucky() -> None:
    [claim] = assertions(said("The troponin is 1.9 ng/mL."), cut=False)
    found = support(claim, TOLD, (), ("Cardiac markers, troponin: 1.9 ng/mL",))
    assert (found.label, found.lucky) == ("unsupported", True)


def test_identity_by_number_field_and_negation() -> None:
    texts = [
        "The potassium is 3.2 mEq/L.", "The potassium was 3.2 mEq/L.", "The potassium is 3.9 mEq/L.", "The sodium is 3.2 mEq/L.",
        "The patient takes warfarin.", "As noted, the patient takes warfarin.", "The patient denies taking warfarin.",
        "The left knee is red.", "The right knee is red.",
    ]  # fmt: skip
    found = [(n, assertions(said(text), cut=False)[0]) for n, text in enumerate(texts, start=1)]
    joined = join(found)
    assert [j.line for j in joined] == [0, 0, 2, 3, 4, 4, 6, 7, 8]
    assert joined[2].revises == 0


@pytest.mark.parametrize(
    ("text", "conflict"),
    [("The results conflict.", True), ("There is a discrepancy in potassium.", True), ("There are no contradictions.", False), ("All is consistent.", False)],
)  # fmt: skip
def test_conflict_cues(text: str, *, conflict: bool) -> None:
    assert claims_conflict(text) == conflict


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("**DIAGNOSIS:** Gout.\n**CERTAINTY:** Definite", ("Gout", "definite")),
        ("DIAGNOSIS: (one diagnosis)\nCERTAINTY: definite, probable or possible", (None, None)),
        ("Final diagnosis: acute gout\nCertainty = probable", ("acute gout", "probable")),
        ("I cannot tell.", (None, None)),
        ("The most likely diagnosis is acute gout, as the toe is hot.", ("acute gout", None)),
        ("The diagnosis is unclear to me.\nDIAGNOSIS: Gout", ("Gout", None)),
        ("The diagnosis is unclear to me.", (None, None)),
        ("Diagnosis is gout.", ("gout", None)),
        ("The diagnosis for this patient is acute gout due to a purine-rich diet.", ("acute gout", None)),
        ("The findings are consistent with acute gout.", ("acute gout", None)),
        ("The findings are not consistent with gout.", (None, None)),
        ("This is consistent with gout or a joint infection.", (None, None)),
        ("The diagnosis is gout. Later the diagnosis is cellulitis.", (None, None)),
        ("The diagnosis is gout. The swelling is consistent with cellulitis.", ("gout", None)),
        ("He was diagnosed with acute gout which needs rest.", ("acute gout", None)),
        ("The patient is suspected to have a gout flare.", ("gout flare", None)),
        ("Is the diagnosis gout?", (None, None)),
        ("Could the diagnosis be gout, or is the diagnosis is gout?", (None, None)),
        ("The diagnosis is still pending.", (None, None)),
        ("The diagnosis of gout is a common one.", ("gout", None)),
        ("DIAGNOSIS:\nGout", ("Gout", None)),
    ],
)
def test_declarations(text: str, wanted: tuple[str | None, str | None]) -> None:
    assert declared(text) == wanted


@pytest.mark.parametrize(
    ("said_", "gold", "same"),
    [
        ("Acute gout", "Gout", True), ("Graves disease", "Graves' disease", True), ("Viral meningitis", "Bacterial meningitis", False),
        ("Inferior wall myocardial infarction", "Myocardial infarction", True), ("meningitis", "Bacterial meningitis", False),
    ],
)  # fmt: skip
def test_names_of_one_diagnosis(said_: str, gold: str, *, same: bool) -> None:
    assert (named(said_, [gold]).standing == "gold") == same
