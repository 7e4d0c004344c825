"""Estimates of one scoring, found by what they are."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.core.sections import Figure
from percuss.measure.rates import SIMULTANEOUS
from percuss.protocols.grounding.estimate.names import BASELINE, DEPTHS, GROUNDED
from percuss.protocols.grounding.options import GroundingOptions

__all__ = ["Shelf", "cell", "figure"]

ORDER = ("no_id", BASELINE, *DEPTHS, "shuffled", "literature")


class Shelf:
    """Finds estimates by name, model, arm and label source; the headline's source unless another is named.

    Args:
        run: the scoring. estimates: made of it. options: settings of the scoring.
    """

    def __init__(self, run: RunView, estimates: Sequence[Estimate], options: GroundingOptions) -> None:
        self.run = run
        self.options = options
        self.manifest: Mapping[str, Any] = run.manifest()
        self.simulated = run.simulated
        self.estimates = tuple(estimates)
        primary = next((e for e in self.estimates if e.primary), None)
        rated = [e for e in self.estimates if e.name == "unsupported_rate"]
        # Without both arms nothing is primary; the judge's labels come before the rules' all the same.
        gated = (e for e in rated if e.labels in {"agreement", "majority"})
        known = primary or next(gated, None) or next(iter(rated), None)
        self.labels = known.labels if known else ""
        self.policy = "majority" if self.labels == "majority" else "agreement"
        self.arm = next((e.arm for e in self.estimates if e.arm in GROUNDED), GROUNDED[0])
        self.baseline = BASELINE
        self.models = tuple(dict.fromkeys(e.model for e in rated))

    @property
    def real(self) -> tuple[str, ...]:
        """Models that are not simulated."""
        return tuple(m for m in self.models if m not in self.simulated)

    @property
    def arms(self) -> tuple[str, ...]:
        """Arms that have rates, from no evidence to all of it; those beside the depths come last."""
        held = dict.fromkeys(e.arm for e in self.estimates if e.name == "unsupported_rate")
        return tuple(sorted(held, key=lambda arm: ORDER.index(arm) if arm in ORDER else len(ORDER)))

    @property
    def sources(self) -> tuple[str, ...]:
        """Label sources, the headline's first."""
        held = dict.fromkeys(e.labels for e in self.estimates if e.name == "unsupported_rate")
        return (self.labels, *(source for source in held if source != self.labels))

    def get(self, name: str, model: str, arm: str | None = None, **where: Any) -> Estimate | None:
        """Return the first estimate that fits; the arm with all the evidence unless another is named."""
        return next(self.all(name, model=model, arm=arm or self.arm, **where), None)

    def all(self, name: str, **where: Any) -> Iterator[Estimate]:
        """Yield all estimates of a name; `labels` any for numbers that rest on no label source of their own."""
        keys = {"stratum": None, **where}
        if keys.get("labels") == "any":
            del keys["labels"]
        elif "labels" not in keys and any(e.labels == self.labels for e in self._named(name)):
            keys["labels"] = self.labels
        yield from (e for e in self._named(name) if all(getattr(e, k) == v for k, v in keys.items()))

    def pairs(self, name: str, arm: str | None = None, *, together: bool = False) -> list[Estimate]:
        """Return the differences between models; `together` for intervals that hold over the whole family."""
        stratum = SIMULTANEOUS if together else None
        return list(self.all(name, arm=arm or self.arm, stratum=stratum))

    def _named(self, name: str) -> Iterator[Estimate]:
        return (e for e in self.estimates if e.name == name)


def figure(estimate: Estimate | None) -> Figure:
    """Return an estimate as a figure; what was not measured is undefined in so many words."""
    if estimate is None:
        return Figure(undefined="not measured")
    return Figure(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        unit=estimate.unit,
        n=estimate.n,
        undefined=estimate.undefined,
        simulated=estimate.simulated,
    )


def cell(estimate: Estimate | None) -> dict[str, Any]:
    """Return an estimate as a table's cell: its figure, or that it was not measured."""
    return dict(msgspec.to_builtins(figure(estimate)))
