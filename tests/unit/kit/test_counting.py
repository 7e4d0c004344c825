"""What is counted of an answer, whose labels there are, and where a judge's passes are copies."""

from collections.abc import Iterator, Sequence
from dataclasses import replace as replace_outline

import pytest
from msgspec.structs import replace

from percuss.core.ports import Roles, ScoredResponse
from percuss.core.protocol import Options
from percuss.core.records import Text, Verdict
from percuss.core.sections import Prose, Section
from percuss.kit import claim_cells, whole_answer
from percuss.kit.counting import sources_of
from percuss.kit.report import sections
from percuss.kit.report.collecting import collectors
from percuss.kit.report.context import Report
from percuss.kit.report.judged import _copies
from percuss.kit.report.outline import outline_of
from tests.unit.kit.views import ARMS, Held, answer, rate


def _said(told: ScoredResponse, *raters: str, words: str = "It says so.") -> ScoredResponse:
    more = [
        Verdict(
            subject=claim.id, response_id=told.response.id, aspect="support", rater=rater, label="supported", rationale=words,
        )
        for rater in raters
        for claim in told.claims
    ]  # fmt: skip
    return replace(told, verdicts=(*more, *told.verdicts))


def test_rules_stand_first_and_people_last_whoever_spoke_first() -> None:
    held = Held([_said(answer(1, "with"), "human:ann", "judge:j#1", "judge:j#2")])
    assert sources_of(held, "agreement", "support")[0] == "rule:t"
    assert sources_of(held, "agreement", "support")[-1] == "human"
    assert set(sources_of(held, "agreement", "support")[1:-1]) == {"judge:j", "agreement", "concordant"}
    assert sources_of(held, "agreement", "other") == ()


def test_an_answer_that_was_left_out_is_one_item_left_out_and_each_claim_is_one() -> None:
    lost = answer(1, "with", reason="refused")
    unchecked = answer(2, "with", left_out="error:check")
    whole = answer(3, "without")
    cells = claim_cells(Held([lost, unchecked, whole]), Options(), name="r", counts="unsupported")
    counts = {cell.case_id: [cell.num, cell.den, dict(cell.excluded)] for cell in cells}
    assert counts["c1"] == [0, 0, {"refused": 1}]
    assert counts["c3"] == [1, 2, {}]


@pytest.mark.parametrize(("text", "claims"), [("", 0), (" \n", 0), ("So.", 1)])
async def test_an_answer_of_nothing_is_no_claim(text: str, claims: int) -> None:
    told = answer(1, "with")
    turn = replace(told.response.turns[0], parts=(Text(text=text),))
    response = replace(told.response, turns=(turn,))
    assert len(await whole_answer(told.case, response, Roles({}, seed=1), Options())) == claims


def _passes(words: Sequence[Sequence[str]]) -> str:
    """Return what is said of a judge whose passes on each answer use these words."""
    told = []
    for n, said in enumerate(words):
        one = answer(n, "with")
        for k, rationale in enumerate(said, 1):
            one = _said(one, f"judge:j#{k}", words=rationale)
        told.append(one)
    report = Report(Held(told), [rate("m", arm) for arm in ARMS], None)
    report.walk(report.of(collectors)(report))
    return _copies(report.collected["sample"])


def test_passes_that_are_copies_are_said_to_be() -> None:
    assert _passes([("a", "b"), ("c", "d")]) == ""
    assert _passes([("a",), ("b",)]) == ""
    assert _passes([("a", "a"), ("b", "c")]).startswith(
        "In 2 of 4 claims rated more than once the passes are word for word"
    )
    assert _passes([("a", "a"), ("b", "b"), ("c",)]).startswith("In all 4 claims rated more than once")


def test_raters_are_compared_on_the_answers_of_real_models_alone() -> None:
    told = [answer(n, arm, model) for model in ("m", "phantom/p") for n in range(3) for arm in ARMS]
    estimates = [rate(model, arm, simulated=model != "m") for model in ("m", "phantom/p") for arm in ARMS]
    report = Report(Held(told), estimates, None)
    report.walk(report.of(collectors)(report))
    assert len(report.collected["sample"].clusters) == 3 * 2 * 2, "cases, arms, claims of an answer"


def test_a_section_keeps_its_own_chapter_and_takes_the_outlines_where_it_has_none() -> None:
    told, estimates = [answer(n, arm) for n in range(3) for arm in ARMS], [rate("m", arm) for arm in ARMS]
    outline = replace_outline(outline_of(estimates, {}), chapters={"where": "Where then?"})

    def where(report: Report) -> Iterator[Section]:
        yield Section.of("where", "One", Prose(markdown="x"))
        yield replace(Section.of("where", "Two", Prose(markdown="x")), chapter="My own?")

    made = list(sections(Held(told), estimates, None, outline=outline, parts={"where": where}))
    assert [(s.title, s.chapter) for s in made if s.place == "where"] == [
        ("One", "Where then?"),
        ("Two", "My own?"),
    ]
    assert {s.chapter for s in made if s.place == "judge"} <= {"", None}


def test_the_same_words_for_another_label_or_score_are_no_copy() -> None:
    first, second = answer(0, "with"), answer(1, "with")

    def verdicts(told: ScoredResponse, **passes: Sequence[object]) -> ScoredResponse:
        (field, said), *_ = passes.items()
        made = [
            Verdict(
                subject=told.claims[0].id, response_id=told.response.id, aspect="support", rater=f"judge:j#{k}",
                rationale="the same", **{field: one},  # type: ignore[arg-type]
            )
            for k, one in enumerate(said, 1)
        ]  # fmt: skip
        return replace(told, verdicts=tuple(made))

    def copies(*told: ScoredResponse) -> tuple[int, int]:
        report = Report(Held(told), [rate("m", arm) for arm in ARMS], None)
        report.walk(report.of(collectors)(report))
        return report.collected["sample"].copied, report.collected["sample"].passed

    assert copies(
        verdicts(first, label=("supported", "unsupported")), verdicts(second, score=(4.0, 3.0))
    ) == (0, 2)
    assert copies(verdicts(first, label=("supported",) * 2), verdicts(second, score=(4.0, 4.0))) == (2, 2)
