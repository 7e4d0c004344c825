"""Values in passages are read in the spelling that a laboratory prints, capital litre or not."""

import pytest

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2 import support2

LAB = "Potassium 4.1 mmol/l. Sodium 140 mmol/L. CRP 12 mg/l, creatinine 88 umol/l."


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("The potassium is 4.1 mmol/l.", "supported"),
        ("The potassium is 4.1 mmol/L.", "supported"),
        ("The potassium is 5.9 mmol/l.", "contradicted"),
        ("The sodium is 140 mmol/l.", "supported"),
        ("The creatinine is 88 µmol/L.", "supported"),
        ("The CRP is 120 mg/l.", "contradicted"),
    ],
)
def test_a_passage_of_values_settles_a_claim_of_one(claim: str, label: str) -> None:
    assert support2(claim, Packet(texts=(LAB,))).label == label
