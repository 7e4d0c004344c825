"""One place says whose labels: passes, policies, people; and every protocol says the same."""

from collections.abc import Sequence

import pytest

from percuss.core.messages import Text
from percuss.core.ports import ScoredResponse
from percuss.core.records import Case, Claim, Response, Turn, Verdict
from percuss.judging.passes import passes_of
from percuss.judging.sources import (
    HUMAN,
    NOT_JUDGED,
    Said,
    judge_said,
    leading,
    people_said,
    rule_said,
    said_by,
)


def verdict(rater: str, said: str | float | None, aspect: str = "support", subject: str = "s") -> Verdict:
    fields: dict[str, object] = {"unscored": "unparsable:schema"}
    if isinstance(said, str):
        fields = {"label": said}
    elif said is not None:
        fields = {"score": said}
    return Verdict(subject=subject, response_id="r", aspect=aspect, rater=rater, **fields)  # type: ignore[arg-type]


def passes(*said: str | float | None, aspect: str = "support", subject: str = "s") -> list[Verdict]:
    return [verdict(f"judge:j#{k}", one, aspect, subject) for k, one in enumerate(said, 1)]


@pytest.mark.parametrize(
    ("said", "policy", "expected"),
    [
        ((4.0, 4.0, 3.0), "majority", Said(score=4.0)),
        ((4.0, 3.0, 4.0), "majority", Said(score=4.0)),
        ((4.0, 3.0, 5.0), "majority", Said(reason="conflict")),
        ((4.0, None, 4.0), "majority", Said(score=4.0)),
        ((4.0, None, None), "majority", Said(reason="unparsable:schema")),
        ((4.0,), "majority", Said(reason="error")),
        ((4.0, 4.0, 3.0), "agreement", Said(reason="conflict")),
        ((4.0, 4.0), "agreement", Said(score=4.0)),
        ((4.0,), "agreement", Said(reason="error")),
        (("a", "a", "b"), "majority", Said(label="a")),
        (("a", "b"), "agreement", Said(reason="conflict")),
    ],
)
def test_passes_become_one_score_or_label(
    said: Sequence[str | float | None], policy: str, expected: Said
) -> None:
    assert judge_said(passes(*said), policy) == expected


def test_a_majority_takes_three_passes_and_agreement_those_declared() -> None:
    assert (passes_of("majority"), passes_of("agreement"), passes_of("agreement", 4)) == (3, 2, 4)


def test_every_source_of_one_subject() -> None:
    found = said_by([verdict("rule:x", "a"), *passes("a", "a", "b"), verdict("human:ann", "b")], "majority")
    assert found == {
        "rule:x": Said(label="a"),
        "judge:j": Said(label="a"),
        "majority": Said(label="a"),
        "concordant": Said(label="a"),
        "human": Said(label="b"),
    }
    differ = said_by([verdict("rule:x", "b"), *passes("a", "a")], "agreement")["concordant"]
    assert differ.reason == "conflict:judge and rule differ"
    assert rule_said([], "rule:x") == Said(reason="error")
    two = [verdict("rule:y", "b"), verdict("rule:x", "a")]
    assert (rule_said(two, "rule:x"), rule_said(two, "rule:z")) == (Said(label="a"), Said(reason="error"))
    assert leading(["judge:j", "rule:x", "agreement"]) == "agreement"
    assert leading(["human"]) == "human"
    assert leading([]) is None


def test_people_settle_else_most_of_them_else_nobody() -> None:
    two = [verdict("human:ann", "a"), verdict("human:bob", "b")]
    assert people_said(two) == Said(reason="conflict")
    assert people_said([*two, verdict("human:consensus", "b")]) == Said(label="b")
    assert people_said([*two, verdict("human:cy", "a")]) == Said(label="a")
    assert people_said([verdict("human:ann", "c")], ("a", "b")) == Said(reason=NOT_JUDGED)
    assert people_said([verdict("human:ann", 3.0), verdict("human:bob", 4.0)]) == Said(score=3.5)
    assert people_said([verdict("human:ann", None)]) == Said(reason="unparsable:schema")
    assert people_said(passes("a", "a")) == Said(reason=NOT_JUDGED)


def _response() -> Response:
    return Response(
        id="r",
        case_id="c",
        arm="with",
        model="m",
        turns=(Turn(index=0, role="assistant", parts=(Text(text="Yes."),)),),
    )


def _scored(claim: Claim, verdicts: Sequence[Verdict]) -> ScoredResponse:
    case = Case(id="c", cluster="c")
    return ScoredResponse(case=case, response=_response(), claims=(claim,), verdicts=tuple(verdicts))


def test_two_of_three_is_the_label_in_grounding_and_stressors_and_the_score_in_explanation() -> None:
    from percuss.protocols.explanation.estimate.scored import marks, sources
    from percuss.protocols.grounding.estimate.labelled import labels_of as grounding
    from percuss.protocols.stressors.labelled import labels_of as stressors

    claim = Claim.of("r", turn=0, start=0, stop=4, text="Yes.", extractor="e", payload={"line": "x", "n": 1})
    three = passes("unsupported", "unsupported", "supported", subject=claim.id)
    for policy, label in (("majority", "unsupported"), ("agreement", None)):
        assert grounding(_scored(claim, three), policy)[policy][0].label == label
        assert stressors(_scored(claim, three), policy)[policy].entries[0].label == label
    for scale in ("cf", "ca", "ct"):
        scored = passes(4.0, 4.0, 3.0, aspect=scale)
        assert sources(scored, "majority") == ["rules", "judge:j", "majority"]
        assert marks(scored, "majority")[scale].score == 4.0
        assert marks(scored, "agreement")[scale].reason == "conflict"


def test_people_are_a_source_of_explanation_too() -> None:
    from percuss.protocols.explanation.estimate.scored import marks, sources

    people = [verdict("human:ann", 2.0, "ca"), verdict("human:bob", 4.0, "ca")]
    assert sources(people, "agreement") == ["rules", HUMAN]
    assert marks(people, HUMAN)["ca"].score == 3.0
    assert sources([verdict("human:ann", 2.0, "trust")], "agreement") == ["rules"]
