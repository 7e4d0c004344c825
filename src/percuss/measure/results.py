"""The estimates of one scoring, found by what they are: every section of a report reads its numbers here."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from percuss.core.labels import JUDGED, PEOPLE
from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.core.sections import Figure
from percuss.measure.numbers import figure_of
from percuss.measure.rates import SIMULTANEOUS

__all__ = ["Results"]


class Results:
    """Estimates by name, model, arm and label source; the headline's source unless another is named.

    Args:
        run: the scoring.
        estimates: made of it.
        options: settings of the scoring.
        rated: name of the estimate that every model has in every arm that it was asked in.
        arm: the arm that is meant where none is named; "" takes that of the primary estimate.
        baseline: the arm that it is held against.
        order: arms in the order in which they are read; others follow.
    """

    def __init__(
        self, run: RunView, estimates: Sequence[Estimate], options: Any = None, *, rated: str = "", arm: str = "",
        baseline: str = "", order: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.run = run
        self.options = options
        self.manifest: Mapping[str, Any] = run.manifest()
        self.estimates = tuple(estimates)
        self._named: dict[str, list[Estimate]] = {}
        self._at: dict[tuple[str, str, str], list[Estimate]] = {}
        for e in self.estimates:
            self._named.setdefault(e.name, []).append(e)
            self._at.setdefault((e.name, e.model, e.arm), []).append(e)
        self.primary = next((e for e in self.estimates if e.primary), None)
        self.rated = rated or (self.primary.name if self.primary else "")
        held = self._named.get(self.rated, [])
        self.labels = _headline(self.primary, held, self.estimates)
        self.policy = "majority" if any(e.labels == "majority" for e in self.estimates) else "agreement"
        self.arm = arm or (self.primary.arm if self.primary else next((e.arm for e in held), ""))
        self.baseline = baseline or (self.primary.baseline if self.primary else None) or ""
        self.every = tuple(dict.fromkeys(e.model for e in held)) or run.models
        places = {name: at for at, name in enumerate(order)}
        seen = dict.fromkeys(e.arm for e in held)
        self.arms = tuple(sorted(seen, key=lambda name: places.get(name, len(places))))

    @property
    def models(self) -> tuple[str, ...]:
        """The models that tables, ranks and charts are about: the real ones; the simulated ones where there are no others."""
        return tuple(m for m in self.every if not self.is_simulated(m)) or self.every

    @property
    def simulated(self) -> tuple[str, ...]:
        """Simulated models: they stand in a section of their own."""
        return tuple(m for m in self.every if self.is_simulated(m))

    @property
    def only_simulated(self) -> bool:
        """Whether no real model took part."""
        return bool(self.every) and all(map(self.is_simulated, self.every))

    def is_simulated(self, model: str) -> bool:
        """Whether a model's numbers are a simulation's."""
        return model in self.run.simulated

    def shown(self, estimate: Estimate) -> bool:
        """Whether an estimate belongs among those of `models`: no simulated number stands beside a real one."""
        return self.only_simulated or not estimate.simulated

    @property
    def sources(self) -> tuple[str, ...]:
        """Label sources of the rated estimate, the headline's first."""
        return self.sources_of(self.rated)

    def sources_of(self, name: str) -> tuple[str, ...]:
        """Return the label sources of an estimate, the headline's first where it is among them."""
        held = dict.fromkeys(e.labels for e in self._named.get(name, ()))
        return tuple(sorted(held, key=lambda source: source != self.labels))

    def ordered(self, name: str, *, lower_first: bool, arm: str | None = None) -> tuple[str, ...]:
        """Return the models by an estimate; those without a value come last.

        Args:
            name: of the estimate. lower_first: whether low values come first. arm: None is the main arm.
        """
        sign = 1 if lower_first else -1

        def key(model: str) -> tuple[bool, float]:
            e = self.get(name, model, arm)
            return (e is None or e.value is None), sign * (e.value or 0.0) if e is not None else 0.0

        return tuple(sorted(self.models, key=key))

    def get(self, name: str, model: str, arm: str | None = None, **where: Any) -> Estimate | None:
        """Return the first estimate that fits; in the main arm unless another is named.

        Args:
            name, model, arm: whose. where: further fields, such as `labels` or `stratum`.
        """
        held = self._at.get((name, model, arm or self.arm), ())
        found = next(self._fitting(held, name, where), None)
        if found is None and "labels" not in where and self.is_simulated(model) and not self.only_simulated:
            # Nobody labels what a simulation says: it is measured by the machine that reads it.
            found = next(self._fitting(held, name, {**where, "labels": self._machine(held)}), None)
        return found

    def all(self, name: str, **where: Any) -> Iterator[Estimate]:
        """Yield the estimates of a name, those of simulated models only where there are no others."""
        fitting = self._fitting(self._named.get(name, ()), name, where)
        yield from (e for e in fitting if self.shown(e))

    def ending(self, suffix: str, **where: Any) -> Iterator[Estimate]:
        """Yield the estimates whose name ends so, as `all` does."""
        for name in self._named:
            if name.endswith(suffix):
                yield from self.all(name, **where)

    def has(self, name: str) -> bool:
        """Whether there is an estimate of that name."""
        return name in self._named

    def pairs(self, name: str, arm: str | None = None, *, together: bool = False) -> list[Estimate]:
        """Return the differences between models in a quantity.

        Args:
            name: of the quantity. arm: None takes every arm. together: intervals that hold over the whole family.
        """
        stratum = SIMULTANEOUS if together else None
        where = {"stratum": stratum} if arm is None else {"stratum": stratum, "arm": arm}
        return [e for e in self.all(f"{name}_difference", **where) if e.versus is not None]

    def figure(
        self, name: str, model: str, arm: str | None = None, *, missing: str = "not measured", **where: Any
    ) -> Figure:
        """Return an estimate as a figure; what was not measured is undefined in so many words."""
        found = self.get(name, model, arm, **where)
        return Figure(undefined=missing) if found is None else figure_of(found)

    def _machine(self, held: Sequence[Estimate]) -> str:
        return next((e.labels for e in held if e.labels not in {self.labels, *PEOPLE}), self.labels)

    def _fitting(self, held: Sequence[Estimate], name: str, where: Mapping[str, Any]) -> Iterator[Estimate]:
        """Take the headline's labels where a number has them, else those of the source that it has, rules first."""
        keys = {"stratum": None, **where}
        if "labels" not in keys:
            sources = dict.fromkeys(e.labels for e in self._named.get(name, ()))
            if self.labels in sources:
                keys["labels"] = self.labels
            elif any(source in JUDGED for source in sources):
                keys["labels"] = next(source for source in JUDGED if source in sources)
        yield from (e for e in held if all(getattr(e, key) == value for key, value in keys.items()))


def _headline(primary: Estimate | None, rated: Sequence[Estimate], every: Sequence[Estimate]) -> str:
    """Return the primary estimate's label source; without one, a judge's labels come before the rules'."""
    if primary is not None:
        return primary.labels
    named = [e.labels for e in rated] or [e.labels for e in every]
    return next((source for source in JUDGED if source in named), next(iter(named), ""))
