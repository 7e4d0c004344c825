"""What broke the laws of twins and forms once: denied likelihoods, shares by digit, the other sex in a list, sides of a denial, denied ages."""

import pytest

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2 import support2
from percuss.evidence.rules.support2.plainly import written_out

SLIDE = Packet.of_layers(
    {
        "pathology": {"tissue_fractions": {"tumor": 0.61, "stroma": 0.27}},
        "clinical": {"age_years": 69, "sex": "female", "stage": "IA", "smoking": "never"},
        "fusion": {"io_tier": "Cold", "contribution_percent": {"pathology": 38.2, "clinical": 61.8}},
    }
)
CHILD = Packet(
    facts=(
        Fact(path="patient.sex", value="male"),
        Fact(path="patient.birth_year", value=2014),
        Fact(path="observations.crp", value=4, unit="mg/L", date="2024-05-01"),
    )
)


def hands(conclusion: str) -> Packet:
    return Packet.of_layers(
        {
            "patient": {"sex": "female"},
            "reports": {"radiograph": {"name": "Radiograph", "conclusion": conclusion}},
            "conditions": {"arthritis": {"name": "Rheumatoid arthritis"}},
            "medications": {"methotrexate": {"name": "Methotrexate"}},
        }
    )


ONE_SIDE = hands("Erosions of the metacarpophalangeal joints on the right. Left hand without erosions.")
LEFT_ALONE = hands("No pleural effusion on the left.")
NEITHER = hands("No pleural effusion on the left. No pleural effusion on the right.")


@pytest.mark.parametrize(
    "claim",
    [
        "It is not likely that about three fifths of the tissue is tumor.",
        "It is unlikely that about three fifths of the tissue is tumor.",
        "It is doubtful that 61% of the tissue is tumor.",
        "It is false that 61% of the tissue is tumor.",
        "It is unlikely that the tier is cold.",
        "It is not clear that the tier is cold.",
        "It is unlikely that most of the tissue is tumor.",
    ],
)
def test_a_likelihood_that_is_denied_is_no_hedge(claim: str) -> None:
    assert support2(claim, SLIDE).label == "undecided"


def test_an_unlikely_wrong_value_is_no_error() -> None:
    assert support2("It is unlikely that about 90% of the tissue is tumor.", SLIDE).label == "undecided"


def test_a_likelihood_is_read_past() -> None:
    for opener in ("It is likely that", "It is very likely that", "It seems that", "It is noted that"):
        assert support2(f"{opener} about three fifths of the tissue is tumor.", SLIDE).label == "supported"


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("About 3 fifths of the tissue is tumor.", "supported"),
        ("About 3-fifths of the tissue is tumor.", "supported"),
        ("2 thirds of the tissue is tumor.", "supported"),
        ("1 fifth of the tissue is tumor.", "contradicted"),
        ("The clinical layer accounts for 3 fifths of the score.", "supported"),
        ("The clinical layer accounts for 3 quarters of the score.", "contradicted"),
    ],
)
def test_a_share_by_digit_is_read_as_in_words(claim: str, label: str) -> None:
    assert support2(claim, SLIDE).label == label


def test_an_ordinal_beside_a_number_is_no_share() -> None:
    for said in ("Lesion 1 third segment", "in week 2 third dose", "1.5 quarters", "4/5 fifths"):
        assert written_out(said) == said


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Cold tumour, stage IA, woman of 69.", "supported"),
        ("Cold tumour, stage IA, man of 69.", "partial"),
        ("Cold tumour, stage IA, a gentleman aged 69.", "partial"),
        ("Stage IA cancer, man in his sixties.", "partial"),
        ("The patient is 45 years old, female.", "partial"),
        ("45 years old, female.", "partial"),
        ("Age 45, female.", "partial"),
        ("Stage IA, age 45, female.", "partial"),
        ("A 45-year-old woman with stage IA disease.", "contradicted"),
    ],
)
def test_the_sex_is_a_statement_of_its_own(claim: str, label: str) -> None:
    assert support2(claim, SLIDE).label == label


@pytest.mark.parametrize(
    ("claim", "packet", "label"),
    [
        ("There are not erosions in the right hand.", ONE_SIDE, "undecided"),
        ("There are no erosions in the left hand.", ONE_SIDE, "supported"),
        ("There are no erosions.", ONE_SIDE, "contradicted"),
        ("There is no pleural effusion.", LEFT_ALONE, "undecided"),
        ("No right pleural effusion.", LEFT_ALONE, "undecided"),
        ("No left pleural effusion.", LEFT_ALONE, "supported"),
        ("There is no pleural effusion.", NEITHER, "supported"),
        ("No right pleural effusion.", NEITHER, "supported"),
    ],
)
def test_what_is_denied_of_one_side_is_open_of_the_other(claim: str, packet: Packet, label: str) -> None:
    assert support2(claim, packet).label == label


@pytest.mark.parametrize("claim", ["He is not about ten years old.", "He isn't ten years old."])
def test_a_denied_age_is_no_age(claim: str) -> None:
    assert support2("He is about ten years old.", CHILD).label == "supported"
    assert support2(claim, CHILD).label == "undecided"
