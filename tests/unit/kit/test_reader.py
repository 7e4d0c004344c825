"""What the reader says of a claim: who is in dispute about what, and who labelled."""

import pytest
from msgspec.structs import replace

from percuss.core.records import Verdict
from percuss.kit.report.context import Report
from percuss.kit.report.judged import who_labelled
from percuss.kit.report.reader import in_dispute
from tests.unit.kit.views import ARMS, Held, answer, rate


def said(aspect: str, rater: str, label: str | None) -> Verdict:
    return Verdict(
        subject="c", response_id="r", aspect=aspect, rater=rater, label=label,
        unscored=None if label else "undecided:by rule",
    )  # fmt: skip


ACT = said("speech_act", "human:ann", "assertion")


@pytest.mark.parametrize(
    ("verdicts", "disputed"),
    [
        ([ACT, said("support", "human:ann", "supported"), said("support", "rule:t", "supported")], False),
        ([ACT, said("support", "human:ann", "supported"), said("support", "rule:t", None)], False),
        ([ACT, said("support", "human:ann", "supported"), said("support", "rule:t", "absent")], True),
        ([ACT, said("speech_act", "rule:t", "availability")], True),
    ],
    ids=[
        "one label of each question",
        "a rule that leaves it open",
        "two labels of support",
        "two speech acts",
    ],
)
def test_labels_of_two_questions_are_no_dispute(verdicts: list[Verdict], disputed: bool) -> None:
    """The trap: every statement of the recorded run that a person had read was "in dispute": an assertion, and supported."""
    assert in_dispute(verdicts) is disputed
    assert not in_dispute(verdicts, "other")


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (("rule:t",), "labels come from rules alone."),
        (("rule:t", "human"), "labels come from people and rules."),
        (("rule:t", "human", "verifier:v"), "labels come from people, a verifier and rules."),
    ],
)
def test_who_labelled_names_everybody(labels: tuple[str, ...], words: str) -> None:
    found = [replace(rate("m", arm), labels=each) for arm in ARMS for each in labels]
    report = Report(Held([answer(1, "with")]), found, None)
    assert who_labelled(report) == f"No model judged: {words}"
