"""The jury (reading.md, section 8): rates by rule beside rates by people, on labelled sentences of real answers, per model and arm."""

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from percuss.evidence.rules.support2 import support2
from percuss.judging.passport import passport_of
from percuss.protocols.grounding.estimate.floors import FEWEST_DECIDED
from percuss.stats import wilson_clustered

sys.path.insert(0, str(Path(__file__).resolve().parent))

import reading

BAD = {"contradicted", "absent"}
NOT_COUNTED = {"unclear"}


class Rate(NamedTuple):
    """Unsupported share of one model in one arm: by people over all, by the rule over what it decides."""

    model: str
    arm: str
    n: int
    decided: int
    people: float
    rule: float | None
    low: float | None
    high: float | None

    @property
    def agrees(self) -> bool | None:
        """Whether the rule's interval holds what people say; None where there is no interval."""
        return None if self.low is None or self.high is None else self.low <= self.people <= self.high


def headline_off(rate: Rate, layout: str) -> bool:
    """Say whether a report gives no headline on such labels: the rule is below its floors, or decides less than half."""
    known = passport_of("rule:support-2", layout=layout)
    return known is None or not known.floors_met or rate.decided < FEWEST_DECIDED * rate.n


def rates(layout: str = "structured") -> list[Rate]:
    """Return the rates of the corpus `support`, real answers alone, assertions that the question doesn't say.

    Args:
        layout: of the evidence.
    """
    held: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in reading.rows("support"):
        model, _, _ = row["origin"].removeprefix("model:").partition("|")
        if not row["origin"].startswith("model:") or row["label"] in NOT_COUNTED or row.get("given"):
            continue
        if reading.layout(row) == layout and reading.is_there(row) and row["arm"] in {"evidence", "none"}:
            held[model, row["arm"]].append(row)
    return [_rate(model, arm, rows) for (model, arm), rows in sorted(held.items())]


def _rate(model: str, arm: str, rows: Sequence[Any]) -> Rate:
    people = np.array([row["label"] in BAD or 0.5 * (row["label"] == "partial") for row in rows], dtype=float)
    said = [
        support2(row["text"], reading.packet(row["context"]), reading.question_of(row) or "").label
        for row in rows
    ]
    bad = [(row["group"], label in BAD or 0.5 * (label == "partial")) for row, label in zip(rows, said, strict=True) if label in {*BAD, "partial", "supported"}]  # fmt: skip
    if len({group for group, _ in bad}) < 2:
        return Rate(model, arm, len(rows), len(bad), float(people.mean()), None, None, None)
    values, groups = np.array([float(b) for _, b in bad]), np.array([group for group, _ in bad])
    found = wilson_clustered(values, np.ones(len(values)), clusters=groups)
    return Rate(
        model, arm, len(rows), len(bad), float(people.mean()), float(values.mean()), found.low, found.high
    )


def lines() -> Iterator[str]:
    """Yield the section of docs/reading.md."""
    yield "## The jury: rates by rule beside rates by people"
    yield ""
    yield (
        "Labelled sentences of real answers (corpus `support`, both halves), the unsupported share by people over all of them and by "
        "`rule:support-2` over those that it decides; intervals by case. A rate outside the rule's interval is a fault of the rule "
        "alone; the headline is off wherever the rule is below its floors or decides less than half."
    )
    yield ""
    yield "| evidence | model | arm | sentences | decided | by people | by rule | inside |"
    yield "|---|---|---|---|---|---|---|---|"
    for layout in ("structured", "text"):
        for rate in rates(layout):
            ruled = "-" if rate.rule is None else f"{rate.rule:.2f} [{_two(rate.low)}, {_two(rate.high)}]"
            inside = {None: "no interval", True: "yes", False: "no"}[rate.agrees]
            inside += ", headline off" if headline_off(rate, layout) else ""
            yield f"| {layout} | {rate.model} | {rate.arm} | {rate.n} | {rate.decided} | {rate.people:.2f} | {ruled} | {inside} |"
    yield ""


def _two(number: float | None) -> str:
    return "-" if number is None else f"{number:.2f}"


if __name__ == "__main__":
    print("\n".join(lines()))
