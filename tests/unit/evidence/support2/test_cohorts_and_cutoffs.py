"""Sides of a cohort's mean, cut-offs, genes by kind of change, lung tests, PD-L1, months and occasions: each with its adversarial twins."""

from typing import Any

import pytest

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2 import support2

BOARD: dict[str, Any] = {
    "transcriptomics": {"z_cd8a": 1.93, "z_ifng": 1.2, "z_cxcl9": 1.4, "z_egfr": -0.77, "z_kras": 0.14, "z_lag3": -1.1},
    "clinical": {"sex": "female", "age_years": 71, "tmb_nonsilent_per_mb": 8.37},
    "fusion": {"io_score": 0.688, "io_tier": "Hot", "hot_threshold": 0.6},
    "biomarkers": {"pdl1_tps": 60, "egfr": "wild type", "alk": "negative", "kras": "G12C", "ros1": "pending", "ntrk": "not tested"},
    "lung_function": {"fev1": 1.52, "fvc": 2.6, "fev1_percent_predicted": 68, "dlco_percent_predicted": 54},
    "family_history": {"brother": "lung cancer at 62"},
    "labs": [
        {"name": "TSH", "value": 11.2, "unit": "mIU/L", "reference_range": "0.4-4.0", "date": "2026-03-10"},
        {"name": "TSH", "value": 3.8, "unit": "mIU/L", "reference_range": "0.4-4.0", "date": "2026-09-15"},
    ],
    "glucose": [{"date": "2026-07-01", "value": 1.8, "unit": "mmol/L", "reference_range": ">=2.6"}],
    "treatments": [{"name": "CPAP", "status": "stopped", "start_date": "2026-07-01", "end_date": "2026-07-03"}],
}  # fmt: skip
UNITS = {"pdl1_tps": "%", "fev1": "L", "fvc": "L"}


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("CD8A expression is well above the cohort mean (z = 1.93).", "supported"),
        ("CD8A expression is well above the cohort mean (z = 2.93).", "contradicted"),
        ("CD8A, IFNG and CXCL9 are all well above the cohort mean.", "supported"),
        ("CD8A and EGFR are both above the cohort mean.", "partial"),
        ("EGFR is expressed below the cohort average.", "supported"),
        ("EGFR is expressed above the cohort average.", "contradicted"),
        ("KRAS is well above the cohort mean.", "contradicted"),
        ("LAG3 and EGFR have negative z-scores.", "supported"),
        ("LAG3 and EGFR have positive z-scores.", "contradicted"),
        ("CD4 is above the cohort mean.", "absent"),
        ("Nonsilent TMB is 8.37/Mb, below the usual cut-off of 10.", "supported"),
        ("Nonsilent TMB is 8.37/Mb, above the usual cut-off of 10.", "partial"),
        ("Nonsilent TMB is 12.1/Mb, above the usual cut-off of 10.", "contradicted"),
        ("The IO score of 0.688 exceeds the Hot threshold of 0.6.", "supported"),
        ("The IO score of 0.688 exceeds the Hot threshold of 0.7.", "contradicted"),
        ("The IO score is below the Hot threshold.", "contradicted"),
        ("The IO score clears the Hot threshold by 0.088.", "supported"),
        ("No EGFR mutation was found.", "supported"),
        ("The tumour is ALK-rearranged.", "contradicted"),
        ("No ALK rearrangement was detected.", "supported"),
        ("ROS1 testing came back negative.", "contradicted"),
        ("No NTRK fusion.", "undecided"),
        ("A KRAS fusion was found.", "undecided"),
        ("DLCO is 54% of predicted.", "supported"),
        ("DLCO is 68% of predicted.", "contradicted"),
        ("FEV1 is below 70% of predicted.", "supported"),
        ("The FEV1/FVC ratio is about 0.58.", "supported"),
        ("The FEV1/FVC ratio is 0.72.", "contradicted"),
        ("- **PD-L1 (TPS):** 60%", "supported"),
        ("PD-L1 TPS below 50%.", "contradicted"),
        ("PD-L1 negative.", "contradicted"),
        ("In March the TSH was high.", "supported"),
        ("In September the TSH was high.", "contradicted"),
        ("TSH fell from 11.2 to 3.8 between March and September.", "supported"),
        ("TSH fell from 11.2 to 3.8 between January and March.", "undecided"),
        ("TSH was 11.2 at the latest measurement.", "contradicted"),
        ("TSH was 11.2 at the first measurement.", "supported"),
        ("TSH has returned to the reference range on the latest check.", "supported"),
        ("The glucose was low.", "supported"),
        ("The glucose was normal.", "contradicted"),
    ],
)
def test_a_board_is_read(claim: str, label: str) -> None:
    assert support2(claim, Packet.of_layers(BOARD, units=UNITS)).label == label


@pytest.mark.parametrize(
    "claim",
    ["Her brother had lung cancer at the age of 62.", "CPAP was discontinued on 3 July.", "CD8A is just above the cohort mean of another study."],
)  # fmt: skip
def test_what_another_field_could_seem_to_refute_is_not_contradicted(claim: str) -> None:
    """A relative's age is no patient's; a stopped treatment's start isn't the day on which it was stopped."""
    assert support2(claim, Packet.of_layers(BOARD, units=UNITS)).label in {"supported", "undecided"}
