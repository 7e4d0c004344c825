"""Section 4: where it goes wrong: by kind of claim, and by what the claim said."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from percuss.core.ports import ScoredResponse
from percuss.core.records import Claim, Verdict
from percuss.core.sections import Chart, Column, Section, Table
from percuss.measure.numbers import point
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.names import KINDS, SECONDARY, arm_words
from percuss.protocols.grounding.estimate.sections.findings import ordered
from percuss.protocols.grounding.estimate.sections.shelf import Shelf, cell

__all__ = ["Failures", "where"]

MOST_FREQUENT = 10


class Failures:
    """How often each thing fails in each arm, with the first example of it; by model, in the order of the models."""

    def __init__(self) -> None:
        self._by_model: dict[str, dict[tuple[str, str], _Failure]] = {}

    def add(self, assessed: ScoredResponse, labelled: Sequence[Labelled]) -> None:
        """Count the unsupported claims of one answer.

        Args:
            assessed: an answer. labelled: the headline's labels, one a claim.
        """
        by_rule = {v.subject: v for v in assessed.verdicts if v.rater.startswith("rule:")}
        for claim, entry in zip(assessed.claims, labelled, strict=False):
            if entry.unsupported:
                key = (_reason(claim, by_rule.get(claim.id)), arm_words(assessed.response.arm))
                held = self._by_model.setdefault(assessed.response.model, {})
                held.setdefault(key, _Failure(claim.text, assessed.response.model)).n += 1

    def most_common(self, models: Sequence[str]) -> list[tuple[tuple[str, str], "_Failure"]]:
        """Return the most frequent failures of all models together, with an example of the first that shows it.

        Args:
            models: in the order in which examples are looked for.
        """
        total: dict[tuple[str, str], _Failure] = {}
        for model in models:
            for key, one in self._by_model.get(model, {}).items():
                total.setdefault(key, _Failure(one.example, one.model)).n += one.n
        return sorted(total.items(), key=lambda item: -item[1].n)[:MOST_FREQUENT]


@dataclass
class _Failure:
    example: str
    model: str
    n: int = 0


def where(shelf: Shelf, failures: Failures) -> Iterator[Section]:
    """Yield the heat map of kind by arm, the most frequent failures, and the secondary numbers."""
    rows: list[dict[str, Any]] = [
        {
            "kind": kind,
            "arm": arm_words(e.arm),
            "model": e.model,
            "value": e.value,
            "n": e.n,
            "simulated": e.simulated,
        }
        for model in ordered(shelf)
        for kind in KINDS
        for e in shelf.all("unsupported_rate", model=model, stratum=f"kind={kind}")
        if e.value is not None
    ]
    if rows:
        worst = max((row for row in rows if row["n"] >= 10), key=lambda row: row["value"], default=None)
        answer = (
            ""
            if worst is None
            else f"Most often in {worst['kind']} claims of {worst['model']}, {worst['arm']}: {point(worst['value'])} of {worst['n']}."
        )
        chart = Chart(
            kind="heat",
            rows=tuple(rows),
            x="arm",
            y="kind",
            value="value",
            facet="model",
            unit="share",
            options={"rows": list(KINDS), "order": [arm_words(arm) for arm in shelf.arms]},
            alt="Share of unsupported claims by kind of claim and by arm, with n.",
        )
        yield Section.of("where", "Which kinds of claim fail, and with how much evidence?", chart, answer)
    yield Section.of(
        "where", "What fails most often?", _failures(shelf, failures.most_common(shelf.real or shelf.models))
    )
    yield Section.of("where", "How do the answers read otherwise?", _secondary(shelf))


def _failures(shelf: Shelf, found: Sequence[tuple[tuple[str, str], _Failure]]) -> Table:
    rows = tuple(
        {
            "what": what,
            "arm": arm,
            "n": one.n,
            "example": one.example,
            "by": one.model,
            "simulated": one.model in shelf.simulated,
        }
        for (what, arm), one in found
    )
    columns = (
        Column(key="what", title="what failed"),
        Column(key="arm", title="arm"),
        Column(key="n", title="claims", unit="count", align="right"),
        Column(key="example", title="for example"),
        Column(key="by", title="said by"),
    )
    return Table(columns=columns, rows=rows, note="" if rows else "No claim was unsupported.")


def _reason(claim: Claim, verdict: Verdict | None) -> str:
    """Name what a rule found wrong; a judge's finding goes by the kind of claim."""
    tokens = [] if verdict is None else [t for t in verdict.evidence if t.get("outcome") == "mismatch"]
    for kind, words in (
        ("enumerated", "{field} differs from the evidence"),
        ("specific", "a specific that the evidence does not hold"),
        ("modality", "{field} data asserted or denied against what was shown"),
    ):
        found = next((t for t in tokens if t["kind"] == kind), None)
        if found is not None:
            return words.format(field=found.get("field") or "value")
    bound = next((t for t in tokens if t["kind"] == "number" and t.get("path")), None)
    if bound is not None:
        return f"another number than {bound['path']}"
    if any(t["kind"] == "number" for t in tokens):
        return "a number that stands nowhere in the evidence"
    return f"{claim.kind} claim, by the judge"


def _secondary(shelf: Shelf) -> Table:
    rows = []
    for model in ordered(shelf):
        row: dict[str, object] = {"model": model, "simulated": model in shelf.simulated}
        for quantity in SECONDARY:
            e = next(shelf.all(quantity.name, model=model, arm=shelf.arm, labels="any"), None)
            row[quantity.name] = cell(e)
        e = next(shelf.all("abstention", model=model, arm=shelf.baseline, labels="any"), None)
        row["abstention"] = cell(e)
        rows.append(row)
    columns = (
        Column(key="model", title="model"),
        *(Column(key=q.name, title=q.label, align="right") for q in SECONDARY),
        Column(key="abstention", title="abstention without evidence", align="right"),
    )
    return Table(columns=columns, rows=tuple(rows), note="With the evidence given, but for abstention.")
