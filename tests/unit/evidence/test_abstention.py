"""Abstention by rule: each of the six forms, and what is none."""

import pytest

from percuss.evidence.abstention import FORMS, find


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("No structured pathology markers were provided.", "denied"),
        ("Readiness cannot be reliably determined.", "unable"),
        ("It was not possible to assign a tier.", "unable"),
        ("RNA evidence: not available", "state"),
        ("Stage: unknown", "state"),
        ("The record lacks any expression data.", "lacking"),
        ("In the absence of clinical information, caution is due.", "lacking"),
        ("I don't have the record.", "person"),
        ("Insufficient evidence.", "thin"),
        ("Tumor is 61%.", None),
        ("The tumor is hot.", None),
        ("", None),
    ],
)
def test_forms(text: str, form: str | None) -> None:
    """The first that stands in the text."""
    found = find(text)
    assert (found.form if found else None) == form


def test_every_form_is_named_in_the_documentation() -> None:
    """The lexicon and grammar are documented where they are defined."""
    from percuss.evidence import abstention

    assert all(f"\n{name} " in (abstention.__doc__ or "") for name in FORMS)
