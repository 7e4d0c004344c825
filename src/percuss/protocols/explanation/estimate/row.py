"""One response with what it is held against: the answer, its baseline, its placebo."""

from dataclasses import dataclass
from typing import Any

from percuss.core.labels import Reason
from percuss.core.ports import ScoredResponse
from percuss.core.records import Cell
from percuss.protocols.explanation.answers import flipped
from percuss.protocols.explanation.armnames import ArmName
from percuss.protocols.explanation.questions import Question

__all__ = ["ANSWER", "NO_PAIR", "Answered", "Row", "answered"]

ANSWER = "rule:answer"
NO_PAIR = f"{Reason.NOT_CHECKABLE}:no baseline"


@dataclass(frozen=True)
class Answered:
    """One response as an answer: a valid option, or the reason why there is none (`error` or `unparsable`)."""

    option: str | None
    reason: str | None
    target: str | None

    @property
    def error(self) -> bool:
        """Whether there is no answer because asking failed; an error is never a wrong answer."""
        return self.option is None and not str(self.reason).startswith(Reason.UNPARSABLE.value)


def answered(item: ScoredResponse) -> Answered:
    """Return what a response answered."""
    target = item.response.artifacts.get("target")
    if item.left_out is not None or item.response.status != "done":
        return Answered(None, item.left_out or item.response.reason or Reason.ERROR.value, target)
    verdict = next((v for v in item.verdicts if v.aspect == "answer"), None)
    if verdict is None:
        return Answered(None, f"{Reason.NOT_CHECKABLE}:not checked", target)
    return Answered(verdict.label, verdict.unscored, target)


@dataclass
class Row:
    """Everything that is counted of one response.

    Args:
        item: the response. name: its arm. question, truth: of its case. answer: what it answered.
        baseline: the unmodified picture's answer. placebo: the answer under the cue's placebo. again: under repetition.
    """

    item: ScoredResponse
    name: ArmName
    question: Question
    truth: str
    answer: Answered
    baseline: Answered | None = None
    placebo: Answered | None = None
    again: Answered | None = None

    def cell(self, name: str, labels: str, num: float, den: float, **excluded: Any) -> Cell:
        """Return a cell of this response."""
        response = self.item.response
        return Cell(
            name=name,
            model=response.model,
            arm=response.arm,
            labels=labels,
            case_id=response.case_id,
            cluster=self.item.case.cluster,
            num=num,
            den=den,
            epoch=response.epoch,
            stratum=self.item.case.stratum,
            **excluded,
        )

    def left_out(self, name: str, labels: str, reason: str | None) -> Cell:
        """Return a cell that counts nothing, with its reason."""
        return self.cell(name, labels, 0, 0, excluded={reason or Reason.ERROR.value: 1})

    def pair_problem(self, other: Answered | None) -> str | None:
        """Return why a pair is not valid, or None."""
        if self.answer.option is None:
            return self.answer.reason
        if other is None:
            return NO_PAIR
        return other.reason if other.option is None else None

    @property
    def flip(self) -> bool | None:
        """Whether a valid pair flipped; None where the pair is not valid."""
        if self.pair_problem(self.baseline) is not None or self.baseline is None:
            return None
        assert self.answer.option is not None and self.baseline.option is not None  # noqa: PT018
        return flipped(self.question, self.baseline.option, self.answer.option)
