"""Plain true and false statements about invented records: none is read the wrong way, and most are decided."""

from collections import Counter
from pathlib import Path

from percuss.evidence.rules.support2 import support2
from tests.written import written

FILE = Path(__file__).with_name("plain.txt")
DECIDED = 0.6
WRONG = {"+": {"contradicted", "absent", "partial"}, "-": {"supported", "given"}}


def test_plain_statements_are_not_read_the_wrong_way() -> None:
    outcomes: Counter[str] = Counter()
    wrong = []
    for packet, line in written(FILE):
        label = support2(line[2:], packet).label
        outcomes[label] += 1
        if label in WRONG[line[0]]:
            wrong.append((line, label))
    assert not wrong
    assert 1 - outcomes["undecided"] / outcomes.total() >= DECIDED
