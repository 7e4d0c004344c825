"""A conversation through the protocol: what is sent, what is claimed, what the rule says, what is counted."""

import asyncio
import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from percuss.cli import cli
from percuss.core.errors import BadInput, OverBudget, Refused, UsageError
from percuss.core.messages import Request
from percuss.core.ports import Roles
from percuss.core.protocol import CommandResult
from percuss.core.records import Arm, Case, Earlier, NotApplicable, Posed, Reply, Text
from percuss.engine import Budget, Budgeted, Price
from percuss.models.scripted import Scripted
from percuss.phantoms import phantom
from percuss.protocols.citations import PROTOCOL
from percuss.protocols.citations.arms import pose
from percuss.protocols.citations.cases import cases
from percuss.protocols.citations.commands import COMMANDS, CodeOptions
from percuss.protocols.citations.estimate.saying import abstains
from percuss.protocols.citations.histories import edited
from percuss.protocols.citations.options import CitationsOptions
from percuss.protocols.citations.sampling import drawn
from percuss.testing.sessions import TrialSession
from tests.protocols.citations.conversations import SEED, answer, document, entry, labels, run

OPTIONS = CitationsOptions()
ADRENALINE = "Adults and children over 12 years receive 0.5 mg of adrenaline."
WRONG = "Adults and children over 12 years receive 0.9 mg of adrenaline."
HELD = document("PEL-0001")


def _case(number: int = 0) -> Case:
    return list(cases(None, OPTIONS, 1))[number]


def test_bundled_seeds_come_by_domain() -> None:
    assert len(list(cases(None, OPTIONS, 1))) == 77
    legal = list(cases(None, CitationsOptions(domain="legal_cases,coding"), 1))
    assert {case.stratum for case in legal} == {"legal_cases", "coding"}
    with pytest.raises(UsageError, match="expected some of medical_guidelines"):
        list(cases(None, CitationsOptions(domain="art"), 1))


@pytest.mark.parametrize(
    ("row", "domain"),
    [
        (
            {"question": "Why?", "question_category": "cardiac", "guideline_text": "Give 5 mg."},
            "medical_guidelines",
        ),
        (
            {"research_question": "Why?", "doi": "10.1/x", "title": "On it", "abstract": "It is so."},
            "research_questions",
        ),
        ({"prompt": "Write it.", "task": "python pandas"}, "coding"),
    ],
)
def test_released_layouts_are_told_by_their_fields(tmp_path: Path, row: dict[str, str], domain: str) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({**row, "follow_ups": ["And then?", "And last?"]}), encoding="utf-8")
    (case,) = cases(str(file), OPTIONS, 1)
    assert case.stratum == domain
    assert case.payload["bundled"] is False
    assert len(case.payload["sources"]) == ("abstract" in row) + ("guideline_text" in row)


def test_seeds_of_a_user_need_follow_ups_unless_they_are_asked_live(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"question": "Why?"}', encoding="utf-8")
    with pytest.raises(BadInput, match="got 0 follow_ups, expected 2"):
        list(cases(str(file), OPTIONS, 1))
    assert list(cases(str(file), CitationsOptions(turns=1), 1))
    assert list(cases(str(file), CitationsOptions(followups="live"), 1))


def test_arms_differ_in_the_documents_alone() -> None:
    closed, grounded = (pose(_case(), arm, None, OPTIONS, 1) for arm in PROTOCOL.arms(OPTIONS))
    assert isinstance(closed, Posed)
    assert isinstance(grounded, Posed)
    assert closed.messages[1] == grounded.messages[1]
    assert closed.script == grounded.script
    assert "0.5 mg" not in closed.messages[0].text
    assert "0.5 mg" in grounded.messages[0].text
    cite = closed.messages[1].text.partition("\n\n")[2]
    assert cite
    assert all(text.endswith(cite) for text in closed.script["turns"])


def test_no_document_no_grounded_arm() -> None:
    without = next(case for case in cases(None, OPTIONS, 1) if not case.payload["documents"])
    assert isinstance(pose(without, Arm(name="grounded"), None, OPTIONS, 1), NotApplicable)


CLASSES = {
    "right": (ADRENALINE, entry(HELD), {"reference": "yes", "content": "yes", "support": "supported"}),
    "year": (ADRENALINE, entry(HELD, year=2017), {"reference": "no", "content": "no", "support": "unsupported"}),
    "nonexistent": (
        ADRENALINE, entry(HELD, doi="10.5555/pel.9999", title="A review that nobody wrote", year=2015, volume=7, pages=(500, 501)),
        {"reference": "no", "content": "no", "support": "unsupported"},
    ),
    "content": (WRONG, entry(HELD), {"reference": "yes", "content": "no", "support": "unsupported"}),
    "outside": (
        ADRENALINE, "Smith J, Doe A. A trial of something else. Lancet. 2019;393:100-110. doi:10.1016/S0140-6736(19)30001-1",
        {"reference": "not_checkable:out_of_corpus", "support": "not_checkable:out_of_corpus"},
    ),
    "undecided": (
        "Adrenaline helps nearly everybody with an anaphylactic reaction of whatever kind.", entry(HELD),
        {"reference": "yes", "content": "undecided:rule", "support": "undecided:rule"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_each_class_of_citation_by_rule(tmp_path: Path, name: str) -> None:
    sentence, reference, said = CLASSES[name]
    ran = run(tmp_path / "run", Scripted(lambda _r, _e: answer((sentence, reference))), turns=1)
    assert labels(ran.scored[0]) == [said]


def test_retracted_is_right_with_a_flag(tmp_path: Path) -> None:
    held = document("PEL-0058")
    fact = next(fact for fact in held.facts if fact.unit)
    ran = run(tmp_path / "run", Scripted(lambda _r, _e: answer((fact.sentence, entry(held)))), turns=1)
    assert labels(ran.scored[0])[0]["reference"] == "yes"
    assert ran.one("flagged_references").value == 1.0


def test_two_citations_of_one_sentence_are_two_claims_and_a_bare_id_is_one(tmp_path: Path) -> None:
    text = f"{ADRENALINE.rstrip('.')} [PEL-0001] [PEL-9999]."
    ran = run(tmp_path / "run", Scripted(lambda _r, _e: text), turns=1)
    assert [said["support"] for said in labels(ran.scored[0])] == ["supported", "unsupported"]
    first, second = ran.scored[0].claims
    assert first.id != second.id
    assert (first.start, first.stop) == (second.start, second.stop)


def test_three_turns_are_asked_with_all_that_was_said_and_counted_by_turn(tmp_path: Path) -> None:
    right, wrong = answer((ADRENALINE, entry(HELD))), answer((WRONG, entry(HELD)))
    model = Scripted([wrong, right, right])
    ran = run(tmp_path / "run", model)
    assert [len(request.messages) for request in model.requests] == [2, 4, 6]
    assert [ran.one(f"hallucination_turn_{n}").value for n in (1, 2, 3)] == [1.0, 0.0, 0.0]
    assert ran.one("hallucination_macro_turns").value == pytest.approx(1 / 3)
    assert ran.one("propagation").value == 1.0
    assert ran.one("citation_rate").value == 1.0
    assert ran.one("unique_references").value == 1.0


def test_a_cut_reply_goes_on_and_its_unfinished_end_is_left_out(tmp_path: Path) -> None:
    def cut(request: Request, epoch: int) -> Reply:
        del request, epoch
        return Reply(
            parts=(Text(text=f"{ADRENALINE.rstrip('.')} [PEL-0001]. Children of 6 to 12 years receive"),),
            finish="length",
        )

    ran = run(tmp_path / "run", Scripted(cut))
    (scored,) = ran.scored
    assert sum(turn.role == "assistant" for turn in scored.response.turns) == 3
    pooled = next(cell for cell in ran.cells if cell.name == "hallucination_pooled")
    assert (pooled.num, pooled.den, pooled.excluded) == (0.0, 3.0, {"truncated": 3})


@pytest.mark.parametrize("missing", [0, 10, 20, 60, 100])
def test_an_entry_where_the_reply_was_cut_is_left_out_and_never_a_wrong_reference(
    missing: int, tmp_path: Path
) -> None:
    said = answer(
        (ADRENALINE, entry(HELD)),
        ("A review by the practice takes place within 2 working days.", entry(document("PEL-0009"))),
    )
    text = said[: len(said) - missing]

    def cut(request: Request, epoch: int) -> Reply:
        del request, epoch
        return Reply(parts=(Text(text=text),), finish="length")

    ran = run(tmp_path / "run", Scripted(cut), turns=1)
    pooled = next(cell for cell in ran.cells if cell.name == "hallucination_pooled")
    assert (pooled.num, pooled.den, pooled.excluded) == (0.0, 1.0, {"truncated": 1})


@pytest.mark.parametrize(
    ("text", "lost"), [("The source of all is the", 0), ("A fact [1]. Another fact [2] is", 1)]
)
def test_a_cut_reply_that_cites_nothing_has_lost_no_citation(text: str, lost: int, tmp_path: Path) -> None:
    def cut(request: Request, epoch: int) -> Reply:
        del request, epoch
        return Reply(parts=(Text(text=text),), finish="length")

    ran = run(tmp_path / "run", Scripted(cut), turns=1)
    assert sum(len(scored.claims) for scored in ran.scored) == lost


def test_a_refusal_in_a_later_turn_fails_the_conversation_and_keeps_its_turns(tmp_path: Path) -> None:
    model = Scripted([answer((ADRENALINE, entry(HELD))), Refused("declined")])
    ran = run(tmp_path / "run", model)
    (scored,) = ran.scored
    assert scored.response.status == "failed"
    assert scored.response.reason == "refused"
    assert [turn.role for turn in scored.response.turns] == ["assistant", "user"]
    assert all(cell.den == 0 for cell in ran.cells)


def test_live_follow_ups_need_a_user_model_and_are_said_again_in_the_grounded_arm(tmp_path: Path) -> None:
    user = Scripted(["And in children?", "And afterwards?"], id="scripted/user")
    model = Scripted(lambda _r, _e: answer((ADRENALINE, entry(HELD))))
    ran = run(
        tmp_path / "run", model, roles={"user": user}, followups="live", arms=("closed_book", "grounded")
    )
    asked = [
        [turn.text.split("\n")[0] for turn in one.response.turns if turn.role == "user"] for one in ran.scored
    ]
    assert asked == [["And in children?", "And afterwards?"]] * 2
    assert len(user.requests) == 2


def test_an_extractor_is_held_to_the_text_and_its_failure_is_a_failure(tmp_path: Path) -> None:
    text = f"{ADRENALINE.rstrip('.')} [PEL-0001]."
    row = {
        "content": text,
        "reference_name": "PEL-0001",
        "type": "guideline",
        "holding_or_description": ADRENALINE,
    }
    invented = {**row, "content": "Nothing of the kind was said [PEL-0001]."}
    reader = Scripted(lambda _r, _e: json.dumps({"claims": [row, invented]}), id="scripted/extractor")
    ran = run(tmp_path / "a", Scripted(lambda _r, _e: text), roles={"extractor": reader}, turns=1)
    assert [said["support"] for said in labels(ran.scored[0])] == ["supported"]
    broken = Scripted(lambda _r, _e: "none that I can see", id="scripted/extractor")
    failed = run(tmp_path / "b", Scripted(lambda _r, _e: text), roles={"extractor": broken}, turns=1)
    assert failed.scored[0].left_out is not None
    assert all(cell.den == 0 for cell in failed.cells if cell.name == "hallucination_pooled")


def test_code_that_does_not_exist_is_a_hallucinated_answer(tmp_path: Path) -> None:
    text = "Use this:\n\n```python\nimport json\n\njson.parse_string('{}')\n```\n"
    ran = run(tmp_path / "run", Scripted(lambda _r, _e: text), domain="coding", turns=1)
    assert "unsupported" in [said["support"] for said in labels(ran.scored[0])]
    assert ran.one("code_hallucination").value == 1.0
    assert ran.one("hallucination_pooled").value is None


def test_stopped_at_every_call_and_resumed_it_has_the_same_claims(tmp_path: Path) -> None:
    citer = "phantom/citer?right=0.5&wrong_field=0.2&nonexistent=0.2&wrong_content=0.1&repeat=0.5"
    whole = run(tmp_path / "whole", phantom(citer, seed=SEED), limit=2, claims_per_turn=2)
    stops = 0
    while True:
        limited = Budgeted(phantom(citer, seed=SEED), Budget(calls=1), Price(usd_in=0, usd_out=0))
        try:
            found = run(tmp_path / "stopped", limited, limit=2, claims_per_turn=2)
        except OverBudget:
            stops += 1
            continue
        break
    assert stops == 2 * 3 - 1, "two conversations of three turns, a call per start"
    assert [each.response.turns for each in found.scored] == [each.response.turns for each in whole.scored]
    assert [each.claims for each in found.scored] == [each.claims for each in whole.scored]
    assert sum(len(each.claims) for each in whole.scored) > 6
    assert [labels(each) for each in found.scored] == [labels(each) for each in whole.scored]


def test_a_sample_depends_on_names_alone() -> None:
    held = drawn(20, 5, 42, ("conversation", 1))
    assert len(held) == 5
    assert held == drawn(20, 5, 42, ("conversation", 1))
    assert held != drawn(20, 5, 42, ("conversation", 3))
    assert drawn(20, 0, 42, ("conversation", 1)) == frozenset(range(20))


def test_claims_beyond_the_sample_are_in_no_count_but_weigh(tmp_path: Path) -> None:
    facts = [fact for fact in HELD.facts if fact.unit][:6]
    text = answer(*((fact.sentence, entry(HELD)) for fact in facts))
    ran = run(tmp_path / "run", Scripted(lambda _r, _e: text), turns=1, claims_per_turn=2)
    pooled = next(cell for cell in ran.cells if cell.name == "hallucination_pooled")
    weighted = next(cell for cell in ran.cells if cell.name == "hallucination_weighted")
    assert pooled.den + sum(pooled.excluded.values()) == 2
    assert weighted.den == pytest.approx(pooled.den * len(ran.scored[0].claims) / 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I don't know of a source for this.", True),
        ("I could not find any guideline on it.", True),
        ("No document of the library covers this question.", True),
        ("I don't doubt that aspirin helps [PEL-0001].", False),
        ("Patients don't need a second dose.", False),
    ],
)
def test_abstention_by_phrases(text: str, *, said: bool) -> None:
    assert abstains(text) is said


def test_redacted_takes_the_hallucinated_sentence_and_its_entry_and_control_as_many_right_ones(
    tmp_path: Path,
) -> None:
    other = document("PEL-0003")
    right = next(fact for fact in other.facts if fact.unit).sentence
    first = answer((WRONG, entry(HELD)), (right, entry(other)))
    ran = run(tmp_path / "run", Scripted(lambda _r, _e: first), turns=2)
    (scored,) = ran.scored
    earlier = Earlier(response=scored.response, claims=scored.claims, verdicts=scored.verdicts)
    posed = pose(scored.case, Arm(name="closed_book"), None, OPTIONS, 1)
    assert isinstance(posed, Posed)
    texts = {}
    for arm in ("history:own", "history:redacted", "history:control"):
        messages = edited(posed.messages, earlier, arm, 1)
        assert not isinstance(messages, NotApplicable)
        assert [message.role for message in messages] == ["system", "user", "assistant", "user"]
        texts[arm] = messages[2].text
    assert texts["history:own"] == first
    assert "0.9 mg" not in texts["history:redacted"]
    assert HELD.title not in texts["history:redacted"]
    assert right.rstrip(".") in texts["history:redacted"]
    assert "0.9 mg" in texts["history:control"]
    assert right.rstrip(".") not in texts["history:control"]
    nothing_right = msgspec.structs.replace(earlier, claims=earlier.claims[:1])
    assert isinstance(edited(posed.messages, nothing_right, "history:control", 1), NotApplicable)


def test_the_code_of_an_answer_by_command_beside_the_audit(tmp_path: Path) -> None:
    file = tmp_path / "answer.md"
    file.write_text("```python\nimport json\njson.parse_string('{}')\n```\n", encoding="utf-8")
    said = CliRunner().invoke(cli, ["citations", "code", str(file), "--dry-run"])
    assert "nobody is asked" in said.output
    assert CliRunner().invoke(cli, ["citations", "audit", "--help"]).exit_code == 0

    async def checked() -> CommandResult:
        return await COMMANDS["code"].run(CodeOptions(answer=str(file)), TrialSession(Roles({}, seed=1)))

    result = asyncio.run(checked())
    assert result.data["verdict"] == "hallucinated"
    assert "line 3: call json.parse_string: nonexistent" in result.text


def test_a_question_with_its_own_abstract_is_its_corpus_and_nothing_else_is_scored(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    abstract = "In this trial 120 adults with sepsis received early fluids. Mortality at 28 days was 18.5 % in both groups of adults."
    row = {"research_question": "What did fluids do?", "title": "Early fluids in adults with sepsis", "doi": "10.5555/trial.1",
           "abstract": abstract, "follow_ups": ["a?", "b?"]}  # fmt: skip
    file.write_text(json.dumps(row), encoding="utf-8")
    said = (
        "In this trial 120 adults with sepsis received early fluids (doi:10.5555/trial.1). "
        "Steroids shortened shock by 2 days (doi:10.5555/trial.2)."
    )
    ran = run(tmp_path / "run", Scripted(lambda _r, _e: said), source=str(file), turns=1)
    first, second = labels(ran.scored[0])
    assert (first["reference"], first["support"]) == ("yes", "supported")
    assert second == {"reference": "not_checkable:out_of_corpus", "support": "not_checkable:out_of_corpus"}
    assert ran.one("hallucination_pooled").value == 0.0


def test_averages_of_the_definitions_by_hand(tmp_path: Path) -> None:
    """Turn 1: 1 of 2 wrong; turn 2: 0 of 1; turn 3: 1 of 1. Mean over turns 1/2, pooled 2/4."""
    other = document("PEL-0003")
    right = next(fact for fact in other.facts if fact.unit).sentence
    turns = [
        answer((WRONG, entry(HELD)), (right, entry(other))),
        answer((right, entry(other))),
        answer((WRONG, entry(HELD))),
    ]
    ran = run(tmp_path / "run", Scripted(turns))
    assert ran.one("hallucination_macro_turns").value == pytest.approx((1 / 2 + 0 + 1) / 3)
    assert ran.one("hallucination_pooled").value == pytest.approx(2 / 4)
    assert ran.one("hallucination_macro_conversations").value == pytest.approx(2 / 4)
    assert ran.one("content_failure_given_reference").value == pytest.approx(2 / 4)
    assert ran.one("reference_failure").value == 0.0
    survival = [
        ran.one(f"survival_{kind}_{turn}").value for kind in ("incorrect", "correct") for turn in (2, 3)
    ]
    assert survival == [0.0, 1.0, 1.0, 0.0]
    assert ran.one("propagation").value == 1.0


def test_a_reference_that_a_later_turn_lists_without_citing_it_comes_back(tmp_path: Path) -> None:
    listed = f"No further facts are known to me.\n\nReferences\n\n1. {entry(HELD)}\n"
    other = answer((ADRENALINE, entry(document("PEL-0003"))))
    back = run(tmp_path / "listed", Scripted([answer((WRONG, entry(HELD))), listed, other]))
    assert [back.one(f"survival_incorrect_{turn}").value for turn in (2, 3)] == [1.0, 0.0]
    gone = run(
        tmp_path / "gone",
        Scripted([answer((WRONG, entry(HELD))), "No further facts are known to me.", other]),
    )
    assert gone.one("propagation").value == 0.0
