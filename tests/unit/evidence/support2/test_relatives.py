"""Relatives, variants and bounds of age in lists of entries: read for whose they are, or left open; none was."""

import pytest

from percuss.api.one_claim import packet_from
from percuss.evidence.rules.support2 import support2

RECORD = packet_from(
    {
        "patient": {"age": 61, "sex": "female"},
        "family_history": [
            {"relation": "mother", "condition": "breast cancer", "age_at_diagnosis": 46},
            {"relation": "maternal aunt", "condition": "ovarian cancer"},
            {"relation": "brother", "condition": "none known"},
        ],
        "variants": [
            {"gene": "BRCA1", "variant": "c.68_69delAG", "classification": "pathogenic"},
            {"gene": "TP53", "classification": "no variant detected"},
        ],
    }
)
SUPPORTED = (
    "Her mother had breast cancer at 46.",
    "A maternal aunt had ovarian cancer.",
    "She is over the age of 60.",
)
WRONG = ("Her sister had breast cancer.", "Her mother had ovarian cancer.", "Her aunt had breast cancer.")
OPEN = {
    "The BRCA1 variant is benign.": "it was supported, for the word variant stands there",
    "No TP53 variant was found.": "it was contradicted, for a denial stood on one side",
    "A paternal aunt had ovarian cancer.": "it was supported, for an aunt had it",
    "Two relatives had cancer.": "it was absent, for no entry is just cancer",
    "Her mother developed breast cancer before the age of 50.": "it was contradicted, for 50 is not 46",
    "Her mother developed breast cancer by the age of 50.": "likewise",
}


@pytest.mark.parametrize("claim", SUPPORTED)
def test_a_right_statement_is_supported(claim: str) -> None:
    assert support2(claim, RECORD).label == "supported"


@pytest.mark.parametrize("claim", WRONG)
def test_another_relative_or_condition_is_not(claim: str) -> None:
    assert support2(claim, RECORD).label in {"absent", "contradicted"}


@pytest.mark.parametrize("claim", OPEN)
def test_what_is_not_understood_is_never_turned_round(claim: str) -> None:
    right = claim.startswith(("No TP53", "Two", "Her mother"))
    assert support2(claim, RECORD).label not in ({"absent", "contradicted"} if right else {"supported"}), (
        OPEN[claim]
    )
