"""Section 4: where it goes wrong: fingerprint as a heat map, life lines as swim lanes, the association."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from percuss.core.sections import Chart, Column, Section, Table
from percuss.protocols.stressors.estimate.labelled import labels_of
from percuss.protocols.stressors.estimate.names import METRICS, arm_words, exists
from percuss.protocols.stressors.estimate.propagation import Line, lines_of
from percuss.protocols.stressors.estimate.sections.shelf import Shelf, figure

__all__ = ["lanes", "where"]

LANES = 30
LAST = 4
MIRRORED = ("pir", "cir")
"""Complements of another metric: their failures are the same share."""
STATES = ("born", "repeated", "premise", "in the conclusion", "withdrawn", "questioned")


def where(shelf: Shelf) -> Iterator[Section]:
    """Yield fingerprint, life lines, what lives become, and the association."""
    yield from _fingerprint(shelf)
    yield from _lifelines(shelf)
    yield from _association(shelf)


def _fingerprint(shelf: Shelf) -> Iterator[Section]:
    """Failure shares: what is better high is turned round, so that dark is always worse."""
    for model in shelf.ordered:
        rows = []
        for metric in METRICS:
            q = metric.quantity
            for arm in shelf.arms if q.name not in MIRRORED else ():
                e = shelf.get(q.name, model, arm)
                if e is None or e.value is None or not exists(metric, arm):
                    continue
                failing = 1 - e.value if q.better == "higher" else e.value
                label = f"1 - {q.name.upper()}" if q.better == "higher" else q.name.upper()
                rows.append(
                    {
                        "x": arm_words(arm),
                        "y": f"{metric.node}: {label}",
                        "value": failing,
                        "n": e.n,
                        "simulated": e.simulated,
                    }
                )
        if rows:
            chart = Chart(
                kind="heat", rows=tuple(rows), x="x", y="y", value="value", x_title="arm", unit="share",
                options={"rows": list(dict.fromkeys(r["y"] for r in rows)), "order": [arm_words(a) for a in shelf.arms]},
                alt=f"Failure fingerprint of {model}: share of failures per metric and arm; empty where a metric cannot exist.",
            )  # fmt: skip
            answer = (
                "Every cell is a share of failures with its n; a metric without a denominator has no cell."
                if model == shelf.ordered[0]
                else ""
            )
            yield Section.of("where", f"Failure fingerprint: {model}", chart, answer)


def lanes(line: Line) -> Iterator[dict[str, Any]]:
    """Yield the stretches of one life line: born, repeated, premise, withdrawn, in the conclusion, absent.

    Args:
        line: an unsupported statement.
    """
    states: dict[int, str] = {line.born: "born"}
    for entry in line.later:
        p = entry.claim.payload
        turn = int(p["n"])
        word = (
            "in the conclusion"
            if p["type"] == "evidence"
            else {"asserted": "repeated", "premise": "premise"}.get(p["state"], p["state"])
        )
        if states.get(turn) not in {"born", "premise", "in the conclusion"}:
            states[turn] = str(word)
    for turn in range(line.born, LAST + 1):
        yield {"start": turn, "stop": turn + 1, "state": states.get(turn, "absent")}


def _lifelines(shelf: Shelf) -> Iterator[Section]:
    policy = shelf.labels if shelf.labels == "majority" else "agreement"
    for model in shelf.ordered:
        rows: list[dict[str, Any]] = []
        fates: Counter[str] = Counter()
        shown = 0
        for assessed in shelf.run.assessed(model=model):
            held = labels_of(assessed, policy).get(shelf.labels)
            if held is None:
                continue
            for line in lines_of(held.entries):
                if not line.birth.unsupported:
                    continue
                fates[_fate(line)] += 1
                if shown < LANES and (line.later or shown < LANES // 3):
                    shown += 1
                    told = {
                        "lane": f"{shown}. {line.birth.claim.text[:60]}",
                        "case": assessed.case.id,
                        "arm": arm_words(assessed.response.arm),
                        "simulated": model in shelf.simulated,
                    }
                    rows += [{**told, **part} for part in lanes(line) if part["state"] != "absent"]
        if rows:
            chart = Chart(
                kind="lifelines", rows=tuple(rows), x="start", y="lane", x_title="turn", unit="count",
                options={"states": STATES},
                alt=f"Life lines of unsupported statements of {model}: born, repeated, premise, withdrawn, in the conclusion.",
            )  # fmt: skip
            total = sum(fates.values())
            words = ", ".join(f"{n} {fate}" for fate, n in fates.most_common())
            yield Section.of(
                "where",
                f"What becomes of what is made up: {model}",
                chart,
                f"{total} unsupported statements: {words}.",
            )


def _fate(line: Line) -> str:
    if line.concluded:
        return "reached the conclusion"
    if line.told_back(line.born):
        return "were withdrawn or questioned"
    if line.premise:
        return "became a premise"
    return "came again" if line.stands_after(line.born) else "were not said again"


def _association(shelf: Shelf) -> Iterator[Section]:
    rows = tuple(
        {"model": e.model, "rr": msgspec.to_builtins(figure(e)), "counts": e.note, "simulated": e.simulated}
        for e in shelf.all("association")
    )
    if rows:
        columns = (
            Column(key="model", title="model"),
            Column(key="rr", title="relative risk", unit="ratio", align="right"),
            Column(key="counts", title="statements that stay"),
        )
        note = "Risk that a statement made up before the contradiction stays, where the contradiction was missed over where it was flagged. An association: nothing was assigned."
        yield Section.of(
            "where",
            "Do missed contradictions and lasting hallucinations go together?",
            Table(columns=columns, rows=rows, note=note),
        )
