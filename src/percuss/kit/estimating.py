"""Numbers of a protocol that wrote none: its rates, what an arm does to them, and how models differ."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from percuss.core.errors import UsageError
from percuss.core.ports import RunView
from percuss.core.protocol import Options, Primary
from percuss.core.records import Cell, Estimate
from percuss.judging.sources import leading
from percuss.kit.counting import claim_cells
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import arm_differences, model_differences, rates
from percuss.measure.tally import Tally, tallies

__all__ = ["Counted", "Rates", "effect_of"]

EFFECT = "_effect"


@dataclass(frozen=True)
class Counted:
    """One rate as protocol.toml declares it, under `[[rate]]`.

    Args:
        quantity: its words. counts: the label of a verdict that is counted. aspect: of the verdicts.
    """

    quantity: Quantity
    counts: str
    aspect: str = "support"

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Counted":
        """Return a rate of its table in protocol.toml."""
        words = {key: row[key] for key in ("name", "label", "question", "better") if key in row}
        return cls(Quantity(**words), counts=row["counts"], aspect=row.get("aspect", "support"))


def effect_of(quantity: Quantity) -> Quantity:
    """Return the words of what an arm does to a rate: its rate there minus its rate in the baseline."""
    return replace(
        quantity,
        name=quantity.name + EFFECT,
        label=f"change in {quantity.label}",
        question=f"How much more, or less, of {quantity.label} than in the baseline?",
        better="neither",
        unit="points",
        cells=quantity.source,
    )


class Rates:
    """The functions `cells` and `estimates` of a protocol whose protocol.toml declares rates.

    Args:
        declared: the rates, the first leads. primary: of the manifest. baseline: name of the baseline arm.
    """

    def __init__(self, declared: Sequence[Counted], primary: Primary) -> None:
        self._declared = tuple(declared)
        self._primary = primary

    def cells(self, run: RunView, options: Options) -> Iterator[Cell]:
        """Yield the cells of every declared rate, for every label source."""
        for rate in self._declared:
            yield from claim_cells(
                run,
                options,
                name=rate.quantity.source,
                counts=rate.counts,
                aspect=rate.aspect,
                missing=self._primary.labels,
            )

    def estimates(self, cells: Sequence[Cell], options: Options, seed: int) -> Iterator[Estimate]:
        """Yield rates by arm, what each arm does to them, and differences between models; the primary one comes first.

        Args:
            cells: of `cells`. options: `resamples` where there is such a setting. seed: root seed of the draws.

        Raises:
            UsageError: nothing was checked.
        """
        held = tallies(cells)
        if not held:
            raise UsageError("nothing was checked, so there is nothing to estimate; run the check first")
        plan = Plan(seed=seed, B=getattr(options, "resamples", 2_000), scoring=cells[0].scoring)
        found = [e for rate in self._declared for e in self._of(rate.quantity, held, plan)]
        labels = leading(list(dict.fromkeys(source for _, source in held)))
        yield from sorted((self._marked(e, labels) for e in found), key=lambda e: not e.primary)

    def _of(
        self, quantity: Quantity, held: Mapping[tuple[str, str], Tally], plan: Plan
    ) -> Iterator[Estimate]:
        baseline = self._primary.arms[-1]
        for (name, _), tally in held.items():
            if name != quantity.source:
                continue
            yield from rates(tally, quantity, plan)
            for arm in (arm for arm in tally.arms if arm != baseline):
                effect = effect_of(quantity)
                for e in arm_differences(tally, effect, plan, arm=baseline, baseline=arm):
                    yield msgspec.structs.replace(e, arm=arm, baseline=baseline)
            for arm in tally.arms:
                yield from model_differences(tally, quantity, plan, arm=arm)

    def _marked(self, e: Estimate, labels: str | None) -> Estimate:
        first = (e.name, e.arm, e.labels) == (self._primary.estimate, self._primary.arms[0], labels)
        return msgspec.structs.replace(e, primary=True) if first and not e.versus and not e.stratum else e
