"""Claims that name the fields of a packet: each number is held against the field beside it, and against no other."""

import pytest

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2 import support2
from percuss.evidence.rules.support2.fielded import by_field
from percuss.evidence.rules.support2.named import by_names

TISSUE = Packet.of_layers(
    {
        "pathology": {"tissue_fractions": {"tumor": 0.61, "stroma": 0.24, "necrosis": 0.08}},
        "clinical": {"age_years": 56, "stage": "IIA", "pack_years": None, "tmb_nonsilent_per_mb": 33.1, "tmb_silent_per_mb": 9.893},
        "fusion": {"io_score": 0.683, "io_tier": "Hot", "contribution_percent": {"pathology": 59.7, "clinical": 40.3}},
    }
)  # fmt: skip
WARD = Packet(
    facts=(
        Fact(path="observations.sodium", value=131, unit="mmol/L", date="2025-02-02"),
        Fact(path="observations.nodule_size", value=12, unit="mm"),
        Fact(path="allergies.penicillin.reaction", value="rash"),
    )
)


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Age is 56.", "supported"),
        ("Age: 65", "contradicted"),
        ("TMB silent per Mb is 9.893", "supported"),
        ("tmb_silent_per_mb = 9.9", "supported"),
        ("Stage: IIA", "supported"),
        ("Pack years: 20", "absent"),
        ("Io tier is Warm.", "contradicted"),
        ("Io score is 0.68 and age is 56.", "supported"),
        ("Io score is 0.68 and age is 65.", "partial"),
    ],
)
def test_a_field_and_its_value(claim: str, label: str) -> None:
    found = by_field(claim, TISSUE)
    assert found is not None
    assert found.label == label
    assert support2(claim, TISSUE).label == label


@pytest.mark.parametrize(
    "claim", ["Age is not 56.", "She is well.", "The score of 0.9 was asked for.", "Age is 56 mmHg."]
)
def test_no_field_no_word(claim: str) -> None:
    assert by_field(claim, TISSUE) is None


def test_the_day_of_a_value_counts() -> None:
    assert support2("Sodium is 131 mmol/L (2025-02-02)", WARD).label == "supported"
    assert support2("Sodium is 131 mmol/L (2024-02-02)", WARD).label != "supported"


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("61% tumor, 24% stroma and 8% necrosis", "supported"),
        ("Tumor 24%, stroma 61%", "contradicted"),
        ("Tumor 61%, stroma 42%", "partial"),
        ("Roughly a quarter of the specimen is stroma.", "supported"),
        ("Stroma makes up 30-40% of the tissue.", "contradicted"),
        ("Pathology explains 60% of the score.", "supported"),
        ("Pathology and clinical data contributed 59.7% and 40.3%, respectively.", "supported"),
        ("Clinical data explain 12% of the score.", "contradicted"),
        ("Necrosis was 18%.", "contradicted"),
    ],
)
def test_numbers_go_to_the_names_beside_them(claim: str, label: str) -> None:
    found = by_names(claim, TISSUE)
    assert found is not None
    assert found.label == label


@pytest.mark.parametrize(
    "claim",
    [
        "Necrosis fell to 8%.",
        "No necrosis, 61% tumor.",
        "61% tumor and a mitotic rate of 24%",
        "61% and 24% and necrosis",
    ],
)
def test_what_isnt_sure_is_left_open(claim: str) -> None:
    found = by_names(claim, TISSUE)
    assert found is None or found.label != "supported"


def test_units_of_one_dimension_are_one_value() -> None:
    assert support2("The nodule size is 1.2 cm.", WARD).label == "supported"
    assert support2("The nodule size is 2.1 cm.", WARD).label == "contradicted"


def test_allergies_are_a_list() -> None:
    assert support2("She is allergic to penicillin.", WARD).label == "supported"
    assert support2("She is allergic to latex.", WARD).label == "absent"
