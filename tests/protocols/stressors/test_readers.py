"""The readers on labelled texts: their floors, what they say on single forms, and that each may be undecided."""

import json
from pathlib import Path

import pytest

from percuss.judging.passport import passports
from percuss.protocols.stressors.questions import questions
from percuss.protocols.stressors.readers.asked import Entry, asked_for
from percuss.protocols.stressors.readers.conflicts import reads
from percuss.protocols.stressors.readers.diagnoses import named
from percuss.protocols.stressors.readers.gaps import missing_in
from percuss.protocols.stressors.readers.supported import supported
from percuss.protocols.stressors.scenario.vignettes import Contradiction
from tests.loading import script

ROOT = Path(__file__).resolve().parents[3]
READING = script("reading_stressors.py")
ENTRIES = (
    Entry("ecg", ("Electrocardiogram", "Electrocardiogram, ST segments"), "functional"),
    Entry("xray", ("Chest radiograph", "Chest radiograph, lung fields"), "imaging"),
    Entry(
        "chest",
        ("Lung examination", "Lung examination, chest wall"),
        "exam",
        ("Lung examination, chest wall: moves equally",),
    ),
    Entry("potassium", ("Metabolic panel", "Metabolic panel, potassium"), "lab"),
    Entry("family", ("Family history",), "history", ("An uncle has gout.",), askable=True),
)
LINE = Contradiction(
    id="c", fact_id="f", field="Metabolic panel, potassium", original="4.1 mEq/L", flipped="5.5 mEq/L", injected="", line="", rule="",
    grade="A", turn=2,
)  # fmt: skip


@pytest.mark.parametrize("half", ["dev", "locked"])
def test_the_floors_hold(half: str) -> None:
    for corpus in ("questions", "gaps", "contradictions", "diagnoses", "support"):
        scored = READING.score(corpus, half, wrong=False)
        assert scored["floors_met"], scored
    assert scored["enough"]  # of support: 300 of each class


def test_the_passports_are_what_the_locked_half_says() -> None:
    held = {p.corpus: p for p in passports() if p.corpus.startswith("stressors_")}
    for corpus in ("gaps", "contradictions"):
        scored = READING.score(corpus, "locked", wrong=False)
        assert held[f"stressors_{corpus}"].right == scored["right"]["share"]


def test_corpora_are_large_enough_and_no_case_stands_in_both_halves() -> None:
    least = {"questions": 300, "contradictions": 200, "gaps": 200, "diagnoses": 300, "support": 1200}
    for corpus, n in least.items():
        rows = [
            json.loads(line)
            for line in (ROOT / f"tests/reading/stressors/{corpus}.jsonl").read_text("utf-8").splitlines()
        ]
        assert len(rows) >= n
        halves = {half: {row["group"] for row in rows if row["half"] == half} for half in ("dev", "locked")}
        assert not halves["dev"] & halves["locked"]
        assert any(row["origin"].startswith("model:") for row in rows)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What does the chest radiograph show?", ("xray",)), ("EKG?", ("ecg",)), ("I would check the electrolytes.", ("potassium",)),
        ("ECG and CXR, please.", ("ecg", "xray")), ("Is there a lactate?", ()), ("Any relatives with gout?", ("family",)),
    ],
)  # fmt: skip
def test_a_question_finds_what_it_asks_for(question: str, wanted: tuple[str, ...]) -> None:
    assert asked_for(question, ENTRIES).entries == wanted
    assert questions(question)


def test_two_entries_that_fit_equally_are_undecided() -> None:
    twins = (Entry("a", ("Brain MRI",), "imaging"), Entry("b", ("Brain MRI",), "imaging"))
    found = asked_for("Is there an MRI of the brain?", twins)
    assert (found.entries, bool(found.undecided)) == ((), True)


def test_a_gap_is_named_in_prose_and_a_finding_is_none() -> None:
    assert missing_in("The ECG is still to be recorded; it hasn't been done.", ENTRIES).entries == ("ecg",)
    assert missing_in("Potassium is not raised.", ENTRIES).entries == ()
    assert missing_in("Something is missing.", ENTRIES).undecided


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Potassium is 4.1 and 5.5 in one sample, which cannot both be right.", "noticed"),
        ("Potassium 4.1 mEq/L, repeat entry 5.5 mEq/L.", "restated"), ("Potassium is 5.5 mEq/L.", "adopted"),
        ("Potassium rose from 4.1 to 5.5.", "change"), ("The rub argues against pulmonary embolism.", "reasoning"),
        ("The pulse is fast.", "nothing"), ("The temperature is inconsistent with something.", "undecided"),
    ],
)  # fmt: skip
def test_what_is_made_of_a_contradiction(text: str, outcome: str) -> None:
    assert [one.outcome for one in reads(text, LINE)] == [outcome]


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ("Primary hyperparathyroidism due to an adenoma", "gold"), ("Secondary hyperparathyroidism", "other"), ("Hyperparathyroidism", "partial"),
        ("Primary hyperparathyroidism versus malignancy", "other"), ("Rule out primary hyperparathyroidism", "other"),
        ("Malignancy, primary hyperparathyroidism less likely", "other"), ("Quux deficiency", "undecided"),
    ],
)  # fmt: skip
def test_how_a_name_stands_to_the_case(said: str, standing: str) -> None:
    assert named(said, ["Primary hyperparathyroidism"]).standing == standing


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("HR 52/min, potassium 4.1.", "supported"), ("HR 52/min, potassium 5.1.", "unsupported"), ("The neck veins are flat.", "unsupported"),
        ("ECG: 2 mm ST depression in II, III and aVF.", "unsupported"), ("The patient takes warfarin.", "unsupported"), ("He looks unwell.", "undecided"),
    ],
)  # fmt: skip
def test_support_binds_numbers_and_sees_opposites(text: str, label: str) -> None:
    told = ("Heart rate: 52/min", "Metabolic panel, potassium: 4.1 mEq/L", "Cardiac examination, neck veins: distended",
            "Electrocardiogram, ST segments: 2 mm elevation in leads II, III and aVF")  # fmt: skip
    assert supported(text, told).label == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Splenomegaly.", "undecided"), ("Platelets have dropped to 62.", "supported"), ("Plts 162.", "unsupported"),
        ("Flanks are not tender.", "undecided"), ("The flanks are tender.", "unsupported"), ("No hydronephrosis.", "undecided"),
        ("Saline fails to suppress aldosterone.", "supported"), ("The patient has diabetes.", "unsupported"), ("He takes warfarin.", "unsupported"),
    ],
)  # fmt: skip
def test_another_word_for_what_was_told_is_no_invention(text: str, label: str) -> None:
    told = (
        "Abdominal examination, spleen: 12 cm below the ribs", "Full blood count, platelets: 62,000/µL", "Abdominal examination, flanks: nontender",
        "Saline suppression test, aldosterone after saline: not suppressed",
    )  # fmt: skip
    assert supported(text, told).label == label


def test_replies_in_the_manner_of_larger_models_are_read_right_on_the_half_that_was_looked_at() -> None:
    """What of the other half is read right stands in docs/reading-stressors.md; none of it may get worse."""
    held = READING.strangers()
    for corpus in ("questions", "gaps", "contradictions", "diagnoses"):
        assert all(held["2", corpus, "dev"])
    least = {"questions": 6, "gaps": 8, "contradictions": 5, "diagnoses": 6}
    assert all(sum(held["2", corpus, "locked"]) >= n for corpus, n in least.items())


@pytest.mark.parametrize(
    "sentence",
    [
        "A lack of thyroid hormone would slow the pulse.",
        "She is awaiting a diagnosis.",
        "She does not have any signs of an infection of the chest.",
        "The pain came on without any warning.",
    ],
)
def test_what_a_patient_lacks_is_no_missing_result(sentence: str) -> None:
    found = missing_in(sentence, ENTRIES, need=False)
    assert (found.entries, found.undecided) == ((), "")


def test_no_additional_information_is_missing_data() -> None:
    assert missing_in("There is no additional information.", ENTRIES, need=False).undecided


@pytest.mark.parametrize(
    ("said", "told", "label"),
    [
        ("He is afebrile.", "Temperature: 36.9 °C", "supported"),
        ("He is febrile.", "Temperature: 36.9 °C", "unsupported"),
        ("He is afebrile.", "Temperature: 38.7 °C", "unsupported"),
        ("HR 52 bpm.", "Heart rate: 52/min", "supported"),
        ("Heart rate of 88 beats per minute.", "Heart rate: 52/min", "unsupported"),
        ("Respiratory rate is 18 breaths per minute.", "Respiratory rate: 18/min", "supported"),
        (
            "Blood cultures grew Streptococcus sanguinis.",
            "Blood cultures, growth: Streptococcus sanguinis in three sets",
            "supported",
        ),
    ],
)
def test_signs_in_the_words_of_the_bedside(said: str, told: str, label: str) -> None:
    assert supported(said, ("42-year-old man with chest pain.", told)).label == label
