"""A number in words: what it is called, what it asks, and which way is better."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from percuss.core.labels import reason_words
from percuss.core.records import Estimate
from percuss.stats.resampling import Draws, Method
from percuss.stats.result import Result

__all__ = ["Plan", "Quantity", "estimate_of", "result_of"]

Better = Literal["lower", "higher", "neither"]


@dataclass(frozen=True)
class Quantity:
    """The words of an estimate.

    Args:
        name: snake_case name; the cells' name unless `cells` says otherwise.
        label: what a person calls it; question: what it asks; better: which way is better; unit: as in `Estimate`.
        cells: name of the cells it is made of; "" for `name`.
    """

    name: str
    label: str
    question: str = ""
    better: Better = "neither"
    unit: str = "share"
    cells: str = ""

    @property
    def source(self) -> str:
        """Name of the cells it is made of."""
        return self.cells or self.name

    @property
    def words(self) -> dict[str, Any]:
        """The fields of `Estimate` that are words."""
        return {"label": self.label, "question": self.question, "better": self.better, "unit": self.unit}

    def as_difference(self) -> Self:
        """Return the words of a difference of this quantity between two models."""
        unit = "points" if self.unit == "share" else self.unit
        return replace(
            self,
            name=f"{self.name}_difference",
            label=f"difference in {self.label}",
            question=f"How far do two models differ in {self.label}?",
            better="neither",
            unit=unit,
            cells=self.source,
        )


@dataclass(frozen=True)
class Plan:
    """How intervals are made.

    Args:
        seed: of all draws; statistics with the same seed share their resamples, so that they are paired.
        B: resamples. level: of the intervals. method: how a bootstrap is read; BCa by the policy (`stats.policy`).
        scoring: id that the estimates carry.
        simulated: models that are simulations, as `simulated_of` finds them in the cells.
    """

    seed: int
    B: int = 10_000
    level: float = 0.95
    method: Method = "bca"
    scoring: str = ""
    simulated: frozenset[str] = frozenset()

    @property
    def draws(self) -> Draws:
        """How resamples are drawn and read, as `percuss.stats` takes it."""
        return {"seed": self.seed, "B": self.B, "level": self.level, "method": self.method}


def estimate_of(
    quantity: Quantity, model: str, arm: str, labels: str, result: Any, plan: Plan, **fields: Any
) -> Estimate:
    """Make an estimate of a statistic's result; an interval that is undefined leaves the value standing, with a note.

    Args:
        quantity: the words.
        model, arm, labels: whose number it is.
        result: a `percuss.stats` result.
        plan: seed, level and scoring.
        fields: further fields of `Estimate`; they win.
    """
    notes = [note for note in [fields.pop("note", "")] if note]
    notes.extend(getattr(result, "notes", ()))
    undefined = result.undefined if result.value is None else None
    if undefined and (gone := _left_out(fields.get("excluded"))) and "left out" not in undefined:
        undefined = f"{undefined} (left out: {gone})"
    if result.value is not None and result.undefined:
        notes.append(f"interval undefined: {result.undefined}")
    other = getattr(result, "alternative", None)
    if other is not None and other.low is not None and other.high is not None:
        notes.append(f"{other.method}: [{other.low:.3f}, {other.high:.3f}]")
    taken: dict[str, Any] = {
        "value": result.value,
        "low": result.low,
        "high": result.high,
        "level": result.level,
        "sided": getattr(result, "sided", "both"),
        "method": result.method,
        "undefined": undefined,
        "p": result.p,
        "seed": plan.seed if "B = " in result.method else None,
        "n": result.n,
        "scoring": plan.scoring,
        "simulated": model in plan.simulated,
        "note": "; ".join(notes),
        **quantity.words,
    }
    return Estimate(name=quantity.name, model=model, arm=arm, labels=labels, **{**taken, **fields})


def _left_out(excluded: Mapping[str, int] | None) -> str:
    """Say by which reasons everything was left out, the commonest first; "" where nothing was."""
    ordered = sorted((excluded or {}).items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count:,} {reason_words(reason)}" for reason, count in ordered[:3])


def result_of(e: Estimate) -> Result:
    """Return an estimate as a `percuss.stats` result again, for equivalence, ranks and power."""
    return Result(
        value=e.value,
        low=e.low,
        high=e.high,
        level=e.level,
        method=e.method or "none",
        n=e.n,
        undefined=None if e.low is not None or e.sided != "both" else e.undefined or "no interval",
        sided=e.sided,
    )
