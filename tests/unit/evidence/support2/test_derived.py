"""True statements that follow from a record: none is to be called unsupported, but for one (definitions, grounding, version 2)."""

from pathlib import Path

from percuss.evidence.rules.support2 import support2
from percuss.evidence.rules.support2.tables import bands, members
from percuss.text.concepts import concepts
from tests.written import written

FILE = Path(__file__).with_name("derived.txt")
ENOUGH = 150
FLAGGED = 1
DECIDED = 0.6
"""Share of the claims that must be read as supported: undecided is honest, but a table that decides nothing is none."""


def test_derived_claims_are_not_flagged() -> None:
    said = [(claim, support2(claim, packet).label) for packet, claim in written(FILE)]
    assert len(said) >= ENOUGH
    flagged = [(claim, label) for claim, label in said if label in {"contradicted", "absent", "partial"}]
    assert len(flagged) <= FLAGGED, flagged
    assert sum(label == "supported" for _, label in said) >= DECIDED * len(said)


def test_the_table_of_derivations_names_known_concepts() -> None:
    named = {name for row in (*bands(), *members()) for name in (*row.gives, *row.excludes)}
    named |= {row.of for row in bands()} | {name for row in members() for name in row.of}
    assert named <= set(concepts())
