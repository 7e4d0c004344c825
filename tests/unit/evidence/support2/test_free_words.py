"""Free words about records, more false than true: none is read the wrong way, and what can't be told is left open."""

from collections import Counter
from pathlib import Path

import pytest

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2 import support2
from tests.written import written

FILE = Path(__file__).with_name("free.txt")
DECIDED = 0.75
WRONG = {
    "+": {"contradicted", "absent", "partial"},
    "-": {"supported", "given"},
    "?": {"supported", "given", "contradicted", "partial"},
}
REPORT = "CT: 28 mm mass in the head of the pancreas. No liver metastases."


def test_free_words_are_not_read_the_wrong_way() -> None:
    outcomes: Counter[str] = Counter()
    wrong = []
    for packet, line in written(FILE):
        label = support2(line[2:], packet).label
        if line[0] != "?":
            outcomes[label] += 1
        if label in WRONG[line[0]]:
            wrong.append((line, label))
    assert not wrong
    assert 1 - outcomes["undecided"] / outcomes.total() >= DECIDED


def test_a_mass_in_the_head_of_an_organ_supports_none_in_its_tail() -> None:
    packet = Packet.of_text(REPORT)
    assert support2("A mass in the tail of the pancreas is seen.", packet).label != "supported"


@pytest.mark.parametrize("claim", ["Last year's sodium was 128.", "The sodium was 128 a year ago."])
def test_a_value_without_a_day_is_of_no_time_told_from_today(claim: str) -> None:
    packet = Packet.of_layers({"labs": {"sodium": 128}}, units={"sodium": "mmol/L"})
    assert support2(claim, packet).label == "undecided"


def test_the_fact_that_decided_is_named_by_its_place_in_the_evidence() -> None:
    packet = Packet.of_layers(
        {"imaging": [{"findings": [{"finding": "renal cyst", "side": "left", "present": True}]}]}
    )
    read = support2("There is a cyst in the right kidney.", packet)
    assert read.label == "contradicted"
    assert read.hangs_on[0].path.startswith("imaging.0.findings.0")
