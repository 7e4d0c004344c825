"""Can the judge be trusted: against the rules node by node, against people, and what was dropped of its audit."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from percuss.core.ports import ScoredResponse
from percuss.core.records import Case, Estimate, Verdict
from percuss.core.sections import Prose, Section
from percuss.kit.report.build import number, share, table, text
from percuss.kit.report.context import Report, Told
from percuss.kit.report.judged import failures, judged_by, who_labelled
from percuss.measure.wording import source_words
from percuss.protocols.stressors.check.stated import NAMED_BY_HIT, item_id
from percuss.protocols.stressors.estimate.names import AUDITED, METRICS
from percuss.protocols.stressors.labelled import Entry, Labels, labels_of, people_say
from percuss.protocols.stressors.options import RATER
from percuss.stats.intervals import wilson
from percuss.stats.kappa import cohen_kappa

__all__ = ["entries", "judge", "sources"]

NO_JUDGE = "By rules, UFR, HCCR, CIHSR and CIHGR are lower bounds: they see only entities, causal cues and words of revision that they know."
STATEMENTS = "unsupported statements"
AGAINST = (
    "Precision: of what a source counts, the share that people confirm. Recall: of what people find, the share that the "
    "source counts. Items of one case are taken as independent here."
)
ALIKE = "Items of one case are taken as independent here. Agreement with rules is no accuracy: people's labels of the same items are (`percuss judge sample`)."
_NODES = {m.quantity.name: m.quantity.label for m in METRICS}
_DROPPED = re.compile(r"^(\d+) items dropped")


def sources(report: Report, scored: ScoredResponse) -> Mapping[str, Labels]:
    """Return label source -> its statements and audited items."""
    return labels_of(scored, report.results.policy)


def entries(report: Report, scored: ScoredResponse, found: Mapping[str, Labels]) -> Sequence[Entry]:
    """Return what the headline's source says of each statement; the rules where it says nothing of this answer."""
    del scored
    return (found.get(report.results.labels) or next(iter(found.values()))).entries


class Nodes:
    """Takes part in the walk: rules, judge and people at each node.

    Args:
        report: whose models and label policy count.
    """

    def __init__(self, report: Report) -> None:
        self._models, self._policy = report.results.models, report.results.policy
        self.pairs: dict[str, list[tuple[bool, bool]]] = {}
        self.people: dict[tuple[str, str], Counter[str]] = {}
        self.dropped = 0

    def add(self, case: Case, answers: Sequence[Told]) -> None:
        """Take the answers of a case."""
        del case
        for told in answers:
            if not told.scored.left_out and told.scored.response.model in self._models:
                self._take(told)

    def _take(self, told: Told) -> None:
        rule, judge, human = (told.sources.get(name) for name in (RATER, self._policy, "human"))
        if rule and judge:
            self._pair(rule, judge)
        for name, held in ((RATER, rule), (self._policy, judge)):
            if human and held:
                self._count(STATEMENTS, name, _flags(held, human))
            if held:
                self._items(name, held, told.scored)
        for v in told.scored.verdicts:
            found = _DROPPED.match(v.rationale) if v.aspect == "audit" else None
            self.dropped += int(found.group(1)) if found else 0

    def _pair(self, rule: Labels, judge: Labels) -> None:
        for a, b in zip(rule.entries, judge.entries, strict=True):
            if a.label is not None and b.label is not None:
                self.pairs.setdefault("support of statements", []).append((a.unsupported, b.unsupported))
        hits = {(r.metric, r.item): r.hit for r in rule.rows or () if r.hit is not None}
        for row in judge.rows or ():
            own = hits.get((row.metric, row.item))
            if row.hit is not None and own is not None and row.metric in AUDITED:
                self.pairs.setdefault(_NODES[row.metric], []).append((own, row.hit))

    def _items(self, name: str, held: Labels, scored: ScoredResponse) -> None:
        """Adjudicated: what the source counts at each node, against what people say of the same item."""
        said: dict[str, list[Verdict]] = {}
        for verdict in scored.verdicts:
            if verdict.rater.startswith("human:"):
                said.setdefault(verdict.subject, []).append(verdict)
        for row in held.rows or () if said else ():
            label = people_say(said.get(item_id(scored.response.id, row.metric, row.item), ())).label
            if label is not None and row.hit is not None:
                truth = (label == "supported") != (row.metric in NAMED_BY_HIT)
                self._count(_NODES[row.metric], name, [(row.hit, truth)])

    def _count(self, node: str, name: str, flags: Sequence[tuple[bool, bool]]) -> None:
        counts = self.people.setdefault((node, name), Counter())
        for flagged, truth in flags:
            counts["flagged"] += flagged
            counts["true"] += truth
            counts["both"] += flagged and truth


def _flags(held: Labels, human: Labels) -> list[tuple[bool, bool]]:
    """Of what the source calls unsupported, and of what people call so."""
    pairs = zip(held.entries, human.entries, strict=True)
    return [
        (a.unsupported, truth.unsupported)
        for a, truth in pairs
        if truth.label is not None and a.label is not None
    ]


def judge(report: Report) -> Iterator[Section]:
    """Yield precision and recall against people, agreement of rules and judge per node, and what could not be scored."""
    nodes: Nodes = report.collected["nodes"]
    if nodes.people:
        made = _against_people(nodes.people)
        shown = [
            (row["node"], key, row[key], f"{row['source']} and people")
            for row in made.body["rows"] for key in ("precision", "recall")
        ]  # fmt: skip
        yield replace(made, estimates=tuple(_estimates(report, shown)))
    if not judged_by(report):
        yield Section.of(
            "judge",
            "Who labelled?",
            Prose(markdown=f"{who_labelled(report)} {NO_JUDGE}"),
            "There was no judge.",
        )
        return
    answer = f"{nodes.dropped} items of the judge's audits were dropped: an id that the case does not hold, or a quote that stands nowhere."
    heads = (
        text("node"),
        number("n", "items"),
        share("same", "same answer"),
        share("kappa", "Cohen's kappa", "ratio"),
    )
    rows = [_node(name, held) for name, held in nodes.pairs.items()]
    made = table("judge", "Do rules and judge agree, node by node?", heads, rows, note=ALIKE, answer=answer)
    shown = [(row["node"], key, row[key], "rules and judge") for row in rows for key in ("same", "kappa")]
    yield replace(made, estimates=tuple(_estimates(report, shown)))
    yield from failures(report)


_WORDS = {
    "same": "same answer", "kappa": "Cohen's kappa", "precision": "confirmed by people", "recall": "found of what people find",
}  # fmt: skip


def _estimates(
    report: Report, shown: Sequence[tuple[str, str, Mapping[str, Any], str]]
) -> Iterator[Estimate]:
    """Yield the numbers of a table of nodes as estimates: (node, which number, its cell, whose labels)."""
    for node, key, cell, labels in shown:
        yield Estimate(
            name=f"node_{key}", model="all models", arm="all arms", labels=labels, stratum=node, better="higher",
            label=f"{node}: {_WORDS[key]}", question="How far do sources agree on this node?", unit=cell["unit"],
            value=cell["value"], low=cell.get("low"), high=cell.get("high"), undefined=cell.get("undefined"),
            method="Cohen's kappa" if key == "kappa" else "Wilson", covers="sampling of items, taken as independent",
            n=cell.get("n", 0), simulated=report.results.only_simulated,
        )  # fmt: skip


def _node(name: str, held: Sequence[tuple[bool, bool]]) -> dict[str, Any]:
    kappa = cohen_kappa([str(x) for x, _ in held], [str(y) for _, y in held], scale=("False", "True"))
    n = len(held)
    same = _figure(wilson(sum(x == y for x, y in held), n), "share", n=n)
    return {"node": name, "n": n, "same": same, "kappa": _figure(kappa, "ratio", n=n)}


def _figure(found: Any, unit: str, **more: Any) -> dict[str, Any]:
    undefined = found.undefined if found.value is None else None
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "unit": unit,
        "undefined": undefined,
        **more,
    }


def _against_people(people: Mapping[tuple[str, str], Counter[str]]) -> Section:
    rows: list[dict[str, Any]] = []
    for (node, name), c in sorted(people.items(), key=lambda held: (held[0][0] != STATEMENTS, held[0])):
        row: dict[str, Any] = {"node": node, "source": source_words(name)}
        for key, den, nothing in (
            ("precision", "flagged", "nothing flagged"),
            ("recall", "true", "nothing to find"),
        ):
            found = _figure(wilson(c["both"], c[den]), "share", n=c[den]) if c[den] else None
            row[key] = found or {"value": None, "unit": "share", "undefined": nothing}
        rows.append(row)
    heads = (text("node"), text("source"), share("precision", "precision"), share("recall", "recall"))
    return table("judge", "How precise is each source against people?", heads, rows, note=AGAINST)
