"""Dated series, days without a year, numbers without a unit and totals: what may be called right or wrong, and what is left open."""

import pytest

import percuss

SERIES = {
    "labs": [
        {"test": test, "result": result, "unit": unit, "date": date}
        for test, result, unit, date in (
            ("Platelets", 88, "10^9/L", "2025-03-08"), ("Platelets", 212, "10^9/L", "2025-03-01"),
            ("Sodium", 128, "mmol/L", "2025-03-01"), ("Sodium", 136, "mmol/L", "2025-03-08"),
            ("Creatinine", 98, "umol/L", "2025-03-01"), ("Creatinine", 141, "umol/L", "2025-03-04"), ("Creatinine", 117, "umol/L", "2025-03-08"),
        )
    ]
}  # fmt: skip
VALUES = {
    "vitals": {"temperature": {"value": 38.9, "unit": "degC"}},
    "labs": {"hemoglobin": {"value": 11.2, "unit": "g/dL"}, "glucose": {"value": 252, "unit": "mg/dL"}},
}


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Platelets fell from 212 to 88.", "supported"),
        ("Platelets fell by 124.", "supported"),
        ("Platelets rose by 124.", "contradicted"),
        ("Platelets fell from 88 to 212.", "contradicted"),
        ("Platelets fell to 212.", "undecided"),
        ("Sodium has risen to 136 mmol/L.", "supported"),
        ("Sodium has risen to 128.", "undecided"),
        ("Sodium has fallen to 128 mmol/L.", "contradicted"),
        ("Creatinine is rising.", "undecided"),
        ("Creatinine on 4 March was 141 umol/L.", "supported"),
        ("Creatinine on 8 March was 141 umol/L.", "contradicted"),
    ],
)
def test_a_series_is_read_by_its_dates(claim: str, label: str) -> None:
    assert percuss.read(claim, SERIES).label == label


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("His temperature is 102 F.", "supported"),
        ("Temp 38.9 C", "supported"),
        ("His temperature is 99.1 F.", "contradicted"),
        ("He has a temperature of 36.9 C.", "contradicted"),
        ("Haemoglobin was 112.", "undecided"),
        ("Hb 112", "undecided"),
        ("Haemoglobin was 92.", "contradicted"),
        ("Glucose is 14.0", "undecided"),
        ("Glucose is 19.", "contradicted"),
    ],
)
def test_a_number_without_its_unit_may_be_of_another_one(claim: str, label: str) -> None:
    assert percuss.read(claim, VALUES).label == label


def test_a_total_is_not_held_against_its_parts() -> None:
    told = "Treated with IV amoxicillin for 3 days, then oral for 4 days."
    assert percuss.read("Amoxicillin was given for 7 days in all.", told).label == "undecided"
    assert percuss.read("Amoxicillin was given for 12 days.", told).label == "contradicted"
