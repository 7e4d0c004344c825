"""Rules `extended`: where it differs from `strict`, and that it says why."""

import pytest

from percuss.core.errors import UsageError
from percuss.core.labels import Support
from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules import extended, strict
from percuss.evidence.rules.checker import check

PACKET = Packet.of_layers(
    {
        "pathology": {"tumor": 0.61, "stroma": 0.24},
        "transcriptomics": None,
        "clinical": {"stage": "IIIA", "age_years": 62, "smoking": "ever", "pack_years": None},
        "fusion": {"io_tier": "Hot", "io_score": 0.683},
    }
)


def test_a_right_number_on_the_wrong_field_is_unsupported_whatever_else_matches() -> None:
    """Field binding; `strict` matches any number of the packet."""
    claim = "Stage IIIA, age 61, tier Hot"
    assert extended.check(claim, PACKET).label == Support.UNSUPPORTED
    age = next(token for token in extended.check(claim, PACKET).tokens if token.kind == "number")
    assert (age.outcome, age.path, age.value, age.bound) == ("mismatch", "clinical.age_years", 62, True)
    assert strict.check("Stroma 61%", PACKET).label == Support.SUPPORTED
    assert extended.check("Stroma 61%", PACKET).label == Support.UNSUPPORTED


def test_a_hedge_does_not_lower_a_label() -> None:
    """App. S: a reader says supported where `strict` says partial."""
    claim = "Roughly 60% tumor"
    assert strict.check(claim, PACKET).label == Support.PARTIAL
    finding = extended.check(claim, PACKET)
    assert (finding.label, finding.hedged) == (Support.SUPPORTED, True)


def test_a_number_tied_to_nothing_is_partial_beside_what_matches() -> None:
    """Only a mismatch bound to a field outweighs matches."""
    finding = extended.check("A Hot tier with 17 lymphoid aggregates", PACKET)
    assert finding.label == Support.PARTIAL


def test_a_number_on_a_field_that_is_not_recorded_is_unsupported() -> None:
    """The packet has pack-years without a value: nothing supports 40."""
    finding = extended.check("40 pack-years", PACKET)
    assert finding.label == Support.UNSUPPORTED
    assert finding.tokens[0].path == "clinical.pack_years"


def test_a_claim_more_exact_than_the_packet_is_partial() -> None:
    """`ever` doesn't say former or current."""
    assert extended.check("Former smoker", PACKET).tokens[0].outcome == "finer"
    assert extended.check("Former smoker", PACKET).label == Support.PARTIAL


@pytest.mark.parametrize(
    ("claim", "shown", "label"),
    [
        ("Readiness cannot be determined", (), "supported"),
        ("Readiness cannot be determined", None, "supported"),  # RNA is missing: something is not known
        ("The stage is not reported", (), "supported"),
        ("The stage is not reported", ("clinical",), "unsupported"),
        ("Pack-years are not reported", ("clinical",), "supported"),
        ("The microenvironment is favorable", (), "unknown"),
    ],
)
def test_no_token_is_unknown_but_for_abstentions(
    claim: str, shown: tuple[str, ...] | None, label: str
) -> None:
    """An abstention is held against the layers shown."""
    finding = extended.check(claim, PACKET, layers_shown=shown)
    assert finding.label == label, finding.rationale


def test_what_matches_only_a_hidden_layer_is_flagged() -> None:
    """Input of memorisation lift."""
    finding = extended.check("She is 62 years old", PACKET, layers_shown=("pathology",))
    assert (finding.label, finding.matches_unseen) == (Support.SUPPORTED, True)
    assert not extended.check("She is 62 years old", PACKET, layers_shown=("clinical",)).matches_unseen


def test_facts_without_layers_are_hidden_when_nothing_is_shown() -> None:
    """A general case in its ungrounded arm."""
    packet = Packet(facts=(Fact(path="labs.sodium", value=141, unit="mmol/L"),))
    assert check("Sodium 141", packet, layers_shown=(), rules="extended").matches_unseen
    assert not check("Sodium 141", packet, rules="extended").matches_unseen


def test_an_unknown_rule_set_is_a_usage_error() -> None:
    """One sentence, with what may be used."""
    with pytest.raises(UsageError, match="paper, extended"):
        check("x", PACKET, rules="lenient")


def test_a_refusal_is_supported_in_every_form() -> None:
    """A refusal-only phantom has u_b = 0 and supported_rate 1 under `extended`."""
    for claim in (
        "No evidence was provided for this patient.",
        "I cannot assess the immune tier.",
        "Pathology, RNA and clinical data are not available.",
        "Insufficient information to say.",
    ):
        assert extended.check(claim, PACKET, layers_shown=()).label == Support.SUPPORTED, claim


def test_naming_a_layer_that_was_shown_supports_nothing() -> None:
    """Small models write "the clinical context is critical"; `strict` calls it supported, as its definition has it."""
    claim = "The clinical context is a critical factor."
    assert strict.check(claim, PACKET).label == Support.SUPPORTED
    assert extended.check(claim, PACKET).label == Support.UNKNOWN
    assert extended.check(claim, PACKET, layers_shown=()).label == Support.UNSUPPORTED


def test_a_number_that_is_no_stage_is_bound_to_the_stage() -> None:
    """ "A stage of 12" is none of the values a stage can have."""
    finding = extended.check("Pathology shows a cancer with a stage of 12", PACKET)
    assert finding.label == Support.UNSUPPORTED
    assert [token.path for token in finding.tokens if token.kind == "number"] == ["clinical.stage"]
