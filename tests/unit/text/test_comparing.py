"""A claim against what is known: the same, in conflict, open, or about something else."""

from pathlib import Path

import pytest

from percuss.text.concepts import (
    Field,
    attribute_of,
    read_fields,
    read_statements,
    relation,
    same_concept,
    settle,
)

LABELLED = Path(__file__).parent / "labelled" / "settled.txt"


def rows() -> list[tuple[str, str, str]]:
    found = []
    for line in LABELLED.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            known, _, rest = line.partition(" | ")
            claim, _, label = rest.partition(" =>")
            found.append((known, claim, label.strip()))
    return found


@pytest.mark.parametrize(("known", "claim", "label"), rows(), ids=lambda v: v[:30])
def test_a_claim_is_settled_as_labelled(known: str, claim: str, label: str) -> None:
    facts = read_statements(known)
    said = [each for each in read_statements(claim) if not each.derived and each.kind != "named"]
    assert sorted(settle(each, facts).label for each in said) == sorted(label.split()), said
