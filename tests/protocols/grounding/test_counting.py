"""Laws of what is counted (definitions/grounding.md, version 2): equal text, silence, denials, echoes, refusals."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from percuss.core.messages import Request
from percuss.models.scripted import Scripted
from percuss.protocols.grounding.estimate.word import CORRECTS, HOLDS_BACK
from percuss.protocols.grounding.options import GroundingOptions
from tests.protocols.grounding.runs import MAIN, Ran, run

ARM, BARE = MAIN
OPTIONS = GroundingOptions(resamples=200)
MIXED = (
    "The tier is Hot. Stage is IA.",
    "The patient is male. Troponin was 88.2.",
    "Consensus purity is 0.3411. Disease is at stage IV.",
    "The io score is 0.9. Ferritin stood at 412.",
)


def answering(say: Callable[[Request], str], name: str = "fixed") -> Scripted:
    return Scripted(lambda request, _epoch: say(request), id=f"scripted/{name}")


def by_case(request: Request) -> str:
    """One of four answers by the case alone, the same in both arms."""
    case = request.messages[-1].text.split("Case ID: ")[1].split()[0]
    return MIXED[sum(case.encode()) % len(MIXED)]


def ran(folder: Path, say: Callable[[Request], str], limit: int = 40, **more: object) -> Ran:
    return run(folder, (), limit=limit, options=OPTIONS, extra=(answering(say),), **more)  # type: ignore[arg-type]


def test_equal_text_in_both_arms_has_equal_labels_and_no_index(tmp_path: Path) -> None:
    made = ran(tmp_path / "run", by_case)
    cells = {(c.arm, c.case_id): (c.num, c.den) for c in made.cells if c.name == "unsupported_rate"}
    assert all(cells[ARM, case] == cells[BARE, case] for _, case in cells)
    hdi = made.one("hdi_pooled", "scripted/fixed")
    assert hdi.value == pytest.approx(0)
    assert hdi.low is not None
    assert hdi.high is not None
    assert hdi.low <= 0 <= hdi.high
    assert made.one("delta_u", "scripted/fixed").value == pytest.approx(0)


def test_the_judge_is_asked_once_whichever_arm_a_statement_is_of(tmp_path: Path) -> None:
    judge = answering(lambda _: json.dumps({"rationale": "r", "label": "supported"}), "judge")
    ran(tmp_path / "run", by_case, limit=8, judge=judge)
    asked = [request.messages[-1].text for request in judge.requests]
    assert set(Counter(asked).values()) == {4}, (
        "two passes of a statement in each arm, byte for byte the same request"
    )
    for text in asked:
        assert "was shown" not in text
        assert not any(word in text for word in ("ungrounded", "full_multimodal", "scripted", "layers_shown"))


def test_denials_are_something_said(tmp_path: Path) -> None:
    made = ran(tmp_path / "run", lambda _: "Must not be given; no metastases.")
    pattern = made.one("pattern", "scripted/fixed")
    assert not pattern.note.startswith(HOLDS_BACK)
    assert made.one("no_assertion", "scripted/fixed", BARE).value == 0


def test_the_question_said_again_is_neither_invention_nor_memory(tmp_path: Path) -> None:
    lines = [
        {
            "id": f"q{i}",
            "question": f"A {40 + i}-year-old man with pneumonia has a potassium of {3 + i / 10:.1f} mmol/L. What next?",
            "evidence": {"labs": {"sodium": 130 + i}},
        }
        for i in range(12)
    ]
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")

    def echo(request: Request) -> str:
        told = request.messages[-1].text.split("potassium of ")[1].split(" mmol")[0]
        return f"Potassium is {told} mmol/L."

    made = ran(tmp_path / "run", echo, limit=12, source=str(file), arms=("full", BARE))
    assert made.one("echo_share", "scripted/fixed", BARE).value == 1
    assert made.one("unsupported_rate", "scripted/fixed", BARE).n == 0
    lift = next((e for e in made.estimates if e.name == "memorisation_lift"), None)
    assert lift is None or not lift.value


def test_padding_and_repeats_change_no_rate(tmp_path: Path) -> None:
    plain = ran(tmp_path / "a", by_case)
    padded = ran(
        tmp_path / "b", lambda r: f"{by_case(r)} Guidelines usually advise shared decisions. {by_case(r)}"
    )
    for name in ("unsupported_rate", "unsupported_per_answer", "case_unsupported_rate"):
        for arm in MAIN:
            one, other = (m.one(name, "scripted/fixed", arm) for m in (plain, padded))
            assert one.value == other.value, (name, arm)
    assert padded.one("general_share", "scripted/fixed").value == pytest.approx(0.2)
    assert padded.one("repeated_share", "scripted/fixed").value == pytest.approx(0.4)


def test_hedging_everything_gives_no_correction(tmp_path: Path) -> None:
    def hedged(request: Request) -> str:
        return " ".join(f"Possibly {line.lower()}." for line in by_case(request).rstrip(".").split(". "))

    made = ran(tmp_path / "run", lambda r: hedged(r) if "<evidence>" in r.messages[-1].text else by_case(r))
    assert not made.one("pattern", "scripted/fixed").note.startswith(CORRECTS)


def test_the_papers_rule_counts_as_the_paper_and_gives_no_word(tmp_path: Path) -> None:
    options = GroundingOptions(resamples=200, rules="paper")
    made = run(tmp_path / "run", ("confabulator",), limit=10, options=options)
    pattern = made.one("pattern", "phantom/confabulator")
    assert pattern.labels == "rule:paper"
    assert pattern.note == "can't tell: the paper's rule; not comparable"
    posed = sum(c.num for c in made.cells if c.name == "sentences")
    assert posed == sum(c.den + sum(c.excluded.values()) for c in made.cells if c.name == "unsupported_rate")
    assert not any(e.name in {"u_all", "general_share"} for e in made.estimates)


def test_what_the_header_says_of_every_case_is_given(tmp_path: Path) -> None:
    """The prompt names the cohort in every arm: to say it again is no invention and no memory."""
    lines = [
        {"id": f"h{i}", "question": "What is known of this case?", "cohort": "Lung adenocarcinoma",
         "evidence": {"labs": {"sodium": 130 + i}}}
        for i in range(12)
    ]  # fmt: skip
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    say = "The patient has lung adenocarcinoma."
    made = ran(tmp_path / "run", lambda _: say, limit=12, source=str(file), arms=("full", BARE))
    for arm in ("full", BARE):
        assert made.one("echo_share", "scripted/fixed", arm).value == 1
        assert made.one("unsupported_rate", "scripted/fixed", arm).n == 0
