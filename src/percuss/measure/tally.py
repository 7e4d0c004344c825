"""Cells of one name and label source, aligned on the same cases for every model and arm."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from percuss.core.errors import UsageError
from percuss.core.records import Cell
from percuss.stats.resampling import Grouping

__all__ = ["OUTCOMES", "Tally", "simulated_of", "tallies"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Where = tuple[str, str]
Asked = dict[Where, dict[str, str]]
OUTCOMES = frozenset({"cut_share", "answered_clean"})
"""Numbers that count every answer asked for, also those that never came: they tell nothing of what was answered."""


@dataclass(frozen=True)
class Raw:
    """What stood in the cells of a model in an arm before answers to one case were averaged.

    Args:
        num, den: sums over all answers to each case, shape (rows,).
        left: items left out, averaged over the answers of each case as the counts are, summed over cases.
    """

    num: Floats
    den: Floats
    left: float

    def __add__(self, other: "Raw") -> "Raw":
        """Add up two arms."""
        return Raw(self.num + other.num, self.den + other.den, self.left + other.left)


@dataclass(frozen=True)
class Tally:
    """What one number is made of: numerators and denominators by model and arm, one row per case.

    Several answers to one case (epochs) are averaged over those that were answered, so that a case weighs the same
    however often it was asked, and cases are resampled alone (definitions/grounding.md, version 2, "How sure").

    Args:
        name, labels: of the cells.
        rows: case id of each row, in the order in which they were first met.
        cluster: cluster of each row; what is resampled.
        num, den: (model, arm) -> array of shape (rows,); zero where the model has no cell there.
        excluded: (model, arm) -> reason -> count, over all answers.
        raw: (model, arm) -> sums over all answers.
        there: (model, arm) -> which rows were answered and scored, shape (rows,).
        gone: (model, arm) -> case id -> why it was not, of the cases that were asked.
        missing: (model, arm) -> cases asked without an answer that this number could have counted.
        n_epochs: how many answers a case has at most. fewest_epochs: how many at least.
    """

    name: str
    labels: str
    rows: tuple[str, ...]
    cluster: tuple[str, ...]
    num: dict[Where, Floats]
    den: dict[Where, Floats]
    excluded: dict[Where, dict[str, int]]
    raw: dict[Where, Raw] = field(default_factory=dict)
    there: dict[Where, Bools] = field(default_factory=dict)
    gone: dict[Where, dict[str, str]] = field(default_factory=dict)
    missing: dict[Where, int] = field(default_factory=dict)
    n_epochs: int = 1
    fewest_epochs: int = 1

    @property
    def models(self) -> tuple[str, ...]:
        """Models in the order in which they were first met."""
        return tuple(dict.fromkeys(model for model, _ in self.num))

    @property
    def arms(self) -> tuple[str, ...]:
        """Arms in the order in which they were first met."""
        return tuple(dict.fromkeys(arm for _, arm in self.num))

    @property
    def n_clusters(self) -> int:
        """Clusters over all rows."""
        return len(set(self.cluster))

    @property
    def covers(self) -> str:
        """What an interval over these rows accounts for, in words."""
        if self.n_epochs > 1:
            fewest = f"{self.fewest_epochs} to " if self.fewest_epochs < self.n_epochs else ""
            return f"sampling of cases and of answers ({fewest}{self.n_epochs} epochs)"
        return "sampling of cases, not of answers (1 epoch)"

    @property
    def resampling(self) -> Grouping:
        """What is drawn together, as `percuss.stats` takes it."""
        return {"clusters": np.array(self.cluster)}

    def has(self, model: str, arm: str) -> bool:
        """Whether a model has any cell in an arm."""
        return (model, arm) in self.num

    def scored(self, model: str, arm: str) -> int:
        """Return how many items were scored, over all answers."""
        return round(float(self.raw[model, arm].den.sum())) if (model, arm) in self.raw else 0

    def columns(self, model: str, arm: str) -> tuple[Floats, Floats]:
        """Return numerators and denominators of a model in an arm; zeros where it has no cell."""
        zero = np.zeros(len(self.rows))
        return self.num.get((model, arm), zero), self.den.get((model, arm), zero)

    def summed(self, model: str, arm: str) -> tuple[Floats, Floats]:
        """Return numerators and denominators added up over the answers to each case, not averaged; whole counts."""
        zero = np.zeros(len(self.rows))
        held = self.raw.get((model, arm))
        return (zero, zero) if held is None else (held.num, held.den)

    def over_arms(self, arm: str) -> "Tally":
        """Return the tally with all arms of a model added up under one name.

        Args:
            arm: the name that the sum goes by.
        """
        num: dict[Where, Floats] = {}
        den: dict[Where, Floats] = {}
        raw: dict[Where, Raw] = {}
        out: dict[Where, Counter[str]] = {}
        for model, own in self.num:
            a, b = self.columns(model, own)
            num[model, arm] = num.get((model, arm), np.zeros(len(self.rows))) + a
            den[model, arm] = den.get((model, arm), np.zeros(len(self.rows))) + b
            held = self.raw[model, own]
            raw[model, arm] = raw[model, arm] + held if (model, arm) in raw else held
            out.setdefault((model, arm), Counter()).update(self.left_out(model, own))
        excluded = {key: dict(counts) for key, counts in out.items()}
        return replace(self, num=num, den=den, excluded=excluded, raw=raw)

    def answered(self, model: str, arm: str) -> Bools:
        """Return which rows a model answered in an arm, and was scored on, shape (rows,)."""
        held = self.there.get((model, arm))
        return np.zeros(len(self.rows), dtype=np.bool_) if held is None else held

    def of_rows(self, keep: Bools) -> "Tally":
        """Return the tally of some of its rows.

        Args:
            keep: which, shape (rows,).
        """

        def part(columns: dict[Where, Floats]) -> dict[Where, Floats]:
            return {where: column[keep] for where, column in columns.items()}

        return replace(
            self,
            rows=tuple(row for row, kept in zip(self.rows, keep, strict=True) if kept),
            cluster=tuple(name for name, kept in zip(self.cluster, keep, strict=True) if kept),
            num=part(self.num),
            den=part(self.den),
            raw={w: replace(held, num=held.num[keep], den=held.den[keep]) for w, held in self.raw.items()},
            there={where: held[keep] for where, held in self.there.items()},
        )

    def left_out(self, model: str, arm: str) -> dict[str, int]:
        """Return how many items were excluded, by reason."""
        return self.excluded.get((model, arm), {})

    def clusters_of(self, model: str, arm: str) -> int:
        """Return how many clusters contribute to a model's number in an arm."""
        _, den = self.columns(model, arm)
        return len({c for c, d in zip(self.cluster, den, strict=True) if d > 0})


def simulated_of(cells: Iterable[Cell]) -> frozenset[str]:
    """Return the models among some cells that are simulations."""
    return frozenset(cell.model for cell in cells if cell.simulated)


def tallies(cells: Iterable[Cell]) -> dict[tuple[str, str], Tally]:
    """Group cells by (name, labels), aligned on the same rows.

    Args:
        cells: of one scoring, in any order; order of first meeting decides the order of rows, models and arms.

    Raises:
        UsageError: two cells for the same case, epoch, model and arm of one name.
    """
    groups: dict[tuple[str, str], list[Cell]] = {}
    asked: Asked = {}
    for cell in cells:
        groups.setdefault((cell.name, cell.labels), []).append(cell)
        if cell.name not in OUTCOMES:
            _note(asked, cell)
    own: Asked = {}
    for cell in (cell for key, group in groups.items() if key[0] in OUTCOMES for cell in group):
        _note(own, cell)
    return {key: _tally(key, group, own if key[0] in OUTCOMES else asked) for key, group in groups.items()}


def _note(asked: Asked, cell: Cell) -> None:
    """Note that a case was asked, and why it was not answered where that is so."""
    held = asked.setdefault((cell.model, cell.arm), {})
    if cell.den > 0 or not cell.excluded:
        held[cell.case_id] = ""
    else:
        held.setdefault(cell.case_id, next(iter(cell.excluded)))


def _tally(key: tuple[str, str], cells: Sequence[Cell], asked: Asked) -> Tally:
    cluster: dict[str, str] = {}
    answers: dict[Where, dict[str, list[Cell]]] = {}
    seen: set[tuple[str, str, str, int]] = set()
    for cell in cells:
        place = (cell.model, cell.arm, cell.case_id, cell.epoch)
        if place in seen:
            raise UsageError(
                f"two cells {cell.name!r} for case {cell.case_id!r}, {cell.model}, {cell.arm}, epoch {cell.epoch}"
            )
        seen.add(place)
        cluster.setdefault(cell.case_id, cell.cluster)
        answers.setdefault((cell.model, cell.arm), {}).setdefault(cell.case_id, []).append(cell)
    at = {case: row for row, case in enumerate(cluster)}
    columns = {where: _columns(at, by_case) for where, by_case in answers.items()}
    return Tally(
        name=key[0],
        labels=key[1],
        rows=tuple(at),
        cluster=tuple(cluster.values()),
        num={where: num for where, (num, _, _) in columns.items()},
        den={where: den for where, (_, den, _) in columns.items()},
        excluded={where: _reasons(by_case) for where, by_case in answers.items()},
        raw={where: raw for where, (_, _, raw) in columns.items()},
        there={where: _there(at, by_case, asked[where]) for where, by_case in answers.items()},
        gone={where: _gone(by_case, asked[where]) for where, by_case in answers.items()},
        missing={
            where: sum(1 for case, why in asked[where].items() if why and case not in by_case)
            for where, by_case in answers.items()
        },
        n_epochs=len({epoch for *_, epoch in seen}),
        fewest_epochs=min(len(posed) for by_case in answers.values() for posed in by_case.values()),
    )


def _there(at: dict[str, int], by_case: dict[str, list[Cell]], asked: dict[str, str]) -> Bools:
    """Return the rows that were answered, by any number's cells, and not left out of this number altogether."""
    gone = _gone(by_case, asked)
    return np.array([case in asked and case not in gone for case in at], dtype=np.bool_)


def _gone(by_case: dict[str, list[Cell]], asked: dict[str, str]) -> dict[str, str]:
    out = {case: why for case, why in asked.items() if why}
    for case, posed in by_case.items():
        if not any(cell.den > 0 or not cell.excluded for cell in posed):
            out[case] = next(iter(posed[0].excluded))
    return out


def _columns(at: dict[str, int], by_case: dict[str, list[Cell]]) -> tuple[Floats, Floats, Raw]:
    """Average the counts of each case over its answers; one of which all was left out counts for none."""
    num, den = np.zeros(len(at)), np.zeros(len(at))
    raw, left = Raw(np.zeros(len(at)), np.zeros(len(at)), 0.0), 0.0
    for case, posed in by_case.items():
        row = at[case]
        raw.num[row], raw.den[row] = sum(cell.num for cell in posed), sum(cell.den for cell in posed)
        left += sum(sum(cell.excluded.values()) for cell in posed) / len(posed)
        answered = sum(cell.den > 0 or not cell.excluded for cell in posed) or 1
        num[row], den[row] = raw.num[row] / answered, raw.den[row] / answered
    return num, den, replace(raw, left=left)


def _reasons(by_case: dict[str, list[Cell]]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for posed in by_case.values():
        for cell in posed:
            counts.update(cell.excluded)
    return dict(counts)
