"""Models over several sources, paired: rates, all differences, ranks; any cells will do."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from msgspec.structs import replace

from percuss.core.errors import UsageError
from percuss.core.records import Cell, Estimate
from percuss.measure.comparable import blanked, not_comparable
from percuss.measure.dependence import hdis, model_hdi_differences
from percuss.measure.numbers import p_value, point, written
from percuss.measure.pairing import paired
from percuss.measure.quantity import Plan, Quantity, result_of
from percuss.measure.ranks import Ranked, ranked
from percuss.measure.rates import detectable, model_differences, rates
from percuss.measure.tally import Tally, simulated_of, tallies
from percuss.measure.turned import Turned, turned
from percuss.measure.wording import source_words
from percuss.stats import Equivalence, equivalence, holm

__all__ = ["Comparison", "Pair", "compared"]


SAME_CASES = "expected the same case ids (or sample ids) in every source"


@dataclass(frozen=True)
class Pair:
    """One pair of models: the difference, and what the margin says of it (None without a margin)."""

    difference: Estimate
    equivalence: Equivalence | None

    @property
    def words(self) -> str:
        """The pair in one sentence, as the report says it; what makes its reader doubtful stands beside it."""
        d = self.difference
        return f"{self._told}; {d.withheld}" if d.withheld and d.value is not None else self._told

    @property
    def _told(self) -> str:
        d = self.difference
        if d.value is None:
            return f"{d.model} and {d.versus}: undefined ({d.undefined})"
        p = "" if d.p_adjusted is None else f", p {p_value(d.p_adjusted)} (Holm)"
        if d.low is None or d.high is None:
            why = d.note.removeprefix("interval undefined: ")
            return f"{d.model} and {d.versus} differ by {point(d.value, d.unit)}{p}, no interval ({why})"
        margin = "" if self.equivalence is None else point(self.equivalence.margin, d.unit)
        if self.equivalence is not None and self.equivalence.verdict == "equivalent":
            return f"{d.model} and {d.versus} are equivalent within {margin}: {written(d)}"
        beside = f"; equivalence within {margin} is not shown" if margin else ""
        if d.p_adjusted is not None and d.p_adjusted <= 1 - d.level:
            way = "higher" if d.value > 0 else "lower"
            return f"{d.model} is {way} than {d.versus}: {written(d)}{p}{beside}"
        seen = "" if d.detectable is None else f"; we could have seen {point(d.detectable, d.unit)}"
        return f"{d.model} and {d.versus} are not separable: {written(d)}{p}{seen}{beside}"


@dataclass(frozen=True)
class Comparison:
    """One quantity compared over models: each model's number, all pairs, ranks; with a baseline the cases that turned."""

    quantity: Quantity
    labels: str
    arm: str
    singles: tuple[Estimate, ...]
    pairs: tuple[Pair, ...]
    ranks: tuple[Ranked, ...]
    left_out: str = ""
    turned: tuple[Turned, ...] = ()


def compared(
    cells: Sequence[Cell],
    quantity: Quantity,
    *,
    labels: str,
    arm: str,
    plan: Plan,
    margin: float | None = None,
    baseline: str | None = None,
    without: str | None = None,
    doubts: Mapping[str, str] = MappingProxyType({}),
    beside: Sequence[Estimate] = (),
) -> Comparison:
    """Compare models on the cases that they share.

    Args:
        cells: of all models and of every number of them, which tell what was answered; cases pair by id.
        quantity: words of the number; its cells are found by name.
        labels, arm: which cells.
        plan: how intervals are made.
        margin: largest difference without importance (`--equivalence`), in the unit of the number.
        baseline: only pairs with this model.
        without: the arm without evidence, where the number is HDI of unsupported counts; None for rates and means.
        doubts: model -> why its number carries no headline. By a rule no pair of it is told apart then; by others it says so.
        beside: estimates that say how a rule reads each model's own text; a pair that it isn't known to read alike isn't told apart.

    Raises:
        UsageError: no such cells, one model alone, or no shared case.
    """
    arms = {arm, without}
    mine = [c for c in cells if c.name == quantity.source and c.labels == labels and c.arm in arms]
    plan = dataclasses.replace(plan, simulated=simulated_of(mine))
    models = tuple(dict.fromkeys(cell.model for cell in mine))
    if baseline is not None and baseline not in models:
        raise UsageError(f"--baseline got {baseline!r}; the models here are {', '.join(models) or 'none'}")
    if len(models) < 2:
        raise UsageError(
            f"{quantity.source} in {arm} has {len(models)} model; a comparison needs two; add a run or a log"
        )
    tally = tallies(cells)[quantity.source, labels]
    sides = [(m, at) for m in models for at in (arm, without) if at is not None and tally.has(m, at)]
    both = paired(tally, sides)
    if not both.tally.rows:
        raise UsageError(f"the models share no case that all of them answered: {both.words}; {SAME_CASES}")
    held = both.tally
    singles, every = _measured(held, quantity, plan, arm, without)
    singles = tuple(replace(e, withheld=doubts.get(e.model, "")) for e in singles)
    found = [_alone(d, doubts, beside) for d in every if d.stratum is None]
    order = ranked(singles, found, higher_first=quantity.better != "lower")
    shown = found if baseline is None else _with_baseline(found, baseline)
    pairs = tuple(_pair(d, margin) for d in shown)
    changed = () if baseline is None else tuple(turned(held, quantity, arm=arm, baseline=baseline))
    return Comparison(quantity, labels, arm, singles, pairs, order, both.words, changed)


def _alone(d: Estimate, doubts: Mapping[str, str], beside: Sequence[Estimate]) -> Estimate:
    """Return a difference with the doubt of its models, by a rule without its figures (reading.md, section 2: "not comparable by rule")."""
    why = doubts.get(d.model) or doubts.get(d.versus or "", "")
    why = why or ("" if d.simulated else not_comparable(beside, d.labels, (d.model, d.versus or "")))
    if not why or not d.labels.startswith("rule:"):
        return replace(d, withheld=why)
    return blanked(d, f"not comparable by {source_words(d.labels)}: {why}", why)


def _measured(
    held: Tally, quantity: Quantity, plan: Plan, arm: str, without: str | None
) -> tuple[tuple[Estimate, ...], Iterable[Estimate]]:
    """Each model's number and all differences, on the shared cases."""
    if without is None:
        own = rates(held, quantity, plan, proportion=quantity.unit == "share")
        return tuple(e for e in own if e.arm == arm), model_differences(held, quantity, plan, arm=arm)
    pooled = hdis(held, plan, arm=arm, baseline=without)
    singles = tuple(e for e in pooled if e.name == quantity.name and e.stratum is None)
    return singles, model_hdi_differences(held, plan, arm=arm, baseline=without)


def _with_baseline(found: Sequence[Estimate], baseline: str) -> list[Estimate]:
    """Return the pairs with one model, that model second, corrected as the smaller family that they are."""
    pairs = [d for d in found if baseline in {d.model, d.versus}]
    out: list[Estimate] = []
    for simulated in (False, True):
        family = [d for d in pairs if d.simulated == simulated]
        adjusted = iter(holm([d.p for d in family if d.p is not None]))
        out.extend(
            replace(
                d if d.versus == baseline else _turned(d),
                p_adjusted=None if d.p is None else next(adjusted),
                detectable=detectable(result_of(d), len(family)),
                family=f"{d.name} · {d.arm} · {d.labels} · {len(family)} pairs with {baseline}",
            )
            for d in family
        )
    return out


def _turned(d: Estimate) -> Estimate:
    """Return the same difference the other way round."""
    value, low, high = (None if x is None else -x for x in (d.value, d.high, d.low))
    return replace(d, model=d.versus, versus=d.model, value=value, low=low, high=high)


def _pair(difference: Estimate, margin: float | None) -> Pair:
    if margin is None or difference.value is None:
        return Pair(difference, None)
    return Pair(difference, equivalence(result_of(difference), margin=margin))
