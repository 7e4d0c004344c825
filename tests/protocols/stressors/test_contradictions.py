"""Rule-made contradictions: what is flipped, by which rule and grade, and what is left alone."""

import pytest

from percuss.protocols.stressors.scenario.contradictions import flip, flips
from percuss.protocols.stressors.scenario.vignettes import Fact, Kind


def fact(text: str, kind: Kind = "lab") -> Fact:
    label, _, value = text.partition(": ") if ": " in text else ("", "", "")
    return Fact(id="f", text=text, kind=kind, group="G", label=label, value=value)


@pytest.mark.parametrize(
    ("text", "injected", "rule"),
    [
        ("Nitrite: Positive", "Nitrite: Negative", "key-value token"),
        ("Ferritin: decreased", "Ferritin: elevated", "key-value token"),
        ("A stool culture was negative.", "A stool culture was positive.", "key-value token"),
        ("Sodium: 140 mEq/L", "Sodium: 150 mEq/L", "number across its range"),
        ("Potassium: 6.4 mEq/L", "Potassium: 4.2 mEq/L", "number across its range"),
        ("Haemoglobin: 8.1 g/dL", "Haemoglobin: 14.2 g/dL", "number across its range"),
        ("Temperature: 36.6°C (97.9°F)", "Temperature: 38.8°C (101.8°F)", "number across its range"),
        ("Blood pressure: 124/78 mmHg", "Blood pressure: 182/106 mmHg", "number across its range"),
        ("Blood pressure: 168/99 mmHg", "Blood pressure: 118/74 mmHg", "number across its range"),
        ("She denies any chills.", "She reports chills.", "denial"),
        ("Murmurs: No murmurs", "Murmurs: Murmurs are present.", "absence"),
        ("The left ankle is swollen.", "The right ankle is swollen.", "laterality"),
        ("It began 3 weeks ago.", "It began 3 years ago.", "duration"),
        ("The ulcer is painless.", "The ulcer is painful.", "pain or tenderness"),
    ],
)
def test_grade_a(text: str, injected: str, rule: str) -> None:
    made = flip(fact(text))
    assert made is not None
    assert (made.injected, made.rule, made.grade) == (injected, rule, "A")


@pytest.mark.parametrize(
    ("text", "injected"),
    [
        ("The spleen is palpable.", "The spleen is not palpable."),
        ("Gait: normal", "Gait: documented as abnormal."),
    ],
)
def test_grade_b(text: str, injected: str) -> None:
    made = flip(fact(text, "exam"))
    assert made is not None
    assert (made.injected, made.grade) == (injected, "B")


@pytest.mark.parametrize(
    "text",
    [
        "Normal, no mass",
        "She attended high school.",
        "A high-risk pregnancy was noted in the chart.",
        "A raised border surrounds it.",
        "Social interactions are positive.",
        "Range: 4-6 mg/dL",
        "No significant past illness.",
        "No fever, but chills.",
        "Both sides, left and right, ache.",
    ],
)
def test_no_grade_a_of_compounds_and_idioms(text: str) -> None:
    assert all(made.grade != "A" for made in flips(fact(text, "history")))


@pytest.mark.parametrize(
    "text",
    [
        "The child was delivered at 36 weeks' gestation.",
        "She is 24 weeks pregnant.",
        "The uterus is as large as in a 20-week gestation.",
        "Apgar scores are 7 and 9 at 1 and 5 minutes, respectively.",
        "Apgar scores of 8 at 1 and 9 at 5 minutes.",
        "Her cycles come at regular 28-day intervals.",
        "He sleeps 7 hours at night.",
        "The newborn has had a rash for 2 days.",
        "He lost 9 kg in 4 months.",
        "Headaches come 2 or 3 weeks apart.",
    ],
)
def test_a_time_that_is_no_length_of_an_illness_is_not_multiplied(text: str) -> None:
    assert all(made.rule != "duration" for made in flips(fact(text, "history")))


@pytest.mark.parametrize(
    ("text", "injected"),
    [
        ("The papules have an overlying scale.", "The papules have no overlying scale."),
        ("The lesions have resolved.", "The lesions have not resolved."),
        ("The vessels have increased in size.", "The vessels have not increased in size."),
        ("He has decreased appetite.", "He has no decreased appetite."),
        ("There are slight wheezes in both lungs.", "There are no slight wheezes in both lungs."),
        ("There is a murmur.", "There is no murmur."),
    ],
)
def test_a_negation_is_a_sentence(text: str, injected: str) -> None:
    assert [made.injected for made in flips(fact(text, "exam")) if made.rule == "verb negation"] == [injected]


@pytest.mark.parametrize(
    "text",
    [
        "He also has a cough.",
        "The problem has only been getting worse.",
        "It hurts when the lesion is struck.",
        "Some blisters are annular.",
        "The vessels have recently increased in size.",
        "He was unable to see his sole.",
        "The drug has provided minimal relief.",
        "The father suspects she is ill.",
        "She was well until May.",
        "The history is non-contributory.",
    ],
)
def test_what_has_no_clear_negation_is_left_alone(text: str) -> None:
    assert all(made.rule != "verb negation" for made in flips(fact(text, "history")))


def test_a_number_stays_within_physiological_limits() -> None:
    from percuss.protocols.stressors.scenario.analytes import ANALYTES, analyte_of

    for label, unit, value in (("Potassium", "mEq/L", "4.0"), ("Haemoglobin", "g/dL", "13.0"), ("Sodium", "mEq/L", "139"),
                               ("Leukocytes", "/µL", "7,000"), ("Oxygen saturation", "%", "98")):  # fmt: skip
        row = analyte_of(label, unit)
        made = flip(fact(f"{label}: {value} {unit}"))
        assert row in ANALYTES
        assert row is not None
        assert made is not None
        new = float(made.flipped.replace(",", ""))
        assert row.least <= new <= row.most
        assert not row.low <= new <= row.high
        assert ("." in made.flipped) == ("." in value)
