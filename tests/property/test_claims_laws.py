"""Laws of claims and evidence: spans hold on any text, nothing crashes, time is linear on hostile text."""

import time
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.evidence import abstention
from percuss.evidence.drugs import drugs
from percuss.evidence.packet import Packet
from percuss.evidence.rules.checker import RULES, check
from percuss.evidence.rules.levels import levels
from percuss.evidence.rules.scope import HYPOTHETICAL
from percuss.text.kinds import ORDER, kinds
from percuss.text.lexicon import ABSENCE, FIELD, HEDGE, SPECIFIC, Gate, enumerated, layer_words
from percuss.text.quantities import quantities, worded
from percuss.text.quotes import locate
from percuss.text.sentences import is_finished, is_heading, split

PIECES = st.sampled_from(
    "Stage III|IHC 3+.|approx.|Pt.|0.683|61%|20–30|tile_183|**|\n- |\n1. |(|)|RNA|not|cannot|pathology|roughly|Dr.|q.d.|e.g.|never-smoker"
    "|Tier 3|Hot|cold|male|tumor|L858R|mutation positive|high|CD8A|PD-L1|two thirds|if|would|no|score|age|year-old|,|;|.| |\t|—|\x00|\x85"
    "|\u2028|μg|≥|<|5 mg|2021-05-14|May|\"|“|”|pack-years|contributed|respectively|and|is|of the|IFN-γ|unavailable|n't||fused".split(
        "|"
    )
)
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(PIECES, max_size=40).map(" ".join),
    st.lists(PIECES, max_size=40).map("".join),
)
PACKETS = (
    Packet.of_layers(
        {
            "pathology": {"tumor": 0.61, "tiles": [{"tile_id": "tile_183", "score": 0.87}]},
            "transcriptomics": {"z_cd8a": -0.6},
            "clinical": {
                "stage": "III",
                "smoking": "never",
                "age_years": 62,
                "pack_years": None,
                "sex": "male",
            },
            "fusion": {"io_tier": "Hot", "io_score": 0.683, "contribution_percent": {"pathology": 60.0}},
        }
    ),
    Packet.of_text("The 54-year-old took lisinopril 10 mg. No rash was seen in May 2021."),
    Packet(),
)


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_spans_are_exact_ordered_and_lose_no_word(text: str) -> None:
    """Every letter stands in exactly one span, list markers and table bars aside."""
    spans = split(text)
    assert all(0 <= start < stop <= len(text) for start, stop in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    for start, stop in spans:
        sentence = text[start:stop]
        assert not sentence[0].isspace()
        assert not sentence[-1].isspace()
        is_heading(sentence)
        is_finished(sentence)
    kept = sum(character.isalpha() for start, stop in spans for character in text[start:stop])
    markers = len(text.splitlines()) * 5  # a marker is at most "(viii)"
    assert kept >= sum(character.isalpha() for character in text) - markers


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_kinds_are_ordered_and_never_empty(text: str) -> None:
    """`other` stands alone."""
    held = kinds(text)
    assert held
    assert list(held) == sorted(held, key=ORDER.index)
    assert held == ("other",) or "other" not in held


@given(TEXTS, st.sampled_from(PACKETS), st.sampled_from([None, (), ("pathology",)]), st.sampled_from(RULES))
@settings(max_examples=600, deadline=None)
def test_a_checker_always_answers_and_its_tokens_hold(
    text: str, packet: Packet, shown: tuple[str, ...] | None, rules: str
) -> None:
    """A label or a reason, never both; tokens are stretches of the claim; the same twice."""
    finding = check(text, packet, layers_shown=shown, rules=rules)
    assert (finding.label is None) != (finding.unscored is None)
    assert all(text[token.start : token.stop] == token.text for token in finding.tokens)
    assert finding.rationale.endswith(".")
    assert check(text, packet, layers_shown=shown, rules=rules) == finding


@given(TEXTS)
@settings(max_examples=500, deadline=None)
def test_a_shut_gate_is_sure(text: str) -> None:
    """The cheap test before a pattern never hides a match."""
    gate = Gate(text)
    matches = {
        "absence": ABSENCE.search(text),
        "hedge": HEDGE.search(text),
        "field": FIELD.search(text),
        "specific": SPECIFIC.search(text),
        "supposed": HYPOTHETICAL.search(text),
        "enumerated": enumerated(text),
        "layer": layer_words(text),
        "worded": worded(text),
        "level": list(levels(text)),
    }
    assert [name for name, found in matches.items() if found and not gate.open(name)] == []
    assert gate.digit or not quantities(text)


HOSTILE = {
    "stops": ".",
    "brackets": "(",
    "abbreviations": "e.g. ",
    "initials": "A. ",
    "digits": "1",
    "thousands": "1,000,",
    "ranges": "1-",
    "decimals": "1.",
    "stage": "stage ",
    "not": "not ",
    "no data": "no a b c d e ",
    "spaces": " ",
    "lines": "\n",
    "bullets": "- ",
    "stars": "*",
    "quotes": '"a b ',
    "percent": "5% ",
    "tumor": "tumor ",
    "commas": "a, ",
    "verbs": "is, no ",
    "gene": "CD8A is ",
    "hedge": "about ",
    "letters": "a",
    "months": "May ",
    "high": "high ",
    "unable": "unable to be ",
    "smoker": "smoker: ",
}


@cache
def _readers() -> dict[str, object]:
    return {
        "split": split,
        "kinds": kinds,
        "abstention": abstention.find,
        "drugs": drugs,
        "strict": lambda text: check(text, PACKETS[0], rules="strict"),
        "extended": lambda text: check(text, PACKETS[0], rules="extended"),
        "text": lambda text: check(text, PACKETS[1]),
        "quote": lambda text: locate(text[:200], text[1:]),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hundred_kilobytes_of_anything_take_seconds_at_most(name: str) -> None:
    """No pattern backtracks without a bound: that would take hours here, a traced reader on a busy machine 4 s.

    The limit is a guard against a hang; how the time grows is measured in benchmarks/rules.py.
    """
    text = HOSTILE[name] * (100_000 // len(HOSTILE[name]))
    for reader, read in _readers().items():
        assert callable(read)
        start = time.process_time()
        read(text)
        assert time.process_time() - start < 90, (name, reader)
