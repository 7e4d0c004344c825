"""Fields held against each other, ages and shares in words, exclusion, allergies, entries, appraisals and topics without a record."""

import pytest

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2 import support2
from percuss.evidence.rules.support2.clauses import main_clause
from percuss.evidence.rules.support2.plainly import in_percent, written_out
from percuss.evidence.rules.support2.unheld import topics, unheld

SLIDE = Packet.of_layers(
    {
        "pathology": {
            "tissue_fractions": {"tumor": 0.55, "stroma": 0.27, "necrosis": 0.0},
            "top_tiles": [{"tile_id": "tile_9", "score": 0.8}, {"tile_id": "tile_4", "score": 0.6}],
        },
        "transcriptomics": {"z_cd274": -0.9, "z_ctla4": -0.4, "z_egfr": 1.2},
        "clinical": {"age": 67, "sex": "female", "stage": "IIB", "smoking": "former", "pack_years": None},
        "fusion": {
            "io_tier": "Warm",
            "io_score": 0.52,
            "modality_contributions": {
                "pathology": {"contribution_percent": 44.0},
                "clinical": {"contribution_percent": 56.0},
            },
        },
    }
)
WARD = Packet.of_layers(
    {
        "patient": {"sex": "male"},
        "conditions": {"gout": {"name": "Gout", "status": "active"}},
        "observations": {"das28_score": [5.3, 2.9], "pregnancy_test": "negative"},
        "medications": {"allopurinol": {"name": "Allopurinol", "status": "active", "dose": "100 mg by mouth once daily"}},
        "allergies": {"penicillin": {"name": "Penicillin", "reaction": "urticaria"}},
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("There is more tumor than stroma.", "supported"),
        ("There is more stroma than tumor.", "contradicted"),
        ("Tumor is about twice the stroma.", "supported"),
        ("Tumor is about five times the stroma.", "contradicted"),
        ("Most of the tissue is tumor.", "supported"),
        ("A minority of the tissue is tumor.", "contradicted"),
        ("There is no necrosis.", "supported"),
        ("There is no stroma.", "contradicted"),
        ("Clinical data are the larger contributor to the score.", "supported"),
        ("Pathology is the larger contributor to the score.", "contradicted"),
        ("Pathology contributed 55% to the score.", "contradicted"),
        ("Checkpoint genes are all below average.", "supported"),
        ("All genes are below average.", "contradicted"),
        ("EGFR is expressed more highly than CTLA4.", "undecided"),
        ("tile_9 scored higher than tile_4.", "supported"),
        ("tile_9 scored 0.6.", "contradicted"),
        ("tile_5 scored 0.6.", "absent"),
        ("The tumour is neither hot nor cold.", "supported"),
        ("The tumour is hot rather than warm.", "contradicted"),
        ("The score does not exceed 0.6.", "supported"),
        ("She is nearly seventy.", "supported"),
        ("She is nearly fifty.", "contradicted"),
        ("67 y/o F, st. II.", "supported"),
        ("The immune tier is Warm, which could be a concern for immunotherapy.", "supported"),
        ("The immune tier is Warm, which means a high tumour burden.", "undecided"),
        ("Stage IIB disease has been ruled out.", "contradicted"),
        ("She works as a welder.", "absent"),
        ("She is at high risk of relapse.", "absent"),
        ("Whether she is at high risk of relapse is not known.", "undecided"),
        ("She has 67 pack-years.", "absent"),
    ],
)
def test_a_claim_of_a_slide(claim: str, label: str) -> None:
    assert support2(claim, SLIDE, "How suited is this patient to immunotherapy?").label == label


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Penicillin gave him hives.", "supported"),
        ("Penicillin gave him anaphylactic shock.", "contradicted"),
        ("Eggs gave him hives.", "absent"),
        ("DAS28 fell by 2.4.", "supported"),
        ("DAS28 rose by 2.4.", "contradicted"),
        ("DAS28 fell by 1.2.", "contradicted"),
        ("Allopurinol 100 mg o.d.", "supported"),
        ("Allopurinol 100 mg b.d.", "contradicted"),
    ],
)
def test_a_claim_of_a_record(claim: str, label: str) -> None:
    assert support2(claim, WARD).label == label


def test_short_forms_are_written_out_and_nothing_else_is() -> None:
    assert written_out("K+ 5.6, RF+.") == "K+ 5.6, RF positive."
    assert written_out("Stage three, only two pack-years") == "stage III, two pack-years"
    assert written_out("She lives in St. Louis.") == "She lives in St. Louis."
    assert in_percent("One of the twelve nodes") == "One of the twelve nodes"


def test_an_appraisal_with_a_level_or_a_number_stays_in_the_claim() -> None:
    assert main_clause("The tier is Warm, which suggests a good response.") == "The tier is Warm."
    assert main_clause("The tier is Warm, which suggests a high risk.") == ""
    assert main_clause("The tier is Warm, which suggests 40% response.") == ""


def test_a_topic_that_a_word_of_the_packet_or_the_question_names_is_not_absent() -> None:
    held = Packet.of_layers({"clinical": {"occupation": "welder"}, "pathology": {"purity_ihc": 0.5}})
    assert unheld("She works as a welder.", SLIDE) == "occupation"
    assert unheld("She works as a welder.", held) == ""
    assert unheld("She works as a welder.", SLIDE, "She works as a welder. What next?") == ""
    assert len({topic.topic for topic, _, _ in topics()}) == len(topics())
