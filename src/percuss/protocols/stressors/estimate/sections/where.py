"""Where it goes wrong: fingerprint as a heat map, life lines as swim lanes, the association."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Any

from percuss.core.records import Case
from percuss.core.sections import Chart, Section
from percuss.kit.report.build import cell, heat, share, table, text
from percuss.kit.report.collecting import default_collectors
from percuss.kit.report.context import Report, Told
from percuss.protocols.stressors.estimate.names import METRICS, arm_words, exists
from percuss.protocols.stressors.estimate.propagation import Line, lines_of
from percuss.protocols.stressors.estimate.sections.judged import Nodes

__all__ = ["collectors", "where"]

LANES = 30
LAST = 4
QUOTED = 160
"""Characters of a statement beside its lane; a longer one ends in "…" and is whole in what a pointer shows and in the data."""
MIRRORED = ("pir", "cir")
"""Complements of another metric: their failures are the same share."""
STATES = ("born", "repeated", "premise", "in the conclusion", "withdrawn", "questioned")
ASSOCIATED = "Risk that a statement made up before the contradiction stays, where the contradiction was missed over where it was flagged. An association: nothing was assigned."


def collectors(report: Report) -> Mapping[str, Any]:
    """Return the kit's collectors, life lines, and agreement node by node."""
    return {**default_collectors(report), "lives": Lives(report), "nodes": Nodes(report)}


class Lives:
    """Takes part in the walk: life lines of unsupported statements, by model, and what became of them.

    Args:
        report: whose models count.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self.rows: dict[str, list[dict[str, Any]]] = {}
        self.fates: dict[str, Counter[str]] = {}
        self._shown: Counter[str] = Counter()

    def add(self, case: Case, answers: Sequence[Told]) -> None:
        """Take the answers of a case."""
        for told in answers:
            for line in lines_of(told.entries):
                if line.birth.unsupported:
                    self._take(case, told, line)

    def _take(self, case: Case, told: Told, line: Line) -> None:
        model = told.scored.response.model
        self.fates.setdefault(model, Counter())[_fate(line)] += 1
        if self._shown[model] >= LANES or not (line.later or self._shown[model] < LANES // 3):
            return
        self._shown[model] += 1
        said = line.birth.claim.text
        quoted = shorten(said, QUOTED, placeholder=" …")
        shared = {
            "lane": f"{self._shown[model]}. {quoted}", "case": case.id,
            "arm": arm_words(told.scored.response.arm), "simulated": self._report.results.is_simulated(model),
            **({} if len(said) <= QUOTED else {"said": said}),
        }  # fmt: skip
        stretches = [part for part in lanes(line) if part["state"] != "absent"]
        self.rows.setdefault(model, []).extend({**shared, **part} for part in stretches)


def where(report: Report) -> Iterator[Section]:
    """Yield fingerprint, life lines, what lives become, and the association."""
    for model in report.ordered:
        yield from _fingerprint(report, model)
    for model in report.ordered:
        yield from _lifelines(report, model)
    rows = [
        {"model": e.model, "rr": cell(e), "counts": e.note, "simulated": e.simulated}
        for e in report.results.all("association")
    ]
    if rows:
        heads = (text("model"), share("rr", "relative risk", "ratio"), text("counts", "statements that stay"))
        yield table(
            "where",
            "Do missed contradictions and lasting hallucinations go together?",
            heads,
            rows,
            note=ASSOCIATED,
        )


def _fingerprint(report: Report, model: str) -> Iterator[Section]:
    """Failure shares: what is better high is turned round, so that dark is always worse."""
    rows = []
    for metric in METRICS:
        q = metric.quantity
        failing = q.better != "neither" and q.name not in MIRRORED
        for arm in report.results.arms if failing else ():
            e = report.results.get(q.name, model, arm)
            if e is not None and e.value is not None and exists(metric, arm):
                turned = q.better == "higher"
                label = f"{'1 - ' if turned else ''}{q.label}"
                rows.append({"x": arm_words(arm), "y": label, "value": 1 - e.value if turned else e.value, "n": e.n, "simulated": e.simulated})  # fmt: skip
    if rows:
        first = model == report.ordered[0]
        yield heat(
            "where", f"Failure fingerprint: {model}", rows, x="x", y="y", x_title="arm",
            order=[arm_words(a) for a in report.results.arms],
            alt=f"Failure fingerprint of {model}: share of failures per metric and arm; empty where a metric cannot exist.",
            answer="Every cell is a share of failures with its n; a metric without a denominator has no cell." if first else "",
        )  # fmt: skip


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


def _lifelines(report: Report, model: str) -> Iterator[Section]:
    lives: Lives = report.collected["lives"]
    rows, fates = lives.rows.get(model, []), lives.fates.get(model, Counter())
    if not rows:
        return
    words = ", ".join(f"{n} {fate}" for fate, n in fates.most_common())
    chart = Chart(
        kind="lifelines", rows=tuple(rows), x="start", y="lane", x_title="turn", unit="count", options={"states": STATES},
        alt=f"Life lines of unsupported statements of {model}: born, repeated, premise, withdrawn, in the conclusion.",
    )  # fmt: skip
    answer = f"{fates.total()} unsupported statements: {words}."
    yield Section.of("where", f"What becomes of what is made up: {model}", chart, answer)


def _fate(line: Line) -> str:
    if line.concluded:
        return "reached the conclusion"
    if line.told_back(line.born):
        return "were withdrawn or questioned"
    if line.premise:
        return "became a premise"
    return "came again" if line.stands_after(line.born) else "were not said again"
