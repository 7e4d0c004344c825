"""Phantoms through the whole protocol: planted rates come back, patterns are named, nothing is lost."""

import json
import math
from collections import Counter
from pathlib import Path

import pytest

from percuss.core.sections import PLACES, Chart, Panel, Section, Viewer
from percuss.phantoms import phantom
from percuss.protocols.grounding.estimate.word import (
    CORRECTS,
    HOLDS_BACK,
    NO_EFFECT,
    REMEMBERS,
    REPEATS,
)
from percuss.protocols.grounding.options import GroundingOptions
from tests.protocols.grounding.runs import PlacedEmbedder, Ran, run

pytestmark = pytest.mark.slow

NAMES = ("confabulator", "calibrated", "recycler", "copier", "garbler", "ignorer", "calibrated?refuse=1")
ARMS = ("full_multimodal", "ungrounded")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return run(tmp_path_factory.mktemp("run") / "run", NAMES, limit=60)


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    options = GroundingOptions(shuffled=True, no_id=True, resamples=200)
    arms = ("pathology_only", "pathology_rna", *ARMS, "shuffled", "no_id")
    folder = tmp_path_factory.mktemp("deep") / "run"
    return run(
        folder,
        ("copier", "memoriser?share=1", "recycler"),
        options=options,
        limit=24,
        arms=arms,
        embedder=PlacedEmbedder(),
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("confabulator", CORRECTS),
        ("copier", CORRECTS),
        ("calibrated?refuse=1", HOLDS_BACK),
    ],
)
def test_patterns(ran: Ran, name: str, expected: str) -> None:
    assert ran.one("pattern", f"phantom/{name}").note == expected


def test_a_garbler_and_an_ignorer_show_no_relevant_effect_within_a_wide_margin(tmp_path: Path) -> None:
    """Within 5 points nothing can be told of 60 cases; the margin is a setting, and it marks the run."""
    options = GroundingOptions(margin=0.15, resamples=200)
    made = run(tmp_path / "run", ("garbler", "ignorer"), limit=60, options=options)
    for name in ("garbler", "ignorer"):
        assert made.one("pattern", f"phantom/{name}").note == NO_EFFECT
    panel = next(s for s in made.sections if s.title == "What did we find?")
    assert "margin of no importance is 15 points here, not 5" in str(panel.body)
    assert "no relevant effect (within 15 points)" in str(panel.body)


def test_a_calibrated_model_holds_back(tmp_path: Path) -> None:
    """On all 119 cases: on fewer its rates are too noisy for a pattern."""
    whole = run(tmp_path / "run", ("calibrated",))
    estimate = whole.one("pattern", "phantom/calibrated")
    assert estimate.note == HOLDS_BACK
    assert estimate.value is not None
    assert estimate.value > 0.5


@pytest.mark.parametrize("at", range(len(NAMES)), ids=NAMES)
def test_planted_rates_come_back(ran: Ran, at: int) -> None:
    """Four standard errors: each of these fails once in 16,000 by chance, and the seed is fixed."""
    made = ran.phantoms[at]
    for (name, arm), planted in made.expected(ARMS).items():
        e = ran.one(name, made.id, arm)
        assert e.value is not None
        if e.low is None or e.high is None or (planted in {0.0, 1.0} and "rate" in name):
            assert e.value == pytest.approx(planted, abs=0.05)
            continue
        assert abs(e.value - planted) <= 4 * (e.high - e.low) / 3.92


def test_refusal_only_is_undefined_with_its_reason(ran: Ran) -> None:
    model = "phantom/calibrated?refuse=1"
    hdi = ran.one("hdi_pooled", model)
    assert hdi.value is None
    assert hdi.undefined
    assert ran.one("no_assertion", model, "ungrounded").value == 1
    assert ran.one("unsupported_rate", model, "ungrounded").n == 0
    assert ran.one("mode", model).note == "undefined"


def test_overlap_not_measured_is_said(ran: Ran) -> None:
    assert ran.one("mode_paper", "phantom/confabulator").undefined == "overlap not measured"
    panel = next(s.record for s in ran.sections if s.kind == "panel")
    assert isinstance(panel, Panel)
    assert any("Overlap not measured" in line for line in panel.lines)


def test_the_primary_comes_first(ran: Ran) -> None:
    first = ran.estimates[: len(NAMES)]
    assert {(e.name, e.arm, e.labels, e.primary) for e in first} == {
        ("hdi_pooled", "full_multimodal", "rule:support-2", True)
    }
    assert not any(e.primary for e in ran.estimates[len(NAMES) :])


def test_every_estimate_is_in_words_and_finite(ran: Ran) -> None:
    assert len(
        {json.dumps([e.name, e.model, e.arm, e.labels, e.versus, e.stratum]) for e in ran.estimates}
    ) == len(ran.estimates)
    for e in ran.estimates:
        assert e.label, e.name
        assert e.question, e.name
        assert e.method, e.name
        assert e.simulated
        for number in (e.value, e.low, e.high, e.p, e.p_adjusted, e.detectable):
            assert number is None or math.isfinite(number)


def test_den_and_excluded_are_what_was_posed(ran: Ran) -> None:
    claims = Counter[tuple[str, str, str]]()
    for cell in ran.cells:
        if cell.name == "sentences":
            claims[cell.model, cell.arm, cell.case_id] += round(cell.num)
        if cell.name in {"general_share", "echo_share", "hedged_share", "repeated_share"}:
            claims[cell.model, cell.arm, cell.case_id] -= round(cell.num)
        if cell.name == "misread_availability":
            claims[cell.model, cell.arm, cell.case_id] -= round(cell.den) + sum(cell.excluded.values())
    for cell in ran.cells:
        if cell.name == "unsupported_rate":
            posed = claims[cell.model, cell.arm, cell.case_id]
            assert cell.den + sum(cell.excluded.values()) == posed
        if cell.name in {"case_unsupported_rate", "abstention"}:
            assert cell.den + sum(cell.excluded.values()) == 1


def test_the_report_has_its_places(ran: Ran) -> None:
    assert {s.place for s in ran.sections} == set(PLACES)
    charts = [record for s in ran.sections if isinstance(record := s.record, Chart)]
    assert {"strip", "forest", "matrix", "dumbbell", "slope", "heat", "flow"} <= {c.kind for c in charts}
    for section in ran.sections:
        assert (
            Section.of(section.place, section.title, section.record, section.answer).record == section.record
        )


def test_the_panel_holds_the_estimates(ran: Ran) -> None:
    panel = next(s.record for s in ran.sections if s.kind == "panel")
    assert isinstance(panel, Panel)
    for row in panel.rows:
        assert row.simulated
        assert row.figures["hdi_pooled[full_multimodal]"].value == ran.one("hdi_pooled", row.label).value
        assert (
            row.figures["unsupported_rate[ungrounded]"].value
            == ran.one("unsupported_rate", row.label, "ungrounded").value
        )
    rates = [row.figures["unsupported_rate[full_multimodal]"].value or 0 for row in panel.rows]
    assert rates == sorted(rates)


def test_marks_stand_where_the_claims_do(ran: Ran) -> None:
    viewers = [record for s in ran.sections if isinstance(record := s.record, Viewer)]
    seen = 0
    for case in (case for viewer in viewers for case in viewer.cases):
        assert {field.path for field in case.packet} >= {"clinical.stage", "fusion.io_score"}
        for pane in case.panes:
            for mark in pane.marks:
                seen += 1
                assert pane.text[mark.start : mark.stop].endswith(".")
                assert {one["rater"] for one in mark.said} <= {"rule:support-2", "rule:availability-1"}
    assert seen > 1000


def test_same_seed_same_everything(tmp_path: Path) -> None:
    one = run(tmp_path / "a", ("garbler",), limit=12)
    two = run(tmp_path / "b", ("garbler",), limit=12)
    assert one.cells == two.cells
    assert one.estimates == two.estimates


def test_a_pilot_is_extended(tmp_path: Path) -> None:
    run(tmp_path / "a", ("garbler",), limit=5)
    extended = run(tmp_path / "a", ("garbler",), limit=12)
    whole = run(tmp_path / "b", ("garbler",), limit=12)
    assert extended.estimates == whole.estimates


def test_epochs_are_a_second_level(tmp_path: Path) -> None:
    two = run(tmp_path / "a", ("garbler",), limit=12, epochs=2)
    e = two.one("unsupported_rate", "phantom/garbler")
    assert e.covers == "sampling of cases and of answers (2 epochs)"
    assert e.clusters == 12
    texts = {(c.case_id, c.epoch): c.num for c in two.cells if c.name == "unsupported_rate"}
    assert len(texts) == 24


def test_depths_shuffled_and_no_id(deep: Ran) -> None:
    copier = "phantom/copier"
    assert {e.arm for e in deep.estimates if e.name == "hdi_pooled"} == {
        "pathology_only",
        "pathology_rna",
        "full_multimodal",
    }
    follow = deep.one("follow_rate", copier, "shuffled")
    assert follow.value is not None
    assert follow.value > 0.99
    assert any(e.name == "identifier_effect" for e in deep.estimates)
    curve = next(r for s in deep.sections if isinstance(r := s.record, Chart) and r.kind == "curve")
    assert [row["arm"] for row in curve.rows][:4] == [
        "without evidence",
        "with pathology only",
        "with pathology and RNA",
        "with evidence",
    ]


def test_memory_is_found_where_it_is_planted(deep: Ran) -> None:
    lift = deep.one("memorisation_lift", "phantom/memoriser?share=1", "ungrounded")
    assert lift.value is not None
    assert lift.value > 0.5
    assert lift.p == pytest.approx(0.001)
    assert deep.one("memorisation_lift", "phantom/copier", "ungrounded").p == 1


def test_right_without_being_shown_beyond_chance(deep: Ran) -> None:
    """A memoriser's claims are its own case's; a copier's that hold of all cases hold of others as often."""
    excess = deep.one("matches_unseen_excess", "phantom/memoriser?share=1", "ungrounded")
    assert excess.value is not None
    assert excess.low is not None
    assert excess.low > 0.3
    assert deep.one("pattern", "phantom/memoriser?share=1").note == REMEMBERS
    other = deep.one("matches_unseen_excess", "phantom/copier", "ungrounded")
    assert other.value == pytest.approx(0, abs=0.02)
    given, pooled = (deep.one(name, "phantom/copier") for name in ("hdi_given", "hdi_pooled"))
    assert given.value is not None
    assert pooled.value is not None
    assert given.value >= pooled.value


def test_overlap_tells_recycling(deep: Ran) -> None:
    recycled = deep.one("overlap_80", "phantom/recycler")
    copied = deep.one("overlap_80", "phantom/copier")
    assert recycled.value is not None
    assert copied.value is not None
    assert recycled.value > 0.6 > 0.1 > copied.value
    excess = deep.one("overlap_excess_80", "phantom/recycler")
    assert excess.value is not None
    assert excess.value > 0.5
    assert deep.one("mode_paper", "phantom/recycler").note == "recycling"
    assert deep.one("pattern", "phantom/recycler").note == REPEATS
    twins = [
        mark.twin
        for s in deep.sections
        if isinstance(viewer := s.record, Viewer)
        for case in viewer.cases
        for pane in case.panes
        if pane.model == "phantom/recycler"
        for mark in pane.marks
        if mark.twin is not None
    ]
    assert twins


def test_a_judge_with_planted_errors(tmp_path: Path) -> None:
    from percuss.evidence.packet import Packet
    from percuss.evidence.rules.support2 import support2

    def rule(evidence: str, claim: str, _shown: str) -> str:
        found = support2(claim, Packet.of_layers(json.loads(evidence))).label
        return {"contradicted": "unsupported", "absent": "unsupported"}.get(found, found)

    fake = phantom("phantom/judge?sensitivity=0.9&specificity=0.9", seed=1, extra={"rule": rule})
    ran = run(tmp_path / "run", ("confabulator",), limit=30, arms=ARMS, judge=fake)
    assert {e.labels for e in ran.estimates if e.primary} == {"agreement"}
    sources = {e.labels for e in ran.estimates if e.name == "unsupported_rate"}
    assert sources == {"rule:support-2", f"judge:{fake.id}", "agreement", "concordant"}
    # Two passes that err independently at one rate agree with probability .9^2 + .1^2.
    agreement = ran.one("judge_agreement", "phantom/confabulator", "full_multimodal")
    assert agreement.low is not None
    assert agreement.high is not None
    assert agreement.low <= 0.82 <= agreement.high
    gated = ran.one("unsupported_rate", "phantom/confabulator", labels="agreement")
    assert gated.excluded["conflict"] > 0
    assert gated.bounds is not None
    assert any(s.place == "judge" and s.kind == "chart" for s in ran.sections)
