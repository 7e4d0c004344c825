"""A judge card: how far a judge can be trusted, against people, as a versioned record."""

from typing import Any

from percuss.core.strict import Record

__all__ = [
    "Card",
    "ClassLine",
    "GateLine",
    "MetricCard",
    "Number",
    "SecondPerson",
    "StratumLine",
    "number",
]


class Number(Record):
    """A figure with its interval; `value` None exactly when `undefined` says why."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    method: str = ""
    n: int = 0
    undefined: str | None = None
    p: float | None = None
    note: str = ""


def number(result: Any) -> Number:
    """Return a `percuss.stats` result as a number of a card."""
    doubts = (
        () if result.value is None or not result.undefined else (f"interval undefined: {result.undefined}",)
    )
    return Number(
        value=result.value,
        low=result.low,
        high=result.high,
        level=result.level,
        method=result.method,
        n=result.n,
        undefined=result.undefined if result.value is None else None,
        p=result.p,
        note="; ".join((*result.notes, *doubts)),
    )


class StratumLine(Record):
    """Agreement within one stratum; `raw` for labels, `sensitivity` and `specificity` for the card's word `positive`."""

    stratum: str
    n: int
    coefficient: Number
    raw: Number | None = None
    sensitivity: Number | None = None
    specificity: Number | None = None


class ClassLine(Record):
    """Errors in one class of what the first person says: the judge's rate, a second person's, and by how much the judge's lies above.

    Args:
        of: the class. n: items of it. verdict: `within`, `not shown to be above`, `above` or `unknown`.
    """

    of: str
    n: int
    judge: Number
    person: Number
    more: Number
    verdict: str = "unknown"


class SecondPerson(Record):
    """A judge and a second person against the first, on the items that all three labelled."""

    first: str
    second: str
    n: int
    classes: tuple[ClassLine, ...] = ()


class MetricCard(Record):
    """One metric of a card.

    Args:
        scale: `label`, `ordinal` (labels in order: quadratic weights) or `score`.
        coefficient: kappa of labels, tau-b of scores, judge against the people's consensus.
        alternatives: other coefficients beside it, by name.
        raters: person -> coefficient of the judge against that person (papers/1 Table S7).
        people: agreement among people: Fleiss' kappa or Krippendorff's alpha; ceiling: a person against the others.
        confusion: rows people, columns judge, in the order of `words`.
        sensitivity, specificity: for the word `positive`; None for scores.
        no_consensus: items on which people were split evenly, left out and counted.
        passes: agreement of the judge with itself over passes; None with one pass.
        second: the judge's errors by class beside a second person's; None where one person labelled, and for scores.
    """

    metric: str
    scale: str
    n: int
    coefficient: Number
    raw: Number | None = None
    alternatives: dict[str, Number] = {}
    raters: dict[str, Number] = {}
    people: Number | None = None
    ceiling: Number | None = None
    words: tuple[str, ...] = ()
    confusion: tuple[tuple[int, ...], ...] = ()
    positive: str = ""
    sensitivity: Number | None = None
    specificity: Number | None = None
    strata: tuple[StratumLine, ...] = ()
    no_consensus: int = 0
    passes: Number | None = None
    second: SecondPerson | None = None
    outcomes: dict[str, float] = {}
    coverage: float | None = None
    validity: float | None = None


class GateLine(Record):
    """One gate: the rate against its threshold, and how sure the verdict is.

    Args:
        metric: whose replies were counted; "" for those of all metrics together.
        passed: None is undefined. needs: None where no number of items assures it.
    """

    name: str
    metric: str
    threshold: float
    rate: Number
    passed: bool | None
    assured: bool
    needs: int | None


class Card(Record):
    """How one judge did against people.

    Args:
        macro: mean over metrics of kappa or tau-b, the primary criterion; undefined where any metric's is.
        kappa: the figure that reports quote beside the judge's name; None where there is tau-b only.
        gates: sham false positives, abstentions, invalid replies and their parts.
        split: what the card was measured on (`all`, `dev`, `test`), with the seed of the split.
        simulated: the judge is a phantom.
        scoring: of the run whose labels were validated; "" for tables. Another prompt makes another instrument.
    """

    judge: str
    version: int = 1
    percuss: str = ""
    made_at: str = ""
    items: int = 0
    people: tuple[str, ...] = ()
    metrics: tuple[MetricCard, ...] = ()
    macro: Number = Number(undefined="nothing was judged")
    kappa: Number | None = None
    gates: tuple[GateLine, ...] = ()
    coverage: float | None = None
    validity: float | None = None
    split: str = "all"
    seed: int = 0
    simulated: bool = False
    scoring: str = ""

    @property
    def failed_gates(self) -> tuple[GateLine, ...]:
        """Gates that failed; an undefined gate does not fail."""
        return tuple(line for line in self.gates if line.passed is False)
