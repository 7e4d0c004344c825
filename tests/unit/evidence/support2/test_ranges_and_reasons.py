"""Reference ranges that the record tells, totals per day, times of a course, receptors, reasons, what is active: each with its adversarial twins."""

from typing import Any

import pytest

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2 import support2

WARD: dict[str, Any] = {
    "problems": [{"name": "gout", "status": "resolved"}, {"name": "asthma", "status": "active"}],
    "medications": [
        {"name": "apixaban", "dose": 2.5, "dose_unit": "mg", "frequency": "twice daily", "status": "active"},
        {"name": "aspirin", "dose": "100 mg", "frequency": "once daily", "status": "active"},
        {"name": "ticagrelor", "dose": "90 mg", "frequency": "twice daily", "status": "active"},
        {"name": "ibuprofen", "dose": "400 mg", "status": "stopped", "reason": "acute kidney injury"},
        {"name": "amlodipine", "dose": "5 mg", "frequency": "once daily", "indication": "hypertension"},
    ],
    "labs": [
        {"test": "Potassium", "value": 5.7, "unit": "mmol/L", "date": "2026-02-11", "reference_low": 3.5, "reference_high": 5.8},
        {"test": "Potassium", "value": 4.6, "unit": "mmol/L", "date": "2026-02-14", "reference_low": 3.5, "reference_high": 5.8},
        {"test": "CRP", "result": 12, "unit": "mg/L", "range": "< 5"},
        {"test": "ALT", "value": 160, "unit": "U/L", "uln": 40},
        {"test": "TSH", "value": 6.8, "unit": "mIU/L", "reference_range": "0.4-4.0"},
    ],
    "receptors": {"er_percent": 90, "pr_percent": 5, "her2_ihc": "1+", "her2_ish": "not done"},
    "tumor": {"side": "left"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("CRP is raised.", "supported"),
        ("CRP is within the normal range.", "contradicted"),
        ("CRP is not raised.", "contradicted"),
        ("TSH is high.", "supported"),
        ("TSH isn't elevated.", "contradicted"),
        ("Potassium is elevated.", "contradicted"),  # by the range beside it; by a common one it would be high
        ("Potassium is not elevated.", "supported"),
        ("There is hyperkalaemia.", "contradicted"),
        ("ALT is four times the upper limit of normal.", "supported"),
        ("ALT is more than 3 x ULN.", "supported"),
        ("ALT is twice the upper limit of normal.", "contradicted"),
        ("ALT is more than five times the upper limit of normal.", "contradicted"),
        ("ALT is four times the lower limit of normal.", "undecided"),
        ("His total daily dose of apixaban is 5 mg.", "supported"),
        ("His total daily dose of apixaban is 2.5 mg.", "contradicted"),
        ("Apixaban 2.5 mg BID.", "supported"),
        ("Apixaban 5 mg BID.", "contradicted"),
        ("Potassium fell from 5.7 to 4.6 mmol/L within three days.", "supported"),
        ("Potassium fell from 5.7 to 4.6 over two months.", "contradicted"),
        ("Potassium fell from 5.7 to 4.6 within two days.", "contradicted"),
        ("Potassium fell from 5.7 to 4.6 between January and March.", "undecided"),
        ("Ibuprofen was stopped because of acute kidney injury.", "supported"),
        ("Ibuprofen was stopped because of gout.", "contradicted"),
        ("Amlodipine 5 mg daily for hypertension.", "supported"),
        ("Amlodipine 5 mg daily for gout.", "contradicted"),
        ("Gout is not an active problem at the moment.", "supported"),
        ("Asthma is no longer active.", "contradicted"),
        ("His asthma is an active problem.", "supported"),
        ("Gout is still active.", "contradicted"),
        ("Hypothyroidism is no longer active.", "undecided"),
        ("Hormone receptor-positive, HER2-negative carcinoma of the left breast.", "supported"),
        ("Hormone receptor-positive, HER2-negative carcinoma of the right breast.", "partial"),
        ("ER-positive, HER2-negative breast cancer.", "supported"),
        ("This is a triple-negative breast cancer.", "contradicted"),
        ("The tumour is HER2-positive.", "contradicted"),
        ("PR-low.", "supported"),
        ("HER2 IHC score 3+.", "contradicted"),
        ("He is on dual antiplatelet therapy.", "supported"),
        ("He takes an oral anticoagulant.", "supported"),
    ],
)  # fmt: skip
def test_a_ward_is_read(claim: str, label: str) -> None:
    assert support2(claim, Packet.of_layers(WARD)).label == label


def test_one_antiplatelet_agent_is_no_dual_therapy() -> None:
    one = Packet.of_layers({"medications": [{"name": "aspirin", "dose": "100 mg", "status": "active"}]})
    assert support2("He is on dual antiplatelet therapy.", one).label != "supported"


def test_a_dose_whose_unit_is_the_unit_of_its_fact_is_read_with_it() -> None:
    facts: list[tuple[str, str | float, str]] = [
        ("name", "carvedilol", ""),
        ("dose", 6.25, "mg"),
        ("frequency", "twice daily", ""),
    ]
    packet = Packet(
        facts=tuple(Fact(path=f"medications.0.{name}", value=value, unit=unit) for name, value, unit in facts)
    )
    assert support2("Carvedilol 6.25 mg twice daily.", packet).label == "supported"
    assert support2("Carvedilol 40 mg twice daily.", packet).label == "contradicted"


@pytest.mark.parametrize(
    ("receptors", "claim", "label"),
    [
        ({"er_percent": 0, "pr_percent": 0, "her2_ihc": "0"}, "Triple-negative breast cancer.", "supported"),
        ({"er_percent": 0, "pr_percent": 0, "her2_ihc": "2+"}, "Triple-negative breast cancer.", "undecided"),
        ({"er_percent": 0, "pr_percent": 0, "her2_ihc": "2+", "her2_ish": "not amplified"}, "Triple-negative breast cancer.", "supported"),
        ({"er_percent": 0, "pr_percent": 0, "her2_ihc": "2+", "her2_ish": "amplified"}, "HER2-positive disease.", "supported"),
        ({"er": "positive", "her2": "negative"}, "ER-positive, HER2-positive.", "partial"),
        ({"er_allred": 8}, "The tumour is ER-positive.", "supported"),
        ({"er_percent": None, "pr_percent": None}, "The tumour is ER-positive.", "undecided"),
    ],
)  # fmt: skip
def test_receptors_follow_their_shares_and_scores(receptors: dict[str, Any], claim: str, label: str) -> None:
    assert support2(claim, Packet.of_layers({"receptors": receptors})).label in {
        label,
        "absent" if label == "undecided" else label,
    }


def test_a_range_may_be_given_in_any_of_the_usual_ways() -> None:
    ways: tuple[dict[str, Any], ...] = (
        {"reference_low": 3.5, "reference_high": 5.1}, {"range": "3.5-5.1 mmol/L"}, {"reference": {"low": 3.5, "high": 5.1}},
        {"referenceRange": [{"low": {"value": 3.5}, "high": {"value": 5.1}}]}, {"ref_range": "3.5 – 5.1"},
    )  # fmt: skip
    for way in ways:
        packet = Packet.of_layers({"labs": [{"test": "Potassium", "value": 5.2, "unit": "mmol/L", **way}]})
        found = support2("Potassium is elevated.", packet)
        assert (found.label, found.reason) == ("supported", "by the reference range beside it, high"), way
