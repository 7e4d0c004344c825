"""Section 5: what was left out, and whether it matters."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from percuss.core.ports import ScoredResponse
from percuss.core.sections import Chart, Column, Section, Table
from percuss.judging.extract import is_truncated
from percuss.measure.numbers import point
from percuss.measure.wording import counted, source_words
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.names import arm_words
from percuss.protocols.grounding.estimate.sections.findings import ordered
from percuss.protocols.grounding.estimate.sections.shelf import Shelf

__all__ = ["Flow", "left_out"]


class Flow:
    """Answers asked -> answered; claims made -> checked -> scored, per arm (as in CONSORT)."""

    def __init__(self) -> None:
        self._by_model: dict[str, dict[str, Counter[tuple[str, str]]]] = {}

    def add(self, assessed: ScoredResponse, labelled: Sequence[Labelled]) -> None:
        """Count one answer and its claims.

        Args:
            assessed: an answer of any status. labelled: the headline's labels, one a claim.
        """
        response = assessed.response
        if response.status == "not_applicable":
            return
        held = self._by_model.setdefault(response.model, {}).setdefault(response.arm, Counter())
        held["asked", ""] += 1
        if response.status != "done":
            held["asked", response.reason or "failed"] += 1
            return
        held["answered", ""] += 1
        for claim, entry in zip(assessed.claims, labelled, strict=False):
            held["made", ""] += 1
            early = assessed.left_out or is_truncated(claim)
            if entry.label is not None:
                held["scored", ""] += 1
            else:
                held["made" if early else "checked", entry.reason or "error"] += 1
            held["checked", ""] += not early

    def steps(self, models: Sequence[str]) -> dict[str, Counter[tuple[str, str]]]:
        """Return arm -> (step, reason why it went no further, "" for all that came) -> count, over the models."""
        total: dict[str, Counter[tuple[str, str]]] = {}
        for model in models:
            for arm, held in self._by_model.get(model, {}).items():
                total.setdefault(arm, Counter()).update(held)
        return total


def left_out(shelf: Shelf, counts: Flow) -> Iterator[Section]:
    """Yield the flow of claims, the specification strip and the exclusions."""
    steps = counts.steps(shelf.real or shelf.models)
    flow, posed, out = _flow(steps, [*shelf.arms, *(arm for arm in steps if arm not in shelf.arms)])
    answer = f"{counted(out)} of {counted(posed)} claims were left out." if out else "No claim was left out."
    yield Section.of("left_out", "Where did claims leave?", flow, answer)
    strip = _specifications(shelf)
    if strip.rows:
        yield Section.of("left_out", "Would another choice have told another story?", strip, _spread(strip))
    yield Section.of("left_out", "What was left out, by reason", _exclusions(shelf))


def _flow(steps: Mapping[str, Counter[tuple[str, str]]], arms: Sequence[str]) -> tuple[Chart, int, int]:
    rows = [row for arm in arms if arm in steps for row in _flow_rows(arm_words(arm), steps[arm])]
    made = sum(held["made", ""] for held in steps.values())
    scored = sum(held["scored", ""] for held in steps.values())
    chart = Chart(
        kind="flow",
        rows=tuple(rows),
        facet="arm",
        alt="Answers asked and answered, claims made, checked and scored, with what left and why, per arm.",
    )
    return chart, made, made - scored


def _flow_rows(arm: str, held: Counter[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    names = {
        "asked": "answers asked",
        "answered": "answers",
        "made": "claims made",
        "checked": "claims checked",
        "scored": "claims scored",
    }
    for first, then in (("asked", "answered"), ("made", "checked"), ("checked", "scored")):
        yield {"arm": arm, "from": names[first], "to": names[then], "n": held[then, ""]}
        for (step, reason), n in held.items():
            if step == first and reason:
                yield {"arm": arm, "from": names[first], "reason": reason, "n": n}


def _specifications(shelf: Shelf) -> Chart:
    """The primary beside every other label source, pooled and macro."""
    rows = []
    for model in shelf.real or shelf.models:
        for source in shelf.sources:
            for name, words in (("hdi_pooled", "pooled"), ("hdi_macro", "mean over cases")):
                e = next(shelf.all(name, model=model, arm=shelf.arm, labels=source), None)
                if e is None or e.value is None:
                    continue
                low, high = e.bounds or (None, None)
                rows.append(
                    {
                        "choice": f"{model}: {source_words(source)}, {words}{' (primary)' if e.primary else ''}",
                        "value": e.value,
                        "low": e.low,
                        "high": e.high,
                        "worst": low,
                        "best": high,
                        "model": model,
                        "primary": e.primary,
                        "simulated": e.simulated,
                    }
                )
    return Chart(
        kind="strip",
        rows=tuple(rows),
        x="value",
        y="choice",
        low="low",
        high="high",
        x_title="HDI",
        unit="ratio",
        options={"bounds": ["worst", "best"]},
        alt="HDI under every label source, pooled and as a mean over cases; thin lines are worst cases over exclusions.",
    )


def _spread(strip: Chart) -> str:
    primary = [row for row in strip.rows if row["primary"]]
    if not primary:
        return ""
    model = primary[0]["model"]
    values = [row["value"] for row in strip.rows if row["model"] == model]
    return f"For {model} HDI is {point(primary[0]['value'], 'ratio')} as declared, and from {point(min(values), 'ratio')} to {point(max(values), 'ratio')} over {counted(len(values))} choices."


def _exclusions(shelf: Shelf) -> Table:
    rows: list[dict[str, Any]] = []
    for source in shelf.sources:
        for model in ordered(shelf):
            for arm in shelf.arms:
                e = next(shelf.all("unsupported_rate", model=model, arm=arm, labels=source), None)
                if e is None:
                    continue
                out = sum(e.excluded.values())
                low, high = e.bounds or (None, None)
                rows.append(
                    {
                        "labels": source_words(source),
                        "model": model,
                        "arm": arm_words(arm),
                        "posed": e.n + out,
                        "scored": e.n,
                        "out": ", ".join(f"{reason} {n}" for reason, n in sorted(e.excluded.items()))
                        or "none",
                        "worst": low,
                        "best": high,
                        "decided": e.decided_share,
                        "simulated": e.simulated,
                    }
                )
    columns = (
        Column(key="labels", title="labels"),
        Column(key="model", title="model"),
        Column(key="arm", title="arm"),
        Column(key="posed", title="claims", unit="count", align="right"),
        Column(key="scored", title="scored", unit="count", align="right"),
        Column(key="out", title="left out, by reason"),
        Column(key="worst", title="unsupported if none were", unit="share", align="right"),
        Column(key="best", title="unsupported if all were", unit="share", align="right"),
        Column(key="decided", title="decided by rule", unit="share", align="right"),
    )
    return Table(columns=columns, rows=tuple(rows))
