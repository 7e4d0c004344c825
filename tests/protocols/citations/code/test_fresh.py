"""Snippets that were labelled before the checker saw them (`fresh.py`): what is flagged is wrong, and what can be checked is found."""

from pathlib import Path

import msgspec
import pytest

from percuss.protocols.citations.code import Finding, IndexAnswer, StoredIndex, check_answer
from percuss.protocols.citations.code.index import Ecosystem
from tests.loading import loaded

FRESH = loaded(Path(__file__).with_name("fresh.py"))
DATE = "2026-01-15"
ABSENT: tuple[tuple[Ecosystem, str], ...] = (
    ("pypi", "medlinepy"), ("pypi", "vitalparse"), ("cran", "clinicalsurvivalkit"), ("bioconductor", "clinicalsurvivalkit"),
    ("maven", "org.medstat:spark-survival"), ("hex", "fhir_magic"),
)  # fmt: skip
PRESENT: tuple[tuple[Ecosystem, str], ...] = (
    ("cran", "dplyr"), ("cran", "survminer"), ("maven", "org.apache.spark:spark-sql"), ("hex", "jason"), ("hex", "explorer"),
)  # fmt: skip
INDEX = StoredIndex(
    msgspec.convert({"ecosystem": ecosystem, "name": name, "exists": exists, "date": DATE}, IndexAnswer)
    for names, exists in ((ABSENT, False), (PRESENT, True))
    for ecosystem, name in names
)
# Labelled as missing, and left alone: what was there in an earlier version, and names of a module with a __getattr__.
LEFT = {"append", "plot_roc_curve", "MedicalImputer"}


def flagged(code: str, language: str) -> list[Finding]:
    """Return what is called nonexistent in a snippet."""
    reading = check_answer(f"```{language}\n{code}\n```", index=INDEX)
    return [finding for finding in reading.findings if finding.status == "nonexistent"]


@pytest.mark.slow
def test_what_is_flagged_is_wrong_and_what_can_be_checked_is_found() -> None:
    assert len(FRESH.SNIPPETS) == 40
    found, missed, false = 0, set(), []
    for snippet in FRESH.SNIPPETS:
        named = flagged(snippet.code, snippet.language)
        right = [
            each
            for each in named
            if snippet.label == "nonexistent" and snippet.item in each.name + each.reason
        ]
        false += [each.name for each in named if each not in right]
        if snippet.label == "nonexistent":
            found += bool(right)
            missed |= set() if right else {snippet.item}
    print(f"fresh snippets: {found} of {found + len(missed)} found, {len(false)} false")
    assert not false
    assert missed == LEFT
