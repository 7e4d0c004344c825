"""Estimates of one scoring, found by what they are."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from percuss.core.labels import is_simulated
from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.core.sections import Figure
from percuss.measure.rates import SIMULTANEOUS
from percuss.protocols.stressors.estimate.numbers import PRIMARY
from percuss.protocols.stressors.options import RATER, StressorsOptions
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL, PLACEBOS, UNGROUNDED

__all__ = ["Shelf", "figure"]


class Shelf:
    """Finds estimates by name, model, arm and label source; the headline's source unless another is named.

    Args:
        run: the scoring. estimates: made of it. options: settings of the scoring.
    """

    def __init__(self, run: RunView, estimates: Sequence[Estimate], options: StressorsOptions) -> None:
        self.run = run
        self.options = options
        self.manifest: Mapping[str, Any] = run.manifest()
        self.estimates = tuple(estimates)
        rated = [e for e in self.estimates if e.name == PRIMARY]
        known = next((e for e in self.estimates if e.primary), None) or next(iter(rated), None)
        self.labels = known.labels if known else RATER
        self.models = tuple(dict.fromkeys(e.model for e in rated))
        seen = {e.arm for e in rated}
        order = (*FACTORIAL, *PLACEBOS)
        self.arms = (
            *(a for a in order if a in seen),
            *sorted(seen - {*order, UNGROUNDED}),
            *(a for a in (UNGROUNDED,) if a in seen),
        )
        self._by: dict[tuple[str, str, str, str], Estimate] = {}
        for e in self.estimates:
            if e.stratum is None and e.versus is None:
                self._by.setdefault((e.name, e.model, e.arm, e.labels), e)

    @property
    def real(self) -> tuple[str, ...]:
        """Models that are not simulated."""
        return tuple(m for m in self.models if not is_simulated(m))

    @property
    def ordered(self) -> tuple[str, ...]:
        """Models by contradictions noticed, most first; simulated ones after the others."""

        def key(model: str) -> tuple[bool, bool, float]:
            e = self.get(PRIMARY, model, "contradiction")
            value = None if e is None else e.value
            return is_simulated(model), value is None, -(value or 0.0)

        return tuple(sorted(self.models, key=key))

    @property
    def sources(self) -> tuple[str, ...]:
        """Label sources, the headline's first."""
        held = dict.fromkeys(e.labels for e in self.estimates if e.name == PRIMARY or e.labels == "human")
        return (self.labels, *(source for source in held if source != self.labels))

    def get(self, name: str, model: str, arm: str, labels: str | None = None) -> Estimate | None:
        """Return the estimate that fits, None where there is none."""
        return self._by.get((name, model, arm, labels or self.labels))

    def all(self, suffix: str, model: str | None = None) -> Iterator[Estimate]:
        """Yield the headline's estimates whose name ends in a suffix."""
        for e in self.estimates:
            fits = e.name.endswith(suffix) and e.labels == self.labels and e.stratum is None
            if fits and (model is None or e.model == model):
                yield e

    def pairs(self, name: str, *, together: bool = False) -> list[Estimate]:
        """Return the differences between models; `together` for intervals that hold over the whole family."""
        stratum = SIMULTANEOUS if together else None
        return [
            e
            for e in self.estimates
            if e.name == f"{name}_difference" and e.labels == self.labels and e.stratum == stratum
        ]


def figure(estimate: Estimate | None, missing: str = "not measured") -> Figure:
    """Return an estimate as a figure; what was not measured is undefined in so many words."""
    if estimate is None:
        return Figure(undefined=missing)
    return Figure(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        unit=estimate.unit,
        n=estimate.n,
        undefined=estimate.undefined,
        simulated=estimate.simulated,
    )
