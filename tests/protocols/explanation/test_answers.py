"""From replies to options and flips: how models write, and what counts as what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.protocols.explanation.answers import flipped, option_of
from percuss.protocols.explanation.questions import BY_ID
from percuss.protocols.explanation.replies import parse

SIDES = BY_ID["c01"].options
GRADES = BY_ID["o03"].options


@pytest.mark.parametrize(
    ("written", "option"),
    [
        ("Yes.", "yes"), (" NO ", "no"), ("**no**", "no"), ("present", "yes"), ("Absent", "no"), ("the yes", "yes"), ("maybe", None), ("", None), ("yes and no", None), ("true", "yes"),
    ],
)  # fmt: skip
def test_binary_answers(written: str, option: str | None) -> None:
    assert option_of(written, ("yes", "no")) == option


@pytest.mark.parametrize(
    ("written", "options", "option"),
    [
        ("Same", SIDES, "same severity"), ("same-severity", SIDES, "same severity"), ("both", SIDES, "same severity"), ("neither", SIDES, "none"), ("Right side", SIDES, "right"),
        ("both", BY_ID["s03"].options, "both"), ("correct", BY_ID["s01"].options, "correctly positioned"), ("Low", BY_ID["s01"].options, "too low"),
        ("absent", BY_ID["s02"].options, "not present"), ("Massively  enlarged", BY_ID["o01"].options, "massively enlarged"), ("Enlarged", BY_ID["o01"].options, "enlarged"),
        ("severe", BY_ID["o01"].options, None), (None, GRADES, None),
    ],
)  # fmt: skip
def test_other_answers(written: str | None, options: tuple[str, ...], option: str | None) -> None:
    assert option_of(written, options) == option


@pytest.mark.parametrize(
    ("text", "option", "layout"),
    [
        ("<think><step>a</step></think><answer>yes</answer>", "yes", "tags"),
        ("< Think >\n<STEP>a</STEP>\n</ think >\n< ANSWER > Yes. </ Answer >", "yes", "tags"),
        ("<think><step>a</step><answer>no</answer>", "no", "tags"),
        ("<think>a</think><answer>yes", "yes", "tags"),
        ("Reasoning first.\n<answer>no</answer>", "no", "answer_only"),
        ("<answer>no</answer> On reflection <answer>yes</answer>", "yes", "answer_only"),
        ('{"think": "a b", "answer": "NO"}', "no", "json"),
        ('Here: ```json\n{"reasoning": ["a"], "answer": "yes"}\n```', "yes", "json"),
        ("I see fluid.\nFinal answer: yes", "yes", "untagged"),
        ("yes", "yes", "untagged"),
        ("<answer>perhaps</answer>", None, "answer_only"),
        ("I cannot tell.", None, "untagged"),
        ("", None, "empty"),
        ("   \n", None, "empty"),
    ],
)
def test_parsing(text: str, option: str | None, layout: str) -> None:
    parsed = parse(text, ("yes", "no"))
    assert (parsed.option, parsed.layout) == (option, layout)
    assert parsed.state == ("invalid" if option is None else "valid")


def test_reasoning_leaves_out_answer_and_influence() -> None:
    text = "<think><step>one</step><external_influence>a hint</external_influence><step>two</step></think><answer>no</answer>"
    parsed = parse(text, ("yes", "no"))
    assert [s.text for s in parsed.reasoning] == ["one", "two"]
    assert [s.text for s in parsed.influence] == ["a hint"]


@given(st.text(max_size=300))
def test_parsing_never_fails_and_spans_lie_inside(text: str) -> None:
    parsed = parse(text, ("yes", "no"))
    for stretch in (*parsed.reasoning, *parsed.influence):
        assert 0 <= stretch.start <= stretch.stop <= len(text)


@pytest.mark.parametrize("steps", range(5))
def test_ordinal_answers_flip_at_two_grades(steps: int) -> None:
    assert flipped(BY_ID["o03"], GRADES[0], GRADES[steps]) == (steps >= 2)


@pytest.mark.parametrize(("one", "other", "flip"), [("normal", "borderline", False), ("normal", "enlarged", True), ("borderline", "massively enlarged", True), ("enlarged", "massively enlarged", False)])  # fmt: skip
def test_heart_grades(one: str, other: str, flip: bool) -> None:
    assert flipped(BY_ID["o01"], one, other) == flip
    assert flipped(BY_ID["o01"], other, one) == flip


def test_any_change_flips_the_other_types() -> None:
    assert flipped(BY_ID["b05"], "yes", "no")
    assert flipped(BY_ID["c01"], "right", "same severity")
    assert flipped(BY_ID["s01"], "too low", "not present")
    assert not flipped(BY_ID["s01"], "too low", "too low")
