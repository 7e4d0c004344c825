"""Where does it go wrong: the most frequent failures, with an example of each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from percuss.core.records import Case, Claim, Verdict
from percuss.core.sections import Section
from percuss.kit.report.build import number, table, text
from percuss.kit.report.context import Report, Told
from percuss.kit.report.reader import said_of

__all__ = ["Failures", "failed_by", "most_frequent", "where"]

MOST = 10


@dataclass
class Failure:
    """How often something failed, and the first example of it."""

    example: str
    model: str
    n: int = 0


class Failures:
    """Takes part in the walk: how often each thing fails in each arm, with the first example of it, by model.

    Args:
        report: whose own function names a failure.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._by: dict[str, dict[tuple[str, str], Failure]] = {}

    def add(self, case: Case, answers: Sequence[Told]) -> None:
        """Count the unsupported claims of a case's answers."""
        del case
        name = self._report.of(failed_by)
        for told in answers:
            response, said = told.scored.response, None
            for claim, entry in zip(told.scored.claims, told.entries, strict=False):
                if entry.label == "unsupported":
                    said = said_of(told.scored) if said is None else said
                    key = (name(claim, said.get(claim.id, ())), response.arm)
                    self._by.setdefault(response.model, {}).setdefault(
                        key, Failure(claim.text, response.model)
                    ).n += 1

    def most_common(self, models: Sequence[str]) -> list[tuple[tuple[str, str], Failure]]:
        """Return the most frequent failures of these models together; the first that shows one gives the example."""
        total: dict[tuple[str, str], Failure] = {}
        for model in models:
            for key, one in self._by.get(model, {}).items():
                total.setdefault(key, Failure(one.example, one.model)).n += one.n
        return sorted(total.items(), key=lambda item: -item[1].n)[:MOST]


def failed_by(claim: Claim, verdicts: Sequence[Verdict]) -> str:
    """Return what failed, in words: the kind of claim, unless the protocol knows more."""
    del verdicts
    return f"{claim.kind} claim"


def where(report: Report) -> Iterator[Section]:
    """Yield the most frequent failures, where claims were labelled."""
    if report.steps.of(report.results.models)["made", ""]:
        yield most_frequent(report)


def most_frequent(report: Report) -> Section:
    """Return the ten most frequent failures, with an example each."""
    results = report.results
    rows: list[dict[str, Any]] = [
        {
            "what": what, "arm": report.arm_words(arm), "n": one.n, "example": one.example, "by": one.model,
            "simulated": results.is_simulated(one.model),
        }
        for (what, arm), one in report.collected["failures"].most_common(results.models)
    ]  # fmt: skip
    heads = (text("what", "what failed"), text("arm"), number("n", report.counted[1]), text("example", "for example"), text("by", "said by"))  # fmt: skip
    note = "" if rows else f"No {report.counted[0]} was unsupported."
    return table("where", "What fails most often?", heads, rows, note=note)
