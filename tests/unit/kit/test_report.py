"""Reports of a protocol that wrote none: what is said of what was lost, and where simulated models stand."""

from collections.abc import Sequence
from dataclasses import replace as replace_outline
from typing import Any

import pytest
from msgspec.structs import replace

from percuss.core.protocol import Options
from percuss.core.records import Estimate, Verdict
from percuss.core.sections import Chart, Panel, Section, Table, Viewer
from percuss.kit.people import items
from percuss.kit.report import default, sections
from percuss.kit.report.outline import outline_of
from percuss.kit.report.reader import hinges
from percuss.measure.numbers import written
from tests.unit.kit.views import ARMS, Held, answer, rate

BOTH = [rate("m", arm) for arm in ARMS]
REFUSED = {"excluded": {"refused": 6}}


def _panel(made: Sequence[Section]) -> Panel:
    return next(record for s in made if isinstance(record := s.record, Panel))


def _flow(made: Sequence[Section]) -> Section:
    return next(s for s in made if s.body.get("kind") == "flow")


def _made(
    answers: Sequence[object], estimates: Sequence[Estimate] = BOTH, **manifest: object
) -> list[Section]:
    return list(sections(Held(answers, manifest), estimates, None))  # type: ignore[arg-type]


def test_a_bare_protocol_gets_panel_strip_flow_failures_reader_and_judge() -> None:
    made = _made([answer(n, arm) for n in range(12) for arm in ARMS])
    assert [s.place for s in made] == [
        "findings", "findings", "evidence", "where", "left_out", "left_out", "read", "judge", "how",
    ]  # fmt: skip
    panel = _panel(made)
    assert [row.label for row in panel.rows] == ["m"]
    assert "unsupported claims" in made[0].answer
    assert written(BOTH[0]) in made[0].answer
    viewer = next(record for s in made if isinstance(record := s.record, Viewer))
    assert len(viewer.cases) == 12
    assert [mark.label for mark in viewer.cases[0].panes[1].marks] == ["supported", "unsupported"]
    assert viewer.cases[0].question == "What is seen?"
    assert [field.value for field in viewer.cases[0].packet] == ["2 cm"]


def test_nothing_was_left_out_is_said_only_where_nothing_was() -> None:
    whole = _made([answer(n, arm) for n in range(12) for arm in ARMS])
    assert any("nothing was left out" in line for line in _panel(whole).lines)
    assert _flow(whole).answer == "No claim was left out."
    half = [answer(n, "with", reason="refused" if n % 2 else None) for n in range(12)]
    lost = _made([*half, *(answer(n, "without") for n in range(12))])
    said = " ".join(_panel(lost).lines)
    assert "nothing was left out" not in said
    assert "6 of 24 answers can't be used (refused 6)" in said
    assert _flow(lost).answer == "6 of 24 answers were lost."
    rows = [row for row in Chart(**_flow(lost).body).rows if row["arm"] == "with"]
    assert {"arm": "with", "from": "answers asked", "reason": "refused", "n": 6} in rows


def test_all_refused_is_not_an_arm_that_was_not_asked() -> None:
    answers = [answer(n, arm, reason="refused" if arm == "with" else None) for n in range(12) for arm in ARMS]
    made = _made(answers, [rate("m", "with", None, n=0, **REFUSED), rate("m", "without")])
    assert "12 of 24 answers were lost" in _flow(made).answer
    assert "no answer" in made[0].answer
    assert not any("not asked" in str(s.body) for s in made)


def test_a_check_that_failed_loses_the_answer() -> None:
    answers = [answer(n, arm, left_out="error:check" if n == 3 else None) for n in range(12) for arm in ARMS]
    made = _made(answers)
    assert "2 of 24 answers were lost" in _flow(made).answer
    assert "4 of 48 claims were left out" in _flow(made).answer


@pytest.mark.parametrize("real", [True, False])
def test_simulated_models_stand_in_their_own_section(real: bool) -> None:
    models = ["m", "phantom/p"] if real else ["phantom/p"]
    answers = [answer(n, arm, model) for model in models for n in range(6) for arm in ARMS]
    estimates = [rate(m, arm, simulated=m != "m") for m in models for arm in ARMS]
    planted = {"phantom/p": {"unsupported_rate": 0.3, "unsupported_rate[without]": 0.9}}
    made = _made(answers, estimates, planted=planted)
    instrument = [s for s in made if s.place == "instrument"]
    table = instrument[0].record
    assert isinstance(table, Table)
    assert [(row["planted"], row["holds"]) for row in table.rows] == [("90.0%", "no"), ("30.0%", "yes")]
    assert instrument[0].answer == "Of 2 planted numbers 1 lies in the measured interval."
    assert [row.label for row in _panel(made).rows] == ["m" if real else "phantom/p"]
    beside = [s for s in made if s.place not in {"instrument", "read"}]
    rows = [row for s in beside for row in s.body.get("rows", ())]
    assert any(row.get("simulated") for row in rows) is not real
    assert any("All models here are simulated" in line for line in _panel(made).lines) is not real


def test_answers_that_came_and_cannot_be_used_are_said_by_arm() -> None:
    answers = [answer(n, arm) for n in range(12) for arm in ARMS]

    def unusable(report: Any, scored: Any) -> str | None:
        del report
        return "unparsable" if scored.response.arm == "with" and scored.case.id in {"c1", "c2"} else None

    made = list(sections(Held(answers), BOTH, None, parts={"unusable": unusable}))
    assert _panel(made).lines[0] == (
        "of 24 answers that came 22 can be used; lost 2 (unreadable 2): 2 of 12 with"
    )


def test_a_function_of_the_same_name_takes_the_place_of_a_part() -> None:
    answers = [answer(n, arm) for n in range(3) for arm in ARMS]
    own = {"own_lines": lambda _: iter(["A line of its own."]), "where": lambda _: iter(())}
    made = list(sections(Held(answers), BOTH, None, parts=own))
    assert "A line of its own." in _panel(made).lines
    assert not any(s.place == "where" for s in made)


def test_the_default_of_a_manifest_says_arms_in_words(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / "method.md").write_text(
        "## What was measured?\nA share.\n\n## What can it not tell you?\nTruth.\n"
    )
    toml = {
        "primary": {"words": "unsupported claims"},
        "arm_words": {"with": "with evidence", "without": "bare"},
    }
    made = list(default(toml, folder)(Held([answer(n, arm) for n in range(3) for arm in ARMS]), BOTH, None))
    assert [s.title for s in made if s.place == "how"] == ["What was measured?", "What can it not tell you?"]
    assert {row["arm"] for row in Chart(**_flow(made).body).rows} == {"with evidence", "bare"}


def test_an_outline_that_nobody_wrote_takes_the_main_arm_of_every_other_rate() -> None:
    other = [
        replace(rate("m", arm, value), name="partial", label="partly right", primary=False)
        for arm, value in zip(ARMS, (0.1, 0.7), strict=True)
    ]
    foreign = replace(rate("m", "with", 0.9), name="foreign", labels="judge:x", primary=False)
    outline = outline_of([*BOTH, *other, foreign], {})
    assert [(shown.name, shown.arm) for shown in outline.columns] == [
        ("unsupported_rate", "with"), ("unsupported_rate", "without"), ("partial", "with"),
    ]  # fmt: skip


def test_words_before_the_first_heading_of_a_method_are_what_was_measured() -> None:
    answers = [answer(n, arm) for n in range(12) for arm in ARMS]
    held = Held(answers)
    written_so = replace_outline(
        outline_of(BOTH, {}), method="Claims were counted.\n\n## Limits\n\nNot truth."
    )
    made = [s for s in sections(held, BOTH, None, outline=written_so) if s.place == "how"]
    assert [(s.title, s.body["markdown"]) for s in made] == [
        ("What was measured?", "Claims were counted.\n"), ("Limits", "Not truth.\n"),
    ]  # fmt: skip


def test_a_person_is_shown_a_claim_with_its_own_labels_alone() -> None:
    (first, second) = items(Held([answer(1, "without")]), "claims", Options())
    assert first.hidden["labels"] == {"rule:t": "supported"}
    assert second.hidden["labels"] == {"rule:t": "unsupported"}


def test_the_first_sentence_is_of_the_only_model_or_names_the_one_that_leads() -> None:
    def first(**values: float) -> str:
        answers = [answer(n, arm, model) for model in values for n in range(3) for arm in ARMS]
        return _made(answers, [rate(m, arm, value) for m, value in values.items() for arm in ARMS])[0].answer

    alone, two = first(m=0.25), first(m=0.3, best=0.2)
    assert alone.startswith("In this evaluation, on 24 claims unsupported claims of m: 25")
    assert two.startswith("In this evaluation, on 24 claims unsupported claims, lowest with best: 20")
    assert "told apart" not in alone


def test_the_number_that_an_estimate_calls_primary_leads_whatever_stands_first() -> None:
    other = replace(rate("m", "with"), name="other", label="other", primary=False)
    declared = {"primary": {"estimate": "other"}}
    assert outline_of([other, *BOTH], declared).lead.name == "unsupported_rate"
    bare = [replace(e, primary=False) for e in (*BOTH, other)]
    assert outline_of(bare, declared).lead.name == "other"
    assert outline_of(bare, {}).lead.name == "unsupported_rate"


def test_what_a_verdict_hangs_on_is_a_quote_or_a_path() -> None:
    evidence = ({"quote": "a"}, {"path": "x.y"}, {"kind": "note"}, {"paths": ["p", "q"]})
    verdict = Verdict(
        subject="s", response_id="r", aspect="support", rater="rule:t", label="supported", evidence=evidence
    )
    assert list(hinges([verdict])) == [{"quote": "a"}, {"path": "x.y"}, {"path": "p"}, {"path": "q"}]
