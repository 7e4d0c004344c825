"""Estimates of one scoring, found by what they are."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.core.sections import Figure
from percuss.judging.sources import is_judged
from percuss.protocols.explanation.armnames import KINDS, TABLE_CELLS
from percuss.protocols.explanation.estimate.names import PRIMARY
from percuss.protocols.explanation.options import ExplanationOptions

__all__ = ["Shelf", "figure"]


class Shelf:
    """Finds estimates by name, model and arm; scales from the headline's source, the rules or the evaluator.

    Args:
        run: the scoring.
        estimates: made of it.
        options: settings of the scoring.
    """

    def __init__(self, run: RunView, estimates: Sequence[Estimate], options: ExplanationOptions) -> None:
        self.run = run
        self.options = options
        self.manifest: Mapping[str, Any] = run.manifest()
        self.simulated = run.simulated
        self.estimates = tuple(estimates)
        self._at: dict[tuple[str, str, str], list[Estimate]] = {}
        for e in self.estimates:
            self._at.setdefault((e.name, e.model, e.arm), []).append(e)
        primary = next((e for e in self.estimates if e.name == PRIMARY), None)
        self.judged = any(is_judged(e.labels) for e in self.estimates)
        self.labels = primary.labels if primary is not None else "rule:ca"
        self.models = tuple(dict.fromkeys(e.model for e in self.estimates if e.name == "accuracy"))

    @property
    def real(self) -> tuple[str, ...]:
        """Models that are not simulated."""
        return tuple(m for m in self.models if m not in self.simulated)

    @property
    def arms(self) -> tuple[str, ...]:
        """Arms that were asked, in the order of the run."""
        named = [str(arm) for arm in self.manifest.get("arms", ())]
        seen = {e.arm for e in self.estimates if e.name == "accuracy" and e.arm.partition(":")[0] in KINDS}
        order = {name: at for at, name in enumerate((*named, *TABLE_CELLS))}
        return tuple(sorted(seen, key=lambda arm: (order.get(arm, len(order)), arm)))

    def get(self, name: str, model: str, arm: str) -> Estimate | None:
        """Return an estimate; of those that rest on raters, the one of the headline's source."""
        held = self._at.get((name, model, arm), ())
        fitting = [e for e in held if is_judged(e.labels)] if self.judged else []
        plain = [e for e in held if e.labels.startswith("rule:")]
        return next(iter([*fitting, *plain, *held]), None)

    def named(self, name: str) -> Iterator[Estimate]:
        """Yield the estimates of a name from the headline's source (or the rules where it has none)."""
        held = [e for e in self.estimates if e.name == name]
        agreed = [e for e in held if is_judged(e.labels)] if self.judged else []
        yield from agreed or [e for e in held if e.labels.startswith("rule:")]


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
