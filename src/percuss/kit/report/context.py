"""What the parts of a report share: the numbers, the outline, one walk over the answers, and the protocol's own parts."""

import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Case, Estimate
from percuss.kit.report import labels
from percuss.kit.report.outline import Outline, Shown, outline_of
from percuss.kit.report.walk import Entry, Steps, by_case
from percuss.measure.results import Results

__all__ = ["Collector", "Report", "Told", "entries", "sources", "unusable"]

P = ParamSpec("P")
T = TypeVar("T")


class Told(typing.NamedTuple):
    """One answer of the walk: with its case, what each source says of its claims, and the headline's entries."""

    scored: ScoredResponse
    sources: Mapping[str, Any]
    entries: Sequence[Any]


class Collector(typing.Protocol):
    """Takes the answers of one case at a time, in the order model, arm, epoch."""

    def add(self, case: Case, answers: Sequence[Told]) -> None:
        """Take the answers of a case."""


class Report:
    """One scoring on its way to sections.

    Args:
        run: the scoring. estimates: made of it. options: its settings.
        outline: the protocol's; None reads it off the manifest and the estimates.
        parts: where the protocol's own functions lie, by name (a module's `vars`).
    """

    def __init__(
        self, run: RunView, estimates: Sequence[Estimate], options: Any, *, outline: Outline | None = None,
        parts: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.run = run
        self.options = options
        self.parts = parts or {}
        self.outline = outline or outline_of(estimates, run.manifest())
        o = self.outline
        self.results = Results(
            run,
            estimates,
            options,
            rated=o.rated or o.lead.name,
            arm=o.arm,
            baseline=o.baseline,
            order=o.arms,
        )
        self.steps = Steps()
        self.collected: dict[str, Any] = {}

    def of(self, default: Callable[P, T]) -> Callable[P, T]:
        """Return the protocol's function of the same name, else the default."""
        own: Callable[P, T] = self.parts.get(default.__name__, default)
        return own

    def walk(self, collectors: Mapping[str, Collector]) -> None:
        """Read all answers once, for every part that needs them.

        Args:
            collectors: by name; `collected` keeps them.
        """
        for case, found in by_case(self.run):
            told = [self._told(scored) for scored in found]
            for one in told:
                self.steps.add(one.scored, one.entries, self.of(unusable)(self, one.scored))
            for collector in collectors.values():
                collector.add(case, told)
        self.collected = dict(collectors)

    def _told(self, scored: ScoredResponse) -> Told:
        held = self.of(sources)(self, scored)
        return Told(scored, held, self.of(entries)(self, scored, held))

    def value(self, shown: Shown, model: str) -> Estimate | None:
        """Return the estimate that a panel's column shows of a model."""
        return self.results.get(shown.name, model, shown.arm or None)

    @property
    def counted(self) -> tuple[str, str]:
        """What the rated number counts, one and many."""
        claims = bool(self.steps.of(self.results.every)["made", ""])
        return self.outline.counted or (("claim", "claims") if claims else ("answer", "answers"))

    @property
    def ordered(self) -> tuple[str, ...]:
        """The models that tables are about, by the lead."""
        lead = self.outline.lead
        return self.results.ordered(lead.name, lower_first=lead.lower_first, arm=lead.arm or None)

    def arm_words(self, arm: str) -> str:
        """Return an arm in a person's words."""
        return self.outline.arm_words(arm)


def sources(report: Report, scored: ScoredResponse) -> Mapping[str, Sequence[Entry]]:
    """Return label source -> what it says, one entry a claim."""
    return labels.sources(scored, report.results.policy)


def entries(report: Report, scored: ScoredResponse, found: Mapping[str, Sequence[Any]]) -> Sequence[Entry]:
    """Return what the headline's source says of each claim, labelled or with a reason."""
    return labels.entries(found, scored, report.results.labels)


def unusable(report: Report, scored: ScoredResponse) -> str | None:
    """Return why nothing of an answer that came can be used; None where it can."""
    del report
    return scored.left_out
