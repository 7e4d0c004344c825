"""A scoring held in memory: answers of named models in two arms, each with two claims that a rule labelled."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from percuss.core.ports import ScoredResponse
from percuss.core.records import Case, Claim, Estimate, Response, Text, Turn, Verdict
from percuss.models.wire_server import Images

ARMS = ("with", "without")
TEXT = "The nodule is 2 cm. It is stable."


class Held:
    """A `RunView` of given answers.

    Args:
        answers: in any order. manifest: of the run.
    """

    scoring = "s"
    seed = 42

    def __init__(self, answers: Sequence[ScoredResponse], manifest: Mapping[str, Any] | None = None) -> None:
        order = list(dict.fromkeys(a.case.id for a in answers))
        self._answers = sorted(answers, key=lambda a: (a.response.model, order.index(a.case.id)))
        self._manifest = manifest or {}

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(a.response.model for a in self._answers))

    @property
    def simulated(self) -> frozenset[str]:
        return frozenset(model for model in self.models if model.startswith("phantom/"))

    @property
    def blobs(self) -> Images:
        return Images()

    def manifest(self) -> Mapping[str, Any]:
        return self._manifest

    def cases(self) -> Iterator[Case]:
        yield from {a.case.id: a.case for a in self._answers}.values()

    def case(self, case_id: str) -> Case:
        return next(case for case in self.cases() if case.id == case_id)

    def assessed(self, *, model: str | None = None, arm: str | None = None) -> Iterator[ScoredResponse]:
        for a in self._answers:
            if model in {None, a.response.model} and arm in {None, a.response.arm}:
                yield a


def answer(
    number: int, arm: str, model: str = "m", *, reason: str | None = None, left_out: str | None = None
) -> ScoredResponse:
    """Return an answer of a case; with a reason it failed, with `left_out` its check did."""
    case = Case(id=f"c{number}", cluster=f"c{number}", payload={"question": "What is seen?", "size": "2 cm"})
    key = f"{model}-{arm}-{number}"
    if reason is not None:
        response = Response(id=key, case_id=case.id, arm=arm, model=model, status="failed", reason=reason)
        return ScoredResponse(case=case, response=response, left_out=reason)
    turn = Turn(index=0, role="assistant", parts=(Text(text=TEXT),))
    response = Response(id=key, case_id=case.id, arm=arm, model=model, turns=(turn,))
    spans = ((0, 19), (20, 33))
    claims = tuple(Claim.of(key, turn=0, start=a, stop=b, text=TEXT[a:b], extractor="t", kind="numeric") for a, b in spans)  # fmt: skip
    labels = ("supported", "unsupported" if arm == "without" else "supported")
    verdicts = tuple(
        Verdict(subject=claim.id, response_id=key, aspect="support", rater="rule:t", label=label)
        for claim, label in zip(claims, labels, strict=True)
    )
    return ScoredResponse(case=case, response=response, claims=claims, verdicts=verdicts, left_out=left_out)


def rate(model: str, arm: str, value: float | None = 0.25, **fields: Any) -> Estimate:
    """Return an estimate of unsupported claims."""
    held: dict[str, Any] = {"low": 0.1, "high": 0.4} if value is not None else {"undefined": "no answer"}
    return Estimate(
        name="unsupported_rate", label="unsupported claims", better="lower", model=model, arm=arm, labels="rule:t",
        value=value, primary=arm == "with", baseline="without" if arm == "with" else None, **{**held, "n": 24, **fields},
    )  # fmt: skip
