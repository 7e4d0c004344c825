"""Rules for plain text: what they decide, and what they leave to a judge."""

import pytest

from percuss.evidence.packet import Packet
from percuss.evidence.rules.checker import check

PACKET = Packet.of_text(
    "The 54-year-old patient took lisinopril 10 mg daily until May 2021. Potassium was 5.9 mmol/L on 2021-05-14 and 4.1 mmol/L a week later.",
    "No rash was seen.",
)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("The patient took lisinopril 10 mg daily until May 2021.", "supported"),
        ("The patient took lisinopril 0.01 g daily until May 2021.", "supported"),
        ("The patient took lisinopril 20 mg daily.", "unsupported"),
        ("The patient took enalapril 10 mg daily.", "unsupported"),
        ("Potassium was 5.9 mmol/L on May 14, 2021", "supported"),
        ("Potassium was 5.9 mmol/L on May 15, 2021", "unsupported"),
        ('The note says "took lisinopril 10 mg dayly".', "supported"),
        ('The note says "never took any medicine".', "unsupported"),
        ("The patient feels better.", "not_checkable:rule undecided"),
        ("A rash was seen.", "not_checkable:rule undecided"),
        ("Lisinopril was the cause.", "not_checkable:rule undecided"),
    ],
)
def test_text_rules(claim: str, said: str) -> None:
    """Numbers, dates, units, drugs and quotes by rule; the rest is undecided, with that reason."""
    finding = check(claim, PACKET)
    assert (finding.label or finding.unscored) == said, finding.rationale


def test_a_quote_carries_its_place() -> None:
    """Offsets into the text it was found in."""
    finding = check('It says "no rash was seen".', PACKET)
    assert finding.tokens[0].path == "texts.1:0-16"


def test_without_the_texts_a_refusal_is_right_and_a_match_is_unseen() -> None:
    """The ungrounded arm of a text case."""
    assert check("The record was not provided.", PACKET, layers_shown=()).label == "supported"
    guess = check("The patient took lisinopril 10 mg daily until May 2021.", PACKET, layers_shown=())
    assert guess.matches_unseen


def test_strict_lowers_a_hedged_claim_of_texts_too() -> None:
    """One rule of both evidence kinds."""
    claim = "The patient took about 10 mg lisinopril daily until May 2021."
    assert check(claim, PACKET, rules="strict").label == "partial"
    assert check(claim, PACKET, rules="extended").label == "supported"
