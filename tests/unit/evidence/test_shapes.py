"""Records in the shapes that people hold them in: what is recognised, what stays, and that nothing is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import percuss
from percuss.api.one_claim import packet_from
from percuss.core.errors import BadInput
from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2 import support2
from percuss.evidence.shapes import shaped
from percuss.protocols.grounding import cases

HB = ("observations.hb", 7.9, "g/dL")


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ({"labs": [{"test": "Hb", "result": 7.9, "unit": "g/dL"}]}, [HB]),
        ({"Observation": [{"code": {"text": "Hb"}, "valueQuantity": {"value": 7.9, "unit": "g/dL"}}]}, [HB]),
        ({"x": [{"analyte": "Hb", "value": 7.9, "units": "g/dL"}]}, [HB]),
        ({"crp_mg_l": 132}, [("crp", 132, "mg/L")]),
        ({"vitals": {"temp_c": 38.4}}, [("vitals.temperature", 38.4, "Cel")]),
        ({"age_years": 63, "pack_years": 4}, [("age_years", 63, ""), ("pack_years", 4, "")]),
        ({"genes": {"kras": "wild type"}}, [("genes.kras", "negative", "")]),
        ({"genes": {"egfr": "L858R"}}, [("genes.egfr", "EGFR L858R mutation", "")]),
        ({"imaging": [{"finding": "Pneumothorax", "present": False}]}, [("imaging.pneumothorax", "no pneumothorax", "")]),
        (
            {"imaging": [{"finding": "Nodule", "present": True, "size_mm": 7, "location": "left upper lobe"}]},
            [("imaging.nodule", "7 mm nodule in the left upper lobe", "")],
        ),
    ],
)  # fmt: skip
def test_a_shape_is_recognised(evidence: object, expected: list[tuple[str, object, str]]) -> None:
    assert [(f.path, f.value, f.unit) for f in shaped(packet_from(evidence)).packet.facts] == expected


UNITS = {
    "labs": {
        "potassium": {"value": 4.1, "unit": "mmol/L", "date": "2024-03-01"},
        "creatinine": {"value": 0.8, "unit": "mg/dL"},
    }
}


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Potassium is 4.1 mmol/L.", "supported"),
        ("Potassium is 4.1 mg/dL.", "contradicted"),
        ("Creatinine is 71 umol/L.", "supported"),
        ("Creatinine is 0.8 mmol/L.", "contradicted"),
    ],
)
def test_a_run_reads_a_value_beside_its_unit_as_one_claim_alone_is_read(claim: str, label: str) -> None:
    """The trap: cases of one's own kept the unit as a field of its own, and a value in another unit was supported."""
    as_a_case = cases.packet_from(UNITS)
    assert [f.path for f in as_a_case.facts][:2] == [
        "labs.potassium.value",
        "labs.potassium.unit",
    ], "what a model is shown stays"
    assert support2(claim, as_a_case).label == percuss.read(claim, UNITS).label == label


def test_a_value_with_other_parts_beside_it_stays_as_it_is() -> None:
    held = packet_from({"score": {"value": 3, "unit": "points", "by": "nurse"}, "x": {"value": 2, "low": 1}})
    assert shaped(held).packet is held


def test_entries_keep_their_status_dose_and_date() -> None:
    held = packet_from(
        {
            "meds": [
                {
                    "drug": "Ramipril",
                    "dose": "5 mg",
                    "frequency": "once daily",
                    "active": False,
                    "start": "2024-01-02",
                },
                {"drug": "Ramipril", "dose": "10 mg", "status": "active"},
            ]
        }
    )
    facts = {f.path: (f.value, f.date) for f in shaped(held).packet.facts}
    assert facts["medications.ramipril.name"] == ("Ramipril", "2024-01-02")
    assert facts["medications.ramipril.dose"] == ("5 mg once daily", "")
    assert facts["medications.ramipril.status"] == ("stopped", "")
    assert facts["medications.ramipril.1.status"] == ("active", "")


def test_what_decided_is_shown_where_it_stands() -> None:
    found = percuss.read(
        "Haemoglobin is 9.9 g/dL.", {"labs": [{"test": "Hb", "result": 7.9, "unit": "g/dL"}]}
    )
    assert (found.label, found.hangs_on[0].path) == ("contradicted", "labs.0")


def test_a_stopped_drug_is_not_taken_and_a_dose_given_otherwise_is_not_the_same() -> None:
    stopped = {"meds": [{"drug": "Ramipril", "dose": "5 mg", "frequency": "once daily", "status": "stopped"}]}
    assert percuss.read("The patient currently takes ramipril 5 mg daily.", stopped).label == "contradicted"
    assert percuss.read("Ramipril has been stopped.", stopped).label == "supported"
    given_otherwise = percuss.read(
        "She received ceftriaxone 1 g twice daily.", "Ceftriaxone 2 g IV once daily was given."
    )
    assert (given_otherwise.label, given_otherwise.reason) == (
        "undecided",
        "the same per day, given otherwise",
    )


def test_a_bundle_of_two_patients_is_refused_and_one_of_one_is_read() -> None:
    def sodium(patient: str) -> dict[str, object]:
        return {
            "resource": {
                "resourceType": "Observation",
                "code": {"text": "Sodium"},
                "subject": {"reference": f"Patient/{patient}"},
                "valueQuantity": {"value": 121, "unit": "mmol/L"},
            }
        }

    one = {"resourceType": "Bundle", "entry": [sodium("a")]}
    assert percuss.read("Sodium is 121 mmol/L.", one).label == "supported"
    with pytest.raises(BadInput, match="facts of 2 patients; give the resources of one"):
        percuss.read("Sodium is low.", {"resourceType": "Bundle", "entry": [sodium("a"), sodium("b")]})


NAMES = st.sampled_from(
    ["name", "test", "drug", "value", "unit", "note", "status", "0", "1", "labs", "x", "hb_g_dl"]
)
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(0, 300), st.sampled_from(["Hb", "5 mg", "", "stopped"])
)


@given(st.lists(st.tuples(st.lists(NAMES, min_size=1, max_size=4), VALUES), max_size=8))
def test_any_packet_is_taken_and_shaping_twice_changes_nothing(rows: list[tuple[list[str], object]]) -> None:
    facts = {".".join(path): Fact(path=".".join(path), value=value) for path, value in rows}  # type: ignore[arg-type]
    packet = Packet(facts=tuple(facts.values()), texts=("A text.",), layers=("labs",))
    once = shaped(packet).packet
    assert (once.texts, once.layers) == (packet.texts, packet.layers)
    assert bool(once.facts) == bool(packet.facts)
    assert shaped(once).packet == once
